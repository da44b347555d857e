//! `/v1/board`

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use third_umpire_test_support::service::{Client, Match, seeded, table};
use third_umpire_test_support::{on_both_stores, on_own_stores};

/// The match on a board that shows one already, or none.
fn on_board(client: &Client, showing: Option<&Match>) -> Value {
    let query = showing.map_or_else(String::new, |showing| format!("?showing={}", showing.id));
    client.get(&format!("/v1/board{query}")).expect(200)["match"].clone()
}

/// Waits until a board shows a match: the list that it looks at is a second old at most.
#[track_caller]
fn comes(client: &Client, showing: Option<&Match>, due: &Match) {
    let begun = Instant::now();
    while on_board(client, showing) != json!(due.id) {
        assert!(begun.elapsed() < Duration::from_secs(20), "{} does not come", due.id);
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// Waits until a list that was read before counts as old.
fn the_list_is_read_anew() {
    std::thread::sleep(Duration::from_millis(1_100));
}

on_own_stores!(a_board_takes_a_match_with_table_dice_and_stays_with_it, |deployment| {
    let client = deployment.client();
    assert_eq!(on_board(client, None), Value::Null, "there is no match");
    deployment.create(&seeded(1)).play_step();
    the_list_is_read_anew();
    assert_eq!(on_board(client, None), Value::Null, "only one with the dice of the service");
    let first = deployment.create(&table(1));
    comes(client, None, &first);
    let second = deployment.create(&table(1));
    second.begin();
    comes(client, None, &second);
    first.begin();
    comes(client, None, &first);
    assert_eq!(on_board(client, Some(&second)), json!(second.id), "this board shows the other one");
    second.post("/abandonment", &json!({"reason": "rain"})).expect(201);
    the_list_is_read_anew();
    assert_eq!(on_board(client, Some(&second)), json!(second.id), "for three minutes after its end");
});

on_own_stores!(a_board_that_shows_a_match_with_seeded_dice_stays_with_it, |deployment| {
    let played = deployment.create(&table(1));
    played.begin();
    let opened = deployment.create(&seeded(1));
    comes(deployment.client(), None, &played);
    assert_eq!(on_board(deployment.client(), Some(&opened)), json!(opened.id));
});

on_own_stores!(a_match_that_is_not_known_counts_as_none, |deployment| {
    let played = deployment.create(&table(1));
    played.begin();
    comes(deployment.client(), None, &played);
    let unknown = deployment.client().get("/v1/board?showing=01a20082-5925-720e-a587-ebd95c5e0b8f");
    assert_eq!(unknown.expect(200)["match"], json!(played.id));
});

on_both_stores!(a_board_names_its_match_by_a_uuid, |service| {
    for id in ["pavilion", "", "5"] {
        let refused = service.client().get(&format!("/v1/board?showing={id}"));
        refused.refused(400, "invalid-parameter").at("query.showing").says(&["UUID"]);
    }
});

on_own_stores!(an_answer_of_the_board_that_stays_is_not_sent_again, |deployment| {
    let first = deployment.client().get("/v1/board");
    first.has_status(200);
    let again = deployment.client().request("GET", "/v1/board").header("If-None-Match", first.header("etag"));
    again.send().has_status(304);
});
