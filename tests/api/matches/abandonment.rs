//! `POST /v1/matches/{id}/abandonment`

use serde_json::{Value, json};
use third_umpire_test_support::on_both_stores;
use third_umpire_test_support::service::{Head, Match, seeded, sha256, step, table, with};

fn abandon(played: &Match, reason: &str) -> Value {
    played.post("/abandonment", &json!({"reason": reason})).expect(201)
}

on_both_stores!(a_match_can_be_given_up_at_any_time_before_its_end, |service| {
    let tossed = service.create(&table(1));
    tossed.post("/toss", &json!({"caller": "home", "call": "heads", "coin": "tails"})).expect(201);
    let bowling = service.create(&table(1));
    bowling.begin().bowl(&[2, 3]);
    for played in [service.create(&table(1)), tossed, bowling] {
        let before = Head::of(&played.view()).seq;
        let given_up = abandon(&played, "rain, ☔ all day");
        assert_eq!(given_up["events"][0]["kind"], "match_abandoned");
        assert_eq!(given_up["events"][0]["data"], json!({"reason": "rain, ☔ all day"}));
        assert_eq!(Head::of(&given_up).seq, before + 1);
        assert_eq!(step(&given_up["next"]), json!({"kind": "over", "result": null}));
        assert_eq!((&played.view()["status"], &played.view()["result"]), (&json!("abandoned"), &Value::Null));
        played.audits_clean();
    }
});

on_both_stores!(giving_up_a_seeded_match_opens_its_seeds, |service| {
    let seed = "0bad".repeat(16);
    let played = service.create(&with(seeded(1), "/seed", json!(seed)));
    played.begin().ball();
    let seeds = abandon(&played, "bad light")["events"][0]["data"]["seeds"].clone();
    assert_eq!((&seeds["server_seed"], &seeds["client_seeds"]), (&json!(seed), &json!([])));
    let commitment = sha256(hex::decode(&seed).expect("hexadecimal"));
    assert_eq!(played.view()["commitment"], commitment);
    let report = played.get("/audit").expect(200);
    assert_eq!((&report["verdict"], &report["status"]), (&json!("clean"), &json!("abandoned")));
});

on_both_stores!(nothing_follows_a_match_that_was_given_up, |service| {
    for (request, slug) in [(table(1), "match-over"), (seeded(1), "seed-open")] {
        let played = service.create(&request);
        abandon(&played, "rain");
        for (path, body) in [
            ("/toss", json!({"caller": "home", "call": "heads"})),
            ("/overs", json!({})),
            ("/balls", json!({})),
            ("/abandonment", json!({"reason": "more rain"})),
        ] {
            service.untouched_by(played.posting(path, &body)).refused(409, slug).says(&["abandoned"]);
        }
    }
});

on_both_stores!(a_reason_is_given_and_has_an_end, |service| {
    let played = service.create(&table(1));
    for reason in ["", "   ", &"x".repeat(1001)] {
        let request = played.posting("/abandonment", &json!({"reason": reason}));
        service.untouched_by(request).refused(422, "illegal-input").at("body.reason").says(&["1 to 1000"]);
    }
    service
        .untouched_by(played.posting("/abandonment", &json!({})))
        .refused(422, "needs-input")
        .says(&["reason"]);
    played.play_step();
    abandon(&played, &"ü".repeat(1000));
});
