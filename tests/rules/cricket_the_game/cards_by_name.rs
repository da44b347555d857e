//! Cards by their printed names: in choices, which the log records by id, and in the commentary.

use serde_json::{Value, json};
use third_umpire::log::{Event, EventData};
use third_umpire::projection::{AsOf, CommentaryBuilder};
use third_umpire_test_support::logs::{PlayedMatch, SealedLog, ball, over};

use super::{as_edition, created, in_play, last_ball, plain, set_up};

/// The plain edition with other names on some cards of every style.
fn with_names() -> Value {
    let mut edition = plain();
    let mut name = |deck: &str, id: &str, name: &str| {
        for cards in edition[deck].as_object_mut().expect("lists").values_mut() {
            let card = cards.as_array_mut().expect("cards").iter_mut().find(|card| card["id"] == id);
            card.into_iter().for_each(|card| card["name"] = json!(name));
        }
    };
    name("bowls", "fast", "Faster one");
    // The name of this bowl is the id of another.
    name("bowls", "leg", "wide");
    name("over_decks", "blank1", "Nagging line");
    name("over_decks", "blank2", "Twice");
    name("over_decks", "blank3", "Twice");
    name("skills", "rip", "Effort ball");
    name("skills", "lift", "Big lift");
    edition["pitch"][2]["name"] = json!("Good track");
    edition
}

fn begun() -> PlayedMatch {
    let mut played = in_play(&as_edition(with_names()), json!({"format": "t10"}), "neutral", 1);
    played.enter(over(json!({"bowler": "B5"})), &[]).expect("an over");
    played
}

#[test]
fn a_choice_takes_a_printed_name_and_the_log_keeps_the_id() {
    let mut by_name = begun();
    let mut by_id = begun();
    let named = json!({
        "bowl": "Faster one", "over_card": "Nagging line",
        "skills": {"bowler": ["Effort ball"], "batter": ["Big lift"]},
    });
    let ids = json!({
        "bowl": "fast", "over_card": "blank1", "skills": {"bowler": ["rip"], "batter": ["lift"]},
    });
    by_name.enter(ball(named), &[3, 3]).expect("cards by name");
    by_id.enter(ball(ids), &[3, 3]).expect("cards by id");
    assert_eq!(by_name.log, by_id.log);
    let mut set_up_by_name = created(&as_edition(with_names()), json!({}), 1, None);
    let events = set_up_by_name.enter(set_up(json!({"pitch": "Good track"})), &[]).expect("a pitch by name");
    let [EventData::SetUp(set_up)] = &events[..] else { panic!("a set-up is due") };
    assert_eq!(set_up.choices["pitch"], "neutral");
}

#[test]
fn an_id_wins_over_an_equal_name() {
    let mut played = begun();
    played.enter(ball(json!({"bowl": "wide", "over_card": "blank1"})), &[3, 3]).expect("a ball");
    assert_eq!(last_ball(&played.log).expect("a ball").choices["bowl"], "wide");
}

#[test]
fn a_name_of_two_cards_is_refused_with_their_ids() {
    let mut played = begun();
    let refusal = played.enter(ball(json!({"over_card": "Twice"})), &[3, 3]).expect_err("two cards");
    assert_eq!(refusal.message, "2 cards are named \"Twice\"; name one by its id: blank2, blank3");
    played.enter(ball(json!({"over_card": "blank3"})), &[3, 3]).expect("a card by id");
}

#[test]
fn the_commentary_names_the_cards_of_a_ball() {
    let mut played = begun();
    let choices = json!({"bowl": "fast", "over_card": "blank1", "skills": {"bowler": ["rip"]}});
    played.enter(ball(choices), &[3, 4]).expect("a ball");
    let mut commentary = CommentaryBuilder::new(AsOf::default(), played.editions());
    let events: Vec<Event> = SealedLog::of(&played.log).events;
    events.into_iter().for_each(|event| commentary.follow(event).expect("an event"));
    let lines = commentary.end().expect("a match").lines;
    let text = &lines.last().expect("a line").text;
    assert!(text.ends_with(" (Faster one; over card Nagging line; skill Effort ball)"), "{text}");
}
