//! `next.requests`: the requests that answer a step.

use serde_json::{Value, json};
use third_umpire_test_support::on_both_stores;
use third_umpire_test_support::service::{Match, seeded, table, with};

/// The requests of the next step: operation, fixed body, and the places that are asked for; those that are
/// required have an asterisk.
fn requests(next: &Value) -> Vec<String> {
    let asked = |ask: &Value| {
        let mark = if ask["required"] == true { "*" } else { "" };
        format!("{}{mark}", ask["at"].as_str().expect("a place"))
    };
    let told = |request: &Value| {
        let asks: Vec<String> = request["asks"].as_array().expect("asks").iter().map(asked).collect();
        let operation = request["operation"].as_str().expect("an operation");
        format!("{operation} {} [{}]", request["body"], asks.join(" "))
    };
    next["requests"].as_array().expect("requests").iter().map(told).collect()
}

fn pending(played: &Match) -> Vec<String> {
    requests(&played.view()["next"])
}

on_both_stores!(each_step_lists_the_requests_that_answer_it, |service| {
    let played = service.create(&with(table(2), "/rules/drs", json!("house")));
    assert_eq!(pending(&played), ["make_toss {} [winner*]", "make_toss {} [caller* call* coin*]"]);
    played.post("/toss", &json!({"caller": "home", "call": "heads", "coin": "heads"})).expect(201);
    assert_eq!(pending(&played), ["decide_toss {} [to*]"]);
    played.post("/toss/decision", &json!({"to": "bat"})).expect(201);
    assert_eq!(pending(&played), ["begin_over {} [openers bowler keeper field]", "bowl_ball {} [dice[0]*]"]);
    played.bowl(&[2, 3]);
    assert_eq!(pending(&played), ["bowl_ball {} [dice[0]*]"]);
    played.bowl(&[5, 5]);
    assert_eq!(
        pending(&played),
        [
            r#"review_decision {"accept":true,"by":"home"} []"#,
            r#"review_decision {"by":"home"} [dice[0]*]"#,
            r#"bowl_ball {"accept":true} [choices.next_batter dice[0]*]"#,
        ]
    );
    played.post("/reviews", &json!({"by": "home", "accept": true})).expect(201);
    assert_eq!(pending(&played), ["bowl_ball {} [choices.next_batter dice[0]*]"]);
});

/// The titles of the requests of the next step.
fn titles(played: &Match) -> Vec<String> {
    let requests = played.view()["next"]["requests"].as_array().expect("requests").clone();
    requests.iter().map(|request| request["title"].as_str().expect("a title").to_owned()).collect()
}

on_both_stores!(acceptance_says_what_comes_of_the_batter_and_review_what_may, |service| {
    let played = service.create(&with(table(2), "/rules/drs", json!("house")));
    played.begin();
    played.bowl(&[5, 5]);
    let out = played.view()["situation"]["last"]["wicket"]["player_out"].clone();
    let out = out.as_str().expect("a name");
    assert_eq!(titles(&played)[..2], [format!("Accept, {out} is out"), format!("Review: {out} may stay")]);
});

on_both_stores!(with_dice_of_the_service_a_ball_asks_for_no_die, |service| {
    let played = service.create(&seeded(1));
    played.begin();
    assert_eq!(
        pending(&played),
        ["begin_over {} [openers bowler keeper field]", "bowl_ball {} []", r#"autoplay {"until":"over"} []"#,]
    );
});

on_both_stores!(an_answer_to_an_append_lists_the_requests_without_their_values, |service| {
    let played = service.create(&table(2));
    played.begin();
    let stored = played.bowl(&[2, 3]);
    let view = played.view();
    assert_eq!(requests(&stored["next"]), requests(&view["next"]));
    assert_eq!(stored["next"]["requests"][0]["asks"][0].get("options"), None);
    assert_eq!(view["next"]["requests"][0]["asks"][0]["options"].as_array().map(Vec::len), Some(6));
});

on_both_stores!(a_bowler_who_may_not_bowl_is_listed_with_the_reason, |service| {
    let played = service.create(&table(2));
    played.begin();
    (0..6).for_each(|_| drop(played.bowl(&[2, 3])));
    let view = played.view();
    let asks = view["next"]["requests"][0]["asks"].as_array().expect("asks").clone();
    let bowler = asks.iter().find(|ask| ask["at"] == "bowler").expect("a bowler is asked for");
    let reasons: Vec<(&Value, &Value)> = bowler["options"]
        .as_array()
        .expect("options")
        .iter()
        .filter(|option| option.get("why_not").is_some())
        .map(|option| (&option["value"], &option["why_not"]))
        .collect();
    assert_eq!(
        reasons,
        [(&json!("Rhodes"), &json!("keeps wicket")), (&json!("Verity"), &json!("bowled the last over"))]
    );
    let default = bowler["options"].as_array().expect("options").iter().find(|one| one["default"] == true);
    assert_eq!(default.map(|one| &one["value"]), Some(&bowler["default"]));
});

on_both_stores!(history_carries_no_requests, |service| {
    let played = service.create(&table(1));
    played.begin();
    played.bowl(&[2, 3]);
    assert_eq!(played.get("/replay?at=5").expect(200)["next"].get("requests"), None);
    played.post("/disputes", &json!({"delivery": 1, "by": "away", "claim": "It was a four."})).expect(201);
    let evidence = played.get("/disputes/1").expect(200)["evidence"].clone();
    assert_eq!(evidence["awaited"].get("requests"), None);
});

on_both_stores!(a_finished_match_lists_none, |service| {
    let played = service.create(&seeded(1));
    played.post("/autoplay", &json!({"until": "match"})).expect(201);
    assert_eq!(pending(&played), Vec::<String>::new());
});
