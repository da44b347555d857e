//! `autoplay` from any state of a match.

use serde_json::{Value, json};

use super::seeded::{until, waiting};
use super::{AFTER_DICE, begin, drs, list, of_kind, seeded, table};
use third_umpire_test_support::on_both_stores;
use third_umpire_test_support::service::{Match, Service, chained, last_event};

const UNTIL: [&str; 4] = ["ball", "over", "innings", "match"];

/// Plays on by autoplay, and asserts that the log is whole and the match between balls.
#[track_caller]
fn plays_on(played: &Match, until: &str) -> Vec<Value> {
    let before = played.events();
    let done = played.post("/autoplay", &json!({"until": until})).expect(201);
    let events = played.events();
    assert_eq!(events.len() - before.len(), done["appended"]);
    assert_eq!(events[..before.len()], before);
    let waits = done["next"]["what"].as_str().unwrap_or("nothing");
    assert!(!AFTER_DICE.contains(&waits) && waits != "review", "{until}: it waits for {waits}");
    chained(&events);
    played.audits_clean();
    events[before.len()..].to_vec()
}

on_both_stores!(a_new_match_is_set_up_and_played, |service| {
    for until in UNTIL {
        let played = service.create(&drs(seeded("t10", "5eed"), "on"));
        let kinds: Vec<Value> =
            plays_on(&played, until).iter().map(|event| event["kind"].clone()).take(5).collect();
        assert_eq!(kinds, ["set_up", "toss", "toss_decided", "over", "ball"], "{until}");
    }
});

on_both_stores!(a_ball_that_waits_for_a_decision_is_finished_with_its_dice, |service| {
    for until in UNTIL {
        let (played, next) = waiting(service, "t10");
        let roll = played.events().pop().expect("a roll")["data"].clone();
        let after = plays_on(&played, until);
        let ball = &after[0]["data"];
        assert_eq!((&after[0]["kind"], &ball["delivery"]), (&json!("ball"), &roll["delivery"]), "{until}");
        let rolled = list(&roll["dice"]);
        assert_eq!(rolled[..], list(&ball["dice"])[..rolled.len()]);
        let name = next["what"].as_str().expect("a choice");
        assert!(list(&next["legal"]).contains(&ball["choices"][name]));
        for (name, chosen) in roll["choices"].as_object().expect("choices") {
            assert_eq!(ball["choices"][name], *chosen, "{name}");
        }
    }
});

on_both_stores!(an_open_review_is_accepted, |service| {
    for till in UNTIL {
        let played = service.create(&seeded("t20", "5eed"));
        begin(&played);
        let next = until(&played, &["review"]);
        let after = plays_on(&played, till);
        let due = json!({"accepted": true, "by": next["side"], "delivery": next["legal"]["delivery"]});
        assert_eq!((&after[0]["kind"], &after[0]["data"]), (&json!("review"), &due), "{till}");
        assert!(of_kind(&after, "review").all(|review| review["accepted"] == true));
    }
});

on_both_stores!(between_overs_and_innings_it_goes_on_too, |service| {
    let played = service.create(&seeded("t10", "cafe"));
    for until in ["ball", "ball", "over", "over", "ball", "innings", "ball", "over", "match"] {
        plays_on(&played, until);
    }
    assert_eq!(played.view()["status"], "completed");
    service.untouched_by(played.posting("/autoplay", &json!({"until": "ball"}))).refused(409, "seed-open");
});

on_both_stores!(played_on_ball_by_ball_or_all_at_once_it_is_the_same_match, |service| {
    let innings = |played: &Match| played.get("/scorecard").expect(200)["innings"].clone();
    let at_once = service.create(&seeded("t10", "d1ce"));
    at_once.post("/autoplay", &json!({"until": "match"})).expect(201);
    let by_balls = service.create(&seeded("t10", "d1ce"));
    while by_balls.view()["status"] != "completed" {
        by_balls.post("/autoplay", &json!({"until": "ball"})).expect(201);
    }
    assert_eq!(innings(&at_once), innings(&by_balls));
});

fn refused_at_the_table(service: &Service) -> Match {
    let played = service.create(&table("t10"));
    for set_up in [false, true] {
        if set_up {
            begin(&played);
        }
        let answer = service.untouched_by(played.posting("/autoplay", &json!({"until": "ball"})));
        assert_eq!(answer.status / 100, 4, "{}", answer.text());
    }
    played
}

on_both_stores!(a_table_rolls_its_own_dice, |service| {
    let played = refused_at_the_table(service);
    let bowled =
        played.post("/balls", &json!({"choices": {"over_card": "nagging_line"}, "dice": [3, 3]})).expect(201);
    assert_eq!(last_event(&bowled)["kind"], "ball");
});
