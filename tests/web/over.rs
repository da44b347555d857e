//! This over and what ends with it: the cells of the balls, the line of an over, the panel of an innings.

use serde_json::json;
use third_umpire_test_support::service::{table, with};

use crate::games::appealed;
use crate::phone::Phone;
use crate::table::{Table, balls_of, pad_of};

/// The time that a ball is held.
const HOLD: u64 = 4000;

/// The words that a reader hears of the last cell.
const HEARD: &str = "return [...document.querySelectorAll('.strip .cell .heard')].at(-1).textContent";

#[test]
fn the_last_ball_of_a_match_is_drawn_once_and_no_cell_waits_behind_it() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    let played = service.begun(&table(1));
    (0..6).for_each(|_| drop(played.bowl(&[2, 1])));
    played.bowl(&[2, 4]);
    phone.opens(&pad_of(&played));
    phone.rolls(2);
    phone.rolls(6);
    phone.reads(".box", "won by 10 wickets");
    assert_eq!(phone.text(".strip"), "0.1, four 4 0.2, six 6");
    assert!(phone.has(".strip li:last-child .cell.held.boundary .ring"));
    assert!(!phone.has(".strip .die") && !phone.has(".strip .kept"), "the ball is drawn once");
    // The ball is known here alone.
    phone.taps("[data-ball='8']");
    phone.reads("dialog h2", "0.2, six");
    phone.reads("dialog", "SIX");
}

#[test]
fn the_ring_of_a_held_ball_moves_by_what_a_browser_draws_beside_the_page() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    phone.opens(&pad_of(&service.begun(&table(2))));
    phone.rolls(2);
    phone.rolls(4);
    // A stroke that moves is style of the page at each frame: a slow phone answers a tap the later.
    let moved = "return document.getAnimations().filter(({animationName}) => animationName === 'ring')\
        .map(({effect}) => effect.getKeyframes().flatMap(Object.keys).filter((name) => \
        !['offset', 'computedOffset', 'easing', 'composite'].includes(name)).join())";
    assert_eq!(phone.run(moved, vec![]), json!(["transform,transform", "transform,transform"]));
}

#[test]
fn the_line_of_a_held_ball_names_who_faces_and_who_bowls_next() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    let played = service.begun(&table(2));
    let view = played.view();
    let name = |side: &str, place: usize| view[side]["players"][place].as_str().expect("a name").to_owned();
    let line = ".ask .said";
    phone.opens(&pad_of(&played));
    phone.taps("[data-action='heard']");
    let bowler = phone.text("[data-cell='bowler'] .who").replace(" bowls", "");
    // A single brings the other opener to face.
    phone.rolls(2);
    phone.rolls(1);
    phone.reads(line, &format!("{bowler} to {}", name("home", 1)));
    // He is out, and the next batter faces, or whoever is chosen in his place.
    phone.rolls(2);
    phone.rolls(5);
    phone.reads(line, &format!("{bowler} to {}", name("home", 2)));
    phone.taps("[data-cell='striker']");
    phone.taps(&format!("[data-choice='{}']", name("home", 4)));
    phone.waits_ms(100);
    phone.rolls(2);
    phone.rolls(3);
    phone.reads(line, &format!("{bowler} to {}", name("home", 4)));
}

#[test]
fn a_ball_after_a_wide_says_its_number_and_which_delivery_it_is() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    let played = service.begun(&table(2));
    [[2, 1], [1, 2], [2, 4]].iter().for_each(|dice| drop(played.bowl(dice)));
    phone.opens(&pad_of(&played));
    assert_eq!(phone.run(HEARD, vec![]), "0.3, legal ball 2, four");
    phone.taps("[data-action='heard']");
    phone.taps("[data-ball='3']");
    phone.reads("dialog h2", "0.3, legal ball 2, four");
    phone.taps("dialog [data-action='close']");
    phone.taps("[data-ball='2']");
    phone.reads("dialog h2", "0.2, wide");
    // Its page and the card give it the same number.
    phone.taps("dialog a[href*='/ball/2']");
    phone.reads(".result h2", "Ball 0.2, Harbour Road");
    phone.opens(&format!("/m/{}/board", played.id));
    phone.reads(".last-ball", "0.3, legal ball 2");
}

#[test]
fn a_board_tells_the_ended_over_until_the_next_one_has_a_bowler() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    let played = service.begun(&table(2));
    phone.opens(&format!("/m/{}/board", played.id));
    phone.reads("[data-cell='bowler']", "Next bowler");
    played.bowl(&[2, 5]);
    (0..5).for_each(|_| drop(played.bowl(&[2, 4])));
    phone.opens(&format!("/m/{}/board", played.id));
    phone.reads("[data-cell='bowler']", "Over 1: 20 runs");
    phone.reads("[data-cell='bowler']", "1 wicket");
}

#[test]
fn a_line_tells_the_over_that_has_ended_and_who_faces() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    let played = service.begun(&table(2));
    played.bowl(&[2, 5]);
    (0..4).for_each(|_| drop(played.bowl(&[2, 4])));
    phone.opens(&pad_of(&played));
    phone.rolls(2);
    phone.rolls(1);
    phone.reads(".ask", "Over 1: 17 runs, 1 wicket. Crane faces.");
    phone.waits_ms(HOLD);
    phone.reads(".ask", "Over 1: 17 runs, 1 wicket. Crane faces.");
    phone.rolls(2);
    assert!(!phone.text(".ask").contains("Over 1"), "{}", phone.text(".ask"));
}

#[test]
fn the_panel_of_an_innings_eats_no_die_and_a_tap_closes_it() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    let played = service.begun(&table(1));
    (0..5).for_each(|_| drop(played.bowl(&[2, 4])));
    phone.opens(&pad_of(&played));
    phone.taps("[data-action='heard']");
    phone.rolls(2);
    phone.rolls(6);
    phone.reads("[data-hint]", "Harbour Road 26 for 0, 1.0 overs. Mill Lane need 27.");
    // The ball is held, and so are the dice of the chase.
    phone.rolls(2);
    phone.reads("#question", "Strike die");
    phone.reads("[data-hint]", "Mill Lane need 27.");
    phone.taps("[data-hint] p");
    assert!(!phone.has("[data-hint]"), "{}", phone.text("body"));
    phone.rolls(4);
    phone.waits_ms(HOLD);
    assert_eq!(balls_of(&played), 7);
    phone.reads(".box", "23 off 5 to win");
    phone.reloads();
    assert!(!phone.has("[data-hint]"), "the innings is over for good");
}

#[test]
fn the_panel_says_all_out_and_enter_closes_it() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    let played = service.begun(&table(2));
    (0..10).for_each(|_| drop(played.bowl(&[2, 5])));
    phone.opens(&pad_of(&played));
    phone.reads("[data-hint]", "Harbour Road 0 all out, 1.4 overs. Mill Lane need 1.");
    phone.presses("Enter", 0);
    assert!(!phone.text("[data-hint]").contains("all out"), "{}", phone.text("[data-hint]"));
    phone.reads("#question", "Bowl die");
}

#[test]
fn a_refused_key_leaves_the_word_of_the_held_ball_in_sight() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    phone.opens(&pad_of(&service.begun(&table(2))));
    phone.rolls(2);
    phone.rolls(4);
    let key = "const { top, height } = document.querySelector('[data-die]').getBoundingClientRect(); return [top, height]";
    let before = phone.run(key, vec![]);
    phone.presses("8", 0);
    phone.reads("[data-said]", "8 is not one of its faces");
    let beside = "const [word, label] = ['#question', '[data-said]'].map((at) => document.querySelector(at).getBoundingClientRect()); \
        return word.right <= label.left && label.right <= innerWidth";
    assert_eq!(phone.run(beside, vec![]), true, "{}", phone.text(".ask"));
    assert_eq!(phone.run(key, vec![]), before, "no key moves");
}

#[test]
fn a_review_leaves_the_foot_of_a_small_phone_in_sight() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    let name = |side: &str, n: u32| format!("{side} Featherstonehaugh-Cholmondeley {n:02}");
    let names = |side: &str| json!((1..=11).map(|n| name(side, n)).collect::<Vec<_>>());
    let request = with(table(1), "/rules", json!({"overs": 1, "drs": "house"}));
    let request = with(request, "/home/players", names("Bartholomew"));
    let long = service.begun(&with(request, "/away/players", names("Archibald")));
    long.bowl(&[3, 5, 5, 1, 4]);
    for played in [long, appealed(&service)] {
        phone.opens(&pad_of(&played));
        phone.reads("[data-choice='1']", "may stay");
        let foot = "return innerHeight - Math.max(...[...document.querySelectorAll('.undo, .foot')].map((one) => one.getBoundingClientRect().bottom))";
        let room = phone.run(foot, vec![]);
        assert!(room.as_f64() >= Some(0.0), "Undo, Card and More are {room} below: {}", phone.text("body"));
    }
}
