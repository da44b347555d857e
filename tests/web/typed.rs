//! Matches that are scored without a pointer: by one field that takes every answer, and by the digits of a
//! keyboard. What a reader hears of them is one sentence at a time.

use serde_json::{Value, json};
use third_umpire_test_support::service::{Match, table, with};

use crate::games::board_game;
use crate::phone::Phone;
use crate::table::{Table, balls_of, pad_of, play_of};

/// The time that a ball is held.
const HOLD: u64 = 4000;
const ENTER: &str = "\u{E007}";

fn heard(phone: &Phone) -> String {
    phone.text("[data-announce]")
}

/// Types an answer into the field.
fn types(phone: &Phone, text: &str) {
    let is_digit = text.len() == 1 && text.bytes().all(|byte| byte.is_ascii_digit());
    phone.types("#answers", &if is_digit { text.to_owned() } else { format!("{text}{ENTER}") });
    phone.waits_ms(400);
}

/// Opens a pad whose answers are typed into a field.
fn opens_field(phone: &Phone, played: &Match) {
    phone.opens(&pad_of(played));
    phone.taps("[data-action='more']");
    phone.taps("dialog [data-action='type']");
    phone.waits("the field has the focus", "return document.activeElement?.id === 'answers'");
}

/// The sentence of the last ball with the score, as the service has them.
fn told(played: &Match) -> String {
    let view = played.view();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    format!("{}. {}", text(&view["situation"]["last"]["text"]), text(&view["score"]["text"]))
}

#[test]
fn a_match_with_a_review_is_scored_by_one_field_and_heard_ball_by_ball() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    let played = service.begun(&with(table(1), "/rules", json!({"overs": 1, "drs": "house"})));
    opens_field(&phone, &played);
    let mut balls = 0;
    let mut whole = |answers: &[&str], questions: &[&str]| {
        for (answer, question) in answers.iter().zip(questions) {
            types(&phone, answer);
            assert_eq!(heard(&phone), *question, "after {answer}");
        }
        types(&phone, answers[answers.len() - 1]);
        let word = heard(&phone);
        phone.waits_ms(HOLD);
        balls += 1;
        assert_eq!(balls_of(&played), balls, "{}", phone.text("body"));
        word
    };
    // A four: the ball with the score, and what is asked next.
    let four = whole(&["2", "4"], &["Strike die"]);
    assert_eq!(four, format!("{}. Bowl die", told(&played)));
    // A die is undone by its word, and asked again.
    types(&phone, "3");
    types(&phone, "undo");
    types(&phone, "?");
    assert!(heard(&phone).contains("1 extra?, 2 legal, 3 legal"), "{}", heard(&phone));
    types(&phone, "9");
    phone.reads("[data-said]", "9");
    types(&phone, "single");
    phone.reads("[data-said]", "“single” answers nothing here.");
    // Several dice go with one Enter.
    types(&phone, "35514");
    assert!(heard(&phone).contains("OUT") || heard(&phone).contains("out"), "{}", heard(&phone));
    phone.reads(".answers label", "Abel is out");
    types(&phone, "rev");
    phone.reads(".answers label", "Third umpire");
    types(&phone, "6");
    phone.waits_ms(HOLD);
    assert_eq!(play_of(&played).pop().expect("an event")["kind"], "review");
    for _ in 0..2 {
        while played.view()["status"] == "in_play" {
            types(&phone, "24");
            phone.waits_ms(HOLD);
            if phone.has("[data-action='heard']") {
                phone.taps("[data-action='heard']");
            }
        }
    }
    phone.reads(".sync", "finished");
    assert!(!phone.has("#answers"), "nothing is asked any more");
}

#[test]
fn an_answer_is_a_number_of_the_list_or_the_beginning_of_a_title() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    let played = board_game(&service);
    opens_field(&phone, &played);
    types(&phone, "undo");
    assert_eq!(play_of(&played).len(), 0);
    types(&phone, "?");
    assert!(heard(&phone).starts_with("1 "), "{}", heard(&phone));
    types(&phone, "spin");
    phone.reads(".answers label", "Which pitch card?");
    types(&phone, "1");
    phone.waits(
        "the toss is asked",
        "return document.querySelector('.answers label').innerText.includes('toss')",
    );
    played.begin();
    phone
        .waits("a ball is due", "return document.querySelector('.answers label').innerText.includes('card')");
    // The cards have names of which some begin alike.
    types(&phone, "s");
    phone.reads("[data-said]", "“s” is the beginning of several:");
    types(&phone, "worked");
    let label = phone.text(".answers label");
    assert!(!label.contains("card"), "{label}");
    for _ in 0..12 {
        if balls_of(&played) > 0 || phone.has(".held") {
            break;
        }
        types(&phone, "4");
    }
    phone.waits_ms(HOLD);
    assert_eq!(balls_of(&played), 1, "{}", phone.text("body"));
}

#[test]
fn a_match_of_cubes_is_scored_by_digits_alone() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    let cubes = with(with(table(1), "/game", json!("cuberoots")), "/rules", json!({"overs": 1}));
    let played = service.begun(&cubes);
    phone.opens(&pad_of(&played));
    let mut typed = 0;
    while played.view()["status"] == "in_play" {
        if phone.has("[data-hint]") {
            phone.presses("Enter", 0);
        }
        phone.presses("7", 0);
        phone.presses(["3", "7", "2"][typed % 3], 0);
        typed += 1;
        phone.waits_ms(HOLD);
        assert!(typed < 40, "{}", phone.text("body"));
    }
    phone.reads(".sync", "finished");
    assert_eq!(balls_of(&played), typed);
}

#[test]
fn a_letter_tells_how_the_match_stands_and_who_bats() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    phone.opens(&pad_of(&service.begun(&table(2))));
    phone.presses("s", 0);
    let words = heard(&phone);
    assert!(words.contains("0 for 0, 0.0 overs"), "{words}");
    assert!(words.contains("to Abel"), "{words}");
}

#[test]
fn digits_that_are_typed_faster_than_they_are_weighed_all_count() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    let played = service.begun(&table(2));
    opens_field(&phone, &played);
    let script = "const field = document.querySelector('#answers'); for (const digit of arguments[0]) { \
        field.value = digit; field.dispatchEvent(new InputEvent('input', {bubbles: true})); }";
    phone.run(script, vec![json!(["2", "4"])]);
    phone.settles();
    phone.waits_ms(HOLD);
    assert_eq!(balls_of(&played), 1, "{}", phone.text("body"));
    phone.reads("h1", "4 for 0");
}

#[test]
fn a_reader_hears_no_ball_twice_and_each_question_that_was_asked_for_again() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    let played = service.begun(&with(table(1), "/rules", json!({"overs": 1, "drs": "house"})));
    let heard_all = "globalThis.said = []; new MutationObserver(() => said.push(\
        document.querySelector('[data-announce]').textContent)).observe(\
        document.querySelector('[data-announce]'), {childList: true, characterData: true, subtree: true})";
    opens_field(&phone, &played);
    phone.run(heard_all, vec![]);
    types(&phone, "35514");
    types(&phone, "rev");
    types(&phone, "6");
    types(&phone, "?");
    types(&phone, "?");
    let said = phone.run("return said", vec![]);
    let said: Vec<&str> = said.as_array().expect("a list").iter().filter_map(Value::as_str).collect();
    let balls = said.iter().filter(|words| words.contains("OUT! Abel")).count();
    assert_eq!(balls, 1, "{said:#?}");
    let lists = said.iter().filter(|words| words.starts_with("1 extra?")).count();
    assert_eq!(lists, 2, "{said:#?}");
}
