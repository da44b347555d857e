//! Corrections, agreed outcomes and disputes on the command line, and the scorecard as it was known at an
//! earlier moment.

use serde_json::{Value, json};
use third_umpire_test_support::logs::{Log, Setting, adjudicated_at_the_table, adjudicated_to_the_end};
use third_umpire_test_support::program::{Scratch, run};

fn run_on(command: &str, log: &Log, more: &[&str]) -> String {
    let scratch = Scratch::new();
    let file = scratch.write("match.ndjson", log.text());
    run(&[&[command, &file], more].concat()).succeeded()
}

#[test]
fn the_audit_reports_what_was_settled() {
    insta::assert_snapshot!(run_on("audit", &adjudicated_to_the_end(), &[]));
}

#[test]
fn the_audit_reports_what_was_settled_as_json() {
    let report: Value =
        serde_json::from_str(&run_on("audit", &adjudicated_to_the_end(), &["--format", "json"])).unwrap();
    let kept = ["verified_through", "exceptions", "corrections", "changed_choices", "disputes"];
    let kept: serde_json::Map<String, Value> =
        kept.into_iter().map(|name| (name.to_owned(), report[name].clone())).collect();
    insta::assert_snapshot!(serde_json::to_string_pretty(&kept).unwrap());
}

#[test]
fn the_story_says_that_a_ball_is_void() {
    insta::assert_snapshot!(run_on("replay", &adjudicated_at_the_table().log(), &[]));
}

#[test]
fn the_card_ends_with_what_is_not_as_in_other_matches() {
    let card = run_on("scorecard", &adjudicated_at_the_table().log(), &[]);
    insta::assert_snapshot!(card);
    assert!(card.lines().all(|line| line.chars().count() <= 80), "{card}");
}

#[test]
fn long_claims_are_printed_within_eighty_columns_and_on_their_lines() {
    let claim = "loaded ".repeat(100) + &"x".repeat(200);
    let log = adjudicated_at_the_table().disputed(2, &claim, third_umpire::scorebook::Side::Home).log();
    let card = run_on("scorecard", &log, &[]);
    assert!(card.contains("In dispute: delivery 2 (innings 1, 0.2), by Wanderers: loaded loaded"), "{card}");
    assert!(card.lines().all(|line| line.chars().count() <= 80), "{card}");
}

#[test]
fn knowledge_at_an_event_is_that_of_a_log_that_ends_there() {
    let log = adjudicated_to_the_end();
    for known in [1, 4, 8, 11, 12, 13, 14, 17, 20, 21, 22, 24, 36, 37, 38, 55] {
        let first = log.first(known);
        let at = known.to_string();
        for command in ["replay", "scorecard"] {
            assert_eq!(
                run_on(command, &log, &["--as-known-at", &at]),
                run_on(command, &first, &[]),
                "{known}"
            );
            let both = run_on(command, &log, &["--at", &at, "--as-known-at", &at]);
            assert_eq!(both, run_on(command, &first, &["--at", &at]), "{command} {known}");
        }
    }
}

fn total(log: &Log, more: &[&str]) -> (Value, Value) {
    let text = run_on("scorecard", log, &[&["--format", "json"], more].concat());
    let card: Value = serde_json::from_str(&text).unwrap();
    (card["innings"][0]["total"]["runs"].clone(), card["as_known_at"].clone())
}

#[test]
fn a_card_about_a_moment_is_as_it_was_known_at_another() {
    let log = adjudicated_to_the_end();
    // After delivery 6, event 11 at first, there are 7 runs with the mistyped die, then 9, and 11 once all is
    // known.
    for (known, runs, as_known_at) in [
        ("11", 7, Value::Null),
        ("12", 7, Value::Null),
        ("20", 9, json!(13)),
        ("36", 9, json!(21)),
        ("55", 11, json!(37)),
    ] {
        let found = total(&log, &["--at", "11", "--as-known-at", known]);
        assert_eq!(found, (json!(runs), as_known_at), "as known at {known}");
    }
    assert_eq!(total(&log, &["--at", "11"]), (json!(11), json!(37)));
}

#[test]
fn a_moment_that_was_not_or_not_yet_is_refused() {
    let scratch = Scratch::new();
    let file = scratch.write("match.ndjson", adjudicated_to_the_end().text());
    for command in ["replay", "scorecard"] {
        for (more, words) in [
            (&["--as-known-at", "0"][..], "no event 0"),
            (&["--at", "0", "--as-known-at", "9"], "no event 0"),
            (&["--as-known-at", "56"], "ends at event 55"),
            (&["--at", "3", "--as-known-at", "18446744073709551615"], "ends at event 55"),
            (&["--at", "56"], "ends at event 55"),
            (&["--at", "9", "--as-known-at", "8"], "event 9 was not known yet"),
            (&["--at", "56", "--as-known-at", "55"], "event 56 was not known yet"),
        ] {
            let ran = run(&[&[command, &file], more].concat()).failed(&[words]);
            assert_eq!(ran.out, "", "{command} {more:?}");
        }
        for known in ["-1", "x", "1.5", ""] {
            let ran = run(&[command, &file, &format!("--as-known-at={known}")]);
            assert_eq!(ran.code, Some(2), "{ran:?}");
            assert!(ran.err.contains("--as-known-at <SEQ>") && ran.out.is_empty(), "{ran:?}");
        }
    }
}

/// The match of [`adjudicated_to_the_end`], by a scorer who made no mistakes.
fn without_mistakes() -> Log {
    let first: [&[i64]; 6] = [&[2, 2], &[2, 1], &[2, 6], &[2, 3], &[2, 2], &[2, 3]];
    let maker = Setting::overs(2).table().home_bats().balls(first).over(json!({"bowler": "Rovers 9"}));
    let maker = maker.balls([&[2, 2]]).ball_agreed_on(
        &[2, 1],
        json!({"runs": {"batter": 4}}),
        "it ran on to the rope",
    );
    let maker = maker.balls([&[2, 3], &[2, 3], &[2, 5], &[2, 3]]);
    maker.balls([&[6, 6], &[6, 6], &[4, 6]]).log()
}

#[test]
fn two_books_of_which_one_had_its_mistakes_put_right_say_the_same() {
    let scratch = Scratch::new();
    let (corrected, plain) = (adjudicated_to_the_end(), without_mistakes());
    let a = scratch.write("a.ndjson", corrected.text());
    let b = scratch.write("b.ndjson", plain.text());
    for books in [[&a, &b], [&b, &a]] {
        let output = run(&["diff", books[0], books[1]]).succeeded();
        assert!(output.contains("SAME"), "{output}");
    }
    // Before the first mistake is corrected, the books differ there.
    let early = scratch.write("early.ndjson", corrected.first(36).text());
    let ran = run(&["diff", &early, &b, "--format", "json"]);
    let report: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!((ran.code, &report["first_difference"]["a"]["delivery"]), (Some(1), &json!(1)));
}
