//! `audit`: the program prints the library's report, and exits by its verdict.

use third_umpire::audit::{Verdict, audit};
use third_umpire::log::SCHEMA_VERSION;
use third_umpire_test_support::logs::forger::edited;
use third_umpire_test_support::logs::{
    Log, Setting, adjudicated_to_the_end, board_game_at_the_table, remote_match, scripted, short,
    stored_folder, stored_heads, stored_logs, with_edition,
};
use third_umpire_test_support::program::{Scratch, run, run_with_input};
use third_umpire_test_support::random::Lcg;

/// Asserts that the program prints the library's report on a log, from a file and from standard input.
fn is_reported(log: &Log, head: Option<&str>) {
    let scratch = Scratch::new();
    let (text, file) = (log.text(), scratch.write("match.ndjson", log.text()));
    let report = audit(text.as_bytes(), head).unwrap();
    let code = i32::from(report.verdict != Verdict::Clean);
    let json = serde_json::to_string_pretty(&report).unwrap() + "\n";
    let expect = head.map_or(vec![], |head| vec!["--expect-head", head]);
    for (format, due) in [("text", report.to_string()), ("json", json)] {
        let with = |file| [&["audit", file, "--format", format], &*expect].concat();
        for ran in [run(&with(&file)), run_with_input(&with("-"), text.as_bytes())] {
            assert_eq!((ran.code, &*ran.out, &*ran.err), (Some(code), &*due, ""));
        }
    }
}

#[test]
fn the_report_that_is_printed_is_that_of_the_library() {
    let seeded = Setting::default().seeded().tossed().played_out();
    let forger = seeded.forge().set(14, "/dice/1/value", 6);
    let others = "ab".repeat(32);
    for (log, head) in [
        (&seeded, None),
        (&seeded, Some(&seeded.head())),
        (&seeded, Some(&others)),
        (&seeded.first(40), None),
        (&seeded.first(1), None),
        (&Setting::overs(1).table().home_bats().abandoned("rain"), None),
        (&scripted(), None),
        (&adjudicated_to_the_end(), None),
        (&remote_match(), None),
        (&with_edition(board_game_at_the_table().log()), None),
        (&forger.clone().broken(), None),
        (&forger.clone().mended(), None),
        (&forger.mended(), Some(&seeded.head())),
        (&seeded.forge().without(1).mended(), None),
    ] {
        is_reported(log, head.map(String::as_str));
    }
}

#[test]
fn every_stored_log_is_reported_told_and_carded() {
    for version in 1..=SCHEMA_VERSION {
        let heads = stored_heads(version);
        for (name, log) in stored_logs(version) {
            is_reported(&log, Some(&heads[&name]));
            let file = stored_folder(version).join(&name).display().to_string();
            assert!(run(&["audit", &file]).succeeded().starts_with("CLEAN"), "{name}");
            run(&["replay", &file]).succeeded();
            run(&["scorecard", &file]).succeeded();
        }
    }
}

#[test]
fn a_log_may_come_from_standard_input() {
    let output = run_with_input(&["audit", "-"], scripted().text().as_bytes()).succeeded();
    assert!(output.starts_with("CLEAN"), "{output}");
    for text in ["rolled at the table and are taken as entered", "no head was given to compare"] {
        assert!(
            output.lines().any(|line| line.starts_with("not proved: ") && line.contains(text)),
            "{output}"
        );
    }
    let forged = scripted().forge().set(7, "/dice/1/value", 6).mended();
    let ran = run_with_input(&["audit", "-"], forged.text().as_bytes());
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(ran.out.starts_with("DIVERGES at event 7 (ball), delivery 3"), "{ran:?}");
    assert!(ran.out.contains("\n  rules: ") && !ran.out.contains("\n  chain: "), "{ran:?}");
    run_with_input(&["audit", "-"], b"").failed(&["line 1"]);
}

#[test]
fn a_head_that_is_no_hash_is_a_mistake_in_asking_and_not_a_forged_log() {
    let log = scripted();
    let scratch = Scratch::new();
    let file = scratch.write("match.ndjson", log.text());
    for no_hash in ["", "abc", "not-a-hash", &log.head()[1..]] {
        assert_eq!(run(&["audit", &file, "--expect-head", no_hash]).code, Some(2), "{no_hash:?}");
    }
    run(&["audit", &file, "--expect-head", &log.head().to_uppercase()]).succeeded();
}

#[test]
fn the_program_ends_with_1_or_2_and_does_not_panic_whatever_became_of_a_log() {
    let (log, mut random) = (short().text().into_bytes(), Lcg(7));
    let flips = (0..log.len()).step_by(101).map(|place| {
        let mut flipped = log.clone();
        flipped[place] ^= 1 << (place % 8);
        flipped
    });
    let edits: Vec<_> = (0..40).map(|_| edited(&log, &mut random)).filter(|other| *other != log).collect();
    let mut ends = [0, 0];
    for other in flips.chain(edits) {
        let ran = run_with_input(&["audit", "-"], &other);
        match ran.code {
            Some(code @ 1..=2) => ends[code as usize - 1] += 1,
            _ => panic!("{ran:?}: {}", String::from_utf8_lossy(&other)),
        }
    }
    assert!(ends.iter().all(|times| *times > 5), "{ends:?}");
}
