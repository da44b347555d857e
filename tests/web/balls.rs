//! The page of a ball: what it came to, by which rules, and how the scorer puts it right.

use serde_json::{Value, json};
use third_umpire_test_support::service::{Match, table};

use crate::phone::Phone;
use crate::table::{Table, pad_of};

/// Counts the taps of a page.
const COUNTING: &str = "globalThis.taps = 0; addEventListener('click', () => (taps += 1), true)";

/// The dice of an over of Howzat: a four, a catch at position 6, a run, no run, bowled, a two.
const OVER: [&[u8]; 6] = [&[2, 4], &[3, 5, 4, 2, 4], &[2, 1], &[6, 3], &[2, 5], &[4, 2]];

/// A match of which that over was bowled.
pub fn played(service: &Table) -> Match {
    let played = service.begun(&table(2));
    for dice in OVER {
        played.post("/balls", &json!({"dice": dice})).expect(201);
    }
    played
}

/// The path of the page of a ball.
pub fn ball_of(played: &Match, n: u32) -> String {
    format!("/m/{}/ball/{n}", played.id)
}

/// Opens the page of a ball where the token of the scorer is kept.
pub fn opens_as_scorer(phone: &Phone, played: &Match, n: u32) {
    phone.opens(&pad_of(played));
    phone.opens(&ball_of(played, n));
}

/// The score of the first innings.
pub fn score_of(played: &Match) -> String {
    let view = played.view();
    format!("{}/{}", view["score"]["innings"][0]["runs"], view["score"]["innings"][0]["wickets"])
}

#[test]
fn the_page_of_a_ball_says_what_it_came_to_and_by_which_rules() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    let played = played(&service);
    phone.opens(&ball_of(&played, 2));
    phone.reads(".result h2", "Ball 0.2");
    phone.reads(".result .word", "OUT");
    phone.reads(".beside", "4/0");
    phone.reads(".beside", "4/1");
    phone.reads(".ruled", "A 3 to 6 holds the catch: out, caught.");
    phone.reads(".ruled", "4 and 2 make 6");
    let pips = phone.run("return document.querySelectorAll('.ruled .die').length", vec![]);
    assert_eq!(pips, 5, "each die stands with the ruling that it decided");
    // Whoever only reads is offered no die to tap, and the ids stay closed.
    assert!(!phone.has("[data-place]"));
    assert!(!phone.has("details[open]"));
    phone.taps("details summary");
    phone.reads("details", "howzat.catch.held");
    assert!(!phone.has(".earlier"));
}

#[test]
fn links_and_keys_lead_from_ball_to_ball_and_to_the_next_wicket() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    let played = played(&service);
    phone.opens(&format!("/m/{}/board", played.id));
    phone.taps(".last-ball a");
    phone.reads(".result h2", "Ball 0.6");
    phone.opens(&format!("/m/{}/card", played.id));
    phone.taps(".fall a");
    phone.reads(".result h2", "Ball 0.2");
    phone.taps(&format!("a[href^='{}?known=']", ball_of(&played, 1)));
    phone.reads(".result h2", "Ball 0.1");
    let presses =
        "document.dispatchEvent(new KeyboardEvent('keydown', { key: arguments[0], bubbles: true }))";
    for (key, title) in [("ArrowRight", "Ball 0.2"), ("w", "Ball 0.5"), ("ArrowLeft", "Ball 0.4")] {
        phone.run(presses, vec![json!(key)]);
        let there =
            format!("return document.querySelector('.result h2')?.innerText.startsWith('{title},') === true");
        phone.waits(title, &there);
    }
}

#[test]
fn a_ball_that_was_taken_back_and_one_that_never_was_say_so() {
    let service = Table::laid();
    let Some(mut phone) = Phone::at(&service.address()) else { return };
    phone.expected = vec!["status of 404"];
    let played = played(&service);
    played.post("/corrections", &json!({"voids_from": 6, "reason": "Rule"})).expect(201);
    phone.opens(&ball_of(&played, 6));
    phone.reads(".result .word", "Taken back");
    phone.reads(".earlier", "Rule");
    phone.opens(&ball_of(&played, 60));
    phone.reads("main", "Ball 60 was never bowled.");
}

#[test]
fn a_wrong_die_of_an_older_wicket_is_put_right_in_four_taps() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    let played = played(&service);
    assert_eq!(score_of(&played), "7/2");
    opens_as_scorer(&phone, &played, 2);
    phone.run(COUNTING, vec![]);
    phone.taps("[data-place='4']");
    phone.reads("[data-die='1']", "dropped");
    phone.taps("[data-die='1']");
    phone.reads(".sentence", "0.2:");
    phone.reads(".sentence", "7/2 becomes 7/1.");
    assert_eq!(score_of(&played), "7/2", "a look changes nothing");
    phone.taps("[data-action='confirm']");
    phone.reads(".beside", "4/0");
    phone.reads(".earlier", "Misread die");
    assert!(phone.run("return taps", vec![]).as_u64().is_some_and(|taps| taps <= 4));
    assert_eq!(score_of(&played), "7/1");
    let dice = |die: &Value| die["value"].as_u64();
    let now = played.get("/deliveries/2").expect(200);
    let dice: Vec<_> = now["now"]["dice"].as_array().into_iter().flatten().filter_map(dice).collect();
    assert_eq!(dice, [3, 5, 4, 2, 1]);
    phone.opens(&format!("/m/{}/board", played.id));
    phone.reads("h1", "7 for 1");
    phone.opens(&format!("/m/{}/card", played.id));
    let fallen = phone.run("return document.querySelectorAll('.fall:not(.pairs) li').length", vec![]);
    assert_eq!(fallen, 1);
}

#[test]
fn dice_that_answer_the_same_question_stay_and_new_questions_are_asked_in_order() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    let played = played(&service);
    opens_as_scorer(&phone, &played, 1);
    // The strike die is asked as before, so its four stays.
    phone.taps("[data-place='0']");
    phone.taps("[data-die='6']");
    phone.reads(".sentence", "The score stays.");
    phone.taps("[data-action='close']");
    assert!(!phone.has(".right"));
    // Bowled becomes a ball in the air: three dice that were never rolled.
    phone.opens(&ball_of(&played, 5));
    phone.taps("[data-place='0']");
    phone.taps("[data-die='3']");
    for face in [2, 3, 1] {
        assert!(!phone.has("[data-action='confirm']"));
        phone.rolls(face);
    }
    phone.reads(".sentence", "7/2 becomes 7/1.");
    phone.taps("[data-choice='other']");
    phone.types("#right-reason", "The 3 lay on its edge");
    phone.taps("[data-action='confirm']");
    phone.reads(".earlier", "The 3 lay on its edge");
    assert_eq!(score_of(&played), "7/1");
}

#[test]
fn a_match_that_has_moved_on_is_looked_at_again() {
    let service = Table::laid();
    let Some(mut phone) = Phone::at(&service.address()) else { return };
    phone.expected = vec!["status of 412"];
    let played = played(&service);
    opens_as_scorer(&phone, &played, 2);
    phone.taps("[data-place='4']");
    phone.taps("[data-die='2']");
    phone.reads(".sentence", "7/2 becomes 7/1.");
    played.post("/balls", &json!({"dice": [2, 6]})).expect(201);
    phone.taps("[data-action='confirm']");
    phone.reads("[data-said]", "The match has moved on.");
    phone.reads(".sentence", "13/2 becomes 13/1.");
    phone.taps("[data-action='confirm']");
    phone.reads(".earlier", "Misread die");
    assert_eq!(score_of(&played), "13/1");
}

#[test]
fn the_sheet_of_an_older_ball_leads_to_its_page() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    let played = service.begun(&table(2));
    for dice in &OVER[..3] {
        played.post("/balls", &json!({"dice": dice})).expect(201);
    }
    phone.opens(&pad_of(&played));
    phone.taps("[data-action='heard']");
    phone.taps("[data-ball='2']");
    phone.taps("dialog a");
    phone.reads(".result .word", "OUT");
    assert!(phone.has("[data-place='0']"));
}
