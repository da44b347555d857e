//! The place beside each delivery that an answer names: in corrections, disputes and their evidence, cards,
//! audits and replays.

use serde_json::{Value, json};
use third_umpire_test_support::on_both_stores;
use third_umpire_test_support::program::{Scratch, run};
use third_umpire_test_support::service::{Match, Service, table};

/// A match whose first over has a wide as its second ball, and with it seven; two balls follow.
fn played(service: &Service) -> Match {
    let played = service.create(&table(2));
    played.begin();
    for dice in [&[2, 1][..], &[1, 2], &[2, 2], &[2, 1], &[2, 4], &[2, 6], &[2, 1], &[3, 1], &[2, 2]] {
        played.bowl(dice);
    }
    played
}

fn place(innings: u16, over: u16, ball: u32) -> Value {
    json!({"innings": innings, "over": over, "ball": ball, "text": format!("{}.{ball}", over - 1)})
}

fn correct(played: &Match, body: &Value) -> Value {
    played.post("/corrections", body).expect(201)
}

/// Amends the wide to a legal ball, so that the over ends a ball sooner, and bowls deliveries 7 to 9 again.
fn amend_the_wide(played: &Match) {
    let amendment = json!({"amends": 2, "dice": [2, 2], "reason": "misread", "cascade": "void_rest"});
    correct(played, &amendment);
    [[2, 1], [3, 1], [2, 2]].iter().for_each(|dice| drop(played.bowl(dice)));
}

fn dispute(played: &Match, delivery: u32) -> Value {
    let body = json!({"delivery": delivery, "by": "away", "claim": "It was a four."});
    played.post("/disputes", &body).expect(201)
}

/// The lines of the commentary about a kind of event, each as its delivery and its place.
fn lines_with(replay: &Value, words: &str) -> Vec<(Value, Value)> {
    let lines = replay["commentary"].as_array().expect("lines");
    let here = lines.iter().filter(|line| line["text"].as_str().is_some_and(|text| text.contains(words)));
    here.map(|line| (line["delivery"].clone(), line["place"].clone())).collect()
}

on_both_stores!(the_name_of_a_fallen_wicket_amends_the_ball_that_took_it, |service| {
    let played = service.create(&table(1));
    played.begin();
    for dice in [[1, 2], [1, 2], [2, 3], [2, 5]] {
        played.bowl(&dice);
    }
    let innings = played.get("/fall-of-wickets").expect(200)["innings"][0].clone();
    let fallen = &innings["fall_of_wickets"][0];
    assert_eq!(
        [&fallen["over"], &fallen["delivery"], &fallen["place"]],
        [&json!("0.2"), &json!(4), &place(1, 1, 4)]
    );
    let stand = &innings["partnerships"][0];
    assert_eq!([&stand["delivery"], &stand["place"]], [&json!(4), &place(1, 1, 4)]);
    for name in [&fallen["delivery"], &json!({"innings": 1, "text": fallen["place"]["text"]})] {
        let amendment = json!({"amends": name, "dice": [2, 3], "reason": "it missed the stumps"});
        let difference = played.post("/corrections?dry_run=true", &amendment).expect(200);
        assert_eq!(difference["after"]["text"], "Harbour Road 2/0 (0.2)", "{difference}");
    }
    let scratch = Scratch::new();
    let file = scratch.write("match.ndjson", played.get("/log").text());
    let card = run(&["scorecard", &file]).succeeded();
    assert!(card.contains("1-2 (Abel, 0.2 ov, ball 0.4)"), "{card}");
});

on_both_stores!(a_correction_has_the_place_of_its_delivery_before_it, |service| {
    let played = played(service);
    let made = correct(&played, &json!({"voids_from": 9, "reason": "not bowled"}));
    assert_eq!(made["correction"]["place"], place(1, 2, 2));
    amend_the_wide(&played);
    correct(&played, &json!({"voids_from": 9, "reason": "not bowled"}));
    let list = played.get("/corrections").expect(200);
    let places: Vec<&Value> =
        list["corrections"].as_array().expect("corrections").iter().map(|made| &made["place"]).collect();
    assert_eq!(places, [&place(1, 2, 2), &place(1, 1, 2), &place(1, 2, 3)]);
    let audit = played.audits_clean();
    for (made, audited) in places.iter().zip(audit["corrections"].as_array().expect("corrections")) {
        assert_eq!(**made, audited["place"]);
    }
    let amendment = &audit["corrections"][1];
    assert_eq!((&amendment["void_from"], &amendment["void_from_place"]), (&json!(7), &place(1, 1, 7)));
});

on_both_stores!(a_dispute_keeps_the_place_that_its_delivery_had, |service| {
    let played = played(service);
    dispute(&played, 8);
    amend_the_wide(&played);
    dispute(&played, 8);
    let disputes = played.get("/disputes").expect(200)["disputes"].clone();
    assert_eq!([&disputes[0]["place"], &disputes[1]["place"]], [&place(1, 2, 1), &place(1, 2, 2)]);
    let view = played.get("/disputes/1").expect(200);
    assert_eq!((&view["delivery"], &view["place"]), (&json!(8), &place(1, 2, 1)));
    let evidence = &view["evidence"];
    assert_eq!(
        [&evidence["disputed"]["place"], &evidence["now"]["place"]],
        [&place(1, 2, 1), &place(1, 2, 2)]
    );
    assert_eq!(played.view()["disputes"], disputes);
    assert_eq!(played.get("/scorecard").expect(200)["disputes"], disputes);
    assert_eq!(played.audits_clean()["disputes"], disputes);
});

on_both_stores!(an_agreed_outcome_has_its_place_on_card_list_and_audit, |service| {
    let played = played(service);
    let agreed = json!({"outcome": {"runs": {"batter": 2}}, "reason": "agreed at the table"});
    played.post("/balls", &json!({"dice": [2, 1], "as_stood": agreed})).expect(201);
    for path in ["/scorecard", "/corrections", "/audit"] {
        let found = played.get(path).expect(200)["exceptions"][0].clone();
        assert_eq!((&found["delivery"], &found["place"]), (&json!(10), &place(1, 2, 3)), "{path}");
    }
});

on_both_stores!(an_audit_tells_places_as_the_commentary_prints_them, |service| {
    let played = played(service);
    dispute(&played, 8);
    amend_the_wide(&played);
    correct(&played, &json!({"voids_from": 9, "reason": "not bowled"}));
    let agreed = json!({"outcome": {"runs": {"batter": 2}}, "reason": "agreed at the table"});
    played.post("/balls", &json!({"dice": [2, 1], "as_stood": agreed})).expect(201);
    let report = played.audits_clean();
    assert_eq!(report["verified_through"]["place"], place(1, 2, 3));
    let answer = played.get("/audit?format=text");
    let text = answer.text();
    for words in [
        "verified through: delivery 9 (innings 1, 1.3), event ",
        "exception: delivery 9 (innings 1, 1.3), event ",
        "): delivery 2 (innings 1, 0.2) amended, void from delivery 7 (innings 1, 0.7) on, ",
        "): void from delivery 9 (innings 1, 1.3) on, ",
        "), delivery 8 (innings 1, 1.1), by away: ",
    ] {
        assert!(text.contains(words), "no {words:?} in {text}");
    }
});

on_both_stores!(a_replay_tells_delivery_and_place_of_balls_disputes_and_corrections, |service| {
    let played = played(service);
    dispute(&played, 8);
    correct(&played, &json!({"voids_from": 8, "reason": "not bowled"}));
    correct(&played, &json!({"amends": 3, "dice": [2, 1], "reason": "misread"}));
    let replay = played.get("/replay").expect(200);
    assert_eq!(lines_with(&replay, "raise dispute"), [(json!(8), place(1, 2, 1))]);
    assert_eq!(lines_with(&replay, "is void"), [(json!(8), place(1, 2, 1))]);
    assert_eq!(lines_with(&replay, "is amended"), [(json!(3), place(1, 1, 3))]);
    // The void ball keeps the place that it had.
    let lines = replay["commentary"].as_array().expect("lines");
    let void: Vec<&Value> = lines.iter().filter(|line| line["delivery"] == 9).collect();
    assert_eq!((&void[0]["place"], void[0]["void"].is_u64()), (&place(1, 2, 2), true));
    assert_eq!(played.get("/commentary").expect(200)["lines"], replay["commentary"]);
});
