//! `scorecard`: the card of a log at any event, as a newspaper prints it and as JSON.

use serde_json::{Value, json};
use third_umpire_test_support::logs::{Log, LogMaker, Setting, scripted};
use third_umpire_test_support::program::{Scratch, run, run_with_input};

use crate::tally::Tally;

fn card(log: &Log, more: &[&str]) -> String {
    let scratch = Scratch::new();
    let file = scratch.write("match.ndjson", log.text());
    run(&[&["scorecard", &file], more].concat()).succeeded()
}

#[test]
fn the_card_of_a_whole_seeded_match() {
    insta::assert_snapshot!(card(&Setting::default().seeded().tossed().played_out(), &[]));
}

#[test]
fn the_card_of_a_whole_table_match() {
    insta::assert_snapshot!(card(&scripted(), &[]));
}

#[test]
fn the_card_of_a_match_before_the_toss() {
    insta::assert_snapshot!(card(&Setting::default().seeded().log(), &[]));
}

#[test]
fn the_card_of_a_match_before_its_first_ball() {
    insta::assert_snapshot!(card(&Setting::default().table().home_bats().over(json!({})).log(), &[]));
}

#[test]
fn the_card_of_a_match_in_play() {
    insta::assert_snapshot!(card(&scripted().first(9), &[]));
}

#[test]
fn the_card_of_a_chase() {
    insta::assert_snapshot!(card(&scripted().first(14), &[]));
}

fn six_dots_and_a_run(maker: LogMaker) -> LogMaker {
    maker.balls([&[2, 3], &[2, 3], &[2, 3], &[2, 3], &[2, 3], &[2, 1]])
}

#[test]
fn the_card_of_a_tie() {
    let tied = six_dots_and_a_run(six_dots_and_a_run(Setting::overs(1).table().home_bats()));
    insta::assert_snapshot!(card(&tied.log(), &[]));
}

#[test]
fn the_card_of_an_abandoned_match() {
    let log = Setting::overs(1).table().home_bats().balls([&[2, 3], &[6, 6]]).abandoned("rain");
    insta::assert_snapshot!(card(&log, &[]));
}

#[test]
fn the_card_of_a_match_in_play_as_json() {
    let text = card(&scripted().first(9), &["--format", "json"]);
    let json: Value = serde_json::from_str(&text).unwrap();
    insta::assert_snapshot!(serde_json::to_string_pretty(&json).unwrap());
    assert!(text.ends_with("}\n"), "a line of text ends in a line feed");
}

#[test]
fn a_card_at_an_event_is_the_card_of_a_log_that_ends_there() {
    let log = scripted();
    for at in 1..=log.len() {
        for format in ["text", "json"] {
            let at_event = card(&log, &["--at", &at.to_string(), "--format", format]);
            assert_eq!(at_event, card(&log.first(at), &["--format", format]), "--at {at}");
        }
    }
}

#[test]
fn a_log_may_come_from_standard_input() {
    let log = scripted();
    assert_eq!(run_with_input(&["scorecard", "-"], log.text().as_bytes()).succeeded(), card(&log, &[]));
}

/// Asserts that the card after each event of a match has the totals of its deliveries.
fn adds_up(log: &Log) {
    let scratch = Scratch::new();
    let file = scratch.write("match.ndjson", log.text());
    let mut tally = Tally::default();
    for event in log.events() {
        tally.count(&event);
        let at = event["seq"].to_string();
        let text = run(&["scorecard", &file, "--at", &at, "--format", "json"]).succeeded();
        let card: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(card["at_seq"], event["seq"]);
        assert_eq!(card["head"], json!({"seq": event["seq"], "hash": event["hash"]}));
        assert_eq!(tally.of(&card), tally.expected(), "after event {at}: {event}");
    }
}

#[test]
fn every_card_of_a_seeded_match_is_the_sum_of_its_deliveries() {
    adds_up(&Setting::default().seeded().tossed().played_out());
}

#[test]
fn every_card_of_a_table_match_is_the_sum_of_its_deliveries() {
    adds_up(&Setting::overs(3).table().tossed().played_out_at_random());
    adds_up(&scripted());
}

#[test]
fn a_maiden_may_have_leg_byes_but_no_wide_and_the_card_counts_it() {
    // Four leg byes do not count against the bowler; the wide in the second over does.
    let maiden: [&[i64]; 6] = [&[2, 3], &[1, 4, 4], &[2, 3], &[2, 5], &[2, 3], &[2, 3]];
    let no_maiden: [&[i64]; 7] = [&[2, 3], &[1, 2], &[2, 3], &[2, 3], &[2, 3], &[2, 3], &[2, 3]];
    let log = Setting::overs(3).table().home_bats().balls(maiden).balls(no_maiden).log();
    adds_up(&log);
    let card: Value = serde_json::from_str(&card(&log, &["--format", "json"])).unwrap();
    let bowlers = &card["innings"][0]["bowlers"];
    assert_eq!([&bowlers[0]["maidens"], &bowlers[1]["maidens"]], [1, 0], "{bowlers}");
}
