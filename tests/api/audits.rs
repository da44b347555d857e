//! `POST /v1/audits`

use serde_json::{Value, json};
use third_umpire_test_support::service::{
    Answer, Client, Deployment, Match, Service, seeded, table, with_event,
};
use third_umpire_test_support::{on_both_stores, on_own_stores};

fn audit(client: &Client, query: &str, log: &str) -> Answer {
    client.request("POST", &format!("/v1/audits{query}")).raw("application/x-ndjson", log).send()
}

/// The log of a match that is played to its end.
fn whole_log(service: &Service) -> String {
    let played = service.create(&seeded(1));
    played.post("/autoplay", &json!({"until": "match"})).expect(201);
    played.get("/log").text().to_owned()
}

on_own_stores!(a_log_that_was_taken_away_is_audited_and_not_stored, |deployment| {
    let log = whole_log(deployment);
    let before = deployment.database().everything();
    let report = audit(deployment.client(), "", &log).expect(200);
    assert_eq!((&report["verdict"], &report["divergence"]), (&json!("clean"), &Value::Null));
    assert_eq!(report["events"], log.lines().count());
    assert_eq!(before, deployment.database().everything());
});

on_own_stores!(a_log_of_a_match_the_service_never_saw_is_audited_too, |deployment| {
    let mut log = String::new();
    Deployment::in_process(deployment.database().engine, |elsewhere| log = whole_log(elsewhere));
    assert_eq!(audit(deployment.client(), "", &log).expect(200)["verdict"], "clean");
});

on_both_stores!(the_head_others_saw_is_compared, |service| {
    let log = whole_log(service);
    let last: Value = serde_json::from_str(log.lines().last().expect("a line")).expect("JSON");
    let query = format!("?expect_head={}", last["hash"].as_str().expect("a hash"));
    let report = audit(service.client(), &query, &log).expect(200);
    assert_eq!(report["verdict"], "clean");
    assert!(report["proved"].to_string().contains("head"), "{report}");
    assert!(!report["not_proved"].to_string().contains("head"), "{report}");
    let in_capitals = query.to_uppercase().replace("EXPECT_HEAD", "expect_head");
    assert_eq!(audit(service.client(), &in_capitals, &log).expect(200), report);
    let another = format!("?expect_head={}", "0".repeat(64));
    let report = audit(service.client(), &another, &log).expect(200);
    assert_eq!(report["verdict"], "diverges");
    assert_eq!(report["divergence"]["findings"][0]["check"], "head");
});

on_both_stores!(a_forged_log_is_told_by_its_first_forged_event, |service| {
    let log = whole_log(service);
    let ball = log.lines().position(|line| line.contains("\"kind\":\"ball\"")).expect("a ball");
    let mended = with_event(&log, ball, |event| event["data"]["outcome"]["runs"]["batter"] = json!(3));
    let report = audit(service.client(), "", &mended).expect(200);
    assert_eq!((&report["verdict"], &report["divergence"]["seq"]), (&json!("diverges"), &json!(ball + 1)));
    let plain = log.replacen("\"striker\":\"", "\"striker\":\"X", 1);
    let report = audit(service.client(), "", &plain).expect(200);
    assert_eq!((&report["verdict"], &report["divergence"]["seq"]), (&json!("diverges"), &json!(ball + 1)));
    assert_eq!(report["divergence"]["findings"][0]["check"], "chain");
});

on_both_stores!(the_audit_finds_an_event_that_is_missing_moved_or_doubled, |service| {
    let log = whole_log(service);
    let lines: Vec<&str> = log.lines().collect();
    let with_order =
        |order: &[usize]| -> String { order.iter().map(|at| format!("{}\n", lines[*at])).collect() };
    for (order, seq) in
        [(&[0, 1, 2, 4, 5][..], 5), (&[0, 1, 3, 2, 4], 4), (&[0, 1, 1, 2], 2), (&[1, 2, 3], 2)]
    {
        let report = audit(service.client(), "", &with_order(order)).expect(200);
        assert_eq!(
            (&report["verdict"], &report["divergence"]["seq"]),
            (&json!("diverges"), &json!(seq)),
            "{order:?}"
        );
    }
});

on_both_stores!(a_broken_log_is_refused_by_its_line, |service| {
    let log = whole_log(service);
    let cut = &log[..log.len() - 10];
    let second = log.lines().next().expect("a line").len() + 1;
    let spaced = format!("{}{}", &log[..second], log[second..].replacen("{\"", "{ \"", 1));
    let lines = log.lines().count();
    for (broken, line) in [
        ("", 1),
        ("hello\n", 1),
        ("{}\n", 1),
        ("[1,2]\n", 1),
        ("\u{feff}{}\n", 1),
        (spaced.as_str(), 2),
        (cut, lines),
        (&log.replacen("\"v\":1", "\"v\":1.0", 1), 1),
        (&log.replacen("\"v\":1", "\"v\":1,\"v\":1", 1), 1),
        (&log.replacen("\"data\":{", &format!("\"data\":{}", "[".repeat(10_000)), 1), 1),
        (&log.replacen('\n', "\n\0\n", 1), 2),
        (&log.replace('\n', "\r\n"), 1),
    ] {
        let refused = audit(service.client(), "", broken).refused(422, "not-a-match-log");
        refused.at(&format!("body.line[{line}]")).says(&[&format!("line {line}")]);
    }
    let latin =
        service.client().request("POST", "/v1/audits").raw("application/x-ndjson", vec![0xe9, b'\n']).send();
    latin.refused(422, "not-a-match-log").says(&["line 1"]);
});

on_own_stores!(a_log_may_be_longer_than_another_body_and_has_a_limit_of_its_own, |deployment| {
    let client = deployment.client();
    let lines = "{\"not\":\"an event\"}\n".repeat(100_000);
    audit(client, "", &lines).refused(422, "not-a-match-log");
    audit(client, "", &"x".repeat((32 << 20) + 1)).refused(413, "body-too-large").says(&["33554432"]);
    Match::create(client, &table(1)).play_step();
});

on_both_stores!(an_audit_takes_no_parameters_it_does_not_know, |service| {
    audit(service.client(), "?head=00", "{}\n").refused(400, "invalid-parameter").says(&["expect_head"]);
    let refusal = audit(service.client(), "?expect_head=00", "{}\n").refused(400, "invalid-parameter");
    refusal.at("query.expect_head").says(&["64"]);
});
