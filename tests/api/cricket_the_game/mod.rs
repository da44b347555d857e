//! Cricket: The Game over HTTP: recorded at a table and from a seed, questioned, refused, corrected, and read
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

/// Choices that follow dice, and for which a match may wait in the middle of a ball.
const AFTER_DICE: [&str; 5] = ["reroll_bowler", "reroll_batter", "longer", "run", "chance"];

/// The request for a match at a table between two teams of the built-in edition.
fn table(format: &str) -> Value {
    json!({
        "game": "cricket-the-game",
        "rules": {"format": format},
        "home": {"name": "Harbour Terns", "players": {"team": "Harbour Terns"}},
        "away": {"name": "Copperfield Larks", "players": {"team": "Copperfield Larks"}},
        "dice": "table",
    })
}

/// The request for a match with a seed of these digits, repeated up to 64.
fn seeded(format: &str, seed: &str) -> Value {
    with(with(table(format), "/dice", json!("seeded")), "/seed", json!(seed.repeat(64 / seed.len())))
}

fn drs(request: Value, drs: &str) -> Value {
    with(request, "/rules/drs", json!(drs))
}

/// Plays the set-up, the toss and its decision: home bats.
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

/// The pending choice of a match.
fn waits_for(played: &Match) -> Value {
    played.view()["next"].clone()
}
