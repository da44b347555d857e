//! Logs of Cricket: The Game, with and without their edition: replayed, compared, and refused.

use serde_json::{Value, json};
use third_umpire_test_support::logs::{Setting, board_game_at_the_table, board_game_begun, built_in_edition};
use third_umpire_test_support::program::{Scratch, run, run_with_input};

const AT_THE_TABLE: [&str; 2] = ["rolled at the table", "still in play"];

/// The line of a log that has the built-in edition, with a change.
fn edition_line(change: impl FnOnce(&mut Value)) -> String {
    let mut edition: Value = serde_json::from_str(built_in_edition()).unwrap();
    change(&mut edition);
    third_umpire::canonical::canonical(&json!({"edition": edition})).unwrap()
}

#[test]
fn every_command_reads_a_log_with_and_without_its_edition() {
    let scratch = Scratch::new();
    let seeded = Setting::board_game(json!({"format": "t10", "drs": "on"})).seeded().played_out_answering();
    for (log, not_proved) in [(board_game_at_the_table().log(), &AT_THE_TABLE[..]), (seeded, &[])] {
        let output = run_with_input(&["audit", "-"], log.text().as_bytes()).succeeded();
        for line in not_proved.iter().chain(&["no head was given"]) {
            assert!(
                output.lines().any(|proof| proof.starts_with("not proved: ") && proof.contains(line)),
                "{output}"
            );
        }
        let (bare, text) =
            (scratch.write("bare.ndjson", log.text()), edition_line(|_| {}) + "\n" + &log.text());
        let with_it = scratch.write("with.ndjson", &text);
        assert!(run_with_input(&["audit", "-"], text.as_bytes()).succeeded().starts_with("CLEAN"));
        for command in ["replay", "scorecard"] {
            assert_eq!(run(&[command, &bare]).succeeded(), run(&[command, &with_it]).succeeded());
        }
        let json = |file: &str| run(&["scorecard", file, "--format", "json"]).succeeded();
        assert_eq!(json(&bare), json(&with_it));
        assert!(run(&["diff", &bare, &with_it]).succeeded().starts_with("THE SAME"));
    }
}

#[test]
fn a_log_with_rolls_and_reviews_is_told_in_words() {
    let scratch = Scratch::new();
    let log = Setting::board_game(json!({"format": "t10", "drs": "on"})).seeded().played_out_answering();
    let kinds = |kind: &str| log.events().iter().filter(|event| event["kind"] == kind).count();
    assert!(
        kinds("roll") > 10 && kinds("review") > 0,
        "{} rolls, {} reviews",
        kinds("roll"),
        kinds("review")
    );
    let file = scratch.write("match.ndjson", log.text());
    let card = run(&["scorecard", &file]).succeeded();
    assert!(
        card.starts_with("Harbour Terns v Copperfield Larks") && card.contains("reviewed delivery"),
        "{card}"
    );
    assert!(!card.contains("Jaromir Pell"), "who was dropped did not play:\n{card}");
    let replay = run(&["replay", &file]).succeeded();
    let set_up = "The match is set up, on a pitch that favours nobody. Harbour Terns leave out Jaromir Pell. \
                  Copperfield Larks leave out Ewan Strachanson.";
    assert!(replay.contains(set_up) && replay.contains("review: "), "{replay}");
    let audited = run(&["audit", &file]).succeeded();
    let proved = |line: &str| line.starts_with("proved: ") && line.contains("every die");
    assert!(audited.lines().any(proved), "{audited}");
}

#[test]
fn the_report_shows_the_first_ball_that_differs() {
    let scratch = Scratch::new();
    let other = board_game_begun().bowled_with(json!({"over_card": "on_a_length"}), &[3, 3, 1]).log();
    let one = scratch.write("one.ndjson", board_game_at_the_table().log().text());
    let other = scratch.write("other.ndjson", other.text());
    let output = run(&["diff", &one, &other]);
    assert_eq!(output.code, Some(1), "{output:?}");
    assert!(output.out.contains("event 6"), "{}", output.out);
}

#[test]
fn the_audit_finds_an_edition_of_other_content() {
    let scratch = Scratch::new();
    let log = board_game_at_the_table().log();
    let other = edition_line(|edition| edition["over_decks"]["pace"][0]["express"] = json!("two"))
        + "\n"
        + &log.text();
    let ran = run_with_input(&["audit", "-"], other.as_bytes());
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(ran.out.starts_with("DIVERGES at event 1"), "{}", ran.out);
    let file = scratch.write("other.ndjson", &other);
    for command in ["replay", "scorecard"] {
        run(&[command, &file]).failed(&["the log contains edition"]);
    }
    let bad =
        edition_line(|edition| edition["over_decks"]["pace"][0]["effects"] = json!([{"then": "explode"}]));
    let ran = run_with_input(&["audit", "-"], (bad + "\n" + &log.text()).as_bytes());
    assert_eq!(ran.code, Some(2), "{ran:?}");
    assert!(ran.err.contains("over_decks.pace[0].effects[0].then"), "{}", ran.err);
}
