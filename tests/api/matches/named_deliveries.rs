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

on_both_stores!(a_known_head_names_the_last_delivery, |service| {
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

on_both_stores!(a_repeated_correction_of_a_place_is_answered_as_the_first_time, |service| {
    let played = played(service);
    let undo = json!({"voids_from": "1.1", "reason": "entered by mistake"});
    let send = || played.posting("/corrections", &undo).key("undo-2").send();
    let made = send().expect(201);
    // The place has no delivery any more, and the key is known all the same.
    assert_eq!(made["events"], send().expect(201)["events"]);
    let dispute = json!({"delivery": "0.7", "by": "away", "claim": "It was a four."});
    let raise = || played.posting("/disputes", &dispute).key("claim-1").send();
    let raised = raise().expect(201);
    played.post("/corrections", &json!({"voids_from": "0.7", "reason": "not bowled"})).expect(201);
    assert_eq!(raised["events"], raise().expect(201)["events"]);
    let other = json!({"delivery": "0.6", "by": "away", "claim": "It was a four."});
    played.posting("/disputes", &other).key("claim-1").send().refused(422, "idempotency-key-reused");
});

on_both_stores!(a_keyed_request_whose_delivery_is_not_found_is_refused_with_its_name, |service| {
    let played = played(service);
    let undo = json!({"voids_from": "6.1", "reason": "entered by mistake"});
    let keyed = || played.posting("/corrections", &undo).key("undo-3");
    service.untouched_by(keyed()).refused(422, "illegal-input").at("body.voids_from").says(&[
        "over 7, ball 1",
        "6.1",
        "the last is delivery 8 (innings 1, 1.1)",
    ]);
    let claim = json!({"delivery": {"innings": 2, "text": "0.1"}, "by": "away", "claim": "No ball."});
    let refused = service.untouched_by(played.posting("/disputes", &claim).key("claim-2"));
    refused.refused(422, "illegal-input").at("body.delivery").says(&["innings 2, over 1, ball 1"]);
    // A refused request is not remembered: the same key carries the right name.
    let undo = json!({"voids_from": "1.1", "reason": "entered by mistake"});
    played.posting("/corrections", &undo).key("undo-3").send().expect(201);
});

on_both_stores!(a_dry_run_finds_the_delivery_by_its_place, |service| {
    let played = played(service);
    let tried = |named: Value| played.post("/corrections?dry_run=true", &correction(&named));
    assert_eq!(tried(json!("0.3")).expect(200)["difference"], tried(json!(3)).expect(200)["difference"]);
    tried(json!("6.1")).refused(422, "illegal-input").at("body.amends").says(&["over 7, ball 1"]);
});

on_both_stores!(the_last_delivery_before_the_first_ball_is_refused, |service| {
    let before = service.create(&table(1));
    before.begin();
    let head = before.head().hash;
    let undo = json!({"voids_from": "last", "reason": "x"});
    let last = before.posting("/corrections", &undo).if_match(&head);
    last.send().refused(422, "illegal-input").at("body.voids_from").says(&["no delivery yet"]);
    let dispute = json!({"delivery": "last", "by": "away", "claim": "It was a four."});
    before.post("/disputes", &dispute).refused(422, "needs-input").at("header.If-Match");
    let last = before.posting("/disputes", &dispute).if_match(&head);
    last.send().refused(422, "illegal-input").at("body.delivery").says(&["no delivery yet"]);
    let placed = before.post("/corrections", &correction(&json!("0.1")));
    placed.refused(422, "illegal-input").at("body.amends").says(&["over 1, ball 1", "no delivery yet"]);
});

on_both_stores!(a_malformed_name_of_a_delivery_is_refused_with_the_right_names, |service| {
    let played = played(service);
    for (named, words) in [
        (json!("first"), &["\"first\"", "\"last\"", "\"1.3\"", "number"][..]),
        (json!("LAST"), &["\"LAST\"", "\"last\""]),
        (json!("1.2.3"), &["\"1.2.3\""]),
        (json!("1.-2"), &["\"1.-2\""]),
        (json!("65535.1"), &["\"65535.1\""]),
        (json!("x".repeat(10_000)), &["xxx...", "\"last\""]),
        (json!("9".repeat(10_000)), &["999...", "\"last\""]),
        (json!(-1), &["-1", "\"last\""]),
        (json!(1.5), &["1.5", "\"last\""]),
        (json!(18_446_744_073_709_551_615_u64), &["18446744073709551615", "\"last\""]),
        (json!(18_446_744_073_709_551_616_f64), &["1.8446744", "\"last\""]),
        (json!(true), &["true", "\"last\""]),
        (json!([1]), &["a list", "\"last\""]),
        (json!({"over": 1}), &["over and ball go together"]),
        (json!({"innings": 1}), &["over and ball, or text"]),
        (json!({"text": "last"}), &["\"last\"", "over 2, ball 3"]),
        (json!({"over": 1, "ball": 1, "text": "0.2"}), &["not those of its text"]),
        (json!({"over": 1, "ball": 1, "wicket": 1}), &["wicket", "innings, over, ball and text"]),
        (json!({"over": 65_536, "ball": 1}), &["over", "65536"]),
        (json!({"over": 1, "ball": 1, "text": "x".repeat(10_000)}), &["xxx..."]),
    ] {
        let body = correction(&named);
        let refused = service.untouched_by(played.posting("/corrections", &body));
        refused.refused(422, "illegal-input").at("body.amends").says(words);
        let dispute = json!({"delivery": named, "by": "away", "claim": "It was a four."});
        let refused = service.untouched_by(played.posting("/disputes", &dispute).key("malformed"));
        refused.refused(422, "illegal-input").at("body.delivery").says(words);
    }
});

on_both_stores!(a_delivery_that_is_none_is_refused, |service| {
    let played = played(service);
    for named in [
        json!(0),
        json!("1.2"),
        json!("0.0"),
        json!("7.1"),
        json!({"innings": 2, "over": 1, "ball": 1}),
        json!({"over": 1, "ball": 8}),
        json!({"over": 0, "ball": 0}),
        json!(4_294_967_295_u32),
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
    refused.at("body.amends").says(&["over 2, ball 1", "the last is delivery 7 (innings 1, 0.7)"]);
    played.post("/corrections", &correction(&json!(8))).refused(409, "already-settled").says(&["8", "void"]);
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
