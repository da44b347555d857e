//! Answers in gzip and brotli: to whom, of what size, and never with a secret.

use serde_json::json;
use third_umpire_test_support::on_both_stores;
use third_umpire_test_support::service::{
    Answer, Head, Match, Request, Sides, remote, seeded, table, tag_of,
};

use super::{LARGE, accepting, whole_match};

const VARY: &str = "Authorization, Accept-Encoding";

on_both_stores!(a_large_answer_is_compressed_for_a_client_that_accepts_it, |service| {
    let played = whole_match(service);
    for (rest, coding) in LARGE.into_iter().flat_map(|rest| [(rest, "gzip"), (rest, "br")]) {
        let path = played.path(rest);
        let (plain, coded) = (played.get(rest), accepting(&played.client, &path, coding));
        assert_eq!((coded.status, coded.header("content-encoding")), (200, coding), "{path}");
        assert_eq!(plain.header("content-encoding"), "", "{path}");
        assert!(coded.bytes_sent < plain.bytes_sent * 2 / 3, "{path}: {} bytes", coded.bytes_sent);
        assert!(coded.body == plain.body, "{path} is another text in {coding}");
        for name in ["content-type", "cache-control", "content-disposition"] {
            assert_eq!(coded.header(name), plain.header(name), "{name} of {path}");
        }
    }
});

on_both_stores!(every_answer_varies_by_token_and_by_coding, |service| {
    let played = whole_match(service);
    let tag = played.get("/scorecard").header("etag").to_owned();
    let unchanged = played.client.request("GET", &played.path("/scorecard")).header("If-None-Match", &tag);
    let ball = service.create(&seeded(1)).begin().post("/balls", &json!({}));
    let others = ["/healthz", "/v1/nothing", "/v1/matches", "/openapi.json", "/docs/"];
    let others = others.map(|path| service.client().request("GET", path).unlisted().send());
    let lines = |answer: &Answer| -> Vec<String> {
        let lines = answer.headers.get_all("vary").iter().filter_map(|line| line.to_str().ok());
        lines.map(str::to_owned).collect()
    };
    for answer in others.into_iter().chain([played.get(""), played.get("/log"), unchanged.send()]) {
        assert_eq!(lines(&answer), [VARY], "{}", answer.request);
    }
    assert_eq!(lines(&ball), ["Prefer", VARY], "an append also varies by what its client prefers");
});

on_both_stores!(the_best_accepted_coding_is_sent_and_none_for_a_small_answer, |service| {
    let played = whole_match(service);
    let card = played.path("/scorecard");
    for (path, codings, coding) in [
        (&*card, "gzip, deflate, br, zstd", "br"),
        (&card, "gzip;q=1.0, br;q=0.5", "gzip"),
        (&card, "br;q=0, *;q=0.1", "gzip"),
        (&card, "", ""),
        (&card, "deflate", ""),
        (&card, "gzip;q=0", ""),
        (&card, "identity, gzip;q=0.5", ""),
        (&card, "gzip;q=x", ""),
        ("/healthz", "gzip, br", ""),
        ("/nothing", "gzip, br", ""),
        ("/docs/favicon-32x32.png", "gzip, br", ""),
        ("/docs/swagger-ui.css", "gzip", "gzip"),
        ("/docs/swagger-ui-bundle.js", "br", "br"),
        ("/openapi.json", "br", "br"),
    ] {
        let answer = accepting(&played.client, path, codings);
        assert_eq!(answer.header("content-encoding"), coding, "{path} for {codings:?}");
        if path != "/docs/favicon-32x32.png" {
            assert!(answer.text().len() > 10);
        }
    }
});

fn compressed(request: Request) -> Answer {
    request.header("Accept-Encoding", "gzip, br").send()
}

on_both_stores!(an_append_is_compressed_and_its_tag_is_the_head, |service| {
    let played = service.create(&table(1));
    played.begin();
    let ball = compressed(played.posting("/balls", &json!({"dice": [2, 3]})));
    let body = ball.expect(201);
    assert_eq!(ball.header("content-encoding"), "br");
    assert_eq!(ball.tag(), tag_of(&Head::of(&body).hash));
    let report =
        compressed(played.client.request("POST", "/v1/audits").raw("text/plain", played.get("/log").body));
    assert_eq!((report.expect(200)["verdict"].as_str(), report.header("etag")), (Some("clean"), ""));
});

/// Asserts that an answer with a secret is sent as it is, although it is large enough to be compressed.
#[track_caller]
fn is_sent_as_it_is(answer: &Answer) {
    assert_eq!(answer.header("content-encoding"), "", "{}", answer.request);
}

on_both_stores!(an_answer_with_a_secret_is_never_compressed, |service| {
    let created = compressed(service.client().request("POST", "/v1/matches").json(&remote(1)));
    assert!(created.body.len() > 1_024);
    is_sent_as_it_is(&created);
    let created = created.expect(201);
    let scorer = Match::created(service.client(), &created);
    let claim = json!({"invite": created["invites"]["home"]});
    let claim = service.client().request("POST", &scorer.path("/tokens/claim")).json(&claim);
    let claimed = compressed(claim);
    assert!(claimed.expect(201)["token"].is_string());
    is_sent_as_it_is(&claimed);
    let rotated = compressed(scorer.posting("/tokens/scorer/rotate", &json!({})));
    assert!(rotated.expect(201)["token"].is_string());
    is_sent_as_it_is(&rotated);

    let Sides { scorer, home, .. } = Sides::in_play(service.client(), &remote(2));
    let seen = |played: &Match| {
        let view = compressed(played.client.request("GET", &played.path("")).token(&played.token));
        assert!(view.body.len() > 1_024);
        view
    };
    let hand = seen(&home.seat);
    assert!(hand.json()["own"]["home"]["hand"].is_array());
    is_sent_as_it_is(&hand);
    let scorers = seen(&scorer);
    assert_eq!((scorers.json().get("own"), scorers.header("content-encoding")), (None, "br"));
    assert_eq!(scorers.tag(), format!("{}-scorer-br", tag_of(&scorer.head().hash)));
});

on_both_stores!(a_stream_is_never_compressed, |service| {
    let played = service.create(&table(1));
    played.begin();
    let request = played.client.request("GET", &played.path("/events/stream"));
    let mut stream = request.header("Accept-Encoding", "gzip, br").follow();
    assert_eq!(stream.take(3).len(), 3);
});
