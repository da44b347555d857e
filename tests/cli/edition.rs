//! `edition check`, `simulate --edition`, and match logs that contain their edition.

use serde_json::{Value, json};
use third_umpire_test_support::logs::built_in_edition;
use third_umpire_test_support::program::{ProgramRun, Scratch, run, run_with_input};

const SEED: &str = "5eed5eed5eed5eed5eed5eed5eed5eed5eed5eed5eed5eed5eed5eed5eed5eed";

/// The built-in edition with one value changed.
fn changed(pointer: &str, value: Value) -> Value {
    let mut edition: Value = serde_json::from_str(built_in_edition()).unwrap();
    *edition.pointer_mut(pointer).expect("there is such a place") = value;
    edition
}

fn club() -> Value {
    changed("/id", json!("club"))
}

/// Runs `edition check` on an edition.
fn check(edition: &str) -> ProgramRun {
    run_with_input(&["edition", "check", "-"], edition.as_bytes())
}

#[test]
fn an_edition_is_told_by_its_name_and_hash() {
    let scratch = Scratch::new();
    let file = scratch.write("edition.json", built_in_edition());
    let output = run(&["edition", "check", &file]).succeeded();
    let (name, hash) = output.trim_end().split_once('\n').expect("two lines");
    assert_eq!((name, hash.len()), ("edition house of cricket-the-game", 64));
    assert_eq!(check(built_in_edition()).succeeded(), output);
    let other: Value = serde_json::from_str(built_in_edition()).unwrap();
    assert_eq!(
        check(&serde_json::to_string_pretty(&other).unwrap()).succeeded(),
        output,
        "blanks do not count"
    );
    assert_ne!(check(&club().to_string()).succeeded(), output);
}

#[test]
fn every_fault_is_told_on_a_line_of_its_own() {
    let mut edition = changed("/over_decks/pace/3/effects", json!([{"then": {"explode": 1}}]));
    edition["teams"][0]["players"][1]["confidence"] = json!(9);
    let ran = check(&edition.to_string());
    assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""));
    let faults: Vec<&str> = ran.err.lines().collect();
    assert_eq!(faults.len(), 2, "{faults:?}");
    for place in ["over_decks.pace[3].effects[0].then: ", "teams[0].players[1].confidence: "] {
        assert!(
            faults.iter().any(|line| line.starts_with(&format!("third-umpire: -: {place}"))),
            "{faults:?}"
        );
    }
}

#[test]
fn a_file_without_an_edition_is_refused() {
    let deep = "[".repeat(100_000) + &"]".repeat(100_000);
    let large = format!("{{\"id\":\"{}\"}}", "x".repeat(5_000_000));
    for (edition, message) in [
        ("{\"id\":", "is not JSON"),
        ("", "is not JSON"),
        (&deep, "deeper than 127 levels"),
        (&large, "longer than 1048576"),
    ] {
        check(edition).failed(&[message]);
    }
    run(&["edition", "check", "nowhere.json"]).failed(&["nowhere.json cannot be read"]);
}

fn simulate(edition: &str, folder: &str) -> ProgramRun {
    let arguments =
        ["simulate", "--game", "cricket-the-game", "--rules", r#"{"format":"t10"}"#, "--seed", SEED];
    run(&[&arguments[..], &["--matches", "1", "--edition", edition, "--log-dir", folder]].concat())
}

/// The logs of a match with the club's edition: one that contains the edition, and one without it.
fn logs(scratch: &Scratch) -> (String, String) {
    let (edition, folder) = (scratch.write("club.json", club().to_string()), scratch.file("logs"));
    simulate(&edition, &folder).succeeded();
    let log = std::fs::read_to_string(format!("{folder}/1.ndjson")).unwrap();
    let (first, bare) = log.split_once('\n').unwrap();
    assert!(first.starts_with("{\"edition\":{"));
    (log.clone(), bare.to_owned())
}

#[test]
fn a_log_that_brings_its_edition_is_read_by_every_command() {
    let scratch = Scratch::new();
    let (log, bare) = logs(&scratch);
    let (with_it, without) = (scratch.write("with.ndjson", &log), scratch.write("without.ndjson", &bare));
    assert!(run_with_input(&["audit", "-"], log.as_bytes()).succeeded().starts_with("CLEAN"));
    assert!(run(&["replay", &with_it]).succeeded().contains(" over"));
    assert!(run(&["scorecard", &with_it]).succeeded().starts_with("Home v Away"));
    assert!(
        run(&["diff", &with_it, &without]).succeeded().starts_with("THE SAME"),
        "one brings the edition of both"
    );
    assert!(run(&["diff", &without, &with_it]).succeeded().starts_with("THE SAME"));
    for command in ["audit", "replay", "scorecard"] {
        run(&[command, &without]).failed(&["is not known here", "log's first line"]);
    }
    run(&["diff", &without, &without]).failed(&["is not known here"]);
}

#[test]
fn the_audit_finds_another_edition_than_the_matchs() {
    let scratch = Scratch::new();
    let (log, bare) = logs(&scratch);
    let other = log.replacen("\"id\":\"club\"", "\"id\":\"clubs\"", 1);
    let ran = run_with_input(&["audit", "-"], other.as_bytes());
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(ran.out.contains("the log contains edition \"clubs\""), "{}", ran.out);
    let file = scratch.write("other.ndjson", &other);
    for command in ["replay", "scorecard"] {
        run(&[command, &file]).failed(&["the log contains edition", "\"club\""]);
    }
    run(&["diff", &file, &scratch.write("bare.ndjson", &bare)]).failed(&["the log contains edition"]);
}

#[test]
fn only_a_game_with_editions_is_simulated_with_one() {
    let scratch = Scratch::new();
    let file = scratch.write("club.json", club().to_string());
    run(&["simulate", "--game", "howzat", "--matches", "1", "--edition", &file])
        .failed(&["--edition", "howzat has no editions"]);
    let none = scratch.write("none.json", changed("/teams", json!([])).to_string());
    simulate(&none, &scratch.file("logs")).failed(&["--edition", "without teams"]);
    let bad = scratch.write("bad.json", changed("/id", json!(7)).to_string());
    simulate(&bad, &scratch.file("logs")).failed(&["bad.json", "id: ", "edition check"]);
}
