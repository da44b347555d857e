//! `GET /v1/matches/{id}`, and what all reads of a match have in common.

use serde_json::{Value, json};
use third_umpire_test_support::service::{Answer, Head, Match, seeded, step, table, tag_of};
use third_umpire_test_support::{on_both_stores, on_own_stores};

/// Every read of a match that has an entity tag.
const READS: &[&str] = &[
    "",
    "/events",
    "/events?after=2&limit=1",
    "/log",
    "/scorecard",
    "/fall-of-wickets",
    "/commentary",
    "/deliveries",
    "/luck",
    "/replay",
    "/audit",
];
/// Reads whose answer stays equal however the match goes on.
const FIXED: &[&str] = &[
    "/events/2",
    "/scorecard?at=4",
    "/fall-of-wickets?at=4",
    "/commentary?at=4",
    "/deliveries?at=4",
    "/luck?at=4",
    "/replay?at=4",
];

fn unless(played: &Match, rest: &str, known: &str) -> Answer {
    played.client.request("GET", &played.path(rest)).header("If-None-Match", known).send()
}

on_both_stores!(a_match_tells_how_it_stands_from_creation_to_result, |service| {
    let played = service.create(&table(1));
    let state = |view: &Value| {
        let text = |at: &str| view.pointer(at).and_then(Value::as_str).unwrap_or("-").to_owned();
        [text("/status"), text("/next/kind"), text("/next/what"), text("/next/side"), text("/score/text")]
    };
    let shows = |due: [&str; 5]| assert_eq!(state(&played.view()), due);
    shows(["created", "choose", "toss", "-", "Harbour Road v Mill Lane"]);
    played.post("/toss", &json!({"caller": "away", "call": "heads", "coin": "heads"})).expect(201);
    shows(["in_play", "choose", "toss_decision", "away", "Harbour Road v Mill Lane"]);
    played.post("/toss/decision", &json!({"to": "bowl"})).expect(201);
    shows(["in_play", "choose", "over", "away", "Harbour Road v Mill Lane"]);
    played.bowl(&[2, 4]);
    shows(["in_play", "roll", "bowl", "-", "Harbour Road 4/0 (0.1)"]);
    played.bowl(&[2, 5]);
    shows(["in_play", "choose", "next_batter", "home", "Harbour Road 4/1 (0.2)"]);
    (0..4).for_each(|_| drop(played.bowl(&[2, 3])));
    shows(["in_play", "choose", "over", "home", "Harbour Road 4/1 (1.0); target 5"]);
    assert_eq!(played.view()["score"]["target"], 5);
    played.bowl(&[2, 6]);
    shows([
        "completed",
        "over",
        "-",
        "-",
        "Harbour Road 4/1 (1.0); Mill Lane 6/0 (0.1); Mill Lane won by 10 wickets",
    ]);
    let due = json!({
        "winner": "away", "method": "wickets", "margin": {"wickets": 10}, "text": "Mill Lane won by 10 wickets",
    });
    assert_eq!((&played.view()["result"], &played.view()["next"]["result"]), (&due, &due));
});

on_both_stores!(a_read_shows_the_answer_to_the_append_before_it, |service| {
    let played = service.create(&seeded(1));
    played.begin();
    for _ in 0..8 {
        let bowled = played.ball();
        let view = played.view();
        for member in ["score", "head"] {
            assert_eq!(bowled[member], view[member]);
        }
        assert_eq!(step(&bowled["next"]), step(&view["next"]));
        assert_eq!(played.get("").tag(), tag_of(&Head::of(&bowled).hash));
    }
});

on_both_stores!(each_read_answers_304_to_a_known_entity_tag, |service| {
    let played = service.create(&table(1));
    played.begin().bowl(&[2, 3]);
    let tags: Vec<String> = READS.iter().map(|rest| played.get(rest).tag().to_owned()).collect();
    for (rest, tag) in READS.iter().zip(&tags) {
        let answer = unless(&played, rest, &format!("\"{tag}\""));
        assert_eq!((answer.status, answer.tag()), (304, tag.as_str()), "{rest}");
        for known in [format!("\"other\", \"{tag}\""), format!("W/\"{tag}\""), "*".to_owned()] {
            unless(&played, rest, &known).has_status(304);
        }
        unless(&played, rest, "\"other\"").has_status(200);
    }
    played.bowl(&[2, 3]);
    for (rest, tag) in READS.iter().zip(&tags) {
        let answer = unless(&played, rest, &format!("\"{tag}\""));
        assert_ne!(answer.has_status(200).tag(), tag, "{rest} has changed, and its tag has not");
    }
});

on_both_stores!(a_read_of_the_past_does_not_change, |service| {
    let played = service.create(&table(1));
    played.begin().bowl(&[2, 5]);
    let before: Vec<Answer> = FIXED.iter().map(|rest| played.get(rest)).collect();
    played.bowl(&[2, 4]);
    for (rest, before) in FIXED.iter().zip(&before) {
        unless(&played, rest, &format!("\"{}\"", before.tag())).has_status(304);
        assert_eq!(played.get(rest).text(), before.has_status(200).text(), "{rest}");
    }
});

on_own_stores!(head_answers_like_get_without_a_body, |deployment| {
    let played = deployment.create(&table(1));
    played.begin().bowl(&[2, 3]);
    let of_the_match = READS.iter().chain(FIXED).map(|rest| played.path(rest));
    let others = ["/v1/matches", "/healthz", "/readyz", "/openapi.json"].map(str::to_owned);
    for path in of_the_match.chain(others) {
        let (get, head) = (deployment.client().get(&path), deployment.client().request("HEAD", &path).send());
        assert_eq!((head.status, head.body.len()), (200, 0), "HEAD {path}");
        for name in ["etag", "content-type", "cache-control"] {
            assert_eq!(head.header(name), get.header(name), "{name} of HEAD {path}");
        }
    }
    let missing = played.path("/scorecard?at=99");
    deployment.client().request("HEAD", &missing).send().has_status(404);
});

on_both_stores!(reads_of_a_match_need_no_token_and_have_none, |service| {
    let played = service.create(&table(1));
    for rest in READS {
        assert!(!played.get(rest).has_status(200).text().contains(&played.token), "{rest}");
    }
});
