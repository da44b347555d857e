//! Logs of Cricket: The Game with changed cards, dice, fields, reviews or set-ups.

use serde_json::{Value, json};
use third_umpire_test_support::logs::{Forger, Log, Setting, board_game_at_the_table};

use crate::audited::{Audited, Forged, audit};

/// The seq of a delivery's ball.
fn ball(log: &Log, delivery: u64) -> u64 {
    log.seq_of(|event| event["kind"] == "ball" && event["data"]["delivery"] == delivery)
}

fn rebuilt(log: &Log, delivery: u64, change: impl FnOnce(&mut Value)) -> (u64, Forged) {
    let seq = ball(log, delivery);
    (seq, Forged::of(log.forge().with(seq, change)))
}

#[test]
fn the_audit_finds_an_over_card_that_is_not_in_the_deck() {
    let log = board_game_at_the_table().log();
    for card in ["joker", "nothing_in_it", "on_a_length"] {
        let (seq, forged) = rebuilt(&log, 2, |ball| ball["choices"]["over_card"] = json!(card));
        forged.diverge(seq, "ball", Some(2), &["rules"]).citing("rules", &["ctg.ball.over_card"]);
    }
}

#[test]
fn the_audit_finds_a_forged_catch() {
    let log = board_game_at_the_table().log();
    let (seq, forged) = rebuilt(&log, 1, |ball| ball["dice"][4]["value"] = json!(6));
    forged.diverge(seq, "ball", Some(1), &["rules"]);
    let (seq, forged) = rebuilt(&log, 1, |ball| ball["outcome"]["detail"]["catch"]["held"] = json!(true));
    let found = forged.diverge(seq, "ball", Some(1), &["rules"]);
    found.field("rules", "outcome.detail.catch.held", true, false);
    let cited = found.json["divergence"]["findings"][0]["rulings"].to_string();
    assert!(cited.contains("ctg.catch.dropped"), "{cited}");
}

#[test]
fn the_audit_finds_an_impossible_field() {
    let log = board_game_at_the_table().log();
    let over = log.seq_of(|event| event["kind"] == "over");
    for (place, ruling) in
        [("cut.2", "ctg.field.area"), ("cut.3", "ctg.field.outfield"), ("cut.7", "ctg.field.tokens")]
    {
        let forged = Forged::of(log.forge().set(over, "/choices/field/0", place));
        forged.diverge(over, "over", None, &["rules"]).citing("rules", &[ruling]);
    }
    let bowler = Forged::of(log.forge().set(over, "/choices/bowler", "Nandini Thakore"));
    bowler.diverge(over, "over", None, &["rules"]).citing("rules", &["ctg.over.bowler"]);
}

#[test]
fn the_audit_finds_a_skill_used_twice() {
    let log = board_game_at_the_table().log();
    let skills = json!({"bowler": ["effort_ball"]});
    let (seq, forged) = rebuilt(&log, 5, |ball| ball["choices"]["skills"] = skills);
    forged.diverge(seq, "ball", Some(5), &["rules"]).citing("rules", &["ctg.ball.skill"]);
}

#[test]
fn the_audit_finds_a_changed_confidence() {
    let log = board_game_at_the_table().log();
    let (seq, forged) = rebuilt(&log, 3, |ball| ball["outcome"]["detail"]["confidence"] = json!(3));
    let found = forged.diverge(seq, "ball", Some(3), &["rules"]);
    found.field("rules", "outcome.detail.confidence", 3, 1);
    let (seq, forged) = rebuilt(&log, 3, |ball| ball["outcome"]["detail"]["confidence"] = json!(7));
    forged.diverge(seq, "ball", Some(3), &["rules"]).field("rules", "outcome.detail.confidence", 7, 1);
}

#[test]
fn a_run_out_that_was_none_and_a_decision_nobody_asked_for_are_found() {
    let log = board_game_at_the_table().log();
    let (seq, forged) = rebuilt(&log, 4, |ball| ball["dice"][4]["value"] = json!(2));
    forged.diverge(seq, "ball", Some(4), &["rules"]);
    let (seq, forged) = rebuilt(&log, 3, |ball| ball["choices"]["run"] = json!(1));
    forged.diverge(seq, "ball", Some(3), &["rules"]).citing("rules", &["ctg.ball.not_asked"]);
    let (seq, forged) = rebuilt(&log, 6, |ball| ball["choices"]["over_card"] = json!("steaming_in"));
    forged.diverge(seq, "ball", Some(6), &["rules"]).citing("rules", &["ctg.ball.over_card"]);
}

#[test]
fn the_audit_finds_a_forged_review() {
    let log = board_game_at_the_table().log();
    let seq = log.seq_of(|event| event["kind"] == "review");
    let forged = Forged::of(log.forge().set(seq, "/dice/0/value", 5));
    forged.diverge(seq, "review", Some(2), &["rules"]);
    let forged = Forged::of(log.forge().set(seq, "/retained", false));
    forged.diverge(seq, "review", Some(2), &["rules"]).citing("rules", &["ctg.review.umpires_call"]);
}

#[test]
fn the_audit_finds_an_impossible_set_up() {
    let log = board_game_at_the_table().log();
    let forge = |field: &str, value: &str| audit(&log.forge().set(2, field, value).mended());
    forge("/choices/drop/home", "Ottoline Reyes")
        .diverges(2, "set_up", None, &["rules"])
        .citing("rules", &["ctg.set_up.drop"]);
    forge("/choices/pitch", "wet")
        .diverges(2, "set_up", None, &["rules"])
        .citing("rules", &["ctg.set_up.pitch"]);
    let card = audit(&log.forge().set(1, "/home/players/0/confidence", 9).mended());
    card.diverges(1, "match_created", None, &["data"])
        .with_message("data", "confidence is a whole number from -1 to 3");
}

#[test]
fn dice_and_cards_of_a_seeded_match_are_found_by_the_seed() {
    let log = Setting::board_game(json!({"format": "t10", "drs": "on"})).seeded().played_out_answering();
    // The new card was never turned in the over, so that only the seed proves the change.
    let forged = audit(
        &log.forge()
            .with(2, |set_up| {
                let pitch = if set_up["dice"][0]["value"] == 1 { ("spin", 2) } else { ("pace", 1) };
                set_up["choices"]["pitch"] = json!(pitch.0);
                set_up["dice"][0]["value"] = json!(pitch.1);
            })
            .mended(),
    );
    assert!(!forged.clean, "{}", forged.text);
    let roll = log.seq_of(|event| event["kind"] == "roll");
    let delivery = log.events()[roll as usize - 1]["data"]["delivery"].clone();
    let die = |forger: Forger, of: &str| -> Audited {
        let audited = audit(&forger.mended());
        assert!(!audited.clean, "{of}: {}", audited.text);
        audited
    };
    let value = log.events()[roll as usize - 1]["data"]["dice"][0]["value"].as_u64().unwrap();
    let forged = die(log.forge().set(roll, "/dice/0/value", value % 6 + 1), "the roll");
    assert_eq!(forged.json["divergence"]["delivery"], delivery, "{}", forged.text);
    assert_eq!(forged.json["divergence"]["seq"], roll, "{}", forged.text);
    let forged =
        die(log.forge().with(roll + 1, |ball| ball["choices"]["attitude"] = json!("reckless")), "its ball");
    assert_eq!(forged.json["divergence"]["seq"], roll + 1);
    let forged =
        die(log.forge().with(roll + 1, |ball| ball["choices"]["stroke"] = json!("cut")), "its stroke");
    assert_eq!(forged.json["divergence"]["seq"], roll + 1);
    forged.citing("rules", &["ctg.ball.locked"]);
}
