//! Balls that were missed, and balls that were never bowled: both are put right with all that follows kept.

use serde_json::{Value, json};

use super::*;
use third_umpire_test_support::on_both_stores;

/// A four, a single, a six, a wide, a dot, a two and a single.
const SEVEN: [&[i64]; 7] = [&[2, 4], &[2, 1], &[2, 6], &[1, 2], &[2, 3], &[2, 2], &[2, 1]];

fn insert(before: usize, dice: &[i64]) -> Value {
    json!({"inserts": {"before": before, "dice": dice}, "reason": "a ball was missed"})
}

fn remove(delivery: usize) -> Value {
    json!({"removes": delivery, "reason": "it was entered twice"})
}

/// The balls with one more at this place.
fn with_ball<'a>(balls: &[&'a [i64]], at: usize, dice: &'a [i64]) -> Vec<&'a [i64]> {
    [&balls[..at], &[dice], &balls[at..]].concat()
}

on_both_stores!(a_ball_that_was_missed_is_put_in_anywhere, |service| {
    for (before, dice) in [(1, &[2, 4][..]), (3, &[2, 1]), (4, &[1, 2]), (7, &[2, 6]), (2, &[2, 5])] {
        let played = with_balls(service, 3, &SEVEN);
        let answer = correct(&played, &insert(before, dice));
        let correction = &answer["correction"];
        assert_eq!((&correction["inserts"], &correction["status"]), (&json!(before), &json!("made")));
        let event = &appended(&answer)[0];
        assert_eq!((&event["v"], &event["data"]["cascade"]), (&json!(2), &json!("refit")));
        is_like(service, &played, &with_balls(service, 3, &with_ball(&SEVEN, before - 1, dice)));
        assert_eq!(played.get("/corrections").expect(200)["changed_choices"], json!([]));
        let moved = played.get(&format!("/deliveries/{}", before + 1)).expect(200);
        assert_eq!(moved["now"]["was"], before, "the ball after it has moved");
        played.bowl(&[2, 4]);
        holds(service, &played);
    }
});

on_both_stores!(a_ball_that_was_never_bowled_is_taken_out, |service| {
    for delivery in 1..=7 {
        let played = with_balls(service, 3, &SEVEN);
        let answer = correct(&played, &remove(delivery));
        assert_eq!(answer["correction"]["removes"], delivery);
        let left = [&SEVEN[..delivery - 1], &SEVEN[delivery..]].concat();
        if delivery < 7 {
            is_like(service, &played, &with_balls(service, 3, &left));
        }
        holds(service, &played);
        played.bowl(&[2, 4]);
        is_like(service, &played, &with_balls(service, 3, &[&left[..], &[&[2, 4]]].concat()));
    }
});

on_both_stores!(a_ball_put_in_and_taken_out_again_is_the_match_as_it_was, |service| {
    let five = &SEVEN[..5];
    let played = with_balls(service, 3, five);
    let before = book(&played);
    let answer = correct(&played, &insert(3, &[2, 4]));
    assert_eq!(answer["correction"]["difference"], "0.3: a ball that was missing, four. 12/0 becomes 16/0.");
    let answer = correct(&played, &remove(3));
    assert_eq!(answer["correction"]["difference"], "0.3, four, was never bowled. 16/0 becomes 12/0.");
    assert_eq!(book(&played), before);
    // What was put in or taken out is brought back like any other correction.
    let seq = played.events().iter().rposition(|event| event["kind"] == "correction").expect("one") + 1;
    correct(&played, &json!({"restores": seq, "reason": "it was bowled"}));
    is_like(service, &played, &with_balls(service, 3, &with_ball(five, 2, &[2, 4])));
});

on_both_stores!(a_wicket_that_is_put_in_asks_nothing_and_moves_the_batters, |service| {
    let played = with_balls(service, 3, &SEVEN);
    correct(&played, &insert(2, &[2, 5]));
    is_like(service, &played, &with_balls(service, 3, &with_ball(&SEVEN, 1, &[2, 5])));
    let card = played.get("/scorecard").expect(200);
    assert_eq!(card["innings"][0]["total"]["wickets"], 1);
    // A dispute follows its ball.
    played.post("/disputes", &json!({"delivery": 4, "claim": "no six", "by": "away"})).expect(201);
    correct(&played, &insert(1, &[2, 3]));
    let dispute = played.get("/disputes/1").expect(200);
    assert_eq!((&dispute["delivery"], &dispute["now"]), (&json!(4), &json!(5)), "{dispute}");
});

on_both_stores!(a_dispute_of_a_ball_follows_it_out_and_in, |service| {
    let played = with_balls(service, 3, &SEVEN);
    let dispute = |delivery: usize| {
        played.post("/disputes", &json!({"delivery": delivery, "claim": "no", "by": "away"})).expect(201);
    };
    dispute(7);
    dispute(2);
    correct(&played, &remove(2));
    let now = |number: usize| played.get(&format!("/disputes/{number}")).expect(200)["now"].clone();
    assert_eq!((now(1), now(2)), (json!(6), Value::Null));
    let listed = |n: usize| played.get(&format!("/deliveries/{n}")).expect(200)["disputes"].clone();
    assert_eq!((listed(6), listed(2)), (json!([1]), json!([])), "the ball that was taken out has no page");
    // The ball that has its number now has an agreed outcome, and the disputed one is gone.
    correct(&played, &amend(2, agreed_outcome(json!({"runs": {"batter": 5}}))));
    let ruling = |finding: &str| json!({"finding": finding, "ruling": "so it is"});
    let refused = played.post("/disputes/2/ruling", &ruling("as_stood"));
    refused.refused(422, "illegal-input").at("body.finding");
    played.post("/disputes/2/ruling", &ruling("amended")).expect(201);
    holds(service, &played);
});

on_both_stores!(a_dispute_has_its_number_again_when_the_ball_is_back, |service| {
    let played = with_balls(service, 3, &SEVEN);
    played.post("/disputes", &json!({"delivery": 7, "claim": "no", "by": "away"})).expect(201);
    correct(&played, &remove(2));
    let seq = played.events().iter().rposition(|event| event["kind"] == "correction").expect("one") + 1;
    correct(&played, &json!({"restores": seq, "reason": "it was bowled"}));
    assert_eq!(played.get("/disputes/1").expect(200).get("now"), None);
    assert_eq!(played.get("/deliveries/7").expect(200)["disputes"], json!([1]));
    holds(service, &played);
});

on_both_stores!(an_innings_that_ends_earlier_loses_its_last_ball_and_is_told_so, |service| {
    let one = [[&SEVEN[..], &[&[2, 1]]].concat(), vec![&[2, 1], &[2, 2]]].concat();
    let played = with_balls(service, 1, &one);
    let supposed = dry_run(&played, &insert(2, &[2, 1])).expect(200);
    assert!(supposed["notes"].to_string().contains("0.7"), "{supposed}");
    // One that goes on past its last ball asks for that.
    let answer = service.untouched_by(played.posting("/corrections", &remove(1)));
    answer.refused(422, "needs-input").at("body.missing[0].dice[0]");
});

on_both_stores!(a_missing_die_is_asked_for_within_the_ball, |service| {
    let played = with_balls(service, 3, &SEVEN);
    let answer = service.untouched_by(played.posting("/corrections", &insert(3, &[2])));
    answer.refused(422, "needs-input").at("body.inserts.dice[1]");
    let supposed = dry_run(&played, &insert(3, &[2])).expect(200);
    assert_eq!(supposed["done"], false);
    let request = &supposed["next"]["requests"][0];
    assert_eq!(request["asks"][0]["at"], "inserts.dice[1]", "{request}");
    assert_eq!(request["body"]["inserts"]["before"], 3);
});

on_both_stores!(a_first_ball_may_come_with_another_over, |service| {
    let over: [&[i64]; 6] = [&[2, 4], &[2, 1], &[2, 6], &[2, 3], &[2, 2], &[2, 3]];
    let played = with_balls(service, 3, &[&over[..], &[&[2, 1], &[2, 2]]].concat());
    let body =
        json!({"inserts": {"before": 7, "over": {"bowler": "Nash"}, "dice": [2, 4]}, "reason": "missed"});
    correct(&played, &body);
    let right = with_balls(service, 3, &over);
    right.post("/overs", &json!({"bowler": "Nash"})).expect(201);
    for dice in [&[2, 4], &[2, 1], &[2, 2]] {
        right.bowl(dice);
    }
    is_like(service, &played, &right);
    let body =
        json!({"inserts": {"before": 3, "over": {"bowler": "Nash"}, "dice": [2, 4]}, "reason": "missed"});
    let answer = service.untouched_by(played.posting("/corrections", &body));
    answer.refused(422, "illegal-input").at("body.inserts.over").says(&["first ball"]);
});

on_both_stores!(a_ball_that_cannot_be_put_in_or_taken_out_is_refused_by_name, |service| {
    let played = with_balls(service, 3, &SEVEN);
    correct(&played, &json!({"voids_from": 7, "reason": "a slip"}));
    for (body, status, problem, at, words) in [
        (insert(9, &[2, 4]), 422, "illegal-input", "body.inserts.before", "there is no delivery 9"),
        (insert(7, &[2, 4]), 409, "already-settled", "body.inserts.before", "already void"),
        (insert(0, &[2, 4]), 422, "illegal-input", "body.inserts.before", "0"),
        (remove(9), 422, "illegal-input", "body.removes", "there is no delivery 9"),
        (remove(7), 409, "already-settled", "body.removes", "already void"),
        (insert(3, &[2, 7]), 422, "illegal-input", "body.inserts.dice[1]", "7"),
        (insert(3, &[2, 4, 1]), 422, "illegal-input", "body.inserts.dice[2]", "only 2 are rolled"),
        (with(remove(3), "/cascade", json!("refuse")), 422, "illegal-input", "body.cascade", "refit"),
        (with(remove(3), "/dice", json!([1])), 422, "needs-input", "body", "go with amends"),
        (with(remove(3), "/amends", json!(3)), 422, "needs-input", "body", "send one of"),
        (
            with(remove(3), "/later", json!([{"delivery": 4, "dice": [1]}])),
            422,
            "illegal-input",
            "body.later[0].dice[0]",
            "asks for 0 dice",
        ),
    ] {
        let answer = service.untouched_by(played.posting("/corrections", &body));
        answer.refused(status, problem).at(at).says(&[words]);
    }
    let seeded = service.create(&with(table(2), "/dice", json!("seeded")));
    seeded.begin();
    (0..4).for_each(|_| drop(seeded.bowl(&[])));
    for (body, at) in [(insert(2, &[]), "body.inserts"), (remove(2), "body.removes")] {
        let answer = service.untouched_by(seeded.posting("/corrections", &body));
        answer.refused(409, "already-settled").at(at).says(&["come from its seed"]);
    }
    let cubes = with_cubes(service, 2, &[[3, 5], [4, 4]]);
    let cube =
        json!({"inserts": {"before": 2, "choices": {"bowler_number": 3, "batter_number": 7}}, "reason": "x"});
    correct(&cubes, &cube);
    is_like(service, &cubes, &with_cubes(service, 2, &[[3, 5], [3, 7], [4, 4]]));
});

on_both_stores!(a_match_as_of_a_void_ball_ends_with_that_ball_whatever_number_it_has, |service| {
    let five = &SEVEN[..5];
    // The event of each ball, and how many balls have been bowled with it: those after the change are void.
    let bowled_at = |played: &Match, ball: u64| {
        let deliveries =
            played.get(&format!("/deliveries?at={}", 4 + ball)).expect(200)["deliveries"].clone();
        deliveries.as_array().map(Vec::len)
    };
    let more = with_balls(service, 3, five);
    correct(&more, &insert(3, &[2, 4]));
    let counts: Vec<Option<usize>> = (1..=5).map(|ball| bowled_at(&more, ball)).collect();
    assert_eq!(counts, [1, 2, 4, 5, 6].map(Some));
    let fewer = with_balls(service, 3, five);
    correct(&fewer, &remove(2));
    let counts: Vec<Option<usize>> = (1..=5).map(|ball| bowled_at(&fewer, ball)).collect();
    assert_eq!(counts, [1, 1, 2, 3, 4].map(Some));
    let none = with_balls(service, 3, &five[..2]);
    correct(&none, &remove(1));
    let counts: Vec<Option<usize>> = (1..=2).map(|ball| bowled_at(&none, ball)).collect();
    assert_eq!(counts, [0, 1].map(Some));
    // With what was known then it is as it was.
    let then = more.get("/deliveries?at=8&as_known_at=9").expect(200)["deliveries"].clone();
    assert_eq!(then.as_array().map(Vec::len), Some(4));
});
