//! Changed choices of Howzat: next batters, bowlers and fields.

use serde_json::json;
use third_umpire::matches::corrections::CorrectionTarget;
use third_umpire::rules::Next;
use third_umpire_test_support::logs::{LogMaker, Setting, amends};

use super::{again_from, ball, changed, out, over, tells_nothing, told, with_both_dice};

fn howzat() -> Setting {
    Setting::overs(4)
}

#[test]
fn an_amended_die_that_makes_a_next_batter_necessary_accuses_nobody() {
    let maker = howzat().table().home_bats().balls([&[3, 4], &[2, 1], &[5, 3]]);
    let maker = maker.amended(amends(2), Some(&[2, 5]), "the die was a five");
    tells_nothing(&maker);
}

#[test]
fn a_next_batter_by_default_that_became_necessary_is_not_told() {
    with_both_dice(howzat, |maker| {
        tells_nothing(&out(maker.home_bats().rolled(2), 1));
    });
}

#[test]
fn the_audit_tells_a_next_batter_by_choice_that_became_necessary() {
    with_both_dice(howzat, |maker| {
        let maker = out(again_from(maker.home_bats().rolled(2), 1).rolled(1), 1);
        let maker = ball(maker, json!({"next_batter": "Wanderers 5"}));
        assert_eq!(
            changed(&maker, &["next_batter"]),
            ["delivery 2 (innings 1, 0.2), next_batter: none -> \"Wanderers 5\""]
        );
    });
}

#[test]
fn a_next_batter_that_fell_away_is_not_told() {
    with_both_dice(howzat, |maker| {
        let maker = ball(out(maker.home_bats().rolled(1), 1), json!({"next_batter": "Wanderers 5"}));
        tells_nothing(&again_from(maker, 1).rolled(2));
    });
}

#[test]
fn the_audit_tells_a_next_batter_changed_from_the_default_and_to_it() {
    with_both_dice(howzat, |maker| {
        let maker = again_from(out(maker.home_bats().rolled(2), 1), 2);
        let maker = again_from(ball(maker, json!({"next_batter": "Wanderers 5"})), 2).rolled(1);
        let due = [
            "delivery 2 (innings 1, 0.2), next_batter: \"Wanderers 3\" -> \"Wanderers 5\"",
            "delivery 2 (innings 1, 0.2), next_batter: \"Wanderers 5\" -> \"Wanderers 3\"",
        ];
        assert_eq!(told(&maker)[0], due);
    });
}

#[test]
fn a_next_batter_who_is_the_default_both_times_is_not_told() {
    with_both_dice(howzat, |maker| {
        let maker = ball(out(maker.home_bats().rolled(1), 1), json!({"next_batter": "Wanderers 5"}));
        let maker = again_from(out(maker, 2).rolled(1), 2);
        let maker = out(maker.rolled(1), 2).rolled(1);
        assert_eq!(
            told(&maker)[0],
            ["delivery 2 (innings 1, 0.2), next_batter: \"Wanderers 5\" -> \"Wanderers 3\""]
        );
    });
}

/// Bowls the rest of the over, with the default choices.
fn over_out(mut maker: LogMaker) -> LogMaker {
    while !matches!(maker.the_match().next(), Next::Choose { what: "over", .. }) {
        maker = maker.rolled(1);
    }
    maker
}

#[test]
fn a_bowler_is_told_but_not_the_default_bowler_of_the_next_over() {
    with_both_dice(howzat, |maker| {
        let maker = over_out(over(maker.home_bats(), json!({"bowler": "Rovers 9"}))).rolled(1);
        let maker = over_out(over(again_from(maker, 1), json!({"bowler": "Rovers 11"}))).rolled(1);
        assert_eq!(told(&maker)[0], ["innings 1, over 1, bowler: \"Rovers 9\" -> \"Rovers 11\""]);
    });
}

#[test]
fn a_field_follows_the_bowler_who_is_named_both_times() {
    with_both_dice(howzat, |maker| {
        let second = |maker: LogMaker| over(over_out(maker), json!({"bowler": "Rovers 3"})).rolled(1);
        let maker = second(maker.home_bats().rolled(1));
        let maker = second(over(again_from(maker, 1), json!({"bowler": "Rovers 5"})).rolled(1));
        assert_eq!(told(&maker)[0], ["innings 1, over 1, bowler: \"Rovers 11\" -> \"Rovers 5\""]);
    });
}

#[test]
fn a_bowler_and_a_field_follow_the_keeper() {
    with_both_dice(howzat, |maker| {
        let maker = over(maker.home_bats(), json!({"keeper": "Rovers 11"})).rolled(1);
        let maker = again_from(maker, 1).rolled(1);
        assert_eq!(told(&maker)[0], ["innings 1, over 1, keeper: \"Rovers 11\" -> \"Rovers 7\""]);
        let both = json!({"keeper": "Rovers 2", "bowler": "Rovers 7"});
        let maker = over(again_from(maker, 1), both).rolled(1);
        // The bowler by default in the second over bowled follows from the keeper, and takes nobody's place.
        let due = [
            "innings 1, over 1, bowler: \"Rovers 10\" -> \"Rovers 7\"",
            "innings 1, over 1, keeper: \"Rovers 7\" -> \"Rovers 2\"",
        ];
        assert_eq!(told(&maker)[0][1..], due);
    });
}

#[test]
fn a_bowler_who_was_taken_back_before_he_bowled_is_not_told() {
    with_both_dice(howzat, |maker| {
        let named = |maker: LogMaker, bowler: u8| over(maker, json!({"bowler": format!("Rovers {bowler}")}));
        let taken_back = |maker: LogMaker| {
            let begun = maker.sealed.events.last().unwrap().seq;
            maker.corrected(CorrectionTarget::FromEvent(begun), "the wrong name")
        };
        let line =
            |one: u8, other: u8| format!("innings 1, over 1, bowler: \"Rovers {one}\" -> \"Rovers {other}\"");
        let maker = named(again_from(named(maker.home_bats(), 9).rolled(1), 1), 10);
        assert_eq!(told(&maker)[0], [line(9, 10)], "it stands");
        let maker = named(taken_back(maker), 9).rolled(1);
        tells_nothing(&maker);
        let maker = named(taken_back(named(again_from(maker, 1), 10)), 11).rolled(1);
        assert_eq!(told(&maker)[0], [line(9, 11)], "he bowled first");
    });
}

#[test]
fn the_audit_tells_a_field_moved_with_its_bowler() {
    with_both_dice(howzat, |maker| {
        let maker = maker.home_bats();
        let Next::Choose { default, .. } = maker.the_match().next() else { panic!("an over is due") };
        let mut field = default["field"].clone();
        (field["3"], field["4"]) = (default["field"]["4"].clone(), default["field"]["3"].clone());
        let maker = over(again_from(maker.rolled(1), 1), json!({"bowler": "Rovers 9", "field": field}));
        let names: Vec<String> = told(&maker.rolled(1))[0]
            .iter()
            .map(|line| line[..line.find(": ").unwrap()].to_owned())
            .collect();
        assert_eq!(names, ["innings 1, over 1, bowler", "innings 1, over 1, field"]);
    });
}

#[test]
fn a_field_given_both_times_is_not_told_because_another_bowls() {
    with_both_dice(howzat, |maker| {
        let maker = maker.home_bats();
        let Next::Choose { default, .. } = maker.the_match().next() else { panic!("an over is due") };
        let mut field = default["field"].clone();
        (field["3"], field["4"]) = (default["field"]["4"].clone(), default["field"]["3"].clone());
        let bowled = |maker: LogMaker, bowler: &str| {
            let maker = over(maker, json!({"bowler": bowler, "field": field})).rolled(1);
            over(over_out(maker), json!({"field": field})).rolled(1)
        };
        let maker = bowled(again_from(bowled(maker, "Rovers 11"), 1), "Rovers 9");
        assert_eq!(told(&maker)[0], ["innings 1, over 1, bowler: \"Rovers 11\" -> \"Rovers 9\""]);
    });
}

#[test]
fn an_opener_is_told_and_the_next_batter_by_default_is_not() {
    with_both_dice(howzat, |maker| {
        let maker = out(maker.home_bats().rolled(1), 1).rolled(1);
        let maker = over(again_from(maker, 1), json!({"openers": ["Wanderers 3", "Wanderers 2"]}));
        let maker = out(maker.rolled(1), 1).rolled(1);
        let due = "innings 1, over 1, openers: [\"Wanderers 1\",\"Wanderers 2\"] -> [\"Wanderers 3\",\"Wanderers 2\"]";
        assert_eq!(told(&maker)[0], [due]);
    });
}

#[test]
fn a_moved_field_is_told_by_the_fielders_who_moved() {
    with_both_dice(howzat, |maker| {
        let maker = maker.home_bats();
        let Next::Choose { default, .. } = maker.the_match().next() else { panic!("an over is due") };
        let mut field = default["field"].clone();
        (field["3"], field["4"]) = (default["field"]["4"].clone(), default["field"]["3"].clone());
        let moved = over(again_from(maker.rolled(1), 1), json!({"field": field})).rolled(1);
        let there =
            "field: {\"3\":\"Rovers 3\",\"4\":\"Rovers 4\"} -> {\"3\":\"Rovers 4\",\"4\":\"Rovers 3\"}";
        assert_eq!(told(&moved)[0], [format!("innings 1, over 1, {there}")]);
        let back =
            "field: {\"3\":\"Rovers 4\",\"4\":\"Rovers 3\"} -> {\"3\":\"Rovers 3\",\"4\":\"Rovers 4\"}";
        assert_eq!(told(&again_from(moved, 1).rolled(1))[0][1..], [format!("innings 1, over 1, {back}")]);
    });
}
