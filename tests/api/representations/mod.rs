//! What the answers of every path have in common: codings, entity tags, addresses and HEAD.

mod addresses;
mod codings;
mod head;
mod preferred;
mod tags;

use serde_json::json;
use third_umpire_test_support::service::{Answer, Client, Match, Service, seeded};

/// The reads of a match whose answers are large and have a tag.
const LARGE: [&str; 10] = [
    "",
    "/scorecard",
    "/scorecard?at=30",
    "/scorecard?at=6&as_known_at=7",
    "/commentary",
    "/deliveries",
    "/luck",
    "/replay",
    "/events?limit=1000",
    "/log",
];

fn whole_match(service: &Service) -> Match {
    let played = service.create(&seeded(20));
    played.post("/autoplay", &json!({"until": "match"})).expect(201);
    played
}

/// The answer to a client that accepts these codings.
fn accepting(client: &Client, path: &str, codings: &str) -> Answer {
    client.request("GET", path).header("Accept-Encoding", codings).unlisted().send()
}
