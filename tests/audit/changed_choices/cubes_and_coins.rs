//! Changed choices of CubeRoots, whose numbers are read off the cubes at the table, and of coin cricket.

use serde_json::{Value, json};
use third_umpire::log::TossChoice;
use third_umpire::matches::Input;
use third_umpire::matches::corrections::CorrectionTarget;
use third_umpire_test_support::coin_cricket::every_game;
use third_umpire_test_support::logs::{LogMaker, Setting};

use super::{again_from, ball, over, told, with_both_dice};

fn cuberoots() -> Setting {
    Setting { game: "cuberoots", rules: json!({"overs": 2, "roll_a_cube": true}), ..Setting::default() }
}

#[test]
fn numbers_of_cubes_at_the_table_are_read_anew() {
    let shown = |maker, numbers: [u8; 2]| {
        ball(maker, json!({"bowler_number": numbers[0], "batter_number": numbers[1]}))
    };
    let maker = again_from(shown(cuberoots().table().home_bats(), [3, 4]), 1);
    let maker = shown(over(maker, json!({"bowler": "Rovers 5"})), [2, 6]);
    let bowler = "innings 1, over 1, bowler: \"Rovers\" -> \"Rovers 5\"".to_owned();
    let numbers = [
        "delivery 1 (innings 1, 0.1), batter_number: 4 -> 6",
        "delivery 1 (innings 1, 0.1), bowler_number: 3 -> 2",
    ];
    assert_eq!(told(&maker), [vec![bowler], numbers.map(str::to_owned).to_vec()]);
    let rolled = json!({"bowler_number": 2, "batter_number": 6, "bowler_rolled": true});
    let maker = ball(over(again_from(maker, 1), json!({"bowler": "Rovers 5"})), rolled);
    assert_eq!(told(&maker)[0][1..], ["delivery 1 (innings 1, 0.1), bowler_rolled: none -> true"]);
    let orders = |maker, first: u8| {
        let six = json!([first, 1, 2, 3, 4, 5]);
        ball(over(maker, json!({"orders": {"bowling": six, "batting": six}})), json!({}))
    };
    let maker = orders(again_from(orders(cuberoots().table().home_bats(), 7), 1), 8);
    let [changed_choices, read_anew] = told(&maker);
    assert_eq!((changed_choices.len(), read_anew.len()), (0, 1), "{read_anew:?}");
    assert!(read_anew[0].starts_with("innings 1, over 1, orders: "), "{read_anew:?}");
}

#[test]
fn the_audit_tells_a_bowler_changed_after_the_numbers_were_read() {
    let six = json!([7, 1, 2, 3, 4, 5]);
    let orders = json!({"bowling": six, "batting": six});
    for (read, due) in [(json!({"orders": orders}), 1), (json!({}), 0)] {
        let maker = over(cuberoots().table().home_bats(), read.clone());
        let begun = maker.sealed.events.last().unwrap().seq;
        let maker = maker.corrected(CorrectionTarget::FromEvent(begun), "another bowls");
        let mut choices = read;
        choices["bowler"] = json!("Rovers 5");
        assert_eq!(told(&over(maker, choices))[0].len(), due, "{due}");
    }
}

#[test]
fn orders_and_rolls_of_a_seeded_match_are_told_and_the_numbers_follow_from_them() {
    let maker = cuberoots().seeded().home_bats().rolled(2);
    let begun = maker.sealed.events.iter().rfind(|event| event.data.kind() == "over").unwrap();
    let mut cubes = begun.data.chosen()["deal"]["bowling"].as_array().unwrap().clone();
    cubes.reverse();
    let bowled = |maker: LogMaker, choices: Value| over(again_from(maker, 1), choices).rolled(2);
    let names = |maker: &LogMaker| -> Vec<String> {
        let [changed_choices, read_anew] = told(maker);
        assert_eq!(read_anew, [""; 0]);
        changed_choices.iter().map(|line| line[..line.find(": ").unwrap()].to_owned()).collect()
    };
    let maker = bowled(maker, json!({"orders": {"bowling": cubes}}));
    assert_eq!(names(&maker), ["innings 1, over 1, orders"]);
    let maker = again_from(maker, 1).rolled(2);
    assert_eq!(names(&maker)[1..], ["innings 1, over 1, orders"], "back to the order of the deal");
    let maker = bowled(maker, json!({"roll": {"bowling": 1}, "bowler": "Rovers 5"}));
    assert_eq!(names(&maker)[2..], ["innings 1, over 1, bowler", "innings 1, over 1, roll"]);
    let maker = again_from(maker, 1).rolled(2);
    assert_eq!(names(&maker)[4..], ["innings 1, over 1, bowler", "innings 1, over 1, roll"]);
}

#[test]
fn a_call_of_coin_cricket_is_told_unless_it_is_the_default_both_times() {
    let coin = || Setting::of(every_game().registry().find("coin-cricket").unwrap(), json!({"overs": 2}));
    with_both_dice(coin, |maker| {
        let maker = again_from(maker.home_bats().rolled(1), 1);
        let maker = over(maker, json!({"home": "tails"})).rolled(1);
        assert_eq!(told(&maker)[0], ["innings 1, over 1, home: \"heads\" -> \"tails\""]);
        let maker = again_from(maker, 1).rolled(1);
        assert_eq!(told(&maker)[0][1..], ["innings 1, over 1, home: \"tails\" -> \"heads\""]);
        // The other side bats now, and the defaults change with it.
        let maker = maker.corrected(CorrectionTarget::FromEvent(3), "home bowls");
        let maker = maker.rolling(Input::TossDecision { to: TossChoice::Bowl }).rolled(1);
        assert_eq!(told(&maker)[0][2..], ["the toss, to: \"bat\" -> \"bowl\""]);
    });
}
