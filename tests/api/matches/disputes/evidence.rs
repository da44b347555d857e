//! `GET /v1/matches/{id}/disputes/{n}`: the evidence that a replay of the log gives about the delivery.

use serde_json::{Value, json};

use super::{
    agree, amend, ball_of, claim, correct, dispute, five_balls, rule, seeded_balls, seeded_to_the_end, undo,
};
use crate::time_travel::last_of;
use third_umpire_test_support::service::{Deployment, Match, Mending, Sides, cubes, forge, remote};
use third_umpire_test_support::{on_both_stores, on_own_stores};

#[track_caller]
fn evidence(played: &Match, number: u32) -> Value {
    let read = played.get(&format!("/disputes/{number}")).expect(200);
    assert_eq!((&read["number"], &read["head"]), (&json!(number), &played.view()["head"]));
    read["evidence"].clone()
}

/// Asserts that the evidence has the delivery as recorded, and the scores before and after it.
#[track_caller]
fn as_recorded(played: &Match, evidence: &Value, event: &Value) {
    let seq = event["seq"].as_u64().expect("a seq");
    let known = |at: u64| played.get(&format!("/replay?at={at}&as_known_at={at}")).expect(200);
    let (before, after) = (known(seq - 1), known(seq));
    assert_eq!(
        (&evidence["seq"], &evidence["actor"], &evidence["ball"]),
        (&event["seq"], &event["actor"], &event["data"])
    );
    assert_eq!((&evidence["before"], &evidence["awaited"]), (&before["score"], &before["next"]));
    assert_eq!(evidence["after"], after["score"]);
    assert_eq!(evidence["draw"], event["data"]["seed"]);
    let cited: Vec<&Value> =
        event["data"]["outcome"]["rulings"].as_array().expect("rulings").iter().collect();
    let rulings = evidence["rulings"].as_array().expect("rulings");
    for ruling in cited {
        let sentence = rulings.iter().find(|cited| cited["id"] == *ruling).expect("the ruling is cited");
        assert!(sentence["text"].as_str().is_some_and(|text| text.len() > 10), "{sentence}");
    }
}

on_both_stores!(evidence_tells_the_delivery_as_it_was_recorded, |service| {
    let played = five_balls(service);
    for (number, delivery) in [(1, 1), (2, 3), (3, 5)] {
        dispute(&played, i64::from(delivery));
        let found = evidence(&played, number);
        as_recorded(&played, &found["disputed"], &ball_of(&played, delivery));
        assert_eq!((&found["stands"], found.get("now")), (&json!(true), None));
        assert_eq!((&found["dice"], &found["seed_check"]), (&json!("table"), &json!("table")));
        assert_eq!(found["disputed"].get("draw"), None);
    }
    let third = evidence(&played, 2)["disputed"].clone();
    let runs = |score: &Value| score["innings"][0]["runs"].clone();
    assert_eq!((runs(&third["before"]), runs(&third["after"])), (json!(4), json!(10)));
    assert_eq!(third["ball"]["dice"].as_array().map(Vec::len), Some(2));
});

on_both_stores!(evidence_says_from_which_draw_seeded_dice_come, |service| {
    let played = seeded_balls(service, 4);
    for number in 1..=4 {
        dispute(&played, number.into());
        let found = evidence(&played, number);
        as_recorded(&played, &found["disputed"], &ball_of(&played, number));
        assert_eq!(found["disputed"]["draw"], json!({"domain": 4, "ordinal": number}));
        assert_eq!((&found["dice"], &found["seed_check"]), (&json!("seeded"), &json!("not_open")));
    }
});

on_both_stores!(once_the_seeds_are_open_the_dice_are_checked_by_them, |service| {
    let played = seeded_to_the_end(service);
    let last = played.get("/audit").expect(200)["deliveries"].as_u64().expect("a number");
    for (number, delivery) in (1..=last as u32).enumerate() {
        dispute(&played, delivery.into());
        let found = evidence(&played, number as u32 + 1);
        assert_eq!((&found["seed_check"], &found["stands"]), (&json!("holds"), &json!(true)));
    }
});

on_both_stores!(a_dispute_raised_in_play_is_checked_when_the_seeds_are_open, |service| {
    let played = seeded_balls(service, 3);
    dispute(&played, 2);
    let early = evidence(&played, 1);
    played.post("/abandonment", &json!({"reason": "rain"})).expect(201);
    let late = evidence(&played, 1);
    assert_eq!((&early["seed_check"], &late["seed_check"]), (&json!("not_open"), &json!("holds")));
    assert_eq!(early["disputed"], late["disputed"]);
});

on_both_stores!(dice_of_two_sides_seeds_are_checked_too, |service| {
    let sides = Sides::in_play(service.client(), &remote(2));
    sides.choose_as_dealt();
    sides.bowl_over();
    sides.away.post("/disputes", &json!({"delivery": 2, "claim": "loaded dice"})).expect(201);
    assert_eq!(evidence(&sides.scorer, 1)["seed_check"], "not_open");
    sides.give_up_and_audit();
    let found = evidence(&sides.scorer, 1);
    assert_eq!((&found["seed_check"], &found["stands"]), (&json!("holds"), &json!(true)));
    as_recorded(&sides.scorer, &found["disputed"], &ball_of(&sides.scorer, 2));
});

on_both_stores!(evidence_of_a_voided_delivery_does_not_change, |service| {
    for (played, again) in
        [(five_balls(service), json!({"dice": [2, 2]})), (seeded_balls(service, 5), json!({}))]
    {
        dispute(&played, 4);
        let (was, before) = (ball_of(&played, 4), evidence(&played, 1)["disputed"].clone());
        undo(&played, 4);
        let found = evidence(&played, 1);
        assert_eq!((&found["stands"], found.get("now")), (&json!(false), None));
        assert_eq!(found["disputed"], before);
        played.post("/balls", &again).expect(201);
        let (found, now) = (evidence(&played, 1), ball_of(&played, 4));
        assert_ne!(was["seq"], now["seq"]);
        assert_eq!((&found["stands"], &found["disputed"]), (&json!(false), &before));
        as_recorded(&played, &found["disputed"], &was);
        as_recorded(&played, &found["now"], &now);
        if played.view()["dice"] == "seeded" {
            assert_eq!(found["now"]["ball"]["dice"], before["ball"]["dice"], "a number keeps its dice");
        }
    }
});

on_both_stores!(an_amended_delivery_shows_both_outcomes, |service| {
    let played = five_balls(service);
    dispute(&played, 3);
    let was = ball_of(&played, 3);
    amend(&played, 3, &[2, 1]);
    let found = evidence(&played, 1);
    assert_eq!(found["stands"], false);
    as_recorded(&played, &found["disputed"], &was);
    as_recorded(&played, &found["now"], &ball_of(&played, 3));
    let runs = |evidence: &Value| evidence["ball"]["outcome"]["runs"]["total"].clone();
    assert_eq!((runs(&found["disputed"]), runs(&found["now"])), (json!(6), json!(1)));
});

on_both_stores!(a_delivery_decided_again_after_an_amendment_is_not_the_one_that_was_disputed, |service| {
    let played = five_balls(service);
    dispute(&played, 5);
    amend(&played, 3, &[2, 1]);
    let found = evidence(&played, 1);
    assert_eq!(found["stands"], false);
    assert_eq!(found["disputed"]["before"]["innings"][0]["runs"], 11);
    assert_eq!(found["now"]["before"]["innings"][0]["runs"], 6);
    rule(&played, 1, "amended");
});

on_both_stores!(an_agreed_ball_cites_its_rules_as_well, |service| {
    for played in [five_balls(service), seeded_balls(service, 5)] {
        dispute(&played, 2);
        agree(&played, 2);
        dispute(&played, 2);
        let (first, second) = (evidence(&played, 1), evidence(&played, 2));
        assert_eq!((&first["stands"], &second["stands"]), (&json!(false), &json!(true)));
        assert_eq!((&first["now"], second.get("now")), (&second["disputed"], None));
        let now = &first["now"];
        as_recorded(&played, now, &ball_of(&played, 2));
        assert_eq!(now["ball"]["outcome"]["runs"]["batter"], 5);
        assert_eq!(now["ball"]["as_stood"]["reason"], "we all took it for a five");
        let by_rules = &now["ball"]["as_stood"]["by_rules"];
        assert_eq!(*by_rules, first["disputed"]["ball"]["outcome"]);
        let cited = now["rulings"].to_string();
        for ruling in by_rules["rulings"].as_array().expect("rulings") {
            assert!(cited.contains(&ruling.to_string()), "{ruling} is not in {cited}");
        }
    }
});

on_both_stores!(each_dispute_is_about_the_delivery_as_it_was_when_it_was_raised, |service| {
    let played = five_balls(service);
    let mut seqs = Vec::new();
    for dice in [[2, 1], [2, 2], [2, 4]] {
        dispute(&played, 3);
        seqs.push(ball_of(&played, 3)["seq"].clone());
        amend(&played, 3, &dice);
    }
    let now = ball_of(&played, 3);
    for (number, seq) in (1..).zip(seqs) {
        let found = evidence(&played, number);
        assert_eq!((&found["disputed"]["seq"], &found["now"]["seq"]), (&seq, &now["seq"]));
    }
});

on_both_stores!(evidence_of_a_seeded_amendment_after_the_end_still_holds, |service| {
    let played = seeded_to_the_end(service);
    let last = played.get("/audit").expect(200)["deliveries"].as_u64().expect("a number") as u32;
    dispute(&played, last.into());
    // One run more does not undo an end.
    let batter = ball_of(&played, last)["data"]["outcome"]["runs"]["batter"].as_u64().expect("runs") + 1;
    let agreed = json!({"outcome": {"runs": {"batter": batter}}, "reason": "they ran one more"});
    correct(&played, &json!({"amends": last, "as_stood": agreed, "reason": "so it was played"}));
    let found = evidence(&played, 1);
    assert_eq!((&found["seed_check"], &found["stands"]), (&json!("holds"), &json!(false)));
    assert_eq!(found["now"]["ball"]["outcome"]["runs"]["batter"], batter);
    rule(&played, 1, "as_stood");
    assert_eq!(played.view()["status"], "completed");
});

/// Every list of dice in a value.
fn dice_in(value: &Value, found: &mut Vec<Value>) {
    match value {
        Value::Object(members) => {
            found.extend(members.get("dice").filter(|dice| dice.is_array()).cloned());
            members.values().for_each(|member| dice_in(member, found));
        }
        Value::Array(items) => items.iter().for_each(|item| dice_in(item, found)),
        _ => {}
    }
}

on_both_stores!(evidence_of_a_match_in_play_shows_nothing_that_is_not_in_its_log, |service| {
    let played = seeded_balls(service, 4);
    for delivery in 1..=4 {
        dispute(&played, delivery);
    }
    undo(&played, 3);
    played.ball();
    let log: Vec<Value> = played.events().iter().map(|event| event["data"]["dice"].clone()).collect();
    for number in 1..=4 {
        let read = played.get(&format!("/disputes/{number}"));
        assert!(!read.text().contains(&"5eed".repeat(16)) && !read.text().contains("server_seed"));
        let mut dice = Vec::new();
        dice_in(&read.json(), &mut dice);
        assert!(!dice.is_empty() && dice.iter().all(|dice| log.contains(dice)), "{}", read.text());
    }
    let gone = evidence(&played, 4);
    assert_eq!((gone.get("now"), &gone["seed_check"]), (None, &json!("not_open")));
});

on_both_stores!(evidence_shows_no_hand_and_no_secret_choice, |service| {
    for sides in [
        Sides::in_play(service.client(), &remote(2)),
        Sides::in_play_at_the_table(service.client(), &cubes(2)),
    ] {
        sides.choose_as_dealt();
        sides.bowl_over();
        let hands = sides.captains().map(|captain| captain.own()["hand"].to_string());
        sides.home.chooses(&sides.home.hand());
        sides.home.post("/disputes", &json!({"delivery": 1, "claim": "not my cube"})).expect(201);
        for holder in [&sides.scorer, &sides.home.seat, &sides.away.seat] {
            let path = holder.path("/disputes/1");
            let read = holder.client.request("GET", &path).token(&holder.token).send();
            assert_eq!(
                read.text(),
                sides.scorer.get("/disputes/1").text(),
                "the evidence is equal for all readers"
            );
            assert!(hands.iter().all(|hand| !read.text().contains(hand)));
        }
    }
});

on_both_stores!(evidence_outlives_a_correction_of_the_over_and_of_the_toss, |service| {
    let played = five_balls(service);
    dispute(&played, 1);
    let before = evidence(&played, 1)["disputed"].clone();
    undo(&played, 1);
    assert_eq!(evidence(&played, 1)["disputed"], before);
    correct(&played, &json!({"voids_from_seq": 2, "reason": "the wrong coin"}));
    let found = evidence(&played, 1);
    assert_eq!((&found["disputed"], &found["stands"], found.get("now")), (&before, &json!(false), None));
    service.untouched_by(played.posting("/disputes", &claim(1))).refused(422, "illegal-input");
    rule(&played, 1, "amended");
});

on_own_stores!(evidence_is_the_same_after_a_restart_and_at_another_instance, |deployment| {
    let played = five_balls(deployment);
    dispute(&played, 2);
    amend(&played, 2, &[2, 4]);
    let service = deployment.serve();
    let there = played.through(service.client());
    assert_eq!(there.get("/disputes/1").text(), played.get("/disputes/1").text());
});

on_own_stores!(a_seed_that_is_not_the_one_committed_to_fails, |deployment| {
    let played = seeded_to_the_end(deployment);
    dispute(&played, 1);
    let end = last_of(&played, "match_completed");
    deployment.database().drop_triggers();
    forge(deployment.database(), &played, end, Mending::Chain, |event| {
        event["data"]["seeds"]["server_seed"] = json!("0bad".repeat(16))
    });
    assert_eq!(evidence_by_another_instance(deployment, &played)["seed_check"], "fails");
});

on_own_stores!(a_die_the_seed_does_not_give_fails, |deployment| {
    let played = seeded_to_the_end(deployment);
    let balls = played.events();
    let plain = |event: &&Value| {
        let dice = &event["data"]["dice"];
        event["kind"] == "ball" && dice[0]["value"] != 1 && dice[1]["value"] != 5
    };
    // The first die is unknown as long as there is no extra and no appeal.
    let ball = balls.iter().find(plain).expect("a plain ball");
    let delivery = ball["data"]["delivery"].as_i64().expect("a number");
    dispute(&played, delivery);
    dispute(&played, 3 - delivery.min(2));
    let other = if ball["data"]["dice"][0]["value"] == 2 { 4 } else { 2 };
    deployment.database().drop_triggers();
    let seq = ball["seq"].as_u64().expect("a seq");
    forge(deployment.database(), &played, seq, Mending::Chain, |event| {
        event["data"]["dice"][0]["value"] = json!(other)
    });
    assert_eq!(evidence_by_another_instance(deployment, &played)["seed_check"], "fails");
    let service = deployment.serve();
    let read = played.through(service.client()).get("/disputes/2").expect(200);
    assert_eq!(read["evidence"]["seed_check"], "holds", "the others are what the seed gives");
});

/// The evidence in the first dispute, by an instance without the match in its cache.
#[track_caller]
fn evidence_by_another_instance(deployment: &Deployment, played: &Match) -> Value {
    let service = deployment.serve();
    played.through(service.client()).get("/disputes/1").expect(200)["evidence"].clone()
}

on_own_stores!(there_is_no_evidence_from_a_log_that_does_not_hold, |deployment| {
    let played = five_balls(deployment);
    dispute(&played, 2);
    let seq = ball_of(&played, 3)["seq"].as_u64().expect("a seq");
    deployment.database().drop_triggers();
    forge(deployment.database(), &played, seq, Mending::Chain, |event| {
        event["data"]["outcome"]["runs"]["total"] = json!(1)
    });
    let service = deployment.serve();
    let there = played.through(service.client());
    there.get("/disputes/1").refused(500, "broken-log").says(&["audit"]);
});
