//! Seeded matches: a choice made before dice stays, drawn values cannot be entered, and no refusal gives away
//! what is to come.

use serde_json::{Value, json};

use super::{AFTER_DICE, begin, list, of_kind, seeded, table, text, waits_for};
use third_umpire_test_support::service::{Match, Service, last_event, step, with};
use third_umpire_test_support::{on_both_stores, on_own_stores};

/// Plays on, with the first of what is legal, until the match waits for one of these choices.
#[track_caller]
pub fn until(played: &Match, due: &[&str]) -> Value {
    for _ in 0..2_000 {
        let next = waits_for(played);
        let pending = text(&next["what"]).to_owned();
        if due.contains(&pending.as_str()) {
            return next;
        }
        let body = match next["legal"].as_array() {
            Some(legal) => json!({"choices": {pending: legal[0]}}),
            None => json!({"accept": true}),
        };
        played.post("/balls", &body).expect(201);
    }
    panic!("the match never waits for {due:?}");
}

/// A match that waits for a decision in the middle of a ball.
#[track_caller]
pub fn waiting(service: &Service, format: &str) -> (Match, Value) {
    let played = service.create(&seeded(format, "5eed"));
    begin(&played);
    let next = until(&played, &AFTER_DICE);
    (played, next)
}

on_both_stores!(a_ball_that_waits_is_locked_until_it_is_answered, |service| {
    let (played, next) = waiting(service, "t20");
    let events = played.events();
    let roll = &events.last().expect("a roll")["data"];
    let (name, legal) = (text(&next["what"]), list(&next["legal"]));
    assert_eq!((&next["default"], legal.len()), (&Value::Null, 2));
    let refused = |choices: Value, at: &str| {
        let answer = service.untouched_by(played.posting("/balls", &json!({"choices": choices})));
        answer.refused(422, "illegal-input").at(&format!("body.choices.{at}"))
    };
    for other in ["bowl", "attitude", "stroke", "field", "skills", "over_card", "next_batter"] {
        let value = match other {
            "bowl" if roll["choices"][other] == "yorker" => json!("bouncer"),
            "bowl" => json!("yorker"),
            "attitude" => json!("aggressive"),
            "stroke" => json!("cut"),
            "field" => json!([]),
            "skills" => json!({"bowler": ["disguise"]}),
            _ => json!("thin_edge"),
        };
        let refusal = refused(json!({name: legal[0], other: value}), other);
        assert!(["ctg.ball.locked", "ctg.ball.over_card"].contains(&text(&refusal.problem["ruling"]["id"])));
    }
    for unasked in AFTER_DICE.iter().filter(|unasked| **unasked != name) {
        refused(json!({*unasked: legal[0]}), unasked).by("ctg.ball.not_asked");
    }
    refused(json!({name: "perhaps"}), name);
    for nothing in [json!({}), json!({"choices": {name: null}}), json!({"choices": roll["choices"]})] {
        let answer = service.untouched_by(played.posting("/balls", &nothing)).refused(422, "needs-input");
        answer.at(&format!("body.choices.{name}")).legal(next["legal"].clone());
    }
    let dice = json!({"choices": {name: legal[0]}, "dice": [1]});
    service.untouched_by(played.posting("/balls", &dice)).refused(422, "illegal-input").at("body.dice");
    service.untouched_by(played.posting("/overs", &json!({}))).refused(409, "out-of-turn");
    service.untouched_by(played.posting("/set-up", &json!({}))).refused(409, "out-of-turn");
    // A locked choice may be repeated.
    let mut again = roll["choices"].clone();
    again[name] = legal[0].clone();
    let bowled = played.post("/balls", &json!({"choices": again})).expect(201);
    let data = &last_event(&bowled)["data"];
    assert_eq!((&data["delivery"], &data["choices"][name]), (&roll["delivery"], &legal[0]));
    let rolled = list(&roll["dice"]);
    assert_eq!(rolled[..], list(&data["dice"])[..rolled.len()]);
});

on_both_stores!(dice_and_cards_of_a_seeded_match_are_not_entered, |service| {
    let played = service.create(&seeded("t20", "5eed"));
    begin(&played);
    let refused =
        |body: Value| service.untouched_by(played.posting("/balls", &body)).refused(422, "illegal-input");
    refused(json!({"dice": [3, 3]})).at("body.dice");
    for card in ["nothing_in_it", "straight_bat", "thin_edge", "joker"] {
        refused(json!({"choices": {"over_card": card}}))
            .at("body.choices.over_card")
            .by("ctg.ball.over_card");
    }
    for name in AFTER_DICE {
        let value = match name {
            "run" => json!(1),
            "longer" => json!(false),
            "chance" => json!("bowled"),
            _ => json!("no"),
        };
        refused(json!({"choices": {name: value}}))
            .at(&format!("body.choices.{name}"))
            .by("ctg.ball.not_asked");
    }
    let agreed = json!({"as_stood": {"outcome": {"runs": {"batter": 4}}, "reason": "so it was"}});
    refused(agreed);
    assert!(waits_for(&played)["legal"].get("over_card").is_none());
});

on_both_stores!(refusals_and_pages_before_a_ball_tell_nothing_of_its_dice, |service| {
    // Two matches that differ only in their seeds answer alike until a die has been rolled.
    let answers_with = |seed: &str| {
        let played = service.create(&seeded("t20", seed));
        played.post("/set-up", &json!({})).expect(201);
        played.begin();
        let mut answers = Vec::new();
        for body in [
            json!({"choices": {"run": 1}}),
            json!({"choices": {"over_card": "slog"}}),
            json!({"choices": {"bowl": "yorker"}}),
            json!({"choices": {"skills": {"bowler": ["effort_ball", "effort_ball"]}}}),
            json!({"choices": {"chance": "bowled"}}),
            json!({"dice": [1]}),
        ] {
            let refused = service.untouched_by(played.posting("/balls", &body));
            assert_eq!(refused.status, 422);
            answers.push(refused.json());
        }
        answers.push(step(&waits_for(&played)));
        answers
    };
    let [first, second] = ["5eed", "abba"].map(answers_with);
    assert_eq!(first, second);
});

on_own_stores!(a_roll_shows_no_more_than_was_rolled, |deployment| {
    let (played, next) = waiting(deployment, "t20");
    let events = played.events();
    let roll = &events.last().expect("a roll")["data"];
    let keys: Vec<&String> = roll.as_object().expect("an object").keys().collect();
    assert_eq!(keys, ["choices", "delivery", "dice"]);
    assert!(!events.iter().any(|event| event.to_string().contains("\"seeds\"")));
    let name = text(&next["what"]);
    assert!(roll["choices"].get(name).is_none());
    // Cards that have not been turned are in no answer: each ball shows one, and no more.
    let turned =
        of_kind(&events, "ball").chain([roll]).filter(|one| one["choices"].get("over_card").is_some());
    let deck = turned.map(|one| text(&one["choices"]["over_card"]).to_owned()).collect::<Vec<_>>();
    let edition = deployment.client().get("/v1/editions").expect(200)["editions"][0]["sha256"].clone();
    let edition = deployment.client().get(&format!("/v1/editions/{}", text(&edition))).expect(200);
    let ids = edition["over_decks"].as_object().expect("decks").values().flat_map(|deck| list(deck).clone());
    let pages = format!("{}{}", played.get("/events").text(), played.get("").text());
    for id in ids.map(|card| text(&card["id"]).to_owned()).filter(|id| !deck.contains(id)) {
        assert!(!pages.contains(&format!("\"{id}\"")), "{id} has not been turned");
    }
});

on_own_stores!(killed_in_the_middle_of_a_ball_it_waits_for_the_same, |deployment| {
    let mut service = deployment.serve();
    let mut played = Match::create(service.client(), &seeded("t20", "beef"));
    begin(&played);
    for _ in 0..3 {
        let next = until(&played, &[&AFTER_DICE[..], &["review"]].concat());
        let before = played.view();
        service.kill();
        service = deployment.serve();
        played = played.through(service.client());
        assert_eq!(played.view(), before);
        assert_eq!(waits_for(&played), next);
        let answer = match next["what"].as_str() {
            Some("review") => played.post("/reviews", &json!({"by": next["side"]})).expect(201),
            Some(name) => {
                let legal = list(&next["legal"]);
                played.post("/balls", &json!({"choices": {name: legal[legal.len() - 1]}})).expect(201)
            }
            None => panic!("the match is over"),
        };
        assert_ne!(answer["next"], next);
        played.audits_clean();
    }
});

on_own_stores!(two_instances_answer_the_same_question_once, |deployment| {
    let (here, next) = waiting(deployment, "t10");
    let service = deployment.serve();
    let there = here.through(service.client());
    let name = text(&next["what"]);
    assert_eq!(waits_for(&there), next);
    let head = here.head();
    let answer = json!({"choices": {name: next["legal"][0]}});
    let request = |played: &Match| played.posting("/balls", &answer).if_match(&head.hash);
    let mut codes: Vec<u16> =
        third_umpire_test_support::service::at_once(vec![request(&here), request(&there)])
            .iter()
            .map(|answer| answer.status)
            .collect();
    codes.sort_unstable();
    assert_eq!(codes, [201, 412]);
    assert_eq!(waits_for(&here), waits_for(&there));
    let table = deployment.create(&with(table("t10"), "/dice", json!("table")));
    assert_eq!(waits_for(&table)["what"], "set_up");
});
