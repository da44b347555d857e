//! Logs without the event that ends the match, with the chain mended: a match that is played out ends at
//! once, whatever follows.

use third_umpire_test_support::logs::{Log, stored};

use crate::audited::{Audited, audit};

/// The stored logs with events after the end of a match: the seq of `match_completed`, and the audit's
/// message for the event after it once the end is missing.
pub const ENDED_BEFORE: [(&str, u64, &str); 6] = [
    ("howzat-seeded-corrected", 124, "correction"),
    ("cuberoots-seeded-corrected", 124, "correction"),
    ("cuberoots-table-corrected", 124, "correction"),
    ("cuberoots-remote-corrected", 39, "correction_proposed"),
    ("howzat-table-corrected", 125, "correction"),
    ("howzat-table-settled", 36, "correction"),
];

fn without(log: &Log, seq: u64) -> Audited {
    assert_eq!(log.events()[seq as usize - 1]["kind"], "match_completed");
    audit(&log.forge().without(seq).mended())
}

#[test]
fn the_end_taken_out_is_missed_where_a_correction_or_a_proposal_stands_behind_it() {
    for (name, seq, next) in ENDED_BEFORE {
        let audited = without(&stored(name), seq);
        audited.diverges(seq, next, None, &["rules"]).with_message("rules", "match_completed must come next");
    }
}

#[test]
fn the_end_taken_out_is_missed_at_a_dispute_at_a_token_and_at_the_end_of_the_file() {
    let corrected = stored("howzat-seeded-corrected");
    without(&corrected, 183).diverges(183, "dispute", None, &["rules"]);
    let adjudicated = stored("howzat-table-settled");
    without(&adjudicated, 55)
        .diverges(55, "match_completed", None, &["rules"])
        .with_message("rules", "is missing");
    let mut token = corrected.events()[37].clone();
    assert_eq!(token["kind"], "token_rotated");
    token["match"] = corrected.events()[0]["match"].clone();
    let rotated = corrected.forge().inserted(183, token);
    audit(&rotated.clone().mended()).is_clean(&["the table agreed", "no head was given"]);
    let audited = audit(&rotated.without(183).mended());
    audited.diverges(183, "token_rotated", None, &["rules"]).with_message("rules", "match_completed");
}

#[test]
fn the_last_ball_of_an_ended_match_is_not_taken_back_and_bowled_again() {
    let log = stored("howzat-seeded-corrected");
    let events = log.events();
    let (ball, end) = (&events[122], &events[123]);
    assert_eq!((ball["kind"].as_str(), end["kind"].as_str()), (Some("ball"), Some("match_completed")));
    let mut correction = events[26].clone();
    let delivery = ball["data"]["delivery"].clone();
    correction["data"] = serde_json::json!({
        "voids_from": delivery, "voids_from_seq": 123, "reason": "entered twice", "dice_seen": true,
    });
    // With the end in its place, the audit refuses the event as the service does.
    let forger = log.first(124).forge().and(correction).and(ball.clone()).and(end.clone());
    audit(&forger.clone().mended())
        .diverges(125, "correction", None, &["rules"])
        .with_message("rules", "the seeds are open");
    audit(&forger.without(124).mended())
        .diverges(124, "correction", None, &["rules"])
        .with_message("rules", "match_completed must come next");
}
