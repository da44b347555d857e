//! The store of a service that stops is closed: whatever still asks it is answered that the service stops.

use serde_json::{Value, json};
use third_umpire_test_support::on_own_stores;
use third_umpire_test_support::service::{Answer, FaultyService, Match, Request, seeded, table, until, with};

/// Asserts that an answer names the reason, and says when to try again.
#[track_caller]
fn is_told_to_wait(answer: &Answer) -> Value {
    let refused = answer.refused(503, "store-unavailable").says(&["the service is stopping"]);
    assert_eq!(answer.header("retry-after"), "1", "{}", answer.request);
    refused.problem.clone()
}

fn writes(played: &Match, edition: &Value) -> Vec<Request> {
    let post = |path: &str, body: Value| played.client.request("POST", path).json(&body);
    vec![
        played.posting("/balls", &json!({})),
        played.posting("/balls", &json!({})).key("ball"),
        played.posting("/autoplay", &json!({"until": "match"})),
        played.posting("/corrections", &json!({"voids_from": 1, "reason": "bowled by mistake"})),
        played.posting("/abandonment", &json!({"reason": "rain"})),
        played.posting("/tokens/umpire/rotate", &json!({})),
        post("/v1/matches", table(1)),
        post("/v1/editions", edition.clone()),
    ]
}

on_own_stores!(whatever_asks_a_closed_store_is_told_that_the_service_stops, |deployment| {
    let service = FaultyService::start(&deployment.database().url);
    let played = Match::create(service.client(), &seeded(2));
    played.begin().ball();
    let editions = service.client().get("/v1/editions").expect(200);
    let sha256 = editions["editions"][0]["sha256"].as_str().expect("a hash");
    let edition = service.client().get(&format!("/v1/editions/{sha256}")).expect(200);
    let edition = with(edition, "/id", json!("ours"));
    let before = deployment.database().everything();
    service.close_store();
    for request in writes(&played, &edition) {
        let answer = request.send();
        let problem = is_told_to_wait(&answer).to_string();
        assert!(problem.contains("nothing was stored by this request"), "{}: {problem}", answer.request);
    }
    until("readers get no cached page any more", || played.get("").status == 503);
    for rest in ["", "/events", "/events/1", "/events/stream", "/log", "/scorecard", "/replay?at=1", "/audit"]
    {
        is_told_to_wait(&played.get(rest));
    }
    for path in ["/v1/matches", "/v1/editions"] {
        is_told_to_wait(&service.client().get(path));
    }
    assert_eq!(deployment.database().everything(), before, "nothing was stored");
});
