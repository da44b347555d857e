//! Amendments that keep what follows: the match is the one that was played so from the start.

use serde_json::{Value, json};

use super::*;
use third_umpire_test_support::on_both_stores;

/// The amendment of a ball's dice that keeps later play.
fn refit(delivery: usize, rolled: &[i64]) -> Value {
    with(dice(delivery, rolled), "/cascade", json!("refit"))
}

/// Makes a refit, which has the effect that its dry run announced. Returns the dry run.
#[track_caller]
fn refitted(service: &Service, played: &Match, body: &Value) -> Value {
    let before = service.rows_of(played);
    let supposed = dry_run(played, body).expect(200);
    assert_eq!(service.rows_of(played), before, "a dry run stores nothing");
    let made = correct(played, body);
    assert_eq!((&made["difference"], &made["score"]), (&supposed["difference"], &supposed["after"]));
    let data = &appended(&made)[0]["data"];
    assert_eq!((&data["cascade"], &appended(&made)[0]["v"]), (&json!("refit"), &json!(2)));
    supposed
}

/// What the pages tell of the same match, but for what only a correction leaves there.
#[track_caller]
fn is_as_if_played_so(service: &Service, overs: u32, balls: &[&[i64]], wrong: (usize, &[i64])) -> Value {
    let mut recorded = balls.to_vec();
    recorded[wrong.0 - 1] = wrong.1;
    let (right, played) = (with_balls(service, overs, balls), with_balls(service, overs, &recorded));
    let supposed = refitted(service, &played, &refit(wrong.0, balls[wrong.0 - 1]));
    is_like(service, &played, &right);
    assert_eq!(played.get("/changed-choices").expect(200)["changed_choices"], json!([]));
    supposed
}

on_both_stores!(a_wicket_becomes_none_and_none_a_wicket_with_everything_after_it_kept, |service| {
    let [caught, dropped]: [&[i64]; 2] = [&[3, 5, 2, 3, 6], &[3, 5, 2, 3, 1]];
    let [bowled, two, run_out]: [&[i64]; 3] = [&[2, 5], &[2, 2], &[6, 5]];
    let cases: [(&[i64], &[i64]); 8] = [
        (two, bowled),
        (bowled, two),
        (dropped, caught),
        (caught, dropped),
        (two, &[4, 5]),
        (two, &[5, 5]),
        (two, run_out),
        (run_out, two),
    ];
    for (is, was) in cases {
        let balls: [&[i64]; 8] = [&[2, 4], is, &[2, 3], &[2, 5], &[2, 1], &[2, 1], &[2, 6], &[2, 3]];
        let told = is_as_if_played_so(service, 5, &balls, (2, was));
        assert_eq!(told.get("notes"), None, "{told}");
    }
});

on_both_stores!(a_choice_that_is_changed_after_a_refit_ended_an_innings_is_listed, |service| {
    let maiden: [&[i64]; 6] = [&[2, 3]; 6];
    let played = with_balls(service, 1, &maiden);
    played.post("/overs", &json!({"bowler": "Hobbs"})).expect(201);
    played.bowl(&[2, 6]);
    correct(&played, &undo(7));
    // A wide gives the first innings a seventh ball, and none takes it away again.
    correct(&played, &refit(1, &[1, 2]));
    played.bowl(&[2, 3]);
    correct(&played, &refit(1, &[2, 3]));
    played.post("/overs", &json!({"bowler": "Irwin"})).expect(201);
    let changed = played.get("/changed-choices").expect(200)["changed_choices"].clone();
    assert_eq!((&changed[0]["choice"], &changed[0]["before"]), (&json!("bowler"), &json!("Hobbs")));
    assert_eq!((&changed[0]["after"], &changed[0]["innings"]), (&json!("Irwin"), &json!(2)));
    holds(service, &played);
});

on_both_stores!(an_over_is_laid_out_anew_where_a_wide_was_none, |service| {
    // With the wide the sixth legal ball is the seventh, and the next over begins with the eighth.
    let balls: [&[i64]; 9] =
        [&[2, 1], &[2, 2], &[2, 4], &[2, 1], &[2, 2], &[2, 3], &[2, 1], &[2, 6], &[2, 3]];
    is_as_if_played_so(service, 5, &balls, (2, &[1, 2]));
    let balls: [&[i64]; 9] =
        [&[2, 1], &[1, 2], &[2, 4], &[2, 1], &[2, 2], &[2, 3], &[2, 1], &[2, 6], &[2, 3]];
    is_as_if_played_so(service, 5, &balls, (2, &[2, 2]));
});

on_both_stores!(a_ball_of_the_second_innings_moves_where_the_first_ends_earlier, |service| {
    let first: [&[i64]; 7] = [&[2, 1], &[1, 2], &[2, 4], &[2, 1], &[2, 2], &[2, 3], &[2, 1]];
    let second: [&[i64]; 3] = [&[2, 1], &[2, 5], &[2, 3]];
    let played = with_balls(service, 1, &[&first[..], &second[..]].concat());
    played.post("/disputes", &json!({"delivery": 9, "by": "away", "claim": "It was in."})).expect(201);
    let supposed = refitted(service, &played, &refit(2, &[2, 2]));
    let notes = supposed["notes"].as_array().expect("notes");
    let ball_note = |note: &&Value| note["kind"] == "ball";
    let gone: Vec<&Value> = notes.iter().filter(ball_note).collect();
    assert_eq!(gone.len(), 1, "{supposed}");
    assert_eq!((&gone[0]["delivery"], &gone[0]["text"]), (&json!(7), &json!("0.7 is not bowled any more")));
    let rows = played.get("/deliveries").expect(200)["deliveries"].clone();
    let moved: Vec<(Value, Value)> = rows
        .as_array()
        .expect("rows")
        .iter()
        .map(|row| (row["delivery"].clone(), row["was"].clone()))
        .collect();
    assert_eq!(moved[5], (json!(6), Value::Null));
    assert_eq!(moved[6..], [(json!(7), json!(8)), (json!(8), json!(9)), (json!(9), json!(10))]);
    let delivery = played.get("/deliveries/8").expect(200);
    assert_eq!((&delivery["disputes"], &delivery["now"]["was"]), (&json!([1]), &json!(9)));
    assert_eq!(delivery["earlier"], json!([]), "the ball came again just as it was");
    let dispute = played.get("/disputes/1").expect(200);
    assert_eq!((&dispute["delivery"], &dispute["now"]), (&json!(9), &json!(8)));
    // The ball in dispute is put right under its new number.
    refitted(service, &played, &refit(8, &[2, 1]));
    let delivery = played.get("/deliveries/8").expect(200);
    let earlier = delivery["earlier"].as_array().expect("earlier");
    assert_eq!((earlier.len(), &earlier[0]["cell"]), (1, &json!("W")), "{delivery}");
    let evidence = &played.get("/disputes/1").expect(200)["evidence"];
    assert_eq!(evidence["disputed"]["ball"]["delivery"], 9);
    assert_eq!(evidence["now"]["ball"]["delivery"], 8);
    let ruling = json!({"finding": "amended", "ruling": "It was in."});
    played.post("/disputes/1/ruling", &ruling).expect(201);
    holds(service, &played);
});

on_both_stores!(an_answer_that_nobody_asks_for_is_refused, |service| {
    let played = with_balls(service, 5, &[&[2, 4], &[2, 5], &[2, 3]]);
    let with_later = |later: Value| with(refit(2, &[2, 2]), "/later", later);
    let many: Vec<Value> = (1..=101).map(|delivery| json!({"delivery": delivery, "dice": [1]})).collect();
    for (body, at, says) in [
        (with_later(json!([{"delivery": 3, "dice": [4]}])), "body.later[0].dice[0]", "asks for 0 dice"),
        (with_later(json!([{"delivery": 3}])), "body.later[0]", "delivery 3 asks for nothing"),
        (with_later(json!([{"delivery": 9, "dice": [4]}])), "body.later[0]", "delivery 9 asks for nothing"),
        (with_later(json!([{"delivery": 3}, {"delivery": 3}])), "body.later[1].delivery", "answered twice"),
        (with_later(json!(many)), "body.later", "at most 100"),
        (with(dice(2, &[2, 2]), "/later", json!([{"delivery": 3}])), "body.later", "refit"),
        (refit(2, &[2, 7]), "body.dice[1]", "cannot show 7"),
        (refit(1, &[2, 4]), "body.amends", "changes nothing"),
    ] {
        for path in ["/corrections", "/corrections?dry_run=true"] {
            let refusal = service.untouched_by(played.posting(path, &body)).refused(422, "illegal-input");
            refusal.at(at).says(&[says]);
        }
    }
    let beside = json!({"voids_from": 2, "later": [], "reason": WHY});
    service
        .untouched_by(played.posting("/corrections", &beside))
        .refused(422, "needs-input")
        .says(&["later"]);
});

on_both_stores!(a_match_that_was_over_goes_on_with_its_last_innings, |service| {
    let first: [&[i64]; 6] = [&[2, 1], &[2, 2], &[2, 4], &[2, 1], &[2, 2], &[2, 3]];
    let second: [&[i64]; 6] = [&[2, 1], &[2, 1], &[2, 1], &[2, 1], &[2, 1], &[2, 1]];
    let played = with_balls(service, 1, &[&first[..], &second[..]].concat());
    assert_eq!(played.view()["status"], "completed");
    let supposed = refitted(service, &played, &refit(8, &[1, 2]));
    assert_eq!((&supposed["result"], &supposed["need"]["text"]), (&Value::Null, &json!("5 off 1 to win")));
    assert_eq!(played.view()["status"], "in_play");
    played.bowl(&[2, 1]);
    assert_eq!(played.view()["status"], "completed");
    holds(service, &played);
});

on_both_stores!(a_seeded_match_keeps_what_keeps_its_number, |service| {
    for request in seeded_games(2) {
        let played = after_balls(service, &request, 6);
        let body = with(
            amend(2, agreed_outcome(json!({"runs": {"batter": 3}, "wicket": null}))),
            "/cascade",
            json!("refit"),
        );
        let answer = dry_run(&played, &body);
        if answer.status != 200 {
            continue;
        }
        correct(&played, &body);
        holds(service, &played);
    }
});
