//! Changes that a log cannot prove by itself, whoever mends its chain: only a head that others know reveals
//! them.

use serde_json::{Value, json};
use third_umpire::commands::Command;
use third_umpire::log::{Actor, DisputeFinding};
use third_umpire::matches::Input;
use third_umpire::matches::corrections::CorrectionTarget;
use third_umpire::scorebook::Side;
use third_umpire_test_support::logs::{Forger, Log, LogMaker, Setting, scripted, stored};

use crate::audited::{Audited, audit, audit_expecting};
use crate::end::ENDED_BEFORE;

fn seeded() -> Log {
    Setting::default().seeded().tossed().played_out()
}

/// Asserts that the broken chain is found at this event, and that the mended log is clean, but ends in
/// another head.
fn only_the_head_tells(log: &Log, seq: u64, forger: Forger) {
    let broken: Audited = audit(&forger.clone().broken());
    let kind = log.events()[seq as usize - 1]["kind"].as_str().unwrap().to_owned();
    let delivery = log.events()[seq as usize - 1]["data"]["delivery"].as_u64().map(|number| number as u32);
    broken.diverges(seq, &kind, delivery, &["chain"]).with_message("chain", "not the SHA-256 of this event");
    let mended = forger.mended();
    let audited = audit(&mended);
    assert!(audited.clean, "{}", audited.text);
    assert!(audited.text.contains("not proved: that this is the log others saw"), "{}", audited.text);
    audit_expecting(&mended, &log.head()).diverges(log.len(), "head", None, &["head"]).field(
        "head",
        "head",
        mended.head(),
        log.head(),
    );
}

#[test]
fn which_of_those_who_may_entered_an_event_is_proved_by_the_chain_alone() {
    let maker = Setting::default()
        .seeded()
        .command(Side::Away, Command::Claim { side: Side::Away, token: String::new() })
        .as_actor(Actor::Scorer);
    let log = maker.tossed().played_out();
    let mut forger = log.forge();
    forger.event(15)["actor"] = "away".into();
    only_the_head_tells(&log, 15, forger);
}

#[test]
fn when_an_event_was_entered_is_proved_by_the_chain_alone_even_where_time_runs_backwards() {
    for at in ["2026-01-31T14:01:31.001Z", "1999-12-31T23:59:59.999Z"] {
        let mut forger = seeded().forge();
        forger.event(14)["at"] = at.into();
        only_the_head_tells(&seeded(), 14, forger);
    }
}

#[test]
fn a_die_of_the_table_that_decides_nothing_else_is_proved_by_the_chain_alone() {
    only_the_head_tells(&scripted(), 5, scripted().forge().set(5, "/dice/0/value", 3));
}

#[test]
fn a_coin_of_the_table_and_its_call_changed_together_are_proved_by_the_chain_alone() {
    only_the_head_tells(&scripted(), 2, scripted().forge().set(2, "/coin", "tails").set(2, "/call", "tails"));
}

#[test]
fn who_gave_the_seed_and_how_long_a_choice_may_take_are_proved_by_the_chain_alone() {
    only_the_head_tells(&seeded(), 1, seeded().forge().set(1, "/seed_source", "creator"));
    only_the_head_tells(&seeded(), 1, seeded().forge().set(1, "/choice_timeout", 60));
}

#[test]
fn why_a_match_was_given_up_is_proved_by_the_chain_alone() {
    let log = Setting::default().seeded().tossed().rolled(3).abandoned("rain");
    only_the_head_tells(&log, 8, log.forge().set(8, "/reason", "a fight"));
}

#[test]
fn a_player_renamed_throughout_is_proved_by_the_chain_alone() {
    let renamed = seeded().text().replace("\"Rovers 5\"", "\"Somebody Else\"");
    let log = Log::of_lines(renamed.lines().map(str::to_owned).collect());
    only_the_head_tells(&seeded(), 1, log.forge());
}

#[test]
fn a_log_made_from_nothing_is_clean_and_only_the_head_tells_it_from_the_true_one() {
    let (log, invented) = (scripted(), Setting::overs(1).table().tossed().played_out());
    audit(&invented).is_clean(&["rolled at the table", "no head was given"]);
    audit_expecting(&invented, &log.head()).diverges(invented.len(), "head", None, &["head"]);
}

#[test]
fn a_match_given_up_earlier_than_it_was_is_clean_and_only_the_head_tells() {
    // Somebody who has the opened seeds can end the log where the other side was still ahead.
    let log = Setting::default().seeded().tossed().played_out();
    let earlier = Setting::default().seeded().tossed().rolled(40).abandoned("bad light");
    assert_eq!(earlier.lines[..50], log.lines[..50]);
    audit(&earlier).is_clean(&["no head was given"]);
    audit_expecting(&earlier, &log.head()).diverges(earlier.len(), "head", None, &["head"]);
}

#[test]
fn dice_of_a_match_in_play_changed_with_their_outcome_are_proved_by_the_chain_alone_until_the_seeds_are_open()
{
    let log = Setting::default().seeded().tossed().rolled(9).log();
    let forger = log.forge().set(14, "/dice/1/value", 3).set(14, "/outcome/boundary", Value::Null);
    let forger = forger.set(14, "/outcome/runs/batter", 0).set(14, "/outcome/runs/total", 0);
    only_the_head_tells(&log, 14, forger.set(14, "/outcome/rulings/1", "howzat.strike.3"));
}

/// Asserts that a log out of which events were taken is clean, that its report says so, and that the head of
/// the true log reveals it.
fn only_the_true_head_reveals(forged: &Log, truth: &Log) {
    let audited = audit(forged);
    assert!(audited.clean, "{}", audited.text);
    let says = "not proved: that nothing was taken out that leaves no trace in what stands, such as ";
    assert!(audited.text.lines().any(|line| line.starts_with(says)), "{}", audited.text);
    audit_expecting(forged, &truth.head()).diverges(forged.len(), "head", None, &["head"]);
}

fn abandoned(maker: LogMaker) -> LogMaker {
    maker.rolling(Input::Abandon { reason: "rain".to_owned() })
}

#[test]
fn an_abandonment_taken_out_before_a_correction_is_clean_without_the_head() {
    let balls = || Setting::overs(2).table().home_bats().balls([&[2, 3], &[2, 1], &[2, 4]]);
    let log = abandoned(balls()).voided_from(3, "entered twice").balls([&[2, 6]]).log();
    let seq = log.seq_of(|event| event["kind"] == "match_abandoned");
    only_the_true_head_reveals(&log.forge().without(seq).mended(), &log);
}

#[test]
fn seeded_balls_bowled_again_after_an_abandonment_taken_out_are_clean_without_the_head() {
    let balls = || Setting::overs(2).seeded().tossed().rolled(4);
    let truth = abandoned(balls());
    assert!(!truth.can_correct(&CorrectionTarget::FromDelivery(1)), "the seeds are open");
    let again = balls().voided_from(1, "entered twice").over(json!({"bowler": "Rovers 1"}));
    only_the_true_head_reveals(&abandoned(again.rolled(4)).log(), &truth.log());
}

#[test]
fn an_end_taken_out_with_the_last_balls_is_clean_without_the_head() {
    for (name, end, _) in ENDED_BEFORE {
        let log = stored(name);
        let events = log.events();
        let balls = events[..end as usize].iter().rev().filter(|event| event["kind"] == "ball");
        for first in balls.take(3).map(|ball| ball["seq"].as_u64().unwrap()) {
            let forger = (first..=end).fold(log.forge(), Forger::without);
            only_the_true_head_reveals(&forger.mended(), &log);
        }
    }
}

#[test]
fn a_correction_taken_out_with_what_it_put_in_place_is_clean_without_the_head() {
    for (name, end, _) in ENDED_BEFORE {
        let (log, older) = (stored(name), stored(name).first(end));
        only_the_true_head_reveals(&older, &log);
        assert_ne!(older.events().last(), log.events().last(), "the older result stands");
    }
    let balls = Setting::overs(2).table().home_bats().balls([&[2, 3], &[2, 4]]);
    let log = balls.voided_from(2, "a six").balls([&[2, 6], &[2, 3]]).log();
    let seq = log.seq_of(|event| event["kind"] == "correction");
    only_the_true_head_reveals(&log.forge().without(seq).without(seq + 1).mended(), &log);
}

/// Asserts that a log out of which events of this class were taken is clean, that its report names the class,
/// and that the head of the true log reveals it.
fn leaves_no_trace(forged: &Log, truth: &Log, class: &str) {
    assert!(audit(forged).text.contains(class), "{}", audit(forged).text);
    only_the_true_head_reveals(forged, truth);
}

fn two_overs() -> LogMaker {
    Setting::overs(2).table().home_bats()
}

#[test]
fn the_tail_of_what_a_correction_took_back_leaves_no_trace() {
    let first: [&[i64]; 6] = [&[2, 3], &[2, 1], &[2, 4], &[2, 3], &[2, 2], &[2, 3]];
    let maker = two_overs().balls(first).over(json!({"bowler": "Rovers 10"})).balls([&[2, 6], &[2, 1]]);
    let over = maker.last_over();
    let maker = maker.corrected(CorrectionTarget::FromEvent(over), "another bowled it");
    let log = maker.over(json!({"bowler": "Rovers 9"})).balls([&[2, 3]]).log();
    let seq = log.seq_of(|event| event["kind"] == "correction");
    let forger = log.forge().set(seq, "/dice_seen", false).without(over + 1).without(over + 2);
    leaves_no_trace(&forger.mended(), &log, "the last events that a correction took back");
}

#[test]
fn a_dispute_with_its_ruling_leaves_no_trace() {
    let maker = two_overs().balls([&[2, 3], &[2, 4]]).disputed(2, "it was a single", Side::Away);
    let maker = maker.balls([&[2, 1]]).ruled(1, "all saw the four", DisputeFinding::Stands);
    let log = maker.balls([&[2, 2]]).log();
    let seqs = ["dispute", "dispute_ruled"].map(|kind| log.seq_of(|event| event["kind"] == kind));
    let forger = seqs.into_iter().fold(log.forge(), Forger::without);
    leaves_no_trace(&forger.mended(), &log, "a dispute with its ruling");
}

#[test]
fn a_handed_over_token_leaves_no_trace() {
    let log = two_overs().balls([&[2, 3]]).with_umpire().balls([&[2, 4]]).log();
    let seq = log.seq_of(|event| event["kind"] == "token_rotated");
    leaves_no_trace(&log.forge().without(seq).mended(), &log, "a token that was handed over");
}

#[test]
fn the_roll_of_a_begun_ball_leaves_no_trace() {
    let maker = Setting::board_game(json!({"format": "t20"})).seeded().set_up_by_default().tossed();
    let log = maker.answering_at_random(30).log();
    let seq = log.seq_of(|event| event["kind"] == "roll");
    let forged = log.forge().without(seq).mended();
    leaves_no_trace(&forged, &log, "the dice of a ball that had only begun");
}

#[test]
fn an_accepted_decision_in_void_play_leaves_no_trace() {
    let rules = json!({"overs": 12, "drs": "house"});
    let mut maker = Setting { rules, ..Setting::default() }.table().home_bats();
    while maker.the_match().reviews().open().is_none() {
        maker = maker.rolled(1);
    }
    let last = maker.the_match().play().deliveries();
    let log = maker.accepted().voided_from(last, "entered twice").rolled(1).log();
    let seq = log.seq_of(|event| event["kind"] == "review");
    let forged = log.forge().without(seq).mended();
    leaves_no_trace(&forged, &log, "an accepted decision in play that is void");
}

#[test]
fn a_lapsed_proposal_leaves_no_trace() {
    let maker = Setting::remote(1).seeded().joined().home_calls();
    let called = maker.winner().other();
    let bowled = maker.calls_until_timeout(called).chosen(Side::Home).chosen(Side::Away).over_bowled();
    let proposed = bowled.as_actor(Actor::Home).voided_from(4, "the wrong cube");
    let log = proposed.chosen(Side::Home).log();
    let seq = log.seq_of(|event| event["kind"] == "correction_proposed");
    leaves_no_trace(&log.forge().without(seq).mended(), &log, "a proposal that lapsed");
}
