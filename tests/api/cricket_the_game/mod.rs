//! Cricket: The Game over HTTP: recorded at a table and from a seed, asked, refused, corrected, and read
//! back.

mod asking;
mod autoplay;
mod bad_input;
mod bad_squads;
mod corrections;
mod duellists;
mod reading;
mod refused_reviews;
mod seeded;
mod table;
mod whole_matches;

use serde_json::{Value, json};
use third_umpire_test_support::service::{Match, with};

/// Choices that follow from dice, which a match may wait for in the middle of a ball.
const AFTER_DICE: [&str; 5] = ["reroll_bowler", "reroll_batter", "longer", "run", "chance"];

/// A match at a table between the teams of the house edition.
fn table(format: &str) -> Value {
    json!({
        "game": "cricket-the-game",
        "rules": {"format": format},
        "home": {"name": "Harbour Terns", "players": {"team": "Harbour Terns"}},
        "away": {"name": "Copperfield Larks", "players": {"team": "Copperfield Larks"}},
        "dice": "table",
    })
}

/// A match with dice from this seed, whose digits are repeated until there are 64.
fn seeded(format: &str, seed: &str) -> Value {
    with(with(table(format), "/dice", json!("seeded")), "/seed", json!(seed.repeat(64 / seed.len())))
}

fn drs(asked: Value, drs: &str) -> Value {
    with(asked, "/rules/drs", json!(drs))
}

/// Set up, tossed and decided: home bats.
#[track_caller]
fn begin(played: &Match) -> &Match {
    let pitch = if played.view()["dice"] == "seeded" { json!({}) } else { json!({"pitch": "neutral"}) };
    played.post("/set-up", &pitch).expect(201);
    played.begin()
}

/// The number of a choice in a list of names.
fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_else(|| panic!("{value} is no text"))
}

fn list(value: &Value) -> &Vec<Value> {
    value.as_array().unwrap_or_else(|| panic!("{value} is no list"))
}

/// The events of a kind.
fn of_kind<'a>(events: &'a [Value], kind: &'a str) -> impl DoubleEndedIterator<Item = &'a Value> {
    events.iter().filter(move |event| event["kind"] == kind).map(|event| &event["data"])
}

/// What a match waits for.
fn waits_for(played: &Match) -> Value {
    played.view()["next"].clone()
}
