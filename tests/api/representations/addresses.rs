//! A slash at the end of an address, a match id in capitals and needless escapes change no address.

use serde_json::json;
use third_umpire_test_support::on_both_stores;
use third_umpire_test_support::service::{Match, table};

/// The addresses of a match besides its usual one.
fn others(played: &Match, rest: &str) -> [String; 4] {
    let capitals = Match { id: played.id.to_uppercase(), ..played.clone() };
    let escaped =
        Match { id: format!("%{:02x}{}", played.id.as_bytes()[0], &played.id[1..]), ..played.clone() };
    let slash = |path: String| path + "/";
    [slash(played.path(rest)), capitals.path(rest), slash(capitals.path(rest)), escaped.path(rest)]
}

on_both_stores!(a_slash_or_capitals_or_escapes_change_no_read, |service| {
    let played = service.create(&table(1));
    played.begin();
    for rest in ["", "/scorecard", "/events", "/events/2", "/log", "/audit", "/commentary", "/deliveries"] {
        let bare = played.get(rest);
        for path in others(&played, rest) {
            let other = played.client.request("GET", &path).unlisted().send();
            assert_eq!((other.status, other.header("etag")), (200, bare.header("etag")), "{path}");
            assert!(other.body == bare.body, "{path}");
        }
    }
    let at = |path: &str| played.client.request("GET", &format!("{path}?at=1")).unlisted().send().expect(200);
    others(&played, "/scorecard").iter().for_each(|path| assert_eq!(at(path)["at_seq"], 1));
    for path in ["/healthz/", "/v1/matches/", "/v1/editions/", "/openapi.json/", "/docs/"] {
        played.client.request("GET", path).unlisted().send().has_status(200);
    }
    for path in ["/v1/matches//", "//v1/matches", "/nothing/"] {
        played.client.request("GET", path).unlisted().send().refused(404, "not-found");
    }
    let metrics = service.client().get("/metrics");
    assert!(metrics.text().contains("route=\"/v1/matches/{id}/log\""), "metrics count by the usual address");
});

on_both_stores!(a_key_at_any_form_of_the_address_is_the_same_request, |service| {
    let played = service.create(&table(1));
    played.begin();
    let ball = |path: &str| {
        let body = json!({"dice": [2, 3]});
        let request = played.client.request("POST", path).token(&played.token).json(&body);
        request.key("ball-1").unlisted().send().expect(201)
    };
    let first = ball(&played.path("/balls"));
    for path in others(&played, "/balls") {
        assert_eq!(ball(&path), first, "{path}");
    }
    assert_eq!(played.head().seq, first["head"]["seq"]);
});

on_both_stores!(a_refusal_is_the_same_at_any_form_of_the_address, |service| {
    let played = service.create(&table(1));
    for path in others(&played, "/balls") {
        let refused = played.client.request("DELETE", &path).unlisted().send();
        refused.refused(405, "method-not-allowed");
        assert_eq!(refused.header("allow"), "POST");
    }
    let missing = Match { id: "01A20082-5925-720E-A587-EBD95C5E0B8F".to_owned(), ..played.clone() };
    missing.get("/scorecard").refused(404, "no-such-match");
});
