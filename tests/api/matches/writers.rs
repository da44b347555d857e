//! Who writes in a match: `GET .../writers`, and the names of devices by `PUT .../writers/me`.

use serde_json::{Value, json};
use third_umpire_test_support::on_both_stores;
use third_umpire_test_support::service::{Match, Request, Sides, remote, table};

use super::hand_over::hand_over;

fn writers(of: &Match, token: Option<&str>) -> Request {
    let request = of.client.request("GET", &of.path("/writers"));
    match token {
        Some(token) => request.token(token),
        None => request,
    }
}

fn naming(of: &Match, name: &str) -> Request {
    of.client.request("PUT", &of.path("/writers/me")).token(&of.token).json(&json!({"name": name}))
}

fn scorer(answer: &Value) -> Value {
    answer["writers"][0].clone()
}

on_both_stores!(a_scorer_is_listed_with_the_time_of_the_last_event, |service| {
    let played = service.create(&table(1));
    let answer = writers(&played, None).send();
    let fresh = scorer(&answer.expect(200));
    assert_eq!(
        (&fresh["role"], &fresh["number"], &fresh["wrote"]),
        (&json!("scorer"), &json!(1), &Value::Null)
    );
    assert_eq!(answer.header("cache-control"), "no-store");
    assert_eq!(answer.expect(200)["head"], played.view()["head"]);
    played.begin();
    let after = scorer(&writers(&played, None).send().expect(200));
    assert_eq!(after["since"], fresh["since"]);
    assert_eq!(after["wrote"], played.events().last().expect("an event")["at"]);
});

on_both_stores!(a_name_is_shown_to_holders_of_a_token_alone, |service| {
    let played = service.create(&table(1));
    let before = played.head();
    assert_eq!(naming(&played, " Rowe's phone ").send().status, 204);
    assert_eq!(played.head(), before, "a name is no event");
    assert_eq!(scorer(&writers(&played, None).send().expect(200)).get("name"), None);
    let shown = scorer(&writers(&played, Some(&played.token)).send().expect(200));
    assert_eq!(shown["name"], "Rowe's phone");
    assert_eq!(naming(&played, "").send().status, 204);
    assert_eq!(scorer(&writers(&played, Some(&played.token)).send().expect(200)).get("name"), None);
});

on_both_stores!(whoever_takes_over_is_another_writer_and_the_giver_is_told_of_the_way_back, |service| {
    let giver = service.create(&table(1));
    giver.begin();
    naming(&giver, "Rowe's phone").send();
    let taker = hand_over(&giver);
    let told = writers(&giver, Some(&giver.token)).send().expect(200);
    assert_eq!(told["way_back"], true);
    let second = scorer(&told);
    assert_eq!((&second["number"], &second["wrote"]), (&json!(2), &Value::Null));
    assert_eq!(second.get("name"), None, "the name was the other device's");
    naming(&taker, "Phone of Mill Lane").send();
    taker.posting("/balls", &json!({"dice": [2, 3]})).send().expect(201);
    let told = writers(&giver, Some(&giver.token)).send().expect(200);
    assert_eq!(told["way_back"], false);
    assert_eq!(scorer(&told)["name"], "Phone of Mill Lane");
    assert_eq!(writers(&taker, Some(&taker.token)).send().expect(200).get("way_back"), None);
    assert_eq!(naming(&giver, "again").send().expect(403)["type"], "/problems/token-refused");
});

on_both_stores!(whoever_issues_the_token_of_another_role_has_written, |service| {
    let giver = service.create(&table(1));
    giver.begin();
    let taker = hand_over(&giver);
    taker.post("/tokens/umpire/rotate", &json!({})).expect(201);
    let told = writers(&giver, Some(&giver.token)).send().expect(200);
    assert_eq!(scorer(&told)["wrote"], taker.events().last().expect("an event")["at"]);
    assert_eq!(told["way_back"], false);
});

on_both_stores!(names_that_nobody_can_read_and_foreign_tokens_are_refused, |service| {
    let played = service.create(&table(1));
    for (name, says) in [("x".repeat(41), "at most 40 characters; this has 41"), ("a\u{7}".into(), "control")]
    {
        let refused = naming(&played, &name).send().expect(422);
        assert!(refused.to_string().contains(says), "{refused}");
    }
    let other = service.create(&table(1));
    writers(&played, Some(&other.token)).send().expect(403);
    writers(&played, Some("tu_nobody")).send().expect(403);
    let nobody = played.client.request("PUT", &played.path("/writers/me")).json(&json!({"name": "x"}));
    nobody.send().expect(401);
});

on_both_stores!(the_sides_of_a_remote_match_are_listed_once_they_are_claimed, |service| {
    let sides = Sides::create(service.client(), &remote(1));
    let roles = |answer: Value| -> Vec<Value> {
        answer["writers"].as_array().expect("a list").iter().map(|one| one["role"].clone()).collect()
    };
    let listed = roles(sides.scorer.get("/writers").expect(200));
    assert!(listed.contains(&json!("home")) && listed.contains(&json!("away")), "{listed:?}");
});

on_both_stores!(a_right_that_was_ended_is_nobodys_until_the_role_has_another_token, |service| {
    let played = service.create(&table(1));
    assert_eq!(scorer(&writers(&played, None).send().expect(200)).get("nobody"), None);
    // Two ends, as after a hand-over in between.
    for digit in ["a", "b"] {
        let hash = format!("{}{}", "0".repeat(32), digit.repeat(32));
        let umpire = json!({"token_sha256": hash});
        played.posting("/tokens/umpire/rotate", &umpire).send().expect(201);
        let told = writers(&played, None).send().expect(200);
        let umpire = told["writers"].as_array().expect("writers").last().expect("the umpire").clone();
        assert_eq!((&umpire["role"], &umpire["nobody"]), (&json!("umpire"), &json!(true)));
        played.posting("/tokens/umpire/rotate", &json!({})).send().expect(201);
        let told = writers(&played, None).send().expect(200);
        assert_eq!(
            told["writers"].as_array().expect("writers").last().expect("the umpire").get("nobody"),
            None
        );
    }
});
