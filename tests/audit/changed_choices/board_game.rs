//! Changed choices of Cricket: The Game, and its cards, which are read off the table.

use serde_json::{Value, json};
use third_umpire::matches::Input;
use third_umpire::matches::corrections::CorrectionTarget;
use third_umpire::rules::{Next, Play};
use third_umpire_test_support::logs::{LogMaker, Setting, object, remote_board_game_bowled_again};

use super::{again_from, changed, is_table, not_out, out, over, told, with_both_dice};

/// A T20 of the board game in its first over.
fn board(maker: LogMaker) -> LogMaker {
    board_over(maker.set_up_by_default().home_bats(), json!({}))
}

fn board_over(maker: LogMaker, mut choices: Value) -> LogMaker {
    choices["bowler"] = json!("Thulani Mabasa");
    over(maker, choices)
}

fn t20() -> Setting {
    Setting::board_game(json!({"format": "t20"}))
}

/// Bowls a ball of the board game; at the table this card is turned for it.
fn turned(maker: LogMaker, card: &str, mut choices: Value) -> LogMaker {
    if is_table(&maker) {
        choices["over_card"] = json!(card);
    }
    maker.bowled_choosing(choices)
}

/// The changed choices with this name where the first ball is bowled with these choices, and then with those.
fn ball_changed(name: &str, then: Value, now: Value) -> Vec<Vec<String>> {
    [t20().seeded(), t20().table()]
        .into_iter()
        .map(|maker| {
            let maker = again_from(turned(board(maker), "off_the_seam", then.clone()), 1);
            changed(&turned(board_over(maker, json!({})), "off_the_seam", now.clone()), &[name])
        })
        .collect()
}

#[test]
fn the_audit_tells_a_skill_added_or_dropped() {
    let skill = || json!({"skills": {"bowler": ["effort_ball"]}});
    let added = "delivery 1 (innings 1, 0.1), skills: none -> {\"bowler\":[\"effort_ball\"]}";
    assert_eq!(ball_changed("skills", json!({}), skill()), [[added]; 2]);
    let dropped = "delivery 1 (innings 1, 0.1), skills: {\"bowler\":[\"effort_ball\"]} -> none";
    assert_eq!(ball_changed("skills", skill(), json!({})), [[dropped]; 2]);
}

#[test]
fn the_audit_tells_a_choice_changed_to_its_default_or_from_it() {
    let attitude = |way: &str| json!({"attitude": way});
    let [bold, careful] = ["aggressive", "defensive"];
    let line =
        |then: &str, now: &str| format!("delivery 1 (innings 1, 0.1), attitude: \"{then}\" -> \"{now}\"");
    assert_eq!(
        ball_changed("attitude", attitude(bold), json!({})),
        [[line(bold, careful)], [line(bold, careful)]]
    );
    assert_eq!(
        ball_changed("attitude", json!({}), attitude(bold)),
        [[line(careful, bold)], [line(careful, bold)]]
    );
    assert_eq!(ball_changed("attitude", attitude(careful), json!({})), [[""; 0]; 2]);
}

/// The field that stands, and the same with its first two fielders in each other's place.
fn fields(maker: &LogMaker) -> [Value; 2] {
    let begun = maker.sealed.events.iter().rfind(|event| event.data.kind() == "over").unwrap();
    let stands = begun.data.chosen()["field"].clone();
    let mut moved = stands.clone();
    (moved[0], moved[1]) = (stands[1].clone(), stands[0].clone());
    [stands, moved]
}

#[test]
fn a_field_moved_for_a_ball_is_told_and_one_that_stands_is_not() {
    with_both_dice(t20, |maker| {
        let maker = board(maker);
        let [stands, moved] = fields(&maker);
        let bowled = |maker: LogMaker, choices: Value| {
            let maker = again_from(turned(maker, "off_the_seam", json!({})), 1);
            turned(board_over(maker, json!({})), "off_the_seam", choices)
        };
        let maker = bowled(maker, json!({"field": stands}));
        assert_eq!(changed(&maker, &["field"]), [""; 0], "it is named, and nobody moved");
        let maker = again_from(maker, 1);
        let maker = turned(board_over(maker, json!({})), "off_the_seam", json!({"field": moved}));
        let due = format!("delivery 1 (innings 1, 0.1), field: [{0},{1}] -> [{1},{0}]", stands[0], stands[1]);
        assert_eq!(changed(&maker, &["field"]), [due]);
    });
}

#[test]
fn a_field_that_stands_because_the_over_began_with_it_is_told_once() {
    with_both_dice(t20, |maker| {
        let maker = board(maker);
        let [stands, moved] = fields(&maker);
        let maker = again_from(turned(maker, "off_the_seam", json!({})), 1);
        let maker = turned(board_over(maker, json!({"field": moved})), "off_the_seam", json!({}));
        let due = format!("innings 1, over 1, field: [{0},{1}] -> [{1},{0}]", stands[0], stands[1]);
        assert_eq!(changed(&maker, &["field"]), [due]);
    });
}

#[test]
fn a_bowl_that_is_the_default_both_times_is_not_told() {
    with_both_dice(t20, |maker| {
        let maker = board(maker);
        let Next::Choose { legal, default, .. } = maker.the_match().next() else { panic!("a ball is due") };
        let third = &legal["bowl"][2];
        assert_ne!(*third, default["bowl"]);
        let maker = turned(turned(maker, "off_the_seam", json!({})), "half_volley", json!({}));
        let maker =
            turned(board_over(again_from(maker, 1), json!({})), "off_the_seam", json!({"bowl": third}));
        let maker = turned(maker, "half_volley", json!({}));
        let due = format!("delivery 1 (innings 1, 0.1), bowl: {} -> {third}", default["bowl"]);
        assert_eq!(changed(&maker, &["bowl"]), [due]);
    });
}

#[test]
fn a_next_batter_of_the_board_game_is_told_only_if_he_is_not_the_default() {
    with_both_dice(t20, |maker| {
        let maker = turned(turned(board(maker), "off_the_seam", json!({})), "half_volley", json!({}));
        let maker = turned(board_over(again_from(maker, 1), json!({})), "off_the_seam", json!({}));
        let maker = out(maker, 1);
        let Next::Choose { legal, default, .. } = maker.the_match().next() else { panic!("a ball is due") };
        let other = legal["next_batter"].as_array().unwrap().last().unwrap();
        assert_ne!(*other, default["next_batter"]);
        let maker = turned(maker, "half_volley", json!({}));
        assert_eq!(changed(&maker, &["next_batter", "next_attitude"]), [""; 0]);
        let maker = turned(again_from(maker, 2), "half_volley", json!({"next_batter": other}));
        let due = format!("delivery 2 (innings 1, 0.2), next_batter: {} -> {other}", default["next_batter"]);
        assert_eq!(changed(&maker, &["next_batter", "next_attitude"]), [due]);
    });
}

#[test]
fn the_audit_tells_a_next_batter_of_the_board_game_that_became_necessary() {
    with_both_dice(t20, |maker| {
        let maker = not_out(turned(board(maker), "off_the_seam", json!({})), 1);
        let maker = turned(maker, "half_volley", json!({}));
        let maker = turned(board_over(again_from(maker, 1), json!({})), "off_the_seam", json!({}));
        let maker = out(maker, 1);
        let Next::Choose { legal, .. } = maker.the_match().next() else { panic!("a ball is due") };
        let other = legal["next_batter"].as_array().unwrap().last().unwrap();
        let maker = turned(maker, "half_volley", json!({"next_batter": other}));
        assert_eq!(
            changed(&maker, &["next_batter"]),
            [format!("delivery 2 (innings 1, 0.2), next_batter: none -> {other}")]
        );
    });
}

#[test]
fn the_audit_tells_a_power_play_added_or_dropped() {
    let t10 = || Setting::board_game(json!({"format": "t10"}));
    with_both_dice(t10, |maker| {
        let mut maker = maker.set_up_by_default().home_bats();
        while maker.the_match().play().next_over() != (1, 3) {
            maker = maker.answering_at_random(1);
        }
        let bowled = |maker: LogMaker, called: bool| {
            let maker = over(maker, json!({"power_play": called})).answering_at_random(1);
            let last = maker.the_match().play().deliveries();
            again_from(maker, last)
        };
        let maker = bowled(bowled(bowled(maker, false), true), false);
        let due = ["false -> true", "true -> false"].map(|to| format!("innings 1, over 3, power_play: {to}"));
        assert_eq!(changed(&maker, &["power_play", "field"]), due, "the field follows the power play");
    });
}

#[test]
fn an_attitude_follows_the_one_with_which_a_batter_comes_in() {
    with_both_dice(t20, |maker| {
        let maker = turned(board(maker), "off_the_seam", json!({}));
        let is_out = matches!(maker.the_match().next(), Next::Choose { legal, .. } if legal.get("next_batter").is_some());
        let maker = if is_out { maker } else { out(maker, 1) };
        let maker = turned(maker, "half_volley", json!({"next_attitude": "aggressive"}));
        let maker = turned(again_from(maker, 2), "half_volley", json!({}));
        let due = "delivery 2 (innings 1, 0.2), next_attitude: \"aggressive\" -> \"defensive\"";
        assert_eq!(changed(&maker, &["next_attitude", "attitude"]), [due]);
        let maker = turned(again_from(maker, 2), "half_volley", json!({"attitude": "aggressive"}));
        let back = "delivery 2 (innings 1, 0.2), next_attitude: \"defensive\" -> \"aggressive\"";
        assert_eq!(changed(&maker, &["next_attitude", "attitude"]), [due, back], "he comes in with it");
    });
}

#[test]
fn cards_at_the_table_are_read_anew_and_those_of_a_seed_follow_from_it() {
    let maker = again_from(turned(board(t20().table()), "off_the_seam", json!({})), 1);
    let maker = turned(board_over(maker, json!({})), "half_volley", json!({}));
    let [changed_choices, read_anew] = told(&maker);
    assert_eq!(read_anew, ["delivery 1 (innings 1, 0.1), over_card: \"off_the_seam\" -> \"half_volley\""]);
    assert!(changed_choices.iter().all(|line| !line.contains("over_card")), "{changed_choices:?}");
    let maker = maker.corrected(CorrectionTarget::FromEvent(2), "the pitch").set_up(json!({"pitch": "pace"}));
    assert_eq!(told(&maker)[1][1..], ["the set-up, pitch: \"spin\" -> \"pace\""]);
    let seeded = again_from(turned(board(t20().seeded()), "", json!({})), 1);
    let seeded = turned(board_over(seeded, json!({})), "", json!({"bowl": "bouncer"}));
    assert_eq!(told(&seeded)[1], [""; 0]);
    assert_eq!(changed(&seeded, &["over_card"]), [""; 0]);
}

#[test]
fn a_field_moved_in_remote_play_is_told_for_the_over_and_not_for_its_balls() {
    let maker = remote_board_game_bowled_again();
    let [moved, stood] = fields(&maker);
    let due = format!("innings 1, over 1, field: [{0},{1}] -> [{1},{0}]", stood[0], stood[1]);
    let [changed_choices, read_anew] = told(&maker);
    assert_eq!(read_anew, [""; 0]);
    // Bowls are sealed, and told where they differ.
    let open: Vec<&String> = changed_choices.iter().filter(|line| !line.contains(", bowl: ")).collect();
    assert_eq!(open, [&due], "{moved}");
}

#[test]
fn the_audit_tells_a_player_dropped_after_the_pitch_was_seen() {
    with_both_dice(t20, |maker| {
        let pitch = if is_table(&maker) { json!({"pitch": "spin"}) } else { json!({}) };
        let Next::Choose { legal, default, .. } = maker.the_match().next() else { panic!("a set-up is due") };
        let other =
            legal["drop"]["home"].as_array().unwrap().iter().find(|name| **name != default["drop"]["home"]);
        let maker = maker.set_up_by_default();
        let set_up = maker.sealed.events.last().unwrap().seq;
        let mut choices = pitch;
        choices["drop"] = json!({"home": other});
        let maker = maker.corrected(CorrectionTarget::FromEvent(set_up), "another rests");
        let maker = maker.rolling(Input::Play(Play::SetUp(object(choices))));
        assert_eq!(changed(&maker, &["drop"]).len(), 1, "{:?}", told(&maker));
    });
}
