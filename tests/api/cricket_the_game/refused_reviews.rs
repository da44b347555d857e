//! Reviews, and when no review is possible.

use serde_json::{Value, json};

use super::table::{LBW, appeal, dot, pace};
use super::{begin, drs, seeded, table, waits_for};
use third_umpire_test_support::on_both_stores;
use third_umpire_test_support::service::{Match, Refusal, Service, last_event};

fn by(side: &str, die: i64) -> Value {
    json!({"by": side, "dice": [die]})
}

#[track_caller]
fn refused(service: &Service, played: &Match, body: Value) -> Refusal {
    service.untouched_by(played.posting("/reviews", &body)).refused(409, "out-of-turn")
}

fn t20(service: &Service) -> Match {
    pace(service, &table("t20"))
}

#[track_caller]
fn bowl(played: &Match, body: Value) -> Value {
    played.post("/balls", &body).expect(201)
}

on_both_stores!(a_dismissal_is_for_the_batting_side_and_an_upheld_review_makes_it_a_dot, |service| {
    let played = t20(service);
    bowl(&played, appeal(LBW, 6));
    let next = waits_for(&played);
    assert_eq!(
        (&next["what"], &next["side"], &next["legal"]["left"]),
        (&json!("review"), &json!("home"), &json!(1))
    );
    let made = played.post("/reviews", &by("home", 5)).expect(201);
    let data = &last_event(&made)["data"];
    assert_eq!((&data["verdict"], &data["outcome"]["wicket"]), (&json!("upheld"), &Value::Null));
    assert_eq!(made["score"]["text"], "Harbour Terns 0/0 (0.1)");
    assert_eq!(played.get("/fall-of-wickets").expect(200)["innings"][0]["fall_of_wickets"], json!([]));
    refused(service, &played, by("home", 5)).by("ctg.review.none_left");
    // The batter who was not out faces the next ball.
    let next = dot(&played);
    assert_eq!(last_event(&next)["data"]["outcome"]["striker"], "Ottoline Reyes");
    played.audits_clean();
});

on_both_stores!(
    an_appeal_turned_down_is_for_the_fielding_side_and_an_upheld_review_gives_him_out,
    |service| {
        let played = t20(service);
        bowl(&played, appeal(LBW, 4));
        assert_eq!(waits_for(&played)["side"], "away");
        let made = played.post("/reviews", &by("away", 6)).expect(201);
        assert_eq!(last_event(&made)["data"]["outcome"]["wicket"]["kind"], "lbw");
        assert_eq!(made["score"]["text"], "Harbour Terns 0/1 (0.1)");
        assert_eq!(waits_for(&played)["legal"]["next_batter"][0], "Ishaan Velankar");
        let fallen = played.get("/fall-of-wickets").expect(200)["innings"][0]["fall_of_wickets"].clone();
        let place = json!({"innings": 1, "over": 1, "ball": 1, "text": "0.1"});
        let wicket = json!({"wicket": 1, "runs": 0, "player": "Ottoline Reyes", "over": "0.1", "delivery": 1,
                            "place": place});
        assert_eq!(fallen, json!([wicket]));
        assert_eq!(played.get("/reviews").expect(200)["left"], json!([{"innings": 1, "home": 1, "away": 0}]));
        played.audits_clean();
    }
);

on_both_stores!(the_umpires_call_keeps_the_review, |service| {
    let played = t20(service);
    bowl(&played, appeal(LBW, 4));
    let made = played.post("/reviews", &by("away", 4)).expect(201);
    let data = &last_event(&made)["data"];
    assert_eq!(
        (&data["verdict"], &data["umpires_call"], &data["retained"]),
        (&json!("struck_down"), &json!(true), &json!(true))
    );
    assert_eq!(played.get("/reviews").expect(200)["left"][0]["away"], 1);
    refused(service, &played, by("away", 5)).by("ctg.review.too_late");
    let commentary = played.get("/commentary").expect(200).to_string();
    assert!(commentary.contains("umpire's call"), "{commentary}");
});

on_both_stores!(nobody_may_have_these_reviewed, |service| {
    let played = t20(service);
    refused(service, &played, by("home", 5));
    dot(&played);
    refused(service, &played, by("home", 5)).by("ctg.review.not_reviewable");
    refused(service, &played, json!({"by": "home", "accept": true})).by("ctg.review.not_reviewable");
    let run_out =
        json!({"choices": {"over_card": "half_volley", "longer": false, "run": 2}, "dice": [2, 5, 3, 2, 5]});
    bowl(&played, run_out);
    refused(service, &played, by("home", 5)).by("ctg.review.not_reviewable").says(&["run out"]);
    bowl(&played, json!({"choices": {"over_card": "short_and_wide"}, "dice": [6, 1]}));
    refused(service, &played, by("home", 5)).by("ctg.review.not_reviewable").says(&["bowled"]);
    bowl(&played, appeal(LBW, 3));
    let wrong =
        service.untouched_by(played.posting("/reviews", &by("home", 5))).refused(422, "illegal-input");
    wrong.at("body.by").by("ctg.review.other_side").legal(json!(["away"]));
    let die =
        |dice: Value| service.untouched_by(played.posting("/reviews", &json!({"by": "away", "dice": dice})));
    die(json!([7])).refused(422, "illegal-input").at("body.dice[0]");
    die(json!([5, 5])).refused(422, "illegal-input").at("body.dice[1]");
    die(json!([])).refused(422, "needs-input").at("body.dice[0]");
    die(json!("5")).refused(422, "illegal-input").within("body.dice");
    for (path, body) in
        [("/balls", json!({"choices": {"over_card": "top_edge"}, "dice": [3, 3, 1]})), ("/overs", json!({}))]
    {
        service.untouched_by(played.posting(path, &body)).refused(409, "review-open").says(&["accept"]);
    }
    bowl(&played, json!({"choices": {"over_card": "top_edge"}, "dice": [3, 3, 1], "accept": true}));
    refused(service, &played, by("away", 5)).by("ctg.review.not_reviewable");
});

on_both_stores!(a_review_after_the_next_over_has_begun_is_too_late, |service| {
    let played = t20(service);
    (0..5).for_each(|_| {
        played.post("/balls", &json!({"dice": [], "accept": true})).refused(422, "needs-input");
        let card = waits_for(&played)["legal"]["over_card"].clone();
        let quiet = ["on_a_length", "half_volley", "short_and_wide", "top_edge", "wild_throw"];
        let card = quiet.iter().find(|quiet| card.to_string().contains(*quiet)).expect("a card");
        bowl(&played, json!({"choices": {"over_card": card}, "dice": [3, 3, 1]}));
    });
    bowl(&played, appeal(LBW, 3));
    assert_eq!(waits_for(&played)["what"], "review", "the end of the over waits");
    played.post("/overs", &json!({"accept": true})).expect(201);
    refused(service, &played, by("away", 5)).by("ctg.review.too_late");
});

on_both_stores!(a_match_without_drs_has_no_reviews, |service| {
    for request in [table("t10"), drs(table("t20"), "off")] {
        let played = pace(service, &request);
        bowl(&played, appeal(LBW, 6));
        assert_eq!(waits_for(&played)["what"], "ball");
        refused(service, &played, by("home", 5)).by("ctg.review.off");
        assert_eq!(played.get("/reviews").expect(200)["left"], json!([]));
    }
    let on = pace(service, &drs(table("t10"), "on"));
    bowl(&on, appeal(LBW, 6));
    on.post("/reviews", &by("home", 5)).expect(201);
});

on_both_stores!(the_die_of_a_seeded_review_is_not_entered, |service| {
    let played = service.create(&seeded("t20", "5eed"));
    begin(&played);
    while waits_for(&played)["what"] != "review" {
        let next = waits_for(&played);
        let what = next["what"].as_str().expect("the match goes on").to_owned();
        let body = match next["legal"].as_array() {
            Some(legal) => json!({"choices": {what: legal[0]}}),
            None => json!({}),
        };
        played.post("/balls", &body).expect(201);
    }
    let side = waits_for(&played)["side"].clone();
    let entered = json!({"by": side, "dice": [5]});
    service.untouched_by(played.posting("/reviews", &entered)).refused(422, "illegal-input").at("body.dice");
    let made = played.post("/reviews", &json!({"by": side})).expect(201);
    assert_eq!(last_event(&made)["data"]["seed"]["domain"], 5);
});
