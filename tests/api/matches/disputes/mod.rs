//! `/v1/matches/{id}/disputes`, and the umpire who rules on them.

mod evidence;
mod raising;
mod rulings;
mod umpire;

use serde_json::{Value, json};
use third_umpire_test_support::service::{Match, Request, Service, seeded, table};

/// Makes a correction.
#[track_caller]
pub fn correct(played: &Match, request: &Value) -> Value {
    played.post("/corrections", request).expect(201)
}

/// Voids everything from a delivery on.
#[track_caller]
pub fn undo(played: &Match, delivery: u32) -> Value {
    correct(played, &json!({"voids_from": delivery, "reason": "it was bowled by mistake"}))
}

/// Amends the dice of a delivery at the table.
#[track_caller]
pub fn amend(played: &Match, delivery: u32, dice: &[i64]) -> Value {
    correct(played, &json!({"amends": delivery, "dice": dice, "reason": "it was misread"}))
}

/// Amends a delivery to an agreed outcome of five runs.
#[track_caller]
pub fn agree(played: &Match, delivery: u32) -> Value {
    let agreed = json!({"outcome": {"runs": {"batter": 5}}, "reason": "we all took it for a five"});
    correct(played, &json!({"amends": delivery, "as_stood": agreed, "reason": "so it was played"}))
}

/// The body of a dispute by the home side.
pub fn claim(delivery: i64) -> Value {
    json!({"delivery": delivery, "claim": "the die was cocked", "by": "home"})
}

/// Disputes a delivery for the home side, by the scorer.
#[track_caller]
pub fn dispute(played: &Match, delivery: i64) -> Value {
    played.post("/disputes", &claim(delivery)).expect(201)
}

pub fn ruling(finding: &str) -> Value {
    json!({"ruling": "we have looked at it", "finding": finding})
}

pub fn ruling_on(played: &Match, number: u32, finding: &str) -> Request {
    played.posting(&format!("/disputes/{number}/ruling"), &ruling(finding))
}

/// Rules on a dispute, with this match's token.
#[track_caller]
pub fn rule(played: &Match, number: u32, finding: &str) -> Value {
    ruling_on(played, number, finding).send().expect(201)
}

/// The match with a new umpire's token.
#[track_caller]
pub fn umpire(played: &Match) -> Match {
    let issued = replacing(played).send().expect(201);
    assert_eq!(issued["role"], "umpire");
    Match { token: issued["token"].as_str().expect("a token").to_owned(), ..played.clone() }
}

/// The request for a new umpire's token.
pub fn replacing(played: &Match) -> Request {
    played.client.request("POST", &played.path("/tokens/umpire/rotate")).token(&played.token)
}

/// A match at the table with five balls: a four, a dot, a six, a single, a dot.
pub fn five_balls(service: &Service) -> Match {
    let played = service.create(&table(2));
    played.begin();
    [[2, 4], [2, 3], [2, 6], [2, 1], [2, 3]].iter().for_each(|dice| drop(played.bowl(dice)));
    played
}

/// A seeded match with this number of balls bowled.
pub fn seeded_balls(service: &Service, balls: u32) -> Match {
    let played = service.create(&seeded(5));
    played.begin();
    (0..balls).for_each(|_| drop(played.ball()));
    played
}

/// A seeded match that is over.
pub fn seeded_to_the_end(service: &Service) -> Match {
    let played = service.create(&seeded(1));
    played.post("/autoplay", &json!({"until": "match"})).expect(201);
    assert_eq!(played.view()["status"], "completed");
    played
}

/// The last recorded event of a delivery.
#[track_caller]
pub fn ball_of(played: &Match, delivery: u32) -> Value {
    let events = played.events();
    let of = |event: &&Value| event["kind"] == "ball" && event["data"]["delivery"] == delivery;
    events.iter().rfind(of).expect("the ball was bowled").clone()
}
