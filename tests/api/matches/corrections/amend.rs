//! Amendments of earlier balls, with which the later ones are decided again.

use serde_json::{Value, json};

use super::*;
use third_umpire_test_support::service::{Cup, Refusal, Service, last_event};
use third_umpire_test_support::{on_both_stores, on_own_stores};

const DOTS: [&[i64]; 6] = [&[2, 3]; 6];

/// Asserts that an amendment is refused because a later ball cannot stay as it was.
#[track_caller]
fn impossible(service: &Service, played: &Match, body: &Value) -> Refusal {
    let dry = service.untouched_by(played.posting("/corrections?dry_run=true", body));
    dry.refused(422, "illegal-input").at("body.cascade");
    let made = service.untouched_by(played.posting("/corrections", body));
    made.refused(422, "illegal-input").at("body.cascade")
}

/// The amendment that also voids every later event that cannot follow from it.
fn void_rest(body: &Value) -> Value {
    with(body.clone(), "/cascade", json!("void_rest"))
}

/// Makes an amendment, and asserts that it has the effect that its dry run announced.
#[track_caller]
fn as_dry_run(service: &Service, played: &Match, body: &Value) -> Value {
    let before = (service.rows_of(played), played.view()["score"].clone());
    let supposed = dry_run(played, body).expect(200);
    assert_eq!(service.rows_of(played), before.0, "a dry run stores nothing");
    assert_eq!((&supposed["dry_run"], &supposed["before"]), (&json!(true), &before.1));
    assert_eq!(supposed["head"], played.view()["head"]);
    let made = correct(played, body);
    assert_eq!((&made["difference"], &made["score"]), (&supposed["difference"], &supposed["after"]));
    let result = played.view().get("result").cloned().unwrap_or_default();
    assert_eq!(supposed["result"], result);
    made
}

on_own_stores!(a_dry_run_stores_nothing_anywhere_and_neither_does_a_refusal, |deployment| {
    let played = with_balls(deployment, 5, &[&[2, 1], &[2, 3], &[6, 5]]);
    let before = deployment.database().everything();
    for body in [dice(1, &[2, 2]), undo(2), amend(2, agreed_outcome(json!({"runs": {"batter": 2}})))] {
        dry_run(&played, &body).expect(200);
    }
    assert_eq!(deployment.database().everything(), before);
    deployment.untouched_by(played.posting("/corrections", &undo(4))).refused(422, "illegal-input");
});

on_both_stores!(a_die_mistyped_ten_balls_ago_is_put_right, |service| {
    let mut rolled: Vec<&[i64]> = vec![
        &[2, 4],
        &[2, 1],
        &[1, 2],
        &[2, 2],
        &[2, 3],
        &[3, 5, 3, 4, 1],
        &[2, 1],
        &[1, 1, 6],
        &[2, 3],
        &[6, 5],
        &[2, 3],
        &[2, 6],
        &[2, 1],
    ];
    let right = with_balls(service, 5, &rolled);
    rolled[1] = &[2, 2];
    let played = with_balls(service, 5, &rolled);
    assert_ne!(book(&played), book(&right));
    let before = played.events();
    let made = as_dry_run(service, &played, &dice(2, &[2, 1]));
    let data = &appended(&made)[0]["data"];
    assert_eq!(*data, json!({"voids_from_seq": 6, "amends": 2, "reason": WHY, "dice_seen": true}));
    let (void, again) = (of_kind(before[5..].to_vec(), "ball"), of_kind(appended(&made).to_vec(), "ball"));
    let numbers = |of: &[Value]| of.iter().map(|ball| ball["delivery"].clone()).collect::<Vec<_>>();
    assert_eq!(numbers(&void), numbers(&again), "all are there again");
    let others = void[1..].iter().zip(&again[1..]);
    assert!(others.clone().all(|(void, again)| void["dice"] == again["dice"]), "with the dice they had");
    assert!(others.clone().any(|(void, again)| void["outcome"]["striker"] != again["outcome"]["striker"]));
    assert_eq!(played.events()[..before.len()], before, "nothing of the log is lost");
    assert_eq!(made["correction"]["amends"], 2);
    is_like(service, &played, &right);
    played.play_step();
});

on_both_stores!(the_book_as_it_was_known_before_an_amendment_can_be_read, |service| {
    let played = with_balls(service, 5, &[&[2, 4], &[2, 1], &[2, 3]]);
    let (head, known) = (played.head().seq, played.get("/scorecard").text().to_owned());
    correct(&played, &dice(1, &[2, 6]));
    assert_eq!(played.get(&format!("/scorecard?at={head}&as_known_at={head}")).text(), known);
    let now = played.head().seq;
    let put_right = played.get(&format!("/scorecard?at={head}&as_known_at={now}")).expect(200);
    assert_eq!(put_right["innings"][0]["total"]["runs"], 7);
    assert_eq!(total(&played, 1)[0], 7);
});

on_both_stores!(numbers_of_cubes_that_were_read_wrong_are_put_right, |service| {
    let mut shown = vec![[3, 4], [5, 2], [1, 9], [0, 3], [2, 2], [6, 7], [4, 8], [3, 3]];
    let right = with_cubes(service, 2, &shown);
    shown[3] = [0, 4];
    let played = with_cubes(service, 2, &shown);
    assert_ne!(book(&played), book(&right));
    let made = as_dry_run(service, &played, &amend(4, numbers([0, 3])));
    assert_eq!(of_kind(appended(&made).to_vec(), "ball").len(), 5);
    is_like(service, &played, &right);
});

on_both_stores!(orders_of_an_over_that_were_read_wrong_are_put_right, |service| {
    let orders =
        |first: u8| json!({"orders": {"bowling": [first, 1, 2, 3, 4, 5], "batting": [9, 9, 9, 9, 9, 9]}});
    let over = |first: u8| {
        let played = with_cubes(service, 2, &[]);
        played.post("/overs", &orders(first)).expect(201);
        (0..4).for_each(|_| drop(played.ball()));
        played
    };
    let (played, right) = (over(0), over(8));
    let made = as_dry_run(service, &played, &amend(1, json!({"over": orders(8)})));
    assert_eq!(kinds(appended(&made)), ["correction", "over", "ball", "ball", "ball", "ball"]);
    is_like(service, &played, &right);
});

on_both_stores!(a_wicket_that_was_none_leaves_no_place_for_who_came_in, |service| {
    let played = with_balls(service, 5, &[&[2, 4], &[2, 5], &[2, 3], &[2, 1]]);
    let body = dice(2, &[2, 3]);
    let refusal = impossible(service, &played, &body);
    refusal.says(&["delivery 3 (innings 1, 0.3)", "void_rest"]).by("howzat.ball.next_batter");
    let made = as_dry_run(service, &played, &void_rest(&body));
    assert_eq!(kinds(appended(&made)), ["correction", "ball"], "those after it are void");
    is_like(service, &played, &with_balls(service, 5, &[&[2, 4], &[2, 3]]));
    played.bowl(&[2, 1]);
    is_like(service, &played, &with_balls(service, 5, &[&[2, 4], &[2, 3], &[2, 1]]));
});

on_both_stores!(the_wrong_bowler_of_an_over_is_put_right_with_its_first_ball, |service| {
    let over = |played: &Match, bowler: &str| {
        played.post("/overs", &json!({"bowler": bowler})).expect(201);
        (0..6).for_each(|_| drop(played.bowl(&[2, 1])));
    };
    let overs = |bowlers: &[&str]| {
        let played = with_balls(service, 5, &[]);
        bowlers.iter().for_each(|bowler| over(&played, bowler));
        played
    };
    let played = overs(&["Lyon", "Marsh", "Nash"]);
    let late = played.posting("/corrections", &amend(8, json!({"over": {"bowler": "Snow"}})));
    service.untouched_by(late).refused(422, "illegal-input").at("body.over");
    let bowler = |delivery, name: &str| amend(delivery, json!({"over": {"bowler": name}}));
    let made = as_dry_run(service, &played, &bowler(7, "Snow"));
    assert_eq!(kinds(&appended(&made)[..3]), ["correction", "over", "ball"]);
    // Fields were chosen with their overs and stay as chosen, so the next choice may differ.
    assert_eq!(book(&played)["card"], book(&overs(&["Lyon", "Snow", "Nash"]))["card"]);
    holds(service, &played);
    // Then he has bowled all his overs when the third begins.
    let refusal = impossible(service, &played, &bowler(1, "Nash"));
    refusal.says(&["over 3 of innings 1", "Nash"]).by("howzat.over.quota");
    let refusal = impossible(service, &played, &bowler(7, "Nash"));
    refusal.says(&["over 3 of innings 1", "Nash"]).by("howzat.over.consecutive");
    let own = service.untouched_by(played.posting("/corrections", &bowler(7, "Lyon")));
    own.refused(422, "illegal-input").at("body.over.bowler").by("howzat.over.consecutive");
    as_dry_run(service, &played, &void_rest(&bowler(1, "Nash")));
    assert_eq!(book(&played)["card"], book(&overs(&["Nash", "Snow"]))["card"]);
    holds(service, &played);
});

on_both_stores!(a_match_that_was_won_earlier_has_no_place_for_the_rest, |service| {
    let chase: [&[i64]; 3] = [&[2, 1], &[2, 2], &[2, 2]];
    let rolled = [&[&[2, 6][..]], &DOTS[..5], &chase].concat();
    let played = with_balls(service, 1, &rolled);
    let body = dice(7, &[2, 6]);
    let refusal = impossible(service, &played, &body);
    refusal.says(&["delivery 9 (innings 2, 0.3)", "ended"]);
    let made = as_dry_run(service, &played, &void_rest(&body));
    assert_eq!(kinds(appended(&made)), ["correction", "ball", "ball", "match_completed"]);
    assert_eq!(played.view()["status"], "completed");
    is_like(service, &played, &with_balls(service, 1, &[&rolled[..6], &[&[2, 6], &[2, 2]]].concat()));
});

on_both_stores!(an_over_that_was_longer_or_shorter_moves_nothing_silently, |service| {
    let wide = [&[&[1, 2][..]], &DOTS[..]].concat();
    let played = with_balls(service, 5, &wide);
    impossible(service, &played, &dice(1, &[2, 3])).says(&["delivery 7", "over"]);
    as_dry_run(service, &played, &void_rest(&dice(1, &[2, 3])));
    is_like(service, &played, &with_balls(service, 5, &DOTS));
    played.bowl(&[2, 4]);
    impossible(service, &played, &dice(3, &[1, 2])).says(&["over 2 of innings 1"]);
    as_dry_run(service, &played, &void_rest(&dice(3, &[1, 2])));
    let right = [&DOTS[..2], &[&[1, 2]], &DOTS[3..]].concat();
    is_like(service, &played, &with_balls(service, 5, &right));
});

/// The last ball with a batter who came in for it, and a player who has not batted by the end of that
/// innings.
fn came_in(played: &Match) -> (usize, String) {
    let bowled = balls(played);
    let ball = bowled.iter().rev().find(|ball| ball["choices"].get("next_batter").is_some());
    let ball = ball.expect("a wicket has fallen, and somebody come in");
    let card = played.get("/scorecard").expect(200);
    let innings = &card["innings"][ball["innings"].as_u64().expect("a number") as usize - 1];
    let batters = innings["batters"].as_array().expect("batters").iter();
    let waits = batters.rev().find(|batter| batter["status"] == "did not bat").expect("somebody waits");
    let delivery = ball["delivery"].as_u64().expect("a number") as usize;
    (delivery, waits["player"].as_str().expect("a name").to_owned())
}

fn dice_of(balls: &[Value]) -> Vec<Value> {
    balls.iter().map(|ball| json!([ball["delivery"], ball["dice"], ball["seed"]])).collect()
}

on_both_stores!(in_a_seeded_match_choices_are_put_right_and_the_dice_stay, |service| {
    let played = after_balls(service, &seeded(5), 20);
    let ((delivery, other), bowled) = (came_in(&played), balls(&played));
    let body = amend(delivery, json!({"choices": {"next_batter": other}}));
    as_dry_run(service, &played, &body);
    assert_eq!(dice_of(&balls(&played)), dice_of(&bowled));
    assert_ne!(balls(&played), bowled);
    let changed = played.get("/corrections").expect(200)["changed_choices"].clone();
    assert_eq!((&changed[0]["delivery"], &changed[0]["after"]), (&json!(delivery), &json!(other)));
    assert_eq!(changed.as_array().map(Vec::len), Some(1), "{changed}");
    assert_eq!(played.get("/audit").expect(200)["changed_choices"], changed);
    let right = after_balls(service, &seeded(5), delivery - 1);
    right.post("/balls", &json!({"choices": {"next_batter": other}})).expect(201);
    (delivery..20).for_each(|_| drop(right.ball()));
    is_like(service, &played, &right);
    played.play_step();
});

on_both_stores!(a_seeded_match_that_is_over_is_put_right_if_it_stays_over, |service| {
    for request in seeded_games(2) {
        let played = service.create(&request);
        played.post("/autoplay", &json!({"until": "match"})).expect(201);
        let (before, bowled) = (played.events(), balls(&played));
        let body = match request["game"].as_str() {
            Some("howzat") => {
                let (delivery, other) = came_in(&played);
                amend(delivery, json!({"choices": {"next_batter": other}}))
            }
            _ => amend(1, agreed_outcome(json!({"runs": {"batter": 5}}))),
        };
        let made = as_dry_run(service, &played, &body);
        let again = last_event(&made);
        assert_eq!(again["kind"], "match_completed");
        assert_eq!(again["data"]["seeds"], before.last().expect("an end")["data"]["seeds"]);
        assert_eq!(dice_of(&balls(&played)), dice_of(&bowled));
        assert_eq!(played.view()["status"], "completed");
        holds(service, &played);
        service.untouched_by(played.posting("/corrections", &undo(1))).refused(409, "seed-open");
        holds(service, &played);
    }
});

on_both_stores!(a_seeded_match_that_is_over_is_not_put_right_so_that_it_is_not, |service| {
    let played = service.create(&seeded(2));
    played.post("/autoplay", &json!({"until": "match"})).expect(201);
    let one_more = agreed_outcome(json!({"extras": {"wides": 1}, "runs": {"batter": 0}, "wicket": null}));
    let open = amend(1, one_more);
    impossible(service, &played, &open);
    for path in ["/corrections", "/corrections?dry_run=true"] {
        let refusal = service.untouched_by(played.posting(path, &void_rest(&open))).refused(409, "seed-open");
        refusal.says(&["lose its end"]);
    }
    holds(service, &played);
});

on_both_stores!(a_seeded_match_that_was_given_up_is_put_right_and_stays_given_up, |service| {
    let played = after_balls(service, &seeded(5), 20);
    played.post("/abandonment", &json!({"reason": "rain"})).expect(201);
    let (delivery, other) = came_in(&played);
    let made = as_dry_run(service, &played, &amend(delivery, json!({"choices": {"next_batter": other}})));
    assert_eq!(last_event(&made)["kind"], "match_abandoned");
    assert_eq!(played.view()["status"], "abandoned");
    holds(service, &played);
});

on_both_stores!(the_last_ball_of_a_match_at_a_table_is_put_right, |service| {
    let rolled = [&DOTS[..], &DOTS[..]].concat();
    let played = with_balls(service, 1, &rolled);
    assert_eq!(played.view()["result"]["method"], "tie");
    let made = as_dry_run(service, &played, &dice(12, &[2, 1]));
    assert_eq!(kinds(appended(&made)), ["correction", "ball", "match_completed"]);
    is_like(service, &played, &with_balls(service, 1, &[&rolled[..11], &[&[2, 1]]].concat()));
    // Another amendment takes that end away.
    as_dry_run(service, &played, &dice(12, &[1, 1, 3]));
    assert_eq!(
        (&played.view()["status"], &played.view()["result"]["winner"]),
        (&json!("completed"), &json!("away"))
    );
    as_dry_run(service, &played, &dice(6, &[2, 6]));
    assert_eq!(played.view()["status"], "in_play", "seven to win, one scored, one ball to come");
    is_like(
        service,
        &played,
        &with_balls(service, 1, &[&DOTS[..5], &[&[2, 6]], &DOTS[..5], &[&[1, 1, 3]]].concat()),
    );
    played.bowl(&[2, 6]);
    assert_eq!(played.view()["result"]["winner"], "away");
});

on_both_stores!(a_ball_is_put_right_as_often_as_it_takes, |service| {
    let rolled =
        |first: &'static [i64]| with_balls(service, 2, &[first, &[2, 3], &[1, 1, 4], &[6, 5], &[2, 3]]);
    let played = rolled(&[2, 2]);
    for first in [&[2, 1][..], &[2, 6], &[1, 4, 1], &[2, 2]] {
        as_dry_run(service, &played, &dice(1, first));
    }
    is_like(service, &played, &rolled(&[2, 2]));
    assert_eq!(of_kind(played.events(), "ball").len(), 25);
    assert_eq!(played.get("/corrections").expect(200)["corrections"].as_array().map(Vec::len), Some(4));
    correct(&played, &undo(3));
    is_like(service, &played, &with_balls(service, 2, &[&[2, 2], &[2, 3]]));
});

on_both_stores!(any_sequence_of_balls_and_corrections_comes_to_the_match_without_the_mistakes, |service| {
    for seed in 1..=3 {
        let (mut cup, mut right) = (Cup::new(seed), Vec::new());
        let played = with_balls(service, 3, &[]);
        for _ in 0..60 {
            step(&played, &mut cup, &mut right);
        }
        let right: Vec<&[i64]> = right.iter().map(Vec::as_slice).collect();
        is_like(service, &played, &with_balls(service, 3, &right));
    }
});

/// Bowls, voids or amends a ball; `right` has the dice of the balls that count.
fn step(played: &Match, cup: &mut Cup, right: &mut Vec<Vec<i64>>) {
    let before = played.head().seq;
    let is_over = played.view()["status"] == "completed";
    let last = right.len() as u64;
    match cup.throw(6) {
        1 if last > 0 => {
            let delivery = (last - cup.throw(last.min(5)) as u64 + 1) as usize;
            correct(played, &undo(delivery));
            right.truncate(delivery - 1);
        }
        2 if last > 0 => {
            let delivery = cup.throw(last) as usize;
            let shown = cup.pick(&[vec![2, 1], vec![2, 4], vec![1, 2], vec![6, 5], vec![1, 1, 3]]);
            let body = amend(delivery, json!({"dice": shown, "cascade": "void_rest"}));
            if right[delivery - 1] != shown {
                correct(played, &body);
                right[delivery - 1] = shown;
                right.truncate(balls(played).len());
            }
        }
        _ if is_over => {}
        _ => {
            let bowled = played.throw(cup);
            let ball = of_kind(appended(&bowled).to_vec(), "ball");
            let dice = ball[0]["dice"].as_array().expect("dice").iter();
            right.push(dice.map(|die| die["value"].as_i64().expect("a number")).collect());
        }
    }
    assert!(played.head().seq >= before, "the log only grows");
}
