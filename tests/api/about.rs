//! `/v1/about`

use serde_json::{Value, json};
use third_umpire_test_support::service::{Client, Deployment, Serving, run, seeded};
use third_umpire_test_support::{on_both_stores, on_own_stores};

fn about(client: &Client) -> Value {
    client.get("/v1/about").expect(200)
}

on_both_stores!(a_service_that_is_no_table_ignores_a_token, |service| {
    let shown = service.client().request("GET", "/v1/about").token("another").send().expect(200);
    assert_eq!((&shown["table"], shown.get("addresses")), (&json!(false), None));
});

on_both_stores!(the_service_shows_its_version_and_that_anybody_may_create_a_match, |service| {
    let health = service.client().get("/healthz").expect(200);
    let about = about(service.client());
    assert_eq!((&about["version"], &about["create"]), (&health["version"], &json!("open")));
    let store = about["store"].as_str().expect("the store has an id");
    assert!(store.len() == 32 && store.bytes().all(|byte| byte.is_ascii_hexdigit()), "{store}");
});

on_own_stores!(a_service_with_an_admin_token_says_that_creating_a_match_needs_it, |deployment| {
    let before = about(deployment.client());
    let arguments = &["--admin-token", "a-token-of-the-club-that-nobody-guesses"];
    let guarded = deployment.serve_as(Serving { arguments, ..Serving::default() });
    let about = about(guarded.client());
    assert_eq!((&about["create"], &about["store"]), (&json!("token"), &before["store"]));
});

on_own_stores!(the_id_of_a_store_outlives_a_restart_a_rebuild_and_a_sweep, |deployment| {
    let before = about(deployment.client());
    let played = deployment.create(&seeded(1));
    played.post("/autoplay", &json!({"until": "match"})).expect(201);
    for command in ["rebuild", "sweep", "migrate"] {
        let done = run(&[command, "--database", &deployment.database().url]);
        assert_eq!(done.status.code(), Some(0), "{command}: {}", String::from_utf8_lossy(&done.stderr));
        assert_eq!(about(deployment.serve().client()), before, "{command}");
    }
});

on_own_stores!(two_stores_have_two_ids, |deployment| {
    // Both have run the migrations themselves; the other stores of the tests are copies of one.
    let engine = deployment.database().engine;
    Deployment::of_an_earlier_version(engine, |one| {
        Deployment::of_an_earlier_version(engine, |other| {
            assert_ne!(about(one.client())["store"], about(other.client())["store"]);
        });
    });
});
