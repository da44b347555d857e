//! Logs of Cricket: The Game: proved, told, compared, and found out where somebody has been at them.

use serde_json::{Value, json};

use crate::support::{Audited, Forged, Forger, HOUSE, Log, Maker, Scratch, Setting, audit, fed, run};

const AT_THE_TABLE: [&str; 2] = ["rolled at the table", "still in play"];

fn begun() -> Maker {
    let maker = Setting::at_the_board(json!({"format": "t20"})).table();
    maker.set_up(json!({"pitch": "neutral"})).home_bats().over(json!({"bowler": "Thulani Mabasa"}))
}

/// A catch is dropped, an appeal turned down and reviewed, a skill played, a run out, and somebody comes in.
fn at_the_table() -> Maker {
    let stroke = |card: &str| json!({"over_card": card, "bowl": "yorker", "stroke": "on_straight"});
    let with = |mut choices: Value, name: &str, value: Value| {
        choices[name] = value;
        choices
    };
    let in_the_air =
        with(with(stroke("on_a_length"), "longer", json!(false)), "attitude", json!("aggressive"));
    let missed =
        with(with(stroke("rapped_on_the_pad"), "reroll_batter", json!("no")), "attitude", json!("defensive"));
    let tried = with(with(stroke("half_volley"), "longer", json!(false)), "run", json!(2));
    begun()
        .bowled_with(with(in_the_air, "run", json!(1)), &[2, 8, 4, 1, 3])
        .bowled_with(missed, &[6, 2, 3])
        .reviewed(4)
        .bowled_with(with(stroke("off_the_seam"), "skills", json!({"bowler": ["effort_ball"]})), &[4, 4, 1])
        .bowled_with(tried, &[2, 5, 3, 2, 5])
        .bowled_with(json!({"over_card": "over_the_line", "next_batter": "Tane Whaiora"}), &[3, 3])
        .bowled_with(json!({}), &[1, 6])
}

/// The line that brings the house edition, or one with one thing in it changed.
fn edition_line(change: impl FnOnce(&mut Value)) -> String {
    let mut edition: Value = serde_json::from_str(HOUSE).unwrap();
    change(&mut edition);
    third_umpire::log::canonical(&json!({"edition": edition})).unwrap()
}

/// The ball of a delivery.
fn ball(log: &Log, delivery: u64) -> u64 {
    log.seq_of(|event| event["kind"] == "ball" && event["data"]["delivery"] == delivery)
}

fn rebuilt(log: &Log, delivery: u64, change: impl FnOnce(&mut Value)) -> (u64, Forged) {
    let seq = ball(log, delivery);
    (seq, Forged::of(log.forge().with(seq, change)))
}

#[test]
fn every_command_reads_a_log_with_and_without_its_edition() {
    let scratch = Scratch::new();
    let seeded = Setting::at_the_board(json!({"format": "t10", "drs": "on"})).seeded().asked_out();
    for (log, not_proved) in [(at_the_table().log(), &AT_THE_TABLE[..]), (seeded, &[])] {
        audit(&log).is_clean(&[not_proved, &["no head was given"]].concat());
        let (bare, text) =
            (scratch.write("bare.ndjson", log.text()), edition_line(|_| {}) + "\n" + &log.text());
        let with_it = scratch.write("with.ndjson", &text);
        assert!(fed(&["audit", "-"], text.as_bytes()).well().starts_with("CLEAN"));
        for command in ["replay", "scorecard"] {
            assert_eq!(run(&[command, &bare]).well(), run(&[command, &with_it]).well());
        }
        let json = |file: &str| run(&["scorecard", file, "--format", "json"]).well();
        assert_eq!(json(&bare), json(&with_it));
        assert!(run(&["diff", &bare, &with_it]).well().starts_with("THE SAME"));
    }
}

#[test]
fn a_log_with_rolls_and_reviews_is_told_in_words() {
    let scratch = Scratch::new();
    let log = Setting::at_the_board(json!({"format": "t10", "drs": "on"})).seeded().asked_out();
    let kinds = |kind: &str| log.events().iter().filter(|event| event["kind"] == kind).count();
    assert!(
        kinds("roll") > 10 && kinds("review") > 0,
        "{} rolls, {} reviews",
        kinds("roll"),
        kinds("review")
    );
    let file = scratch.write("match.ndjson", log.text());
    let card = run(&["scorecard", &file]).well();
    assert!(
        card.starts_with("Harbour Terns v Copperfield Larks") && card.contains("reviewed delivery"),
        "{card}"
    );
    assert!(!card.contains("Jaromir Pell"), "who was dropped did not play:\n{card}");
    let replay = run(&["replay", &file]).well();
    let set_up = "The match is set up, on a pitch that favours nobody. Harbour Terns leave out Jaromir Pell. \
                  Copperfield Larks leave out Ewan Strachanson.";
    assert!(replay.contains(set_up) && replay.contains("review: "), "{replay}");
    let proved = audit(&log);
    assert!(proved.proved().iter().any(|line| line.contains("every die")), "{}", proved.text);
}

#[test]
fn the_first_ball_that_differs_is_told() {
    let scratch = Scratch::new();
    let other = begun().bowled_with(json!({"over_card": "on_a_length"}), &[3, 3, 1]).log();
    let one = scratch.write("one.ndjson", at_the_table().log().text());
    let other = scratch.write("other.ndjson", other.text());
    let said = run(&["diff", &one, &other]);
    assert_eq!(said.code, Some(1), "{said:?}");
    assert!(said.out.contains("event 6"), "{}", said.out);
}

#[test]
fn an_over_card_that_is_not_in_the_deck_is_found() {
    let log = at_the_table().log();
    for card in ["joker", "nothing_in_it", "on_a_length"] {
        let (seq, forged) = rebuilt(&log, 2, |ball| ball["choices"]["over_card"] = json!(card));
        forged.diverge(seq, "ball", Some(2), &["rules"]).citing("rules", &["ctg.ball.over_card"]);
    }
}

#[test]
fn a_forged_catch_is_found() {
    let log = at_the_table().log();
    let (seq, forged) = rebuilt(&log, 1, |ball| ball["dice"][4]["value"] = json!(6));
    forged.diverge(seq, "ball", Some(1), &["rules"]);
    let (seq, forged) = rebuilt(&log, 1, |ball| ball["outcome"]["detail"]["catch"]["held"] = json!(true));
    let found = forged.diverge(seq, "ball", Some(1), &["rules"]);
    found.field("rules", "outcome.detail.catch.held", true, false);
    let cited = found.json["divergence"]["findings"][0]["rulings"].to_string();
    assert!(cited.contains("ctg.catch.dropped"), "{cited}");
}

#[test]
fn a_field_that_cannot_be_is_found() {
    let log = at_the_table().log();
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
fn a_skill_used_twice_is_found() {
    let log = at_the_table().log();
    let skills = json!({"bowler": ["effort_ball"]});
    let (seq, forged) = rebuilt(&log, 5, |ball| ball["choices"]["skills"] = skills);
    forged.diverge(seq, "ball", Some(5), &["rules"]).citing("rules", &["ctg.ball.skill"]);
}

#[test]
fn a_confidence_that_was_changed_is_found() {
    let log = at_the_table().log();
    let (seq, forged) = rebuilt(&log, 3, |ball| ball["outcome"]["detail"]["confidence"] = json!(3));
    let found = forged.diverge(seq, "ball", Some(3), &["rules"]);
    found.field("rules", "outcome.detail.confidence", 3, 1);
    let (seq, forged) = rebuilt(&log, 3, |ball| ball["outcome"]["detail"]["confidence"] = json!(7));
    forged.diverge(seq, "ball", Some(3), &["rules"]).field("rules", "outcome.detail.confidence", 7, 1);
}

#[test]
fn a_run_out_that_was_none_and_a_decision_nobody_asked_for_are_found() {
    let log = at_the_table().log();
    let (seq, forged) = rebuilt(&log, 4, |ball| ball["dice"][4]["value"] = json!(2));
    forged.diverge(seq, "ball", Some(4), &["rules"]);
    let (seq, forged) = rebuilt(&log, 3, |ball| ball["choices"]["run"] = json!(1));
    forged.diverge(seq, "ball", Some(3), &["rules"]).citing("rules", &["ctg.ball.not_asked"]);
    let (seq, forged) = rebuilt(&log, 6, |ball| ball["choices"]["over_card"] = json!("steaming_in"));
    forged.diverge(seq, "ball", Some(6), &["rules"]).citing("rules", &["ctg.ball.over_card"]);
}

#[test]
fn a_review_that_was_forged_is_found() {
    let log = at_the_table().log();
    let seq = log.seq_of(|event| event["kind"] == "review");
    let forged = Forged::of(log.forge().set(seq, "/dice/0/value", 5));
    forged.diverge(seq, "review", Some(2), &["rules"]);
    let forged = Forged::of(log.forge().set(seq, "/retained", false));
    forged.diverge(seq, "review", Some(2), &["rules"]).citing("rules", &["ctg.review.umpires_call"]);
}

#[test]
fn a_set_up_that_cannot_be_is_found() {
    let log = at_the_table().log();
    let forge = |field: &str, value: &str| audit(&log.forge().set(2, field, value).mended());
    forge("/choices/drop/home", "Ottoline Reyes")
        .diverges(2, "set_up", None, &["rules"])
        .citing("rules", &["ctg.set_up.drop"]);
    forge("/choices/pitch", "wet")
        .diverges(2, "set_up", None, &["rules"])
        .citing("rules", &["ctg.set_up.pitch"]);
    let card = audit(&log.forge().set(1, "/home/players/0/confidence", 9).mended());
    card.diverges(1, "match_created", None, &["data"])
        .saying("data", "confidence is a whole number from -1 to 3");
}

#[test]
fn dice_and_cards_of_a_seeded_match_are_found_by_the_seed() {
    let log = Setting::at_the_board(json!({"format": "t10", "drs": "on"})).seeded().asked_out();
    // Another card that was never turned in the over: only the seed knows.
    let forged = audit(
        &log.forge()
            .with(2, |set_up| {
                let pitch = if set_up["dice"][0]["value"] == 1 { ("spin", 2) } else { ("pace", 1) };
                set_up["choices"]["pitch"] = json!(pitch.0);
                set_up["dice"][0]["value"] = json!(pitch.1);
            })
            .mended(),
    );
    assert_eq!(forged.code, 1, "{}", forged.text);
    let roll = log.seq_of(|event| event["kind"] == "roll");
    let delivery = log.events()[roll as usize - 1]["data"]["delivery"].clone();
    let die = |forger: Forger, of: &str| -> Audited {
        let audited = audit(&forger.mended());
        assert_eq!(audited.code, 1, "{of}: {}", audited.text);
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

#[test]
fn an_edition_of_other_content_is_found() {
    let scratch = Scratch::new();
    let log = at_the_table().log();
    let other = edition_line(|edition| edition["over_decks"]["pace"][0]["express"] = json!("two"))
        + "\n"
        + &log.text();
    let ran = fed(&["audit", "-"], other.as_bytes());
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(ran.out.starts_with("DIVERGES at event 1"), "{}", ran.out);
    let file = scratch.write("other.ndjson", &other);
    for command in ["replay", "scorecard"] {
        run(&[command, &file]).failed(&["the log brings edition"]);
    }
    let bad =
        edition_line(|edition| edition["over_decks"]["pace"][0]["effects"] = json!([{"then": "explode"}]));
    let ran = fed(&["audit", "-"], (bad + "\n" + &log.text()).as_bytes());
    assert_eq!(ran.code, Some(2), "{ran:?}");
    assert!(ran.err.contains("over_decks.pace[0].effects[0].then"), "{}", ran.err);
}
