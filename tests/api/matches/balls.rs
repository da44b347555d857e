//! `POST /v1/matches/{id}/balls`

use serde_json::{Value, json};
use third_umpire::dice::{Dice, Draw, SeededDice, ServerSeed};
use third_umpire_test_support::on_both_stores;
use third_umpire_test_support::service::{Head, Match, last_event, seeded, step, table, with};

fn kinds(bowled: &Value) -> Vec<&str> {
    let events = bowled["events"].as_array().expect("events");
    events.iter().map(|event| event["kind"].as_str().expect("a kind")).collect()
}

fn outcome(bowled: &Value) -> Value {
    let events = bowled["events"].as_array().expect("events");
    let ball = events.iter().find(|event| event["kind"] == "ball");
    ball.expect("a ball")["data"]["outcome"].clone()
}

/// Bowls six dot balls.
fn maiden(played: &Match) {
    (0..6).for_each(|_| drop(played.bowl(&[2, 3])));
}

on_both_stores!(a_ball_without_an_over_brings_the_default_over_with_it, |service| {
    let played = service.create(&table(2));
    played.begin();
    let before = played.view();
    let bowled = played.bowl(&[2, 3]);
    assert_eq!(kinds(&bowled), ["over", "ball"]);
    assert_eq!(bowled["events"][0]["data"]["choices"], before["next"]["default"]);
    assert_eq!((&bowled["events"][0]["seq"], &bowled["events"][1]["seq"]), (&json!(4), &json!(5)));
    assert_eq!(Head::of(&bowled).seq, 5);
    assert_eq!(kinds(&played.bowl(&[2, 3])), ["ball"]);
});

on_both_stores!(a_refused_first_ball_does_not_begin_its_over, |service| {
    let played = service.create(&table(2));
    played.begin();
    service.untouched_by(played.posting("/balls", &json!({"dice": [2]}))).refused(422, "needs-input");
    assert_eq!(played.view()["next"]["what"], "over");
    assert_eq!(kinds(&played.bowl(&[2, 3])), ["over", "ball"]);
});

on_both_stores!(a_ball_that_misses_a_die_is_refused_with_the_rulings_so_far, |service| {
    let played = service.create(&table(2));
    played.begin();
    for (dice, rulings) in [
        (&[][..], &[][..]),
        (&[2], &["howzat.bowl.legal"]),
        (&[1, 1], &["howzat.bowl.extra", "howzat.extra.no_ball"]),
        (&[3, 5], &["howzat.bowl.legal", "howzat.appeal", "howzat.appeal.catch"]),
    ] {
        let refused = played.post("/balls", &json!({"dice": dice})).refused(422, "needs-input").problem;
        let cited = refused["rulings_so_far"].as_array().into_iter().flatten();
        let ids: Vec<&str> = cited.map(|ruling| ruling["id"].as_str().expect("an id")).collect();
        assert_eq!(ids, rulings, "{dice:?}");
    }
    let illegal = played.post("/balls", &json!({"dice": [2, 7]})).refused(422, "illegal-input").problem;
    assert_eq!(illegal.get("rulings_so_far"), None);
});

on_both_stores!(dice_from_the_table_are_recorded_with_what_each_was_for, |service| {
    let played = service.create(&table(2));
    played.begin();
    let rolled = |dice: &[i64]| {
        let bowled = played.bowl(dice);
        let ball = last_event(&bowled)["data"].clone();
        assert_eq!(ball["seed"], Value::Null, "no draw stands behind these dice");
        let text =
            |die: &Value| format!("{}d{}={}", die["for"].as_str().expect("text"), die["sides"], die["value"]);
        ball["dice"].as_array().expect("dice").iter().map(text).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(rolled(&[2, 3]), "bowld6=2 striked6=3");
    assert_eq!(rolled(&[1, 2]), "bowld6=1 extrad6=2");
    assert_eq!(rolled(&[1, 1, 4]), "bowld6=1 extrad6=1 striked6=4");
    assert_eq!(rolled(&[3, 5, 1, 6, 2]), "bowld6=3 striked6=5 fielderd6=1 fielderd6=6 catchd6=2");
});

on_both_stores!(a_ball_is_scored_by_its_dice_and_cites_the_rules_that_say_so, |service| {
    let played = service.create(&table(2));
    played.begin();
    // Columns: dice, runs off the bat, extras, wicket, rulings.
    for (dice, batter, extras, wicket, rulings) in [
        (vec![2, 4], 4, json!({}), "", "bowl.legal strike.4"),
        (vec![1, 2], 0, json!({"wides": 1}), "", "bowl.extra extra.wide"),
        (vec![1, 1, 6], 6, json!({"no_balls": 1}), "", "bowl.extra extra.no_ball strike.6"),
        (vec![1, 3, 4], 0, json!({"byes": 4}), "", "bowl.extra extra.byes strike.4"),
        (vec![1, 4, 6], 0, json!({}), "", "bowl.extra extra.leg_byes strike.6_no_run"),
        (vec![6, 5], 0, json!({}), "run out", "bowl.legal appeal appeal.run_out"),
        (vec![3, 5, 6, 6, 3], 0, json!({}), "caught and bowled", "bowl.legal appeal appeal.catch catch.held"),
    ] {
        let outcome = outcome(&played.bowl(&dice));
        assert_eq!((&outcome["runs"]["batter"], &outcome["extras"]), (&json!(batter), &extras), "{dice:?}");
        assert_eq!(outcome["wicket"]["kind"].as_str().unwrap_or_default(), wicket, "{dice:?}");
        let cited: Vec<String> = rulings.split(' ').map(|id| format!("howzat.{id}")).collect();
        assert_eq!(outcome["rulings"], json!(cited), "{dice:?}");
        assert_eq!(outcome["legal"], !rulings.contains("wide") && !rulings.contains("no_ball"), "{dice:?}");
    }
});

on_both_stores!(after_a_wicket_the_next_in_the_list_comes_in_or_whom_the_captain_names, |service| {
    let played = service.create(&table(2));
    played.begin().bowl(&[2, 5]);
    let next = played.view()["next"].clone();
    assert_eq!(
        (&next["what"], &next["side"], &next["default"]),
        (&json!("next_batter"), &json!("home"), &json!("Crane"))
    );
    assert_eq!(next["legal"].as_array().map(Vec::len), Some(9));
    let bowled = played.bowl(&[2, 5]);
    assert_eq!(bowled["events"][0]["data"]["choices"], json!({"next_batter": "Crane"}));
    let named = json!({"dice": [2, 3], "choices": {"next_batter": "Knott"}});
    let bowled = played.post("/balls", &named).expect(201);
    assert_eq!(bowled["events"][0]["data"]["choices"], json!({"next_batter": "Knott"}));
    assert_eq!(outcome(&bowled)["striker"], "Knott");
    let bowled = played.bowl(&[2, 3]);
    assert_eq!(bowled["events"][0]["data"]["choices"], json!({}), "there was nothing to choose");
});

on_both_stores!(a_seeded_ball_names_its_draw_and_has_its_dice, |service| {
    let seed = "c0ffee".repeat(11)[..64].to_owned();
    let played = service.create(&with(seeded(1), "/seed", json!(seed)));
    played.begin();
    let seed = ServerSeed::from_hex(&seed).expect("a seed");
    let mut dice = SeededDice::new(&seed.match_seed(&[]));
    for delivery in 1..=8 {
        let bowled = played.ball();
        let ball = bowled["events"].as_array().expect("events").iter().find(|event| event["kind"] == "ball");
        let ball = &ball.expect("a ball")["data"];
        assert_eq!(ball["delivery"], delivery);
        assert_eq!(ball["seed"], json!({"domain": 4, "ordinal": delivery}));
        dice.begin(Draw::ball(delivery));
        for die in ball["dice"].as_array().expect("dice") {
            assert_eq!(die["value"], dice.die(6), "delivery {delivery}");
        }
    }
});

on_both_stores!(the_ball_that_ends_the_match_brings_the_result_in_the_same_append, |service| {
    let played = service.create(&table(1));
    played.begin();
    (0..5).for_each(|_| drop(played.bowl(&[2, 3])));
    played.bowl(&[2, 2]);
    maiden_but_one(&played);
    let before = Head::of(&played.view());
    let last = played.bowl(&[2, 1]);
    assert_eq!(kinds(&last), ["ball", "match_completed"]);
    let due = json!({"winner": "home", "method": "runs", "margin": {"runs": 1}});
    assert_eq!(last["events"][1]["data"], json!({"result": due}), "table dice have no seeds to open");
    assert_eq!(
        (&last["events"][0]["actor"], &last["events"][1]["actor"]),
        (&json!("scorer"), &json!("service"))
    );
    assert_eq!(last["events"][0]["at"], last["events"][1]["at"]);
    let told = with(due, "/text", json!("Harbour Road won by 1 run"));
    assert_eq!(step(&last["next"]), json!({"kind": "over", "result": told}));
    assert_eq!(Head::of(&last).seq, before.seq + 2);
    assert_eq!((&played.view()["status"], &played.view()["result"]), (&json!("completed"), &told));
});

fn maiden_but_one(played: &Match) {
    (0..5).for_each(|_| drop(played.bowl(&[2, 3])));
}

on_both_stores!(a_tie_has_no_winner_and_no_margin, |service| {
    let played = service.create(&table(1));
    played.begin();
    maiden(&played);
    maiden(&played);
    let due = json!({"winner": null, "method": "tie", "margin": {}, "text": "Match tied"});
    assert_eq!(played.view()["result"], due);
});

on_both_stores!(an_innings_ends_when_ten_are_out, |service| {
    let played = service.create(&table(5));
    played.begin().bowl(&[2, 1]);
    (0..10).for_each(|_| drop(played.bowl(&[6, 5])));
    let view = played.view();
    assert_eq!(view["score"]["innings"][0]["wickets"], 10);
    assert_eq!((&view["next"]["what"], &view["next"]["side"]), (&json!("over"), &json!("home")));
    assert_eq!(view["score"]["target"], 2);
});

on_both_stores!(the_last_ball_of_a_seeded_match_opens_its_seeds, |service| {
    let seed = "5eed".repeat(16);
    let played = service.create(&with(seeded(1), "/seed", json!(seed)));
    played.begin();
    let last = loop {
        let bowled = played.ball();
        if bowled["next"]["kind"] == "over" {
            break bowled;
        }
    };
    let seeds = &last_event(&last)["data"]["seeds"];
    assert_eq!((&seeds["server_seed"], &seeds["client_seeds"]), (&json!(seed), &json!([])));
    assert_ne!(seeds["match_seed"], seeds["server_seed"]);
    let again = played.posting("/balls", &json!({}));
    service.untouched_by(again).refused(409, "seed-open").says(&["completed"]);
});

on_both_stores!(a_body_may_be_left_out_where_everything_in_it_may, |service| {
    let played = service.create(&seeded(1));
    played.begin();
    let request = played.client.request("POST", &played.path("/balls")).token(&played.token);
    assert_eq!(kinds(&request.send().expect(201)), ["over", "ball"]);
});
