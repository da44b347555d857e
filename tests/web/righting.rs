//! How a ball is put right on its page: balls that are taken back, players, and what later balls are asked.

use third_umpire_test_support::service::Match;

use crate::balls::{opens_as_scorer, played, score_of};
use crate::phone::Phone;
use crate::table::Table;

/// The number of the last ball.
fn last_of(played: &Match) -> u64 {
    played.view()["situation"]["last"]["delivery"].as_u64().expect("a ball was bowled")
}

#[test]
fn a_ball_is_taken_back_from_its_page_with_those_after_it() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    let played = played(&service);
    opens_as_scorer(&phone, &played, 3);
    phone.reads("[data-action='take-back']", "Take back 4 balls from 0.3 on");
    phone.taps("[data-action='take-back']");
    phone.reads(".sentence", "4 balls go, from 0.3 on.");
    phone.reads(".sentence", "7/2 becomes 4/1.");
    assert_eq!(last_of(&played), 6, "a look changes nothing");
    assert!(phone.has("[data-action='confirm'][aria-disabled]"), "a reason is needed");
    phone.taps("[data-choice='Rule']");
    phone.reads("[data-action='confirm']", "Take back 4 balls from 0.3 on");
    phone.taps("[data-action='confirm']");
    phone.reads(".result .word", "Taken back");
    phone.reads(".earlier", "Rule");
    assert_eq!((last_of(&played), score_of(&played)), (2, "4/1".to_owned()));
    // A ball that is void has nothing to take back.
    assert!(!phone.has("[data-action='take-back']"));
}
