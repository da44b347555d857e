//! Restorations: what they bring back has to follow as it was, and nothing else may.

use serde_json::{Value, json};
use third_umpire_test_support::logs::{Log, LogMaker, Setting, amends};

use crate::audited::audit;

/// The correction of [`restored`], which voids event 6 and all play after it; the restoration comes next.
const UNDO: u64 = 10;
const RESTORATION: u64 = 11;

/// Howzat at the table: five balls, of which four are taken back and brought back.
fn undone() -> LogMaker {
    let balls: [&[i64]; 5] = [&[2, 4], &[2, 3], &[2, 6], &[2, 1], &[2, 3]];
    Setting::overs(1).table().home_bats().over(json!({})).balls(balls).voided_from(2, "by mistake")
}

fn restored() -> LogMaker {
    undone().restored(UNDO, "it was right")
}

fn kinds(log: &Log) -> Vec<String> {
    log.events().iter().map(|event| event["kind"].as_str().expect("a kind").to_owned()).collect()
}

#[test]
fn a_restoration_is_clean() {
    let log = restored().log();
    assert_eq!(
        &kinds(&log)[UNDO as usize - 1..],
        ["correction", "restoration", "ball", "ball", "ball", "ball"]
    );
    let report = audit(&log);
    assert!(report.clean, "{}", report.text);
    assert_eq!(report.json["changed_choices"], json!([]));
    assert_eq!(report.json["corrections"][1]["restores"], UNDO);
    // Play goes on, and what is put right is taken back as well.
    let amended = restored().balls([&[2, 1]]).amended(amends(1), Some(&[2, 6]), "a six").log();
    let seq = kinds(&amended).iter().rposition(|kind| kind == "correction").expect("one") as u64 + 1;
    let back = restored()
        .balls([&[2, 1]])
        .amended(amends(1), Some(&[2, 6]), "a six")
        .restored(seq, "it was a four")
        .log();
    let report = audit(&back);
    assert!(report.clean, "{}", report.text);
}

#[test]
fn a_restoration_brings_back_what_was_void_and_nothing_else() {
    let log = restored().log();
    let first = RESTORATION + 1;
    let said = "and this event is not what comes next";
    let diverges = |log: &Log, seq: u64, kind: &str, ball: Option<u32>| {
        audit(log).diverges(seq, kind, ball, &["rules"]).with_message("rules", said);
    };
    // A ball that is left out, or comes twice.
    let without = |seq: u64| log.forge().without(seq).mended();
    diverges(&without(first), first, "ball", Some(3));
    diverges(&without(first + 1), first + 1, "ball", Some(4));
    diverges(&log.forge().doubled(first).mended(), first + 1, "ball", Some(2));
    // Another ball in its place.
    let another = undone().restored(UNDO, "it was right").log().first(RESTORATION).forge();
    let other = undone().balls([&[2, 6]]).log().events()[UNDO as usize].clone();
    diverges(&another.and(other).mended(), first, "ball", Some(2));
    // Another author.
    let by_umpire = |event: &mut Value| {
        if event["seq"] == first {
            event["actor"] = json!("umpire");
        }
    };
    diverges(&log.forge().each(by_umpire).mended(), first, "ball", Some(2));
}

#[test]
fn a_log_that_ends_within_a_restoration_misses_what_it_brings_back() {
    let log = restored().log();
    for last in RESTORATION..RESTORATION + 4 {
        let report = audit(&log.first(last));
        assert!(!report.clean, "ends at {last}");
        assert!(report.text.contains("restoration brings back is missing"), "{}", report.text);
    }
}

#[test]
fn a_restoration_names_the_last_correction_and_what_it_voids() {
    let log = restored().log();
    for (member, value) in [
        ("/restores", json!(UNDO - 1)),
        ("/restores", json!(RESTORATION)),
        ("/voids_from_seq", json!(UNDO)),
        ("/voids_from_seq", json!(6)),
        ("/dice_seen", json!(true)),
    ] {
        let report = audit(&log.forge().set(RESTORATION, member, value.clone()).mended());
        assert!(!report.clean, "{member} {value}");
        assert_eq!(report.json["divergence"]["seq"], RESTORATION, "{member} {value}: {}", report.text);
    }
    // Nothing was played since.
    let played_on = undone().balls([&[2, 5]]).log();
    let restoration: Value = log.events()[RESTORATION as usize - 1].clone();
    let mut restoration = restoration;
    restoration["data"]["dice_seen"] = json!(true);
    audit(&played_on.forge().and(restoration).mended())
        .diverges(RESTORATION + 1, "restoration", None, &["rules"])
        .with_message("rules", "play has gone on");
}
