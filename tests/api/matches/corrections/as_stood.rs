//! Balls with an agreed outcome: the match goes on from what the table agreed on.

use serde_json::{Value, json};

use super::*;
use third_umpire_test_support::on_both_stores;
use third_umpire_test_support::service::{Service, last_event};

/// The dice of two overs without a run.
const DOTS: [&[i64]; 12] = [&[2, 3]; 12];

/// Bowls a ball with an agreed outcome.
#[track_caller]
fn agree(played: &Match, dice: &[i64], outcome: Value) -> Value {
    let body = with(agreed_outcome(outcome), "/dice", json!(dice));
    let bowled = played.post("/balls", &body).expect(201);
    of_kind(appended(&bowled).to_vec(), "ball")[0].clone()
}

/// Asserts that the pages are those of a match in which exactly this was bowled.
#[track_caller]
fn has_pages_of(service: &Service, played: &Match, rolled: &[&[i64]]) {
    is_like(service, played, &with_balls(service, 2, rolled));
}

on_both_stores!(the_match_goes_on_from_what_stood, |service| {
    for (shown, outcome, like) in [
        (&[2, 3], json!({"runs": {"batter": 1}}), &[2, 1][..]),
        (&[2, 1], json!({"runs": {"batter": 4}}), &[2, 4]),
        (&[2, 6], json!({"runs": {"batter": 3, "extras": 0, "total": 3}}), &[]),
        (&[2, 4], json!({"runs": {"batter": 4}, "boundary": null}), &[]),
        (&[2, 3], json!({"extras": {"wides": 1}}), &[1, 2]),
        (&[2, 3], json!({"extras": {"no_balls": 1}, "runs": {"batter": 6}}), &[1, 1, 6]),
        (&[2, 3], json!({"extras": {"byes": 4}, "boundary": 4}), &[1, 3, 4]),
        (&[2, 5], json!({"wicket": null}), &[2, 3]),
        (&[2, 3], json!({"wicket": {"kind": "lbw"}}), &[5, 5]),
        (&[2, 3], json!({"wicket": {"kind": "run out", "player_out": "Abel"}}), &[6, 5]),
    ] {
        let played = with_balls(service, 2, &[]);
        let ball = agree(&played, shown, outcome.clone());
        assert_eq!(ball["as_stood"]["reason"], "agreed at the table");
        assert_ne!(ball["as_stood"]["by_rules"], ball["outcome"], "{outcome}");
        let shown_by_log: Value =
            ball["dice"].as_array().expect("dice").iter().map(|die| die["value"].clone()).collect();
        assert_eq!(shown_by_log, json!(shown));
        played.bowl(&[2, 2]);
        if like.is_empty() {
            holds(service, &played);
        } else {
            has_pages_of(service, &played, &[like, &[2, 2]]);
        }
    }
});

on_both_stores!(three_that_were_run_change_the_strike_and_are_no_boundary, |service| {
    let played = with_balls(service, 2, &[]);
    agree(&played, &[2, 6], json!({"runs": {"batter": 3}}));
    let next = last_event(&played.bowl(&[2, 3]))["data"]["outcome"].clone();
    assert_eq!((&next["striker"], total(&played, 1)), (&json!("Brook"), [3, 0, 2]));
    let abel = played.get("/scorecard").expect(200)["innings"][0]["batters"][0].clone();
    assert_eq!((&abel["player"], &abel["runs"], &abel["sixes"]), (&json!("Abel"), &json!(3), &json!(0)));
});

on_both_stores!(whoever_is_agreed_to_be_out_is_out_and_another_comes_in, |service| {
    let played = with_balls(service, 2, &[]);
    let out = json!({"wicket": {"kind": "run out", "player_out": "Brook", "fielders": ["Nash"]}});
    agree(&played, &[2, 3], out);
    assert_eq!(played.view()["next"]["what"], "next_batter");
    let next = last_event(&played.bowl(&[2, 3]))["data"]["outcome"].clone();
    assert_eq!((&next["striker"], &next["non_striker"]), (&json!("Abel"), &json!("Crane")));
    let fall = played.get("/fall-of-wickets").expect(200);
    assert!(fall.to_string().contains("Brook"), "{fall}");
    holds(service, &played);
});

on_both_stores!(an_agreed_outcome_is_an_exception_and_no_divergence, |service| {
    let played = with_balls(service, 2, &[&[2, 1]]);
    agree(&played, &[2, 3], json!({"runs": {"batter": 2}}));
    played.bowl(&[2, 3]);
    let due = json!([{
        "delivery": 2, "place": {"innings": 1, "over": 1, "ball": 2, "text": "0.2"}, "seq": 6,
        "reason": "agreed at the table",
    }]);
    assert_eq!(played.get("/scorecard").expect(200)["exceptions"], due);
    assert_eq!(played.get("/corrections").expect(200)["exceptions"], due);
    let report = played.get("/audit").expect(200);
    assert_eq!((&report["verdict"], &report["divergence"]), (&json!("clean"), &Value::Null));
    let found = &report["exceptions"][0];
    assert_eq!((&found["delivery"], &found["reason"]), (&json!(2), &json!("agreed at the table")));
    assert_eq!(
        (&found["stands"]["runs"]["total"], &found["by_rules"]["runs"]["total"]),
        (&json!(2), &json!(0))
    );
    assert!(found["by_rules"]["rulings"].to_string().contains("howzat.strike.3"), "{found}");
    holds(service, &played);
});

on_both_stores!(an_amendment_back_to_the_rules_leaves_no_exception, |service| {
    let rolled: [&[i64]; 4] = [&[2, 1], &[2, 3], &[2, 4], &[2, 3]];
    let played = with_balls(service, 2, &rolled);
    correct(&played, &amend(2, agreed_outcome(json!({"runs": {"batter": 1}}))));
    assert_ne!(book(&played), book(&with_balls(service, 2, &rolled)));
    assert_eq!(played.get("/corrections").expect(200)["exceptions"].as_array().map(Vec::len), Some(1));
    correct(&played, &amend(2, json!({})));
    has_pages_of(service, &played, &rolled);
    assert!(played.get("/scorecard").expect(200).get("exceptions").is_none());
    assert_eq!(played.get("/audit").expect(200)["exceptions"], json!([]));
});

on_both_stores!(an_agreement_survives_an_amendment_of_an_earlier_ball, |service| {
    let played = with_balls(service, 2, &[&[2, 2], &[2, 3], &[2, 6]]);
    correct(&played, &amend(2, agreed_outcome(json!({"runs": {"batter": 4}}))));
    let agreed = balls(&played)[1].clone();
    correct(&played, &dice(1, &[2, 1]));
    let again = balls(&played)[1].clone();
    assert_eq!((&again["outcome"]["runs"], &again["dice"]), (&agreed["outcome"]["runs"], &agreed["dice"]));
    assert_eq!(again["as_stood"]["reason"], "agreed at the table");
    assert_eq!(
        (&agreed["outcome"]["striker"], &again["outcome"]["striker"]),
        (&json!("Abel"), &json!("Brook"))
    );
    has_pages_of(service, &played, &[&[2, 1], &[2, 4], &[2, 6]]);
    // The batter who was agreed to be out is not at the wicket any more.
    correct(&played, &amend(2, agreed_outcome(json!({"wicket": {"kind": "bowled", "player_out": "Brook"}}))));
    let wicket = played.posting("/corrections", &dice(1, &[2, 5]));
    service.untouched_by(wicket).refused(422, "illegal-input").at("body.cascade").says(&["delivery 2"]);
});

on_both_stores!(in_a_seeded_match_the_ball_is_bowled_first_and_then_agreed_on, |service| {
    for request in seeded_games(2) {
        let played = after_balls(service, &request, 5);
        let bowled = balls(&played);
        let body = amend(5, agreed_outcome(json!({"runs": {"batter": 5}, "wicket": null})));
        let dry = dry_run(&played, &body).expect(200);
        let made = correct(&played, &body);
        assert_eq!(made["difference"], dry["difference"]);
        let again = balls(&played)[4].clone();
        assert_eq!((&again["dice"], &again["choices"]), (&bowled[4]["dice"], &bowled[4]["choices"]));
        assert_eq!(
            (&again["outcome"]["runs"]["batter"], &again["as_stood"]["by_rules"]),
            (&json!(5), &bowled[4]["outcome"])
        );
        assert_eq!(
            played.get("/corrections").expect(200)["changed_choices"],
            json!([]),
            "no choice was changed"
        );
        holds(service, &played);
        played.post("/autoplay", &json!({"until": "match"})).expect(201);
        let report = played.get("/audit").expect(200);
        assert!(report["proved"].to_string().contains("the seed fits its commitment"), "{report}");
        assert_eq!((&report["verdict"], &report["exceptions"][0]["delivery"]), (&json!("clean"), &json!(5)));
    }
});

on_both_stores!(numbers_of_cubes_may_stand_otherwise_too, |service| {
    let played = with_cubes(service, 2, &[[3, 4]]);
    let body = agreed_outcome(json!({"runs": {"batter": 2}}));
    let mut ball = numbers([5, 9]);
    ball.as_object_mut().expect("an object").extend(body.as_object().expect("an object").clone());
    played.post("/balls", &ball).expect(201);
    show(&played, [2, 3]);
    assert_eq!(total(&played, 1)[0], 4, "1, 2 as it stood, 1");
    holds(service, &played);
    correct(&played, &amend(2, json!({})));
    is_like(service, &played, &with_cubes(service, 2, &[[3, 4], [5, 9], [2, 3]]));
    correct(&played, &amend(1, agreed_outcome(json!({"wicket": {"kind": "bowled"}, "runs": {"batter": 0}}))));
    assert_eq!(total(&played, 1)[1], 1);
    holds(service, &played);
});

on_both_stores!(a_match_may_end_by_what_stood, |service| {
    let played = with_balls(service, 1, &DOTS[..11]);
    agree(&played, &[2, 3], json!({"runs": {"batter": 1}}));
    assert_eq!(
        (&played.view()["status"], &played.view()["result"]["winner"]),
        (&json!("completed"), &json!("away"))
    );
    holds(service, &played);
    correct(&played, &amend(12, json!({})));
    is_like(service, &played, &with_balls(service, 1, &DOTS));
});

on_both_stores!(an_agreed_outcome_equal_to_the_rules_is_no_exception, |service| {
    // Four ahead is enough after a dot ball, but is a dot ball itself without one before it.
    let played = with_cubes(service, 2, &[[3, 3], [6, 2], [1, 2]]);
    assert_eq!(total(&played, 1)[1], 1);
    correct(&played, &amend(2, agreed_outcome(json!({"wicket": null}))));
    assert_eq!((total(&played, 1)[1], balls(&played)[1]["as_stood"].is_null()), (0, false));
    correct(&played, &amend(1, numbers([3, 4])));
    assert!(balls(&played)[1]["as_stood"].is_null(), "the rules come to just that");
    assert!(played.get("/scorecard").expect(200).get("exceptions").is_none());
    is_like(service, &played, &with_cubes(service, 2, &[[3, 4], [6, 2], [1, 2]]));
});

/// What the table agrees on with who faces, and perhaps an outcome.
fn with_striker(faces: &str, outcome: Value) -> Value {
    json!({"as_stood": {"outcome": outcome, "faces": faces, "reason": "they ran two, and one was short"}})
}

/// The two at the wicket: who faces, and the other.
fn at_the_wicket(played: &Match) -> [Value; 2] {
    let situation = played.view()["situation"].clone();
    ["striker", "non_striker"].map(|end| situation[end]["player"].clone())
}

on_both_stores!(whoever_is_agreed_to_face_faces_after_the_ball, |service| {
    let played = with_balls(service, 2, &[&[2, 3]]);
    assert_eq!(at_the_wicket(&played), ["Abel", "Brook"]);
    // Who faces is agreed on alone: the rules give the outcome.
    let body = with(with_striker("Brook", json!({})), "/dice", json!([2, 2]));
    let ball = last_event(&played.post("/balls", &body).expect(201)).clone();
    assert_eq!((&ball["v"], &ball["data"]["as_stood"]["faces"]), (&json!(2), &json!("Brook")));
    assert_eq!(ball["data"]["outcome"]["runs"]["batter"], 2);
    assert_eq!(at_the_wicket(&played), ["Brook", "Abel"]);
    holds(service, &played);
    assert_eq!(last_event(&played.bowl(&[2, 1]))["data"]["outcome"]["striker"], "Brook");
    // With an outcome that leads to the same batter it need not be said.
    let body = with(with_striker("Abel", json!({"runs": {"batter": 2}})), "/dice", json!([2, 3]));
    let ball = last_event(&played.post("/balls", &body).expect(201)).clone();
    assert_eq!((&ball["v"], ball["data"]["as_stood"].get("faces")), (&json!(1), None));
    let line = played.get("/commentary").expect(200)["lines"][5].clone();
    assert!(line["text"].as_str().is_some_and(|text| text.ends_with("; Brook faces")), "{line}");
    // A correction of an earlier ball keeps it.
    correct(&played, &with(dice(1, &[2, 4]), "/cascade", json!("refit")));
    let outcome = played.get("/deliveries/3").expect(200)["now"]["batter"].clone();
    assert_eq!(outcome, "Brook");
    holds(service, &played);
    correct(&played, &dice(1, &[2, 6]));
    assert_eq!(played.get("/deliveries/3").expect(200)["now"]["batter"], "Brook");
    holds(service, &played);
    let changed = correct(&played, &amend(3, with_striker("Brook", json!({}))));
    assert!(changed["events"].is_array());
    holds(service, &played);
});

on_both_stores!(nobody_faces_who_is_not_at_the_wicket, |service| {
    let played = with_balls(service, 1, &[&[2, 3], &[2, 3], &[2, 3], &[2, 3], &[2, 3]]);
    for (faces, outcome, dice, at) in [
        ("Crane", json!({}), json!([2, 3]), "body.as_stood.faces"),
        ("Verity", json!({}), json!([2, 3]), "body.as_stood.faces"),
        ("Abel", json!({"wicket": {"kind": "lbw"}}), json!([2, 3]), "body.as_stood.faces"),
        // The innings is over, and nobody faces.
        ("Abel", json!({"runs": {"batter": 1}}), json!([2, 3]), "body.as_stood.faces"),
    ] {
        let body = with(with_striker(faces, outcome), "/dice", dice);
        let refusal = service.untouched_by(played.posting("/balls", &body)).refused(422, "illegal-input");
        refusal.at(at).says(&["at the wicket after the ball"]);
    }
    let other = with_balls(service, 2, &[&[2, 3]]);
    let body = with(with_striker("Abel", json!({})), "/dice", json!([2, 3]));
    let refusal = service.untouched_by(other.posting("/balls", &body)).refused(422, "illegal-input");
    refusal.at("body.as_stood.outcome").says(&["the rules come to just this"]);
    let body = json!({"as_stood": {"outcome": {}, "faces": 3, "reason": "so"}, "dice": [2, 3]});
    service
        .untouched_by(other.posting("/balls", &body))
        .refused(422, "illegal-input")
        .at("body.as_stood.faces");
});
