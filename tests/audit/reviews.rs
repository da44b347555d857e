//! Reviews changed after the match: their die, their verdict, their side, and the card that results.

use serde_json::{Value, json};
use third_umpire_test_support::logs::{Log, LogMaker, Setting};

use crate::audited::{Forged, audit};

const LBW: &[i64] = &[5, 5];
const DOT: &[i64] = &[2, 3];

fn drs(overs: u16) -> Setting {
    Setting { rules: json!({"overs": overs, "drs": "house"}), ..Setting::default() }
}

/// Wanderers' first batter is given out twice in an over: a review is upheld, and the next dismissal is
/// accepted.
fn at_the_table() -> LogMaker {
    let begun = drs(5).table().home_bats().balls([DOT, LBW]).reviewed(5);
    begun.balls([&[2, 4], LBW])
}

fn seeded() -> Log {
    drs(20).seeded().tossed().played_out_reviewing()
}

fn of_review(log: &Log, wanted: impl Fn(&Value) -> bool) -> u64 {
    log.seq_of(|event| event["kind"] == "review" && wanted(&event["data"]))
}

/// The delivery of a review.
fn delivery(log: &Log, seq: u64) -> Option<u32> {
    let events = log.events();
    events[seq as usize - 1]["data"]["delivery"].as_u64().map(|delivery| delivery as u32)
}

#[test]
fn a_match_with_reviews_is_clean_and_the_seed_gives_their_dice() {
    audit(&at_the_table().log()).is_clean(&["rolled at the table", "still in play", "no head was given"]);
    let clean = audit(&seeded());
    clean.is_clean(&["no head was given"]);
    assert!(clean.proved().iter().any(|line| line.contains("every die")), "{}", clean.text);
}

#[test]
fn a_forged_verdict_is_found_by_the_rules() {
    let log = at_the_table().log();
    let seq = of_review(&log, |_| true);
    let outcome = log.events()[seq as usize - 2]["data"]["outcome"].clone();
    let forger = log.forge().set(seq, "/verdict", "struck_down").set(seq, "/outcome", outcome);
    let forged = Forged::of(forger);
    forged
        .diverge(seq, "review", delivery(&log, seq), &["rules"])
        .field("rules", "verdict", "struck_down", "upheld")
        .citing("rules", &["howzat.review.upheld"]);
}

#[test]
fn a_review_said_to_be_kept_is_found_by_the_rules() {
    let log = at_the_table().log();
    let seq = of_review(&log, |_| true);
    let forged = Forged::of(log.forge().set(seq, "/retained", true));
    forged.diverge(seq, "review", delivery(&log, seq), &["rules"]).field("rules", "retained", true, false);
}

#[test]
fn another_outcome_of_a_review_is_found_by_the_rules() {
    let log = at_the_table().log();
    let seq = of_review(&log, |_| true);
    let forger = log.forge().set(seq, "/outcome/runs/batter", 4).set(seq, "/outcome/runs/total", 4);
    let forged = Forged::of(forger);
    let mended = forged.diverge(seq, "review", delivery(&log, seq), &["rules"]);
    mended.field("rules", "outcome.runs.batter", 4, 0);
}

#[test]
fn a_review_for_the_other_side_is_found_by_the_rules() {
    let log = at_the_table().log();
    let seq = of_review(&log, |_| true);
    let forged = Forged::of(log.forge().set(seq, "/by", "away"));
    forged
        .diverge(seq, "review", delivery(&log, seq), &["rules"])
        .with_message("rules", "only the home side");
}

#[test]
fn the_die_of_a_seeded_review_is_found_by_the_seed() {
    let log = seeded();
    let seq = of_review(&log, |data| data["verdict"] == "struck_down" && data["umpires_call"] == false);
    let value = log.events()[seq as usize - 1]["data"]["dice"][0]["value"].as_u64().unwrap();
    // Every face from 1 to 3 gives the same verdict; only the seed knows which it was.
    let other = value % 3 + 1;
    let forged = Forged::of(log.forge().set(seq, "/dice/0/value", other));
    forged
        .diverge(seq, "review", delivery(&log, seq), &["seed"])
        .field("seed", "dice[0].value", other, value)
        .citing("seed", &["howzat.review.struck_down"]);
}

#[test]
fn a_review_left_out_is_found_by_what_follows() {
    let log = at_the_table().log();
    let seq = of_review(&log, |_| true);
    let forged = audit(&log.forge().without(seq).mended());
    assert!(!forged.clean, "{}", forged.text);
    forged.diverges(seq, "ball", Some(3), &["data"]).with_message("data", "the match waits for: review");
}

#[test]
fn a_decision_accepted_by_the_service_is_found_where_nothing_was_amended() {
    let accepted = drs(5).table().home_bats().balls([LBW]).accepted().log();
    let seq = of_review(&accepted, |data| data["accepted"] == true);
    let mut forger = accepted.forge();
    forger.event(seq)["actor"] = json!("service");
    let audited = audit(&forger.mended());
    audited.diverges(seq, "review", Some(1), &["rules"]).with_message("rules", "accepted by its side");
}
