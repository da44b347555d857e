//! Seals, openings and choices of sides in remote play, changed after the match.

use serde_json::{Value, json};
use third_umpire::editions::Editions;
use third_umpire::log::LogReader;
use third_umpire::matches::{History, Match};
use third_umpire_test_support::logs::{Log, remote_match};

use crate::audited::{Forged, audit};

/// The seq of this side's first event of this kind, from event `after` on.
fn seq(log: &Log, after: u64, kind: &str, side: &str) -> u64 {
    log.seq_of(|event| {
        event["seq"].as_u64().unwrap() >= after && event["kind"] == kind && event["data"]["side"] == side
    })
}

/// The seq of the first over whose order both sides chose, after one in which away's order was drawn.
fn second_over(log: &Log) -> u64 {
    log.seq_of(|event| event["kind"] == "over" && event["data"]["over"] == 2)
}

fn first_over(log: &Log) -> u64 {
    log.seq_of(|event| event["kind"] == "over")
}

fn sealed(log: &Log, seq: u64) -> String {
    log.events()[seq as usize - 1]["data"]["sealed"].as_str().unwrap().to_owned()
}

fn reverse(order: &mut Value) {
    order.as_array_mut().unwrap().reverse();
}

#[test]
fn a_remote_match_is_clean() {
    let audited = audit(&remote_match());
    audited.is_clean(&["no head was given"]);
    assert!(audited.proved().iter().any(|line| line.contains("the seed fits its commitment")));
}

#[test]
fn an_order_turned_up_that_was_not_sealed_names_the_seal() {
    let log = remote_match();
    let over = second_over(&log);
    for (place, side, duty) in [(0, "home", "batting"), (1, "away", "bowling")] {
        let seal = sealed(&log, seq(&log, first_over(&log), "choice", side));
        let alone = |event: &mut Value| reverse(&mut event["reveals"][place]["choice"]["order"]);
        let followed = |event: &mut Value| {
            alone(event);
            reverse(&mut event["choices"]["orders"][duty]);
        };
        Forged::of(log.forge().with(over, alone))
            .diverge(over, "over", None, &["seal"])
            .with_message("seal", &seal);
        Forged::of(log.forge().with(over, followed))
            .diverge(over, "over", None, &["seal"])
            .with_message("seal", &seal);
    }
}

#[test]
fn an_over_that_does_not_follow_from_what_was_sealed_names_the_seals() {
    let log = remote_match();
    let over = second_over(&log);
    let forged =
        Forged::of(log.forge().with(over, |event| reverse(&mut event["choices"]["orders"]["batting"])));
    let seals = ["home", "away"].map(|side| sealed(&log, seq(&log, first_over(&log), "choice", side)));
    forged
        .diverge(over, "over", None, &["seal", "rules"])
        .with_message("seal", &seals[0])
        .with_message("seal", &seals[1]);
}

#[test]
fn another_seal_another_salt_or_none_is_missed_when_the_order_is_turned_up() {
    let log = remote_match();
    let over = second_over(&log);
    let choice = seq(&log, first_over(&log), "choice", "home");
    let forged = Forged::of(log.forge().set(choice, "/sealed", "e".repeat(64)));
    forged.broken.diverges(choice, "choice", None, &["chain"]);
    forged.mended.diverges(over, "over", None, &["seal"]).with_message("seal", &"e".repeat(64));
    let salted = log.forge().set(over, "/reveals/0/salt", "f".repeat(64));
    Forged::of(salted).diverge(over, "over", None, &["seal"]).with_message("seal", &sealed(&log, choice));
    let unsalted =
        log.forge().with(over, |event| drop(event["reveals"][0].as_object_mut().unwrap().remove("salt")));
    Forged::of(unsalted).diverge(over, "over", None, &["seal"]).with_message("seal", "the home side's order");
}

#[test]
fn the_audit_finds_an_over_whose_choices_are_missing_or_swapped() {
    let log = remote_match();
    let over = second_over(&log);
    let kept = log.forge().with(over, |event| drop(event.as_object_mut().unwrap().remove("reveals")));
    Forged::of(kept)
        .diverge(over, "over", None, &["seal"])
        .with_message("seal", "of both sides has to be revealed here");
    let one = log.forge().with(over, |event| drop(event["reveals"].as_array_mut().unwrap().pop()));
    Forged::of(one)
        .diverge(over, "over", None, &["seal"])
        .with_message("seal", "of both sides has to be revealed here");
    let turned = log.forge().with(over, |event| reverse(&mut event["reveals"]));
    Forged::of(turned).diverge(over, "over", None, &["seal"]).with_message("seal", "home's order");
}

#[test]
fn a_seal_or_an_opening_taken_out_is_missed_at_once() {
    let log = remote_match();
    let choice = seq(&log, second_over(&log), "choice", "away");
    let opened = seq(&log, second_over(&log), "choice_opened", "away");
    let over = log.seq_of(|event| event["kind"] == "over" && event["data"]["innings"] == 2);
    // A choice that was not sealed cannot be opened.
    let audited = audit(&log.forge().without(choice).mended());
    audited.diverges(choice, "choice_opened", None, &["data"]).with_message("data", "not sealed");
    let both = log.forge().without(opened).without(choice).mended();
    audit(&both).diverges(over - 2, "over", None, &["seal"]).with_message("seal", "the away side's order");
}

#[test]
fn a_choice_put_in_after_both_were_is_refused() {
    let log = remote_match();
    let choice = seq(&log, first_over(&log), "choice", "away");
    let again = log.events()[choice as usize - 1].clone();
    let audited = audit(&log.forge().inserted(choice as usize, again).mended());
    audited.diverges(choice + 1, "choice", None, &["data"]).with_message("data", "cannot change its choice");
}

#[test]
fn the_audit_finds_an_order_that_the_draw_does_not_give() {
    let log = remote_match();
    let over = first_over(&log);
    let drawn = |event: &mut Value| {
        reverse(&mut event["reveals"][1]["choice"]["order"]);
        reverse(&mut event["choices"]["orders"]["bowling"]);
    };
    // The order is possible, but the balls of the over were bowled in another, which also the seed proves.
    let forged = Forged::of(log.forge().with(over, drawn));
    let divergence = &forged.mended;
    divergence.diverges(over, "over", None, &["seed"]);
    let otherwise = log.forge().with(over, |event| event["reveals"][1]["draw"]["ordinal"] = json!(65_538));
    Forged::of(otherwise).diverge(over, "over", None, &["seal"]).with_message("seal", "no choice is drawn");
}

#[test]
fn nothing_is_drawn_for_a_side_that_was_not_called_or_had_time_left() {
    let log = remote_match();
    let called = log.seq_of(|event| event["kind"] == "choice_called" && event["data"]["for"] == "order");
    let over = first_over(&log);
    let audited = audit(&log.forge().without(called).mended());
    audited.diverges(over - 1, "over", None, &["seal"]).with_message("seal", "has not timed out");
    let later = log.forge().set(called, "/until", "2026-02-01T00:00:00.000Z").mended();
    audit(&later).diverges(called, "choice_called", None, &["rules"]).with_message("rules", "choice_timeout");
    let mut early = log.forge();
    early.event(over)["at"] = log.events()[called as usize - 1]["at"].clone();
    audit(&early.mended())
        .diverges(over, "over", None, &["rules"])
        .with_message("rules", "before its timeout");
    let decided = log.seq_of(|event| event["kind"] == "toss_decided");
    let audited = audit(&log.forge().without(decided - 1).mended());
    audited
        .diverges(decided - 1, "toss_decided", None, &["data"])
        .with_message("data", "no side had timed out");
}

#[test]
fn a_deadline_that_is_no_time_is_found_and_folds_into_no_match() {
    let log = remote_match();
    let called = log.seq_of(|event| event["kind"] == "choice_called" && event["data"]["for"] == "order");
    for until in ["soon", "2026-02-31T00:00:00.000Z", ""] {
        let forged = log.forge().set(called, "/until", until).mended();
        audit(&forged)
            .diverges(called, "choice_called", None, &["rules"])
            .with_message("rules", "choice_timeout");
        let mut history: History<Match> = History::new(Editions::default());
        let refused = LogReader::new(forged.text().as_bytes()).find_map(|line| {
            let event = line.expect("a line").0.read().expect("an event");
            history.follow(event).err()
        });
        assert_eq!(refused.map(|invalid| invalid.field), Some("data.until".to_owned()), "{until:?}");
    }
}

#[test]
fn a_drawn_decision_of_the_toss_that_was_turned_round_is_found_by_the_seed() {
    let log = remote_match();
    let decided = log.seq_of(|event| event["kind"] == "toss_decided");
    let data = &log.events()[decided as usize - 1]["data"];
    let other = if data["to"] == "bat" { "bowl" } else { "bat" };
    let forged = Forged::of(log.forge().set(decided, "/to", other));
    forged.mended.diverges(decided, "toss_decided", None, &["seed"]);
}

#[test]
fn the_audit_finds_a_seed_that_was_not_committed_to() {
    let log = remote_match();
    let shown = seq(&log, 1, "seed_contributed", "away");
    let forged = Forged::of(log.forge().set(shown, "/client_seed", "b3".repeat(32)));
    forged
        .diverge(shown, "seed_contributed", None, &["seal"])
        .with_message("seal", "not the seed this side has committed to");
    let committed = seq(&log, 1, "seed_committed", "away");
    let forged = Forged::of(log.forge().set(committed, "/hash", "0".repeat(64)));
    forged.mended.diverges(shown, "seed_contributed", None, &["seal"]);
    let end = log.len();
    let forged = Forged::of(log.forge().with(end, |event| reverse(&mut event["seeds"]["client_seeds"])));
    forged.diverge(end, "match_completed", None, &["seal", "seed"]).with_message("seal", "home's first");
}

#[test]
fn sides_are_claimed_once_and_replace_only_tokens_they_have() {
    let log = remote_match();
    let claimed = seq(&log, 1, "side_claimed", "home");
    let audited = audit(&log.forge().doubled(claimed).mended());
    audited.diverges(claimed + 1, "side_claimed", None, &["data"]).with_message("data", "has been claimed");
    let away = seq(&log, 1, "side_claimed", "away");
    let committed = seq(&log, 1, "seed_committed", "away");
    let audited = audit(&log.forge().without(away).mended());
    audited
        .diverges(committed - 1, "seed_committed", None, &["data"])
        .with_message("data", "not been claimed");
}

#[test]
fn nobody_but_a_side_itself_puts_in_what_it_seals_opens_shows_or_decides() {
    let log = remote_match();
    let over = second_over(&log);
    for (seq, kind) in [
        (seq(&log, 1, "side_claimed", "away"), "side_claimed"),
        (seq(&log, 1, "seed_committed", "away"), "seed_committed"),
        (seq(&log, 1, "seed_contributed", "away"), "seed_contributed"),
        (seq(&log, over, "choice", "away"), "choice"),
        (seq(&log, over, "choice_opened", "away"), "choice_opened"),
        (log.seq_of(|event| event["kind"] == "token_rotated"), "token_rotated"),
        (log.seq_of(|event| event["kind"] == "toss"), "toss"),
    ] {
        for other in ["home", "away", "scorer"] {
            let mut forger = log.forge();
            let actor = &mut forger.event(seq)["actor"];
            if *actor != other {
                *actor = other.into();
                let audited = audit(&forger.mended());
                audited
                    .diverges(seq, kind, None, &["rules"])
                    .with_message("rules", "the author of this event cannot be");
            }
        }
    }
}
