//! Events missing, repeated, swapped or added, and the events that the audit still accepts before them.

use serde_json::{Value, json};
use third_umpire_test_support::logs::{Log, Setting, Wides, scripted};

use crate::audited::{Audited, Forged, audit, audit_expecting};

fn seeded() -> Log {
    Setting::default().seeded().tossed().played_out()
}

/// Asserts that the audit claims exactly this number of valid events before the first divergence.
fn holds(audited: &Audited, events: u64) {
    let claim = Vec::from_iter((events > 0).then(|| format!("the first {events} events hold")));
    assert_eq!(audited.proved(), claim, "{}", audited.text);
}

#[test]
fn two_balls_swapped_are_found_by_the_chain_and_if_it_is_mended_by_the_rules() {
    let forged = Forged::of(seeded().forge().swapped(14, 15));
    let broken = forged.broken.diverges(15, "ball", Some(10), &["chain", "rules"]);
    broken
        .field("chain", "seq", 15, 14)
        .with_message("chain", "event 14 is expected here, and this is event 15");
    holds(broken, 13);
    let mended = forged.mended.diverges(14, "ball", Some(10), &["rules"]);
    mended.field("rules", "delivery", 10, 9).field("rules", "ball", 4, 3);
    holds(mended, 13);
}

#[test]
fn two_balls_swapped_and_renumbered_are_found_by_the_seed_alone() {
    // Deliveries 22 and 23 are a four and a two off the same bat, so that the score is equal in either order.
    let forger = seeded().forge().swapped(29, 30);
    let renumber = |ball: &mut Value, delivery: u32, place: u16| {
        ball["delivery"] = delivery.into();
        ball["seed"]["ordinal"] = delivery.into();
        ball["ball"] = place.into();
    };
    let forger = forger.with(30, |ball| renumber(ball, 22, 2)).with(29, |ball| renumber(ball, 23, 3));
    audit(&forger.mended())
        .diverges(29, "ball", Some(22), &["seed"])
        .field("seed", "dice[0].value", 6, 5)
        .citing("seed", &["howzat.bowl.legal", "howzat.strike.2"]);
}

#[test]
fn a_missing_ball_is_found_by_the_chain_and_if_it_is_mended_by_the_rules() {
    let forged = Forged::of(seeded().forge().without(14));
    let broken = forged.broken.diverges(15, "ball", Some(10), &["chain", "rules"]);
    broken.with_message("chain", "event 14 is expected here, and this is event 15");
    holds(broken, 13);
    let mended = forged.mended.diverges(14, "ball", Some(10), &["rules"]);
    mended.field("rules", "delivery", 10, 9);
    holds(mended, 13);
}

#[test]
fn a_ball_that_stands_twice_is_found_by_the_chain_and_if_it_is_mended_by_the_rules() {
    let forged = Forged::of(seeded().forge().doubled(14));
    let broken = forged.broken.diverges(14, "ball", Some(9), &["chain", "rules"]);
    broken.with_message("chain", "event 15 is expected here, and this is event 14");
    holds(broken, 14);
    let mended = forged.mended.diverges(15, "ball", Some(9), &["rules"]);
    mended.field("rules", "delivery", 9, 10);
    holds(mended, 14);
}

#[test]
fn a_missing_toss_is_found_as_what_cannot_come_here() {
    let forged = Forged::of(seeded().forge().without(2));
    forged.broken.diverges(3, "toss_decided", None, &["chain", "data"]);
    holds(&forged.broken, 1);
    forged
        .mended
        .diverges(2, "toss_decided", None, &["data"])
        .with_message("data", "toss_decided: this event cannot come here; the match waits for: toss");
}

#[test]
fn a_toss_made_twice_is_found_as_what_cannot_come_here() {
    let forged = Forged::of(seeded().forge().doubled(2));
    forged.broken.diverges(2, "toss", None, &["chain", "data"]);
    forged.mended.diverges(3, "toss", None, &["data"]).with_message("data", "waits for: toss decision");
}

#[test]
fn a_log_without_its_first_event_is_found_at_once() {
    let forged = Forged::of(seeded().forge().without(1));
    holds(forged.broken.diverges(2, "toss", None, &["chain", "data"]), 0);
    let mended = forged.mended.diverges(1, "toss", None, &["data"]);
    mended.with_message("data", "a log begins with match_created");
    holds(mended, 0);
}

#[test]
fn the_event_that_begins_an_over_left_out_is_found_at_the_first_ball_of_it() {
    let forged = Forged::of(seeded().forge().without(11));
    forged.broken.diverges(12, "ball", Some(7), &["chain", "rules"]);
    holds(&forged.broken, 10);
    forged.mended.diverges(11, "ball", Some(7), &["rules"]).field("rules", "kind", "ball", "over");
}

#[test]
fn an_over_left_out_with_all_its_balls_is_found_where_the_next_begins() {
    let forger = (11..=19).fold(seeded().forge(), |forger, seq| forger.without(seq));
    let forged = Forged::of(forger);
    forged.broken.diverges(20, "over", None, &["chain", "rules"]);
    holds(&forged.broken, 10);
    forged.mended.diverges(11, "over", None, &["rules"]).field("rules", "over", 3, 2);
}

#[test]
fn ten_thousand_events_left_out_of_the_middle_are_found_at_the_first_after_them() {
    let mut log = Setting::overs(1).table().home_bats().balls([&[1, 2]]).log();
    let wides = Wides::of(&log);
    log.lines.extend(wides.take(13_995));
    log.lines.drain(2_000..12_000);
    let forged = Forged::of(log.forge());
    let broken = forged.broken.diverges(12_001, "ball", Some(11_997), &["chain", "rules"]);
    broken.with_message("chain", "event 2001 is expected here, and this is event 12001");
    broken.field("chain", "seq", 12_001, 2_001).field("rules", "delivery", 11_997, 1_997);
    holds(broken, 2_000);
    let mended = forged.mended.diverges(2_001, "ball", Some(11_997), &["rules"]);
    holds(mended.field("rules", "delivery", 11_997, 1_997), 2_000);
}

#[test]
fn an_over_left_out_is_found_by_its_number_even_where_its_bowler_may_not_bowl_twice_running() {
    // In twenty overs a side the default is two bowlers from either end; without the second over, the third
    // is bowled by the bowler of the first.
    let log = Setting::overs(20).seeded().tossed().rolled(30).log();
    let overs: Vec<u64> = log.events().iter().filter(|event| event["kind"] == "over").map(seq).collect();
    let forger = (overs[1]..overs[2]).fold(log.forge(), |forger, seq| forger.without(seq));
    let audited = audit(&forger.mended());
    audited
        .diverges(overs[1], "over", None, &["data", "rules"])
        .with_message("data", "data.over: 2 is due, not 3")
        .citing("rules", &["howzat.over.consecutive"]);
}

fn seq(event: &Value) -> u64 {
    event["seq"].as_u64().unwrap()
}

#[test]
fn a_ball_after_the_end_is_found_as_what_cannot_come_here() {
    let log = scripted();
    let forger = log.forge().and(log.events()[15].clone());
    let forged = Forged::of(forger.clone());
    forged.broken.diverges(16, "ball", Some(11), &["chain", "data"]);
    holds(&forged.broken, 17);
    forged
        .mended
        .diverges(18, "ball", Some(11), &["data"])
        .with_message("data", "ball: this event cannot come here; the match is over");
    audit(&log.forge().and(log.events()[16].clone()).mended()).diverges(
        18,
        "match_completed",
        None,
        &["data"],
    );
}

#[test]
fn a_match_completed_one_ball_early_is_found_as_what_cannot_come_here() {
    let forged = Forged::of(seeded().forge().without(75));
    forged.broken.diverges(76, "match_completed", None, &["chain", "data"]);
    holds(&forged.broken, 74);
    forged.mended.diverges(75, "match_completed", None, &["data"]).with_message(
        "data",
        "match_completed: this event cannot come here; the match waits for the next ball",
    );
}

#[test]
fn a_match_abandoned_after_its_last_ball_is_found_as_what_cannot_come_here() {
    let (over, rained_off) = (seeded(), Setting::default().seeded().tossed().abandoned("rain"));
    let forger = over.forge().without(76).and(rained_off.events()[3].clone());
    audit(&forger.mended()).diverges(76, "match_abandoned", None, &["data"]);
}

#[test]
fn the_end_of_a_match_left_out_after_its_last_ball_is_missed_by_the_rules() {
    // The event comes with the ball that ends the match, and opens the seeds: without it somebody withholds
    // them.
    for log in [seeded(), scripted()] {
        let last = log.len();
        let cut = log.first(last - 1);
        let audited = audit(&cut);
        audited.diverges(last, "match_completed", None, &["rules"]).with_message("rules", "is missing");
        holds(&audited, last - 1);
        audit_expecting(&cut, &log.head()).diverges(last, "match_completed", None, &["rules", "head"]).field(
            "head",
            "head",
            cut.head(),
            log.head(),
        );
    }
}

#[test]
fn an_event_of_another_match_is_found_by_the_chain() {
    let mut forger = scripted().forge();
    forger.event(7)["match"] = json!("019b8c2e-7a00-7c3d-9e4f-ffffffffffff");
    let audited = audit(&forger.mended());
    audited.diverges(7, "ball", Some(3), &["chain"]).field(
        "chain",
        "match",
        "019b8c2e-7a00-7c3d-9e4f-ffffffffffff",
        "019b8c2e-7a00-7c3d-9e4f-5a6b7c8d9e0f",
    );
}

#[test]
fn an_event_hashed_again_alone_is_given_away_by_the_one_after_it() {
    // Only the chain protects the times.
    let log = Setting::overs(1).table().home_bats().balls([&[2, 3], &[2, 1]]).log();
    let mut forger = log.forge();
    forger.event(5)["at"] = "2026-02-01T00:00:00.000Z".into();
    audit(&forger.half_mended(5))
        .diverges(6, "ball", Some(2), &["chain"])
        .with_message("chain", "`prev` is not the hash of the event before");
}

#[test]
fn an_event_with_a_number_out_of_all_order_does_not_make_the_log_hold_up_to_it() {
    let mut forger = scripted().forge();
    forger.event(7)["seq"] = 1_000.into();
    let audited = audit(&forger.broken());
    audited.diverges(1_000, "ball", Some(3), &["chain"]).field("chain", "seq", 1_000, 7);
    holds(&audited, 6);
}

#[test]
fn a_wrong_number_does_not_hide_that_it_is_the_first_event_that_diverges() {
    // The seed of the last event is wrong, too, but that is seventy events later.
    let mut forger = seeded().forge().set(76, "/seeds/server_seed", "00".repeat(32));
    forger.event(7)["seq"] = 1_000.into();
    audit(&forger.broken()).diverges(1_000, "ball", Some(3), &["chain"]);
}

#[test]
fn two_logs_in_one_file_are_found_where_the_second_begins() {
    let lines = [scripted().lines, scripted().lines].concat();
    let audited = audit(&Log::of_lines(lines));
    audited.diverges(1, "match_created", None, &["chain", "data"]).field("chain", "seq", 1, 18);
    holds(&audited, 17);
}

#[test]
fn a_first_event_that_claims_one_before_it_is_found_by_the_chain() {
    let mut forger = scripted().forge();
    forger.event(1)["prev"] = "ab".repeat(32).into();
    let audited = audit(&forger.half_mended(1));
    audited.diverges(1, "match_created", None, &["chain"]).field("chain", "prev", "ab".repeat(32), "");
}
