//! Balls at a table with a known outcome.

use serde_json::{Value, json};

use super::{begin, list, table, waits_for};
use third_umpire_test_support::service::{Match, Mending, Service, last_event};
use third_umpire_test_support::{on_both_stores, on_own_stores};

/// Cards on which a blocked ball is a dot; the first two of a style are dots in express play.
const QUIET: [&str; 18] = [
    "nagging_line",
    "trapped_in_front",
    "nothing_in_it",
    "leg_side_gift",
    "cut_off",
    "free_arms",
    "on_a_length",
    "rapped_on_the_pad",
    "half_volley",
    "short_and_wide",
    "top_edge",
    "wild_throw",
    "feather",
    "sharp_turn",
    "loop_and_dip",
    "drag_down",
    "full_toss",
    "ring_field",
];

/// Bowls a ball without a run or a wicket.
#[track_caller]
pub fn dot(played: &Match) -> Value {
    let legal = waits_for(played)["legal"].clone();
    let left = list(&legal["over_card"]);
    let card = QUIET.iter().find(|card| left.iter().any(|left| left == *card)).expect("a quiet card");
    let mut dice = if legal.get("bowl").is_some() { vec![3, 3] } else { Vec::new() };
    loop {
        let answer = played.post("/balls", &json!({"choices": {"over_card": card}, "dice": dice}));
        if answer.status == 201 {
            let bowled = answer.json();
            assert_eq!(last_event(&bowled)["data"]["outcome"]["runs"]["total"], 0);
            return bowled;
        }
        answer.refused(422, "needs-input").at(&format!("body.dice[{}]", dice.len()));
        dice.push(1);
    }
}

/// Bowls six such balls by this bowler.
#[track_caller]
pub fn quiet_over(played: &Match, bowler: &str) {
    played.post("/overs", &json!({"bowler": bowler})).expect(201);
    (0..6).for_each(|_| drop(dot(played)));
}

/// A match at a table in whose first over a pace bowler of the away side bowls.
pub fn pace(service: &Service, request: &Value) -> Match {
    let played = service.create(request);
    begin(&played).post("/overs", &json!({"bowler": "Thulani Mabasa"})).expect(201);
    played
}

/// A ball missed by less than three, with this die for the appeal: 5 or 6 is out.
pub fn appeal(card: &str, die: i64) -> Value {
    let choices =
        json!({"over_card": card, "bowl": "yorker", "stroke": "on_straight", "reroll_batter": "no"});
    json!({"choices": choices, "dice": [6, 2, die]})
}

pub const LBW: &str = "rapped_on_the_pad";

on_both_stores!(nine_deliveries_of_an_over_are_told_as_they_fell, |service| {
    let played = pace(service, &table("t20"));
    played.post("/balls", &json!({"choices": {"over_card": "half_volley"}, "dice": [1, 8]})).expect(201);
    played.post("/balls", &json!({"choices": {"over_card": "over_the_line"}, "dice": [1, 7]})).expect(201);
    let free = played.post("/balls", &json!({"dice": [6, 1]})).expect(201);
    let outcome = &last_event(&free)["data"]["outcome"];
    assert_eq!((&outcome["wicket"], &outcome["legal"]), (&Value::Null, &json!(true)));
    played.post("/balls", &json!({"choices": {"over_card": "behind_the_arm"}})).expect(201);
    played.post("/balls", &json!({"dice": [3, 3, 1]})).expect(201);
    let run =
        json!({"choices": {"over_card": "on_a_length", "longer": false, "run": 2}, "dice": [2, 5, 3, 2, 5]});
    let run_out = played.post("/balls", &run).expect(201);
    let wicket = &last_event(&run_out)["data"]["outcome"]["wicket"];
    assert_eq!((&wicket["kind"], &wicket["player_out"]), (&json!("run out"), &json!("Kwabena Asare-Lunt")));
    let legal = waits_for(&played)["legal"].clone();
    assert_eq!(legal["next_batter"][0], "Ishaan Velankar");
    let chosen = json!({"over_card": "wild_throw", "next_batter": "Tane Whaiora", "next_attitude": "aggressive", "run": 1, "longer": false});
    played.post("/balls", &json!({"choices": chosen, "dice": [2, 5, 3, 2]})).expect(201);
    let clean = played
        .post("/balls", &json!({"choices": {"over_card": "cramped_for_room"}, "dice": [6, 1]}))
        .expect(201);
    assert_eq!(last_event(&clean)["data"]["outcome"]["wicket"]["kind"], "bowled");
    let score = played.view()["score"]["text"].clone();
    assert_eq!(score, "Harbour Terns 14/2 (1.0)");
    played.audits_clean();
});

on_own_stores!(a_forged_table_log_is_found_by_the_service, |deployment| {
    let played = pace(deployment, &table("t20"));
    played.post("/balls", &appeal(LBW, 3)).expect(201);
    played.post("/reviews", &json!({"by": "away", "dice": [5]})).expect(201);
    deployment.database().drop_triggers();
    let seq = played.head().seq;
    third_umpire_test_support::service::forge(deployment.database(), &played, seq, Mending::Chain, |event| {
        event["data"]["retained"] = json!(true)
    });
    let report = played.get("/audit").expect(200);
    assert_eq!((&report["verdict"], &report["divergence"]["seq"]), (&json!("diverges"), &json!(seq)));
});
