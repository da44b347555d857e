//! The match as of one event, as known at another, and readers who follow corrections live.

mod at;
mod caches;
mod known;
mod live;

use serde_json::{Value, json};

use crate::matches::disputes::{agree, amend, dispute, rule, undo};
use third_umpire_test_support::service::{Answer, Match, Request, Service, table};

/// The pages that can be read as of an event.
pub const PAGES: [&str; 5] = ["/scorecard", "/fall-of-wickets", "/commentary", "/deliveries", "/replay"];

/// The scorecard for a query.
#[track_caller]
pub fn card(played: &Match, query: &str) -> Value {
    played.get(&format!("/scorecard{query}")).expect(200)
}

/// The figures of a card, without the event it is about.
pub fn figures(card: &Value) -> Value {
    json!([card["innings"], card["status"], card["result"], card["target"], card["exceptions"]])
}

/// The answer to a client that already has the representation with this tag.
pub fn again(played: &Match, path: &str, tag: &str) -> Answer {
    let request: Request = played.client.request("GET", &played.path(path));
    request.header("If-None-Match", &format!("\"{tag}\"")).send()
}

/// The seq of the last event of a kind.
#[track_caller]
pub fn last_of(played: &Match, kind: &str) -> u64 {
    let events = played.events();
    let last = events.iter().rfind(|event| event["kind"] == kind).expect("there is one");
    last["seq"].as_u64().expect("a seq")
}

/// A step of a match.
pub type Step = fn(&Match);

/// Steps of a match with an undo, amendments, an agreed outcome and a dispute, to its end.
pub const STEPS: &[Step] = &[
    |played| assert!(played.begin().head().seq == 3),
    |played| drop(played.bowl(&[2, 4])),
    |played| drop(played.bowl(&[2, 5])),
    |played| drop(played.bowl(&[2, 6])),
    |played| drop(undo(played, 3)),
    |played| drop(dispute(played, 1)),
    |played| drop(played.bowl(&[2, 1])),
    |played| drop(played.bowl(&[1, 2])),
    |played| drop(amend(played, 2, &[4, 5])),
    |played| drop(agree(played, 1)),
    |played| drop(rule(played, 1, "as_stood")),
    |played| drop(undo(played, 1)),
    |played| drop(played.bowl(&[2, 5])),
    |played| (0..5).for_each(|_| drop(played.bowl(&[2, 5]))),
    |played| drop(dispute(played, 2)),
    |played| drop(played.bowl(&[2, 1])),
    |played| drop(undo(played, 7)),
    |played| drop(played.bowl(&[2, 3])),
    |played| drop(amend(played, 2, &[4, 5])),
    |played| drop(amend(played, 7, &[2, 6])),
];

/// A new match that is to be played by these steps.
pub fn begun(service: &Service) -> Match {
    service.create(&table(1))
}
