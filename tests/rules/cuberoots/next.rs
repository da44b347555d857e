//! The next step of a match, and the side that takes it.

use chrono::DateTime;
use serde_json::{Value, json};
use third_umpire::log::Actor;
use third_umpire::matches::Permissions;
use third_umpire::rules::{Next, Place, RefusalKind};
use third_umpire::scorebook::Side;
use third_umpire_test_support::logs::{PlayedMatch, ball, over};

use super::{at_the_table, bowl, next_ball, put, seeded};

/// The pending choice: its side and name, the legal values and the default; for a roll, its die.
fn pending(a_match: &PlayedMatch) -> (Option<Side>, &'static str, Value, Value) {
    match a_match.the_match.next() {
        Next::Choose { side, what, legal, default } => (side, what, legal, default),
        Next::Roll { what, sides } => (None, what, json!({"sides": sides}), Value::Null),
        Next::Finished { .. } => (None, "nothing", Value::Null, Value::Null),
    }
}

fn side_and_choice(a_match: &PlayedMatch) -> (Option<Side>, &'static str) {
    let (side, what, _, _) = pending(a_match);
    (side, what)
}

#[test]
fn at_the_table_it_waits_for_the_over_and_for_numbers_that_do_not_follow() {
    let mut a_match = at_the_table(json!({"roll_a_cube": true}));
    let (side, over_due, legal, default) = pending(&a_match);
    assert_eq!((side, over_due), (Some(Side::Away), "over"));
    assert_eq!(legal["bowler"].as_array().map(Vec::len), Some(12));
    let numbers = json!({"count": 6, "minimum": 0, "maximum": 9});
    assert_eq!(legal["orders"], json!({"bowling": numbers, "batting": numbers}));
    assert_eq!(default, json!({"bowler": "B"}));
    a_match.over(json!({}));
    let every = json!([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    let either = json!([true, false]);
    let all = json!({"bowler_number": every, "batter_number": every, "bowler_rolled": either, "batter_rolled": either});
    assert_eq!(pending(&a_match), (None, "numbers", all, Value::Null));
    a_match.ball_with(json!({"bowler_number": 1, "batter_number": 2, "bowler_rolled": true}), &[]);
    let rolled = json!({"bowler_number": every, "batter_number": every, "batter_rolled": either});
    assert_eq!(pending(&a_match), (None, "numbers", rolled, Value::Null));
    bowl(&mut a_match, "1 1 1 1 1");
    a_match.over(json!({"orders": {"bowling": [1, null, 3, 4, 5, 6], "batting": [6, 5, 4, 3, 2, 1]}}));
    assert_eq!(pending(&a_match), (None, "ball", json!({}), json!({})));
    let first = a_match.ball(&[]);
    assert_eq!(Value::from(first.choices), json!({"bowler_number": 1, "batter_number": 6}));
    assert_eq!(pending(&a_match), (None, "numbers", json!({"bowler_number": every}), Value::Null));
    let second = a_match.ball_with(json!({"bowler_number": 0}), &[]);
    let written = json!({"bowler_number": 0, "bowler_rolled": true, "batter_number": 5});
    assert_eq!(Value::from(second.choices), written);
}

#[test]
fn with_a_seed_it_waits_for_orders_and_for_dice_and_gives_no_cube_away() {
    let mut a_match = seeded(json!({"roll_a_cube": true, "overs": 1}), "5e");
    let (side, order, legal, default) = pending(&a_match);
    assert_eq!((side, order, default), (None, "order", json!({"order": "as dealt"})));
    assert_eq!(legal["order"], json!({"count": 6, "minimum": 0, "maximum": 209}));
    assert_eq!((&legal["innings"], &legal["over"]), (&json!(1), &json!(1)));
    assert_eq!(legal["roll"], json!([1, 2, 3, 4, 5, 6]));
    put(&mut a_match, over(json!({"roll": {"bowling": 2, "batting": 2}})));
    assert_eq!(side_and_choice(&a_match), (None, "ball"));
    put(&mut a_match, next_ball());
    assert_eq!(pending(&a_match), (None, "bowler_cube", json!({"sides": 6}), Value::Null));
    put(&mut a_match, next_ball());
    (0..4).for_each(|_| drop(put(&mut a_match, next_ball())));
    let (_, order, legal, _) = pending(&a_match);
    assert_eq!((order, &legal["innings"]), ("order", &json!(2)));
    put(&mut a_match, over(json!({"roll": {"batting": 1}})));
    assert_eq!(side_and_choice(&a_match), (None, "batter_cube"));
    (0..6).for_each(|_| drop(put(&mut a_match, next_ball())));
    assert_eq!(side_and_choice(&a_match), (None, "nothing"));
    assert_eq!(pending(&seeded(json!({}), "5e")).2.get("roll"), None);
}

#[test]
fn each_side_enters_its_own_number_and_bowler_and_nobodys_orders() {
    // Both sides have been claimed in this match.
    let the_match = at_the_table(json!({})).the_match.without_adjudication();
    let refused = |actor, input| {
        let refusal = Permissions::of(&the_match).permit_input(actor, &input, DateTime::UNIX_EPOCH).err()?;
        assert_eq!(refusal.kind, RefusalKind::NotYours);
        Some(refusal.place)
    };
    let choice = |name: &str| Some(Place::Choice(name.to_owned()));
    assert_eq!(refused(Actor::Away, over(json!({"bowler": "B1"}))), None);
    assert_eq!(refused(Actor::Home, over(json!({"bowler": "B1"}))), choice("bowler"));
    for name in ["orders", "deal", "roll"] {
        assert_eq!(refused(Actor::Away, over(json!({name: {}}))), choice(name));
        assert_eq!(refused(Actor::Home, over(json!({name: {}}))), choice(name));
        assert_eq!(refused(Actor::Scorer, over(json!({name: {}}))), None);
    }
    for (name, own, other) in [
        ("bowler_number", Actor::Away, Actor::Home),
        ("bowler_rolled", Actor::Away, Actor::Home),
        ("batter_number", Actor::Home, Actor::Away),
        ("batter_rolled", Actor::Home, Actor::Away),
    ] {
        assert_ne!(refused(own, ball(json!({name: 1}))), choice(name));
        assert_eq!(refused(other, ball(json!({name: 1}))), choice(name));
    }
}
