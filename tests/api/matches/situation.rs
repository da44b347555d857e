//! The situation in the view of a match, on its card, and in the answer to every append, and the hands that
//! such an answer shows.

use serde_json::{Value, json};
use third_umpire_test_support::on_both_stores;
use third_umpire_test_support::service::{Answer, Match, Sides, cubes, remote, table};

/// The situation in an answer, which the view and the card have as well.
#[track_caller]
fn shown(played: &Match, answer: &Value) -> Value {
    let situation = &answer["situation"];
    assert_eq!(played.view()["situation"], *situation);
    assert_eq!(played.get("/scorecard").expect(200)["situation"], *situation);
    situation.clone()
}

fn cells(situation: &Value) -> Vec<&str> {
    let deliveries = situation["over"]["deliveries"].as_array().expect("deliveries");
    deliveries.iter().map(|delivery| delivery["cell"].as_str().expect("a cell")).collect()
}

on_both_stores!(a_match_shows_its_situation_from_the_toss_to_the_result, |service| {
    let played = service.create(&table(1));
    assert_eq!(played.view()["situation"], Value::Null);
    let tossed =
        played.post("/toss", &json!({"caller": "away", "call": "heads", "coin": "heads"})).expect(201);
    assert_eq!(shown(&played, &tossed), Value::Null);
    let decided = played.post("/toss/decision", &json!({"to": "bowl"})).expect(201);
    let now = shown(&played, &decided);
    assert_eq!(now["due"], json!(["openers", "over"]));
    assert_eq!((&now["innings"], &now["batting"]), (&json!(1), &json!("home")));
    assert_eq!(now["over"], json!({"number": 1, "legal_left": 6, "deliveries": []}));
    for nobody in ["striker", "non_striker", "bowler", "keeper", "last", "target", "need", "innings_ended"] {
        assert_eq!(now[nobody], Value::Null, "{nobody}");
    }
    let four = shown(&played, &played.bowl(&[2, 4]));
    assert_eq!(four["striker"]["runs"], 4);
    assert_eq!(four["striker"]["balls"], 1);
    assert_eq!(four["partnership"], json!({"runs": 4, "balls": 1}));
    assert_eq!(four["bowler"]["overs"], "0.1");
    assert_eq!((&four["current_rate"], &four["balls_limit"]), (&json!("24.00"), &json!(6)));
    assert_eq!((cells(&four), &four["due"]), (vec!["4"], &json!([])));
    assert_eq!(four["last"]["place"], json!({"innings": 1, "over": 1, "ball": 1, "text": "0.1"}));
    assert!(four["last"]["text"].as_str().expect("a text").ends_with(": FOUR"), "{}", four["last"]);
    let out = shown(&played, &played.bowl(&[2, 5]));
    assert_eq!((cells(&out), &out["due"]), (vec!["4", "W"], &json!(["next_batter"])));
    assert_eq!(out["over"]["deliveries"][1]["wicket"]["kind"], "bowled");
    assert_eq!(out["striker"], Value::Null);
    (0..3).for_each(|_| drop(played.bowl(&[2, 3])));
    let ended = shown(&played, &played.bowl(&[2, 3]));
    let text = "Harbour Road 4 for 1, 1.0 overs. Mill Lane need 5.";
    assert_eq!(ended["innings_ended"], json!({"number": 1, "runs": 4, "wickets": 1, "text": text}));
    assert_eq!((&ended["batting"], &ended["target"]), (&json!("away"), &json!(5)));
    assert_eq!(ended["need"], json!({"runs": 5, "balls": 6, "wickets": 10, "text": "5 off 6 to win"}));
    assert_eq!((&ended["required_rate"], &ended["current_rate"]), (&json!("5.00"), &json!("0.00")));
    assert_eq!((cells(&ended), &ended["due"]), (vec![], &json!(["openers", "over"])));
    assert_eq!(shown(&played, &played.bowl(&[2, 6])), Value::Null);
});

on_both_stores!(an_over_stays_in_sight_until_the_next_one_begins, |service| {
    let played = service.create(&table(2));
    played.begin();
    (0..5).for_each(|_| drop(played.bowl(&[2, 1])));
    let out = played.bowl(&[2, 5]);
    let now = shown(&played, &out);
    assert_eq!(now["due"], json!(["over", "next_batter"]));
    assert_eq!((&now["bowler"], &now["keeper"]), (&Value::Null, &Value::Null));
    assert_eq!((&now["over"]["number"], &now["over"]["legal_left"]), (&json!(1), &json!(0)));
    assert_eq!(cells(&now), ["1", "1", "1", "1", "1", "W"]);
    let text = "over 1 is done: 5 runs, 1 wicket";
    assert_eq!(now["over_ended"], json!({"number": 1, "runs": 5, "wickets": 1, "text": text}));
    let over = played.post("/overs", &json!({})).expect(201);
    let begun = shown(&played, &over);
    assert_eq!((&begun["due"], &begun["over_ended"]), (&json!(["next_batter"]), &Value::Null));
    assert_eq!(begun["over"], json!({"number": 2, "legal_left": 6, "deliveries": []}));
    assert!(begun["keeper"].is_string() && begun["bowler"]["player"].is_string(), "{begun}");
    // A read of the past tells what was so then.
    let then = played.get(&format!("/scorecard?at={}", out["head"]["seq"])).expect(200);
    assert_eq!(then["situation"], now);
});

on_both_stores!(a_correction_and_autoplay_are_answered_with_the_situation, |service| {
    let played = service.create(&table(2));
    played.begin();
    let first = played.bowl(&[2, 1]);
    played.bowl(&[2, 6]);
    let voided = json!({"voids_from": 2, "reason": "misread"});
    let corrected = played.post("/corrections", &voided).expect(201);
    assert_eq!(shown(&played, &corrected), first["situation"]);
    let fields = corrected["difference"].to_string();
    assert!(!fields.contains("situation"), "the figures tell what has changed: {fields}");
    let seeded = service.create(&cubes(2));
    seeded.begin();
    let autoplayed = seeded.post("/autoplay", &json!({"until": "over"})).expect(201);
    shown(&seeded, &autoplayed);
});

/// The hands that the view shows to the holder of the match's token.
#[track_caller]
fn hands_seen(played: &Match) -> Value {
    let request = played.client.request("GET", &played.path("")).token(&played.token);
    request.send().expect(200)["own"].clone()
}

/// The hands in an answer to an append, and whether it may be kept on the way.
#[track_caller]
fn hands_in(answer: &Answer) -> Value {
    let body = answer.expect(201);
    let expected = if body["own"].is_null() { "no-store" } else { "private, no-store" };
    assert_eq!(answer.header("cache-control"), expected);
    body["own"].clone()
}

on_both_stores!(an_append_is_answered_with_the_hands_that_the_view_shows_its_author, |service| {
    let sides = Sides::in_play(service.client(), &remote(2));
    let Sides { home, away, .. } = &sides;
    let mut order = home.hand();
    order.reverse();
    let chosen = hands_in(&home.choosing(&order).send());
    assert_eq!(chosen, hands_seen(&home.seat));
    assert_eq!(chosen.as_object().expect("hands").keys().collect::<Vec<_>>(), ["home"]);
    assert!(!chosen["home"]["choice"].is_null(), "{chosen}");
    let called = hands_in(&home.post("/choices/call", &json!({})));
    assert_eq!(called.as_object().expect("hands").keys().collect::<Vec<_>>(), ["home"]);
    // The last choice begins the over, and nothing is hidden any more.
    assert_eq!(hands_in(&away.choosing(&away.hand()).send()), Value::Null);
    sides.bowl_over();
    for captain in sides.captains() {
        let dispute = captain.post("/disputes", &json!({"delivery": 1, "claim": "It was a wide."}));
        let hands = hands_in(&dispute);
        assert_eq!(hands, hands_seen(&captain.seat));
        assert_eq!(hands.as_object().expect("hands").keys().collect::<Vec<_>>(), [captain.side]);
    }
});

on_both_stores!(the_scorer_at_one_table_is_answered_with_both_hands, |service| {
    let played = service.create(&cubes(2));
    played.post("/toss", &json!({"caller": "away", "call": "heads"})).expect(201);
    let decided = hands_in(&played.post("/toss/decision", &json!({"to": "bat"})));
    assert_eq!(decided.as_object().expect("hands").len(), 2);
    assert_eq!(decided, hands_seen(&played));
    let plain = service.create(&table(1));
    let tossed = plain.post("/toss", &json!({"caller": "away", "call": "heads", "coin": "heads"}));
    assert_eq!(hands_in(&tossed), Value::Null);
});
