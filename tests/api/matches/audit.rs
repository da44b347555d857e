//! `GET /v1/matches/{id}/audit`

use serde_json::{Value, json};
use third_umpire_test_support::on_both_stores;
use third_umpire_test_support::service::{Match, seeded, table};

fn audit(played: &Match) -> Value {
    let report = played.get("/audit").expect(200);
    assert_eq!((&report["verdict"], &report["divergence"]), (&json!("clean"), &Value::Null));
    assert_eq!((&report["head"], &report["match"]), (&played.view()["head"], &json!(played.id)));
    report
}

fn mentions(report: &Value, member: &str, word: &str) -> bool {
    let sentences = report[member].as_array().expect("a list of sentences");
    sentences.iter().any(|sentence| sentence.as_str().is_some_and(|text| text.contains(word)))
}

on_both_stores!(an_audit_says_what_is_proved_and_what_cannot_be, |service| {
    let played = service.create(&table(1));
    played.begin().bowl(&[2, 4]);
    let report = audit(&played);
    assert_eq!((&report["events"], &report["deliveries"]), (&json!(5), &json!(1)));
    assert_eq!((&report["game"], &report["status"]), (&json!("howzat"), &json!("in_play")));
    assert!(mentions(&report, "proved", "chain") && mentions(&report, "proved", "rules"));
    assert!(mentions(&report, "not_proved", "table") && mentions(&report, "not_proved", "in play"));
});

on_both_stores!(the_dice_of_a_seeded_match_are_proved_once_its_seeds_are_open, |service| {
    let played = service.create(&seeded(1));
    played.begin().ball();
    let report = audit(&played);
    assert!(
        mentions(&report, "not_proved", "seeds are not open") && !mentions(&report, "proved", "every die")
    );
    played.post("/autoplay", &json!({"until": "match"})).expect(201);
    let report = audit(&played);
    assert!(mentions(&report, "proved", "every die"));
    assert!(!mentions(&report, "not_proved", "dice") && !mentions(&report, "not_proved", "in play"));
    assert_eq!(report["status"], "completed");
});

on_both_stores!(a_match_before_its_first_ball_can_be_audited, |service| {
    let report = audit(&service.create(&seeded(1)));
    assert_eq!(
        (&report["events"], &report["deliveries"], &report["status"]),
        (&json!(1), &json!(0), &json!("created"))
    );
});

on_both_stores!(an_audit_compares_the_head_that_the_client_has_noted, |service| {
    let played = service.create(&table(1));
    played.begin().bowl(&[2, 4]);
    let noted = played.head().hash;
    let expecting = |head: &str| played.get(&format!("/audit?expect_head={head}"));
    assert_eq!(expecting(&noted).expect(200), audit(&played));
    assert_eq!(expecting(&noted.to_uppercase()).expect(200), audit(&played));
    played.bowl(&[2, 3]);
    let report = expecting(&noted).expect(200);
    let finding = &report["divergence"]["findings"][0];
    assert_eq!((&report["verdict"], &finding["check"]), (&json!("diverges"), &json!("head")), "{report}");
    expecting("00").refused(400, "invalid-parameter").at("query.expect_head").says(&["64"]);
});

on_both_stores!(an_audit_can_be_had_as_the_command_line_prints_it, |service| {
    let played = service.create(&table(1));
    played.begin().bowl(&[2, 4]);
    let answer = played.get("/audit?format=text");
    assert_eq!(
        (answer.has_status(200).essence(), answer.text().lines().next()),
        ("text/plain", Some("CLEAN so far: in play, ends at event 5"))
    );
    assert!(answer.text().contains("verified through: delivery 1 (innings 1, 0.1), event 5"));
    let log = played.get("/log");
    let given =
        service.client().request("POST", "/v1/audits?format=text").raw("application/x-ndjson", log.text());
    assert!(given.send().has_status(200).text().starts_with("CLEAN"));
    played.get("/audit?format=pdf").refused(400, "invalid-parameter").at("query.format");
});
