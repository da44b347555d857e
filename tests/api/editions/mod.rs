//! `GET` and `POST /v1/editions`, `GET /v1/editions/{sha256}`, and matches that are played with one.

mod files;
mod matches;
mod posting;

use serde_json::{Value, json};
use third_umpire_test_support::service::{Client, Match, with};

/// The built-in edition of cricket-the-game, from the service.
#[track_caller]
fn house_edition(client: &Client) -> Value {
    let listed = client.get("/v1/editions").expect(200);
    let house =
        listed["editions"].as_array().expect("a list").iter().find(|edition| edition["id"] == "house");
    let sha256 = house.expect("a built-in edition")["sha256"].as_str().expect("a hash").to_owned();
    client.get(&format!("/v1/editions/{sha256}")).expect(200)
}

/// An edition of a club: the built-in one under another name.
#[track_caller]
fn club_edition(client: &Client) -> Value {
    with(house_edition(client), "/id", json!("club"))
}

/// Posts a new edition, and returns its hash.
#[track_caller]
fn posted(client: &Client, edition: &Value) -> String {
    let answer = client.post("/v1/editions", edition).expect(201);
    answer["sha256"].as_str().expect("a hash").to_owned()
}

/// The request for a seeded match between the teams of an edition.
fn match_request(edition: &Value, sha256: &str) -> Value {
    let team = |place: usize| json!({"team": edition["teams"][place]["name"]});
    json!({
        "game": "cricket-the-game",
        "rules": {"format": "t10"},
        "edition": sha256,
        "home": {"name": "Harbour Road", "players": team(0)},
        "away": {"name": "Mill Lane", "players": team(1)},
        "dice": "seeded",
        "seed": "5eed".repeat(16),
    })
}

/// A match with a posted edition, one over into its first innings.
#[track_caller]
pub fn begun(client: &Client) -> (Match, Value, String) {
    let edition = club_edition(client);
    let sha256 = posted(client, &edition);
    let played = Match::create(client, &match_request(&edition, &sha256));
    played.post("/autoplay", &json!({"until": "over"})).expect(201);
    (played, edition, sha256)
}
