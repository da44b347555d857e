//! The name of a delivery in a correction or a dispute: its number, `last`, or its place.

use serde_json::{Value, json};
use third_umpire_test_support::on_both_stores;
use third_umpire_test_support::service::{Match, Service, table};

/// A match with an over of six balls, a wide in it, and a ball of the next over.
fn played(service: &Service) -> Match {
    let played = service.create(&table(2));
    played.begin();
    for dice in [&[2, 1][..], &[1, 2], &[2, 2], &[2, 3], &[2, 4], &[2, 6], &[2, 1], &[3, 1]] {
        played.bowl(dice);
    }
    played
}

fn correction(named: &Value) -> Value {
    json!({"amends": named, "dice": [2, 3], "reason": "misread"})
}

on_both_stores!(a_delivery_is_named_by_its_number_or_its_place, |service| {
    for (named, delivery) in [
        (json!(3), 3),
        (json!("0.3"), 3),
        (json!("1.1"), 8),
        (json!({"over": 1, "ball": 3}), 3),
        (json!({"innings": 1, "over": 2, "ball": 1}), 8),
        (json!({"innings": 1, "text": "0.5"}), 5),
        (json!({"innings": 1, "over": 1, "ball": 7, "text": "0.7"}), 7),
    ] {
        let played = played(service);
        let made = played.post("/corrections", &correction(&named)).expect(201);
        assert_eq!(made["events"][0]["data"]["amends"], delivery, "{named}");
        let dispute = json!({"delivery": named, "by": "away", "claim": "It was a four."});
        let raised = played.post("/disputes", &dispute).expect(201);
        assert_eq!(raised["events"][0]["data"]["delivery"], delivery, "{named}");
        played.audits_clean();
    }
});

on_both_stores!(the_last_delivery_is_named_on_a_head_that_is_known, |service| {
    let played = played(service);
    let undo = json!({"voids_from": "last", "reason": "entered by mistake"});
    let refused = played.post("/corrections", &undo).refused(422, "needs-input");
    refused.at("header.If-Match").says(&["another"]);
    let old = played.head();
    let undone = played.posting("/corrections", &undo).if_match(&old.hash).send().expect(201);
    assert_eq!(undone["events"][0]["data"]["voids_from"], 8);
    played.posting("/corrections", &undo).if_match(&old.hash).send().refused(412, "stale-head");
    let again = played.posting("/corrections", &undo).if_match(&played.head().hash).send().expect(201);
    assert_eq!(again["events"][0]["data"]["voids_from"], 7);
});

on_both_stores!(a_repeated_correction_of_the_last_delivery_is_answered_as_the_first_time, |service| {
    let played = played(service);
    let head = played.head();
    let undo = json!({"voids_from": "last", "reason": "entered by mistake"});
    let send = || played.posting("/corrections", &undo).if_match(&head.hash).key("undo-1").send().expect(201);
    assert_eq!(send()["events"], send()["events"]);
    assert_eq!(played.get("/corrections").expect(200)["corrections"].as_array().map(Vec::len), Some(1));
});

on_both_stores!(a_delivery_that_is_none_is_refused, |service| {
    let before = service.create(&table(1));
    before.begin();
    let head = before.head().hash;
    let last = before.posting("/corrections", &json!({"voids_from": "last", "reason": "x"})).if_match(&head);
    last.send().refused(422, "illegal-input").at("body.voids_from").says(&["no delivery yet"]);
    let played = played(service);
    for named in [
        json!(0),
        json!("1.2"),
        json!("0.0"),
        json!("7.1"),
        json!({"innings": 2, "over": 1, "ball": 1}),
        json!({"over": 1, "ball": 8}),
        json!({"over": 1}),
        json!({"over": 1, "ball": 1, "text": "0.2"}),
        json!({"over": 1, "ball": 1, "wicket": 1}),
        json!("first"),
        json!("x".repeat(10_000)),
        json!(18_446_744_073_709_551_615_u64),
        json!(-1),
        json!(1.5),
        json!([1]),
        json!(true),
    ] {
        service
            .untouched_by(played.posting("/corrections", &correction(&named)))
            .refused(422, "illegal-input");
        let dispute = json!({"delivery": named, "by": "away", "claim": "It was a four."});
        service.untouched_by(played.posting("/disputes", &dispute)).refused(422, "illegal-input");
    }
    let undo = json!({"voids_from": 8, "reason": "entered by mistake"});
    played.post("/corrections", &undo).expect(201);
    let refused = played.post("/corrections", &correction(&json!("1.1"))).refused(422, "illegal-input");
    refused.at("body.amends").says(&["over 2, ball 1"]);
});

on_both_stores!(a_place_in_two_innings_is_refused_with_both, |service| {
    let played = service.create(&table(1));
    played.begin();
    (0..7).for_each(|_| drop(played.bowl(&[2, 1])));
    let refused = played.post("/corrections", &correction(&json!("0.1"))).refused(422, "illegal-input");
    refused.at("body.amends").says(&["1 in innings 1", "7 in innings 2", "name the innings"]);
    let named = json!({"innings": 2, "text": "0.1"});
    let made = played.post("/corrections", &correction(&named)).expect(201);
    assert_eq!(made["events"][0]["data"]["amends"], 7);
});
