//! Previews: what a body would come to, of which nothing is stored.

use serde_json::{Value, json};
use third_umpire_test_support::on_both_stores;
use third_umpire_test_support::service::{Match, Service, seeded, table, with};

fn begun(service: &Service, overs: u32) -> Match {
    let played = service.create(&table(overs));
    played.begin();
    played
}

/// A preview by somebody without a token.
fn preview(played: &Match, body: &Value) -> Value {
    played.client.post(&played.path("/balls/preview"), body).expect(200)
}

on_both_stores!(a_ball_is_previewed_die_by_die_by_anybody, |service| {
    let played = begun(service, 2);
    let begun = preview(&played, &json!({}));
    assert_eq!((&begun["done"], &begun["so_far"]), (&json!(false), &json!("")));
    let legal = preview(&played, &json!({"dice": [2]}));
    assert_eq!((&legal["done"], &legal["so_far"]), (&json!(false), &json!("a legal ball")));
    let six = &legal["next"]["requests"][0]["asks"][0]["options"][5];
    assert_eq!((&six["title"], &six["runs"], &six["boundary"]), (&json!("SIX"), &json!(6), &json!(6)));
    let whole = preview(&played, &json!({"dice": [2, 6]}));
    assert_eq!(whole["done"], true);
    assert_eq!(whole["outcome"]["runs"]["total"], 6);
    assert_eq!(whole["score"]["text"], "Harbour Road 6/0 (0.1)");
    assert_eq!(whole["text"], "Verity to Abel: SIX");
    assert_eq!(whole["next"]["requests"][0]["asks"][0]["options"][0]["title"], "extra?");
    assert_eq!(played.events().len(), 3, "nothing is stored");
    let stored = played.bowl(&[2, 6]);
    assert_eq!(stored["score"], whole["score"]);
});

on_both_stores!(a_preview_out_of_turn_says_which_step_is_due, |service| {
    let played = service.create(&table(1));
    for path in ["/balls", "/overs", "/reviews"] {
        let body = json!(if path == "/reviews" { json!({"by": "home"}) } else { json!({}) });
        let preview = played.post(&format!("{path}/preview"), &body);
        preview.refused(409, "out-of-turn");
        let (previewed, sent) = (preview.json(), played.post(path, &body).json());
        assert_eq!(previewed["next"]["what"], "toss", "{path}: {previewed}");
        assert_eq!(previewed["next"], sent["next"], "{path}");
    }
});

on_both_stores!(an_over_is_previewed_with_its_choices, |service| {
    let played = begun(service, 2);
    let whole = played.post("/overs/preview", &json!({"bowler": "Umar"})).expect(200);
    assert_eq!(whole["done"], true);
    assert_eq!(whole["next"]["requests"][0]["operation"], "bowl_ball");
    assert!(whole["text"].as_str().expect("text").contains("Umar to bowl"), "{whole}");
    played.post("/overs/preview", &json!({"bowler": "Nobody"})).refused(422, "illegal-input");
});

on_both_stores!(a_ball_is_previewed_after_the_over_that_it_begins, |service| {
    let played = begun(service, 2);
    let over = json!({"bowler": "Umar", "openers": ["Crane", "Dunn"]});
    let so_far = preview(&played, &json!({"over": over, "dice": [2]}));
    assert_eq!((&so_far["done"], &so_far["so_far"]), (&json!(false), &json!("a legal ball")));
    let whole = preview(&played, &json!({"over": over, "dice": [2, 6]}));
    assert_eq!(whole["text"], "Umar to Crane: SIX");
    assert_eq!(whole["situation"]["bowler"]["player"], "Umar", "{whole}");
    assert_eq!(whole["situation"]["striker"]["player"], "Crane", "{whole}");
    assert_eq!(played.events().len(), 3, "nothing is stored");
    let refused = played.post("/balls/preview", &json!({"over": {"bowler": "Nobody"}, "dice": [2]}));
    refused.refused(422, "illegal-input");
    assert!(refused.json()["errors"][0]["location"] == "body.over.bowler", "{}", refused.json());
    played.post("/overs", &over).expect(201);
    let again = played.post("/balls/preview", &json!({"over": over, "dice": [2, 6]}));
    again.refused(409, "out-of-turn");
    assert_eq!(preview(&played, &json!({"dice": [2, 6]}))["text"], "Umar to Crane: SIX");
});

on_both_stores!(a_review_is_previewed_with_its_die, |service| {
    let played = service.create(&with(table(2), "/rules/drs", json!("house")));
    played.begin();
    played.bowl(&[5, 5]);
    let asked = played.post("/reviews/preview", &json!({"by": "home"})).expect(200);
    let faces = asked["next"]["requests"][0]["asks"][0]["options"].as_array().expect("faces").clone();
    let told: Vec<(&str, &str)> = faces
        .iter()
        .map(|face| (face["title"].as_str().expect("title"), face["text"].as_str().expect("text")))
        .collect();
    let (lost, kept, upheld) = (("OUT", "review lost"), ("OUT", "review kept"), ("not out", "review upheld"));
    assert_eq!(told, [lost, lost, lost, kept, upheld, upheld]);
    let upheld = played.post("/reviews/preview", &json!({"by": "home", "dice": [6]})).expect(200);
    assert_eq!((&upheld["done"], &upheld["score"]["text"]), (&json!(true), &json!("Harbour Road 0/0 (0.1)")));
    let accepted = played.post("/reviews/preview", &json!({"by": "home", "accept": true})).expect(200);
    assert_eq!(accepted["done"], true);
    assert_eq!(played.view()["next"]["what"], "review", "nothing is stored");
});

on_both_stores!(a_ball_that_accepts_the_decision_before_it_is_previewed, |service| {
    let played = service.create(&with(table(2), "/rules/drs", json!("house")));
    played.begin();
    played.bowl(&[5, 5]);
    played.post("/balls/preview", &json!({"dice": [2]})).refused(409, "review-open");
    let asked = preview(&played, &json!({"dice": [2], "accept": true}));
    assert_eq!(
        (&asked["done"], &asked["next"]["requests"][0]["body"]),
        (&json!(false), &json!({"accept": true}))
    );
    let whole = preview(&played, &json!({"dice": [2, 4], "accept": true}));
    assert_eq!(whole["score"]["text"], "Harbour Road 4/1 (0.2)");
});

on_both_stores!(an_impossible_preview_is_refused_as_the_ball_would_be, |service| {
    let played = begun(service, 2);
    for (body, location) in [
        (json!({"dice": [2, 3, 4]}), "body.dice[2]"),
        (json!({"dice": [7]}), "body.dice[0]"),
        (json!({"dice": [0]}), "body.dice[0]"),
        (json!({"dice": [2, -1]}), "body.dice[1]"),
        (json!({"choices": {"next_batter": "Brook"}}), "body.choices.next_batter"),
        (json!({"choices": {"x".repeat(10_000): 1}}), "body.choices"),
        (json!({"choices": {"next_batter": "x".repeat(10_000)}}), "body.choices.next_batter"),
    ] {
        let refused = played.post("/balls/preview", &body).refused(422, "illegal-input");
        let ball = played.post("/balls", &body).refused(422, "illegal-input");
        assert_eq!(refused.problem["errors"], ball.problem["errors"]);
        refused.within(location);
    }
    let agreed = json!({"dice": [2, 3], "as_stood": {"outcome": {}, "reason": "agreed"}});
    let refused = played.post("/balls/preview", &agreed).refused(422, "illegal-input");
    refused.says(&["as_stood", "choices", "dice", "accept"]);
});

on_both_stores!(a_preview_of_a_ball_takes_the_members_that_its_schema_lists, |service| {
    let document = service.client().get("/openapi.json").expect(200);
    let body = &document["paths"]["/v1/matches/{id}/balls/preview"]["post"]["requestBody"];
    let schema = body["content"]["application/json"]["schema"].to_string();
    assert!(schema.contains("#/components/schemas/BallPreviewBody"), "{schema}");
    let members = document["components"]["schemas"]["BallPreviewBody"]["properties"].as_object();
    let members: Vec<&String> = members.expect("members").keys().collect();
    assert_eq!(members, ["accept", "choices", "dice", "over"]);
    let played = begun(service, 2);
    preview(&played, &json!({"accept": false, "choices": {}, "dice": [], "over": {}}));
});

on_both_stores!(the_order_of_one_side_asks_for_that_of_the_other, |service| {
    let played = service.create(&with(table(2), "/game", json!("cuberoots")));
    played.begin();
    let order = json!([1, 2, 3, 4, 5, 6]);
    for (side, other) in [("bowling", "batting"), ("batting", "bowling")] {
        let body = json!({"orders": {side: order}});
        let asked = played.post("/overs/preview", &body).expect(200);
        assert_eq!(asked["done"], false);
        let asks = asked["next"]["requests"][0]["asks"].as_array().expect("asks").clone();
        let required: Vec<&Value> = asks.iter().filter(|ask| ask["required"] == true).collect();
        assert_eq!(required.len(), 1, "{asks:?}");
        assert_eq!(required[0]["at"], format!("orders.{other}"));
        let given = asks.iter().find(|ask| ask["at"] == format!("orders.{side}")).expect("it is still asked");
        assert_eq!((&given["required"], &given["default"]), (&json!(false), &order));
        played.post("/overs", &body).refused(422, "needs-input").at(&format!("body.orders.{other}"));
        let wrong = json!({"orders": {side: [1, 2]}});
        played
            .post("/overs/preview", &wrong)
            .refused(422, "illegal-input")
            .at(&format!("body.orders.{side}"));
    }
    let both = json!({"orders": {"bowling": order, "batting": order}});
    assert_eq!(played.post("/overs/preview", &both).expect(200)["done"], true);
});

on_both_stores!(a_member_of_10_000_characters_is_refused_plainly, |service| {
    let played = service.create(&with(table(2), "/rules/drs", json!("house")));
    played.begin();
    (0..5).for_each(|_| drop(played.bowl(&[2, 3])));
    // The over is finished, and a decision waits for its review.
    played.bowl(&[5, 5]);
    let long = "x".repeat(10_000);
    let many: Vec<u8> = vec![2; 1_000];
    for (path, body, location) in [
        ("/balls", json!({"accept": true, "choices": long}), "body.choices"),
        ("/balls", json!({"accept": true, "choices": {"next_batter": long}}), "body.choices.next_batter"),
        ("/balls", json!({"accept": true, "choices": {&long: "Brook"}}), "body.choices"),
        ("/balls", json!({"accept": true, "dice": long}), "body.dice"),
        ("/balls", json!({"accept": true, "dice": [long]}), "body.dice[0]"),
        ("/balls", json!({"accept": true, "dice": many}), "body.dice[2]"),
        ("/balls", json!({"accept": true, "as_stood": long}), "body.as_stood"),
        ("/balls", json!({"accept": long}), "body.accept"),
        ("/balls", json!({&long: true}), "body"),
        ("/overs", json!({"accept": true, "bowler": long}), "body.bowler"),
        ("/overs", json!({"accept": true, "keeper": long}), "body.keeper"),
        ("/overs", json!({"accept": true, "openers": [long, long]}), "body.openers"),
        ("/overs", json!({"accept": true, "field": {&long: long}}), "body.field"),
        ("/overs", json!({"accept": long}), "body.accept"),
        ("/overs", json!({"accept": true, &long: true}), "body"),
        ("/reviews", json!({"by": long}), "body.by"),
        ("/reviews", json!({"by": "home", "dice": [long]}), "body.dice[0]"),
        ("/reviews", json!({"by": "home", "accept": long}), "body.accept"),
    ] {
        let refused = played.post(&format!("{path}/preview"), &body).refused(422, "illegal-input");
        let detail = refused.problem["detail"].as_str().expect("a detail").len();
        assert!(detail < 11_000, "{path}: the refusal of {location} does not say more than was sent");
        refused.within(location);
    }
    let larger = json!({"choices": {"next_batter": "x".repeat(64 << 10)}, "accept": true});
    played.post("/balls/preview", &larger).refused(413, "body-too-large").says(&["65536 bytes"]);
});

on_both_stores!(a_preview_waits_its_turn_like_the_ball, |service| {
    let created = service.create(&table(1));
    created.post("/balls/preview", &json!({"dice": [2]})).refused(409, "out-of-turn");
    created.post("/overs/preview", &json!({})).refused(409, "out-of-turn");
    created.begin();
    created.post("/reviews/preview", &json!({"by": "home", "dice": [2]})).refused(409, "out-of-turn");
    created.post("/abandonment", &json!({"reason": "Rain."})).expect(201);
    created.post("/balls/preview", &json!({"dice": [2]})).refused(409, "match-over");
});

on_both_stores!(a_preview_tells_nothing_of_dice_that_come_from_a_seed, |service| {
    let played = service.create(&seeded(2));
    played.begin();
    for body in [json!({}), json!({"dice": [2]}), json!({"dice": [2, 3]}), json!({"choices": {}})] {
        let refused = played.post("/balls/preview", &body).refused(409, "no-preview");
        let anybody = played.client.post(&played.path("/balls/preview"), &body).refused(409, "no-preview");
        assert_eq!(refused.problem["detail"], anybody.problem["detail"]);
    }
    let over = played.post("/overs/preview", &json!({"bowler": "Umar"})).expect(200);
    assert_eq!(over["done"], true, "the choices of an over are in the open");
    played.post("/autoplay", &json!({"until": "match"})).expect(201);
    played.post("/balls/preview", &json!({})).refused(409, "seed-open");
});

on_both_stores!(a_preview_deals_no_cube, |service| {
    let players = json!([]);
    let request = json!({
        "game": "cuberoots", "rules": {"overs": 1}, "dice": "seeded",
        "home": {"name": "Harbour Road", "players": players}, "away": {"name": "Mill Lane", "players": players},
    });
    let played = service.create(&request);
    played.begin();
    for body in [json!({}), json!({"orders": {"bowling": [1, 2, 3, 4, 5, 6]}})] {
        played.post("/overs/preview", &body).refused(409, "no-preview");
    }
    played.post("/balls/preview", &json!({})).refused(409, "no-preview");
});
