//! CubeRoots cricket at the table beyond its short match: four innings, and cubes that are rolled.

use serde_json::{Value, json};
use third_umpire_test_support::service::{Match, table, with};

use crate::board_game::changes;
use crate::phone::Phone;
use crate::table::{Table, balls_of, pad_of, play_of};

/// The time that a ball is held.
const HOLD: u64 = 4000;

fn cubes(service: &Table, rules: Value) -> Match {
    service.begun(&with(with(table(2), "/game", json!("cuberoots")), "/rules", rules))
}

#[test]
fn a_test_match_is_scored_over_its_four_innings_and_without_a_limit_of_overs() {
    let service = Table::laid();
    let Some(phone) = Phone::without_motion(&service.address()) else { return };
    let played = cubes(&service, json!({"variant": "test", "end_at_target": true}));
    phone.opens(&pad_of(&played));
    let (mut balls, mut panels) = (0, Vec::new());
    while played.view()["status"] == "in_play" {
        if phone.has("[data-hint]") {
            panels.push(phone.text("[data-hint]"));
            phone.presses("Enter", 0);
        }
        // Six, and then ten wickets, in each innings but the last: the chase is won by two sixes.
        let innings = played.view()["situation"]["innings"].as_u64().unwrap_or(1);
        let (bowler, batter) = if balls % 11 == 0 || innings == 4 { ("0", "9") } else { ("9", "0") };
        phone.presses(bowler, 0);
        phone.waits_ms(400);
        phone.presses(batter, 0);
        balls += 1;
        phone.waits_ms(HOLD);
        assert!(balls < 50, "{}", phone.text("body"));
    }
    phone.reads(".sync", "finished");
    let view = played.view();
    assert_eq!(view["score"]["innings"].as_array().map(Vec::len), Some(4), "{}", view["score"]);
    assert_eq!(balls_of(&played), balls);
    assert!(panels.iter().any(|panel| panel.contains("all out")), "{panels:?}");
}

#[test]
fn a_cube_that_is_rolled_is_told_with_its_ball_and_once_in_an_over() {
    let service = Table::laid();
    let Some(phone) = Phone::without_motion(&service.address()) else { return };
    let played = cubes(&service, json!({"overs": 2, "roll_a_cube": true}));
    phone.opens(&pad_of(&played));
    changes(&phone, "choices.batter_rolled", &json!(true));
    phone.rolls(3);
    phone.rolls(5);
    phone.waits_ms(HOLD);
    let ball = play_of(&played).pop().expect("a ball");
    let rolled = json!({"bowler_number": 3, "batter_number": 5, "batter_rolled": true});
    assert_eq!(ball["data"]["choices"], rolled);
    // A side rolls one in an over: nothing more is asked of it.
    phone.taps("[data-action='more']");
    let more = phone.text("dialog");
    assert!(!phone.has("dialog [data-action='ask:choices.batter_rolled']"), "{more}");
    assert!(phone.has("dialog [data-action='ask:choices.bowler_rolled']"), "{more}");
}
