//! Restorations: what the last correction made void comes back, as long as nothing was played since.

use serde_json::{Value, json};

use super::*;
use third_umpire_test_support::on_both_stores;
use third_umpire_test_support::service::{Sides, last_event, remote};

/// A four, a dot, a six, a single and a dot.
const FIVE: [&[i64]; 5] = [&[2, 4], &[2, 3], &[2, 6], &[2, 1], &[2, 3]];

/// The request that brings back what an event made void.
fn restore(seq: u64) -> Value {
    json!({"restores": seq, "reason": "it was right after all"})
}

/// The kind, the author and the data of events.
fn told(events: &[Value]) -> Vec<Value> {
    events.iter().map(|event| json!([event["kind"], event["actor"], event["data"]])).collect()
}

fn last_seq(played: &Match) -> u64 {
    played.head().seq
}

/// Restores what an event made void, and asserts that these events are back.
#[track_caller]
fn brings_back(played: &Match, seq: u64, void: &[Value]) -> Value {
    let answer = correct(played, &restore(seq));
    let appended = appended(&answer);
    assert_eq!(appended[0]["kind"], "restoration");
    assert_eq!(appended[0]["data"]["restores"], seq);
    assert_eq!(told(&appended[1..]), told(void));
    assert_eq!(
        (&answer["correction"]["status"], &answer["correction"]["restores"]),
        (&json!("made"), &json!(seq))
    );
    answer
}

on_both_stores!(balls_that_were_taken_back_come_back_as_they_were, |service| {
    let played = with_balls(service, 2, &FIVE);
    let (before, events) = (book(&played), played.events());
    correct(&played, &undo(3));
    let without = book(&played);
    let undone = last_seq(&played);
    let answer = brings_back(&played, undone, &events[events.len() - 3..]);
    assert_eq!(book(&played), before);
    assert_eq!(answer["correction"]["difference"], "3 balls are back. 4/0 becomes 11/0.");
    assert_eq!(answer["correction"]["voided"], 0);
    assert!(!answer["difference"].as_array().expect("changes").is_empty());
    // It is taken back in its turn, and brought back once more.
    let restored = undone + 1;
    let again = brings_back(&played, restored, &[]);
    assert_eq!(again["correction"]["difference"], "3 balls are void again. 11/0 becomes 4/0.");
    assert_eq!(book(&played), without);
    brings_back(&played, last_seq(&played), &events[events.len() - 3..]);
    assert_eq!(book(&played), before);
    assert_eq!(played.get("/corrections").expect(200)["changed_choices"], json!([]));
    holds(service, &played);
    played.bowl(&[2, 4]);
    is_like(service, &played, &with_balls(service, 2, &[&FIVE[..], &[&[2, 4]]].concat()));
});

on_both_stores!(an_amended_ball_is_made_what_it_was_and_what_it_became, |service| {
    let balls: [&[i64]; 4] = [&[2, 4], &[6, 5], &[2, 1], &[2, 6]];
    for cascade in ["refuse", "refit", "void_rest"] {
        let played = with_balls(service, 2, &balls);
        let (before, events) = (book(&played), played.events());
        let ball = if cascade == "refit" { 2 } else { 3 };
        correct(&played, &with(dice(ball, &[2, 2]), "/cascade", json!(cascade)));
        let (amended, became) = (book(&played), played.events());
        let seq = became.iter().rposition(|event| event["kind"] == "correction").expect("one") as u64 + 1;
        brings_back(&played, seq, &events[events.len() - (5 - ball)..]);
        assert_eq!(book(&played), before, "{cascade}");
        let restoration = became.len() as u64 + 1;
        brings_back(&played, restoration, &became[seq as usize..]);
        assert_eq!(book(&played), amended, "{cascade}");
        assert_eq!(played.get("/corrections").expect(200)["changed_choices"], json!([]));
        holds(service, &played);
        played.bowl(&[2, 4]);
        holds(service, &played);
    }
});

on_both_stores!(a_refit_that_moved_numbers_is_taken_back_with_them, |service| {
    let first: [&[i64]; 7] = [&[2, 1], &[1, 2], &[2, 4], &[2, 1], &[2, 2], &[2, 3], &[2, 1]];
    let played = with_balls(service, 1, &[&first[..], &[&[2, 1], &[2, 1]]].concat());
    let before = book(&played);
    correct(&played, &with(dice(2, &[2, 2]), "/cascade", json!("refit")));
    assert_eq!(played.get("/deliveries/7").expect(200)["now"]["was"], 8);
    let seq = played.events().iter().rposition(|event| event["kind"] == "correction").expect("one") + 1;
    correct(&played, &restore(seq as u64));
    assert_eq!(book(&played), before);
    assert_eq!(played.get("/deliveries/8").expect(200)["now"].get("was"), None);
    let restored = played.events().iter().rposition(|event| event["kind"] == "restoration").expect("one") + 1;
    correct(&played, &restore(restored as u64));
    assert_eq!(played.get("/deliveries/7").expect(200)["now"]["was"], 8);
    holds(service, &played);
});

on_both_stores!(the_toss_the_set_up_and_an_abandonment_come_back, |service| {
    let played = with_balls(service, 2, &FIVE);
    let before = book(&played);
    let first = played.events().iter().position(|event| event["kind"] == "toss").expect("a toss") + 1;
    correct(&played, &undo_seq(first));
    assert_eq!(played.view()["next"]["what"], "toss");
    correct(&played, &restore(last_seq(&played)));
    assert_eq!(book(&played), before);
    played.post("/abandonment", &json!({"reason": "rain"})).expect(201);
    let abandoned = book(&played);
    correct(&played, &undo_seq(last_seq(&played) as usize));
    assert_eq!(book(&played), before);
    correct(&played, &restore(last_seq(&played)));
    assert_eq!(book(&played), abandoned);
    holds(service, &played);
});

on_both_stores!(with_seeded_dice_the_same_dice_come_back, |service| {
    let played = service.create(&with(table(2), "/dice", json!("seeded")));
    played.begin();
    (0..8).for_each(|_| drop(played.bowl(&[])));
    let (before, events) = (book(&played), played.events());
    correct(&played, &undo(3));
    let third = events.iter().position(|event| event["data"]["delivery"] == 3).expect("a ball");
    brings_back(&played, last_seq(&played), &events[third..]);
    assert_eq!(book(&played), before);
    holds(service, &played);
});

on_both_stores!(nothing_comes_back_once_play_has_gone_on, |service| {
    let played = with_balls(service, 2, &FIVE);
    let refused = |seq: u64, status, problem, words: &str| {
        let answer = service.untouched_by(played.posting("/corrections", &restore(seq)));
        answer.refused(status, problem).says(&[words]).at("body.restores");
    };
    refused(3, 422, "illegal-input", "nothing was taken back");
    correct(&played, &undo(5));
    let undone = last_seq(&played);
    for seq in [0, 1, 3, undone - 1, undone + 1, u64::from(u32::MAX)] {
        refused(seq, 422, "illegal-input", &format!("only what event {undone} has changed"));
    }
    played.bowl(&[2, 2]);
    refused(undone, 409, "already-settled", "play has gone on");
    correct(&played, &undo(4));
    let second = last_seq(&played);
    refused(undone, 422, "illegal-input", &format!("only what event {second}"));
    correct(&played, &restore(second));
    refused(second, 422, "illegal-input", "is not the last correction");
    // A dispute is no play.
    correct(&played, &restore(second + 1));
    played.post("/disputes", &json!({"delivery": 2, "claim": "no", "by": "home"})).expect(201);
    let restored = played.events().iter().rposition(|event| event["kind"] == "restoration").expect("one") + 1;
    correct(&played, &restore(restored as u64));
    holds(service, &played);
});

on_both_stores!(a_restoration_that_is_no_request_is_told_what_would_be_one, |service| {
    let played = with_balls(service, 2, &FIVE);
    correct(&played, &undo(5));
    let seq = last_seq(&played);
    for (body, problem, words) in [
        (json!({"restores": seq}), "needs-input", "reason"),
        (json!({"restores": "5", "reason": "x"}), "illegal-input", "restores"),
        (json!({"restores": -1, "reason": "x"}), "illegal-input", "restores"),
        (json!({"restores": seq, "voids_from": 2, "reason": "x"}), "needs-input", "send one of"),
        (json!({"restores": seq, "dice": [1], "reason": "x"}), "needs-input", "go with amends"),
    ] {
        let answer = service.untouched_by(played.posting("/corrections", &body));
        answer.refused(422, problem).says(&[words]);
    }
    let supposed = dry_run(&played, &restore(seq)).expect(200);
    assert_eq!(supposed["after"]["text"], "Harbour Road 11/0 (0.5)");
    assert_eq!(last_seq(&played), seq, "a dry run stores nothing");
});

on_both_stores!(in_remote_play_both_sides_bring_back, |service| {
    let sides = Sides::in_play(service.client(), &remote(2));
    sides.choose_as_dealt();
    (0..3).for_each(|_| drop(sides.home.post("/balls", &json!({})).expect(201)));
    let Sides { scorer, home, away } = &sides;
    let before = book(scorer);
    home.post("/corrections", &undo(2)).expect(201);
    away.post("/corrections/1/consent", &json!({})).expect(201);
    let seq = last_seq(scorer);
    let proposed = away.post("/corrections", &restore(seq)).expect(201);
    let event = last_event(&proposed);
    assert_eq!((&event["kind"], &event["v"]), (&json!("correction_proposed"), &json!(2)));
    assert_eq!(event["data"]["restores"], seq);
    home.post("/corrections/2/consent", &json!({})).expect(201);
    assert_eq!(book(scorer), before);
    sides.bowl_over();
    holds(service, scorer);
});

on_both_stores!(balls_after_a_seeded_refit_are_play_and_none_that_it_kept, |service| {
    let (played, extra) = (0..40)
        .find_map(|_| {
            let played = service.create(&with(table(1), "/dice", json!("seeded")));
            played.begin();
            let of_second = |played: &Match| {
                played
                    .events()
                    .iter()
                    .filter(|event| event["data"]["innings"] == 2 && event["kind"] == "ball")
                    .count()
            };
            while of_second(&played) < 2 && played.view()["status"] == "in_play" {
                played.bowl(&[]);
            }
            let events = played.events();
            let extra = events.iter().find(|event| {
                event["kind"] == "ball"
                    && event["data"]["innings"] == 1
                    && event["data"]["outcome"]["legal"] == false
            });
            let delivery = extra?["data"]["delivery"].as_u64()? as usize;
            (played.view()["status"] == "in_play").then_some((played, delivery))
        })
        .expect("a wide in an innings");
    let legal = json!({"runs": {"batter": 0}, "extras": {}, "legal": true, "wicket": null});
    let body = with(amend(extra, agreed_outcome(legal)), "/cascade", json!("refit"));
    correct(&played, &body);
    let seq =
        played.events().iter().rposition(|event| event["kind"] == "correction").expect("one") as u64 + 1;
    let head = last_seq(&played);
    played.bowl(&[]);
    let bowled = appended(&json!({"events": &played.events()[head as usize..]})).len();
    assert!(bowled > 0);
    holds(service, &played);
    let answer = service.untouched_by(played.posting("/corrections", &restore(seq)));
    answer.refused(409, "already-settled").says(&["play has gone on"]);
});
