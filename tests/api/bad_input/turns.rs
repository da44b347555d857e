use serde_json::{Value, json};
use third_umpire_test_support::on_both_stores;
use third_umpire_test_support::service::{Match, Service, seeded, table};

const TOSS: &str = "/toss";
const DECISION: &str = "/toss/decision";
const OVER: &str = "/overs";
const BALL: &str = "/balls";

/// The body that would be right if the path's turn had come.
fn sound(path: &str) -> Value {
    match path {
        TOSS => json!({"caller": "home", "call": "heads", "coin": "heads"}),
        DECISION => json!({"to": "bat"}),
        OVER => json!({}),
        _ => json!({"dice": [2, 3]}),
    }
}

/// Asserts that none of these paths can be posted now, and that the answers name the step that is due.
#[track_caller]
fn out_of_turn(service: &Service, played: &Match, paths: &[&str], due: &str) {
    for path in paths {
        let answer = service.untouched_by(played.posting(path, &sound(path)));
        let refusal = answer.refused(409, "out-of-turn").says(&[due]);
        assert_eq!(refusal.problem["next"], played.view()["next"], "{path}");
    }
}

on_both_stores!(before_the_toss_nothing_else_is_done, |service| {
    let played = service.create(&table(1));
    out_of_turn(service, &played, &[DECISION, OVER, BALL], "waits for: toss");
    played.play_step();
});

on_both_stores!(the_toss_is_made_once_and_its_decision_comes_next, |service| {
    let played = service.create(&table(1));
    played.post(TOSS, &sound(TOSS)).expect(201);
    out_of_turn(service, &played, &[TOSS, OVER, BALL], "waits for: toss decision");
    played.play_step();
});

on_both_stores!(toss_and_decision_stand_once_play_has_begun, |service| {
    let played = service.create(&table(1));
    played.begin();
    out_of_turn(service, &played, &[TOSS, DECISION], "waits for: over");
    played.bowl(&[2, 3]);
    out_of_turn(service, &played, &[TOSS, DECISION], "next ball");
    played.play_step();
});

on_both_stores!(an_over_is_finished_before_the_next_begins, |service| {
    let played = service.create(&table(2));
    played.begin();
    played.post(OVER, &json!({"bowler": "Lyon"})).expect(201);
    out_of_turn(service, &played, &[OVER], "Lyon");
    (0..5).for_each(|_| drop(played.bowl(&[2, 3])));
    out_of_turn(service, &played, &[OVER], "waits for a ball");
    played.play_step();
    played.post(OVER, &json!({"bowler": "Marsh"})).expect(201);
});

on_both_stores!(after_the_end_nothing_is_taken, |service| {
    let played = service.create(&table(1));
    played.begin();
    (0..6).for_each(|_| drop(played.bowl(&[2, 3])));
    played.bowl(&[2, 1]);
    assert_eq!(played.view()["status"], "completed");
    for path in [TOSS, DECISION, OVER, BALL] {
        service
            .untouched_by(played.posting(path, &sound(path)))
            .refused(409, "match-over")
            .says(&["completed"]);
    }
    let rain = played.posting("/abandonment", &json!({"reason": "rain"}));
    service.untouched_by(rain).refused(409, "match-over").says(&["completed"]);
    // Another match does go on.
    service.create(&table(1)).play_step();
});

on_both_stores!(once_the_seeds_are_open_nothing_is_bowled_with_them, |service| {
    let played = service.create(&seeded(1));
    played.post("/autoplay", &json!({"until": "match"})).expect(201);
    for (path, body) in [
        (TOSS, json!({"caller": "home", "call": "heads"})),
        (DECISION, sound(DECISION)),
        (OVER, json!({})),
        (BALL, json!({})),
        ("/abandonment", json!({"reason": "rain"})),
        ("/autoplay", json!({"until": "ball"})),
    ] {
        service.untouched_by(played.posting(path, &body)).refused(409, "seed-open").says(&["seeds are open"]);
    }
    service.create(&seeded(1)).play_step();
});
