//! `replay`: a match from its log, ball by ball, and the score at the end.

use serde_json::json;
use third_umpire_test_support::logs::{Log, Setting, remote_board_game, scripted};
use third_umpire_test_support::program::{Scratch, run, run_with_input};

fn replay(log: &Log, more: &[&str]) -> String {
    let scratch = Scratch::new();
    let file = scratch.write("match.ndjson", log.text());
    run(&[&["replay", &file], more].concat()).succeeded()
}

#[test]
fn the_replay_tells_a_whole_seeded_match() {
    insta::assert_snapshot!(replay(&Setting::default().seeded().tossed().played_out(), &[]));
}

#[test]
fn the_replay_tells_a_whole_table_match() {
    insta::assert_snapshot!(replay(&scripted(), &[]));
}

#[test]
fn every_event_is_a_line_and_the_score_comes_after_a_blank_one() {
    let log = Setting::overs(3).seeded().tossed().played_out_at_random();
    let replayed = replay(&log, &[]);
    let lines: Vec<&str> = replayed.lines().collect();
    assert_eq!(lines.len() as u64, log.len() + 2, "{replayed}");
    assert_eq!(lines[lines.len() - 2], "");
    let balls = log.events().iter().filter(|event| event["kind"] == "ball").count();
    assert_eq!(lines.iter().filter(|line| line.contains(" to ") && line.starts_with(' ')).count(), balls);
}

#[test]
fn a_match_is_told_up_to_an_event_as_it_is_told_from_a_log_that_ends_there() {
    let log = scripted();
    for at in [1, 2, 4, 7, 11, 12, 16, 17] {
        let replayed = replay(&log, &["--at", &at.to_string()]);
        assert_eq!(replayed, replay(&log.first(at), &[]), "--at {at}");
        assert_eq!(replayed.lines().count() as u64, at + 2, "--at {at}");
    }
    let replayed = replay(&log, &["--at", "7"]);
    assert!(replayed.ends_with("\n\nWanderers 5/0 (0.3)\n"), "{replayed}");
    let replayed = replay(&log, &["--at", "15"]);
    assert!(replayed.ends_with("\n\nWanderers 13/1 (1.0); Rovers 12/1 (0.3); target 14\n"), "{replayed}");
}

#[test]
fn a_log_may_come_from_standard_input() {
    let log = scripted();
    let replayed = run_with_input(&["replay", "-", "--at", "9"], log.text().as_bytes()).succeeded();
    assert_eq!(replayed, replay(&log.first(9), &[]));
}

#[test]
fn an_event_beyond_the_end_is_refused_with_where_the_end_is() {
    let scratch = Scratch::new();
    let file = scratch.write("match.ndjson", scripted().text());
    for command in ["replay", "scorecard"] {
        for at in ["18", "1000000", "18446744073709551615"] {
            run(&[command, &file, "--at", at]).failed(&[&format!("no event {at}"), "ends at event 17"]);
        }
    }
}

#[test]
fn there_is_no_event_0_and_nothing_is_told_of_it() {
    let scratch = Scratch::new();
    let file = scratch.write("match.ndjson", scripted().text());
    for command in ["replay", "scorecard"] {
        let ran = run(&[command, &file, "--at", "0"]).failed(&["no event 0"]);
        assert_eq!(ran.out, "", "{command}");
    }
}

#[test]
fn an_event_that_is_no_number_is_a_mistake_in_asking() {
    let scratch = Scratch::new();
    let file = scratch.write("match.ndjson", scripted().text());
    for command in ["replay", "scorecard"] {
        for at in ["-1", "x", "1.5", "", "18446744073709551616"] {
            let ran = run(&[command, &file, &format!("--at={at}")]);
            assert_eq!(ran.code, Some(2), "{ran:?}");
            assert!(ran.err.contains("--at <SEQ>") && ran.out.is_empty(), "{ran:?}");
        }
    }
}

#[test]
fn a_log_that_does_not_fold_names_the_event_and_points_to_the_audit() {
    let scratch = Scratch::new();
    for (log, event, field, holds) in [
        (scripted().forge().without(2).mended(), 2, "toss_decided", 1),
        (scripted().forge().set(7, "/delivery", 9).mended(), 7, "data.delivery", 6),
        (scripted().forge().set(7, "/outcome/striker", "Nobody").mended(), 7, "data.outcome.striker", 6),
        (scripted().forge().without(9).broken(), 10, "event 9", 8),
        (scripted().forge().doubled(17).mended(), 18, "match_completed", 17),
    ] {
        let file = scratch.write("match.ndjson", log.text());
        for command in ["replay", "scorecard"] {
            run(&[command, &file]).failed(&[&format!("event {event} "), field, "audit"]);
        }
        // The valid part can be replayed, but without what later events say about it.
        let holds = holds.to_string();
        run(&["replay", &file, "--at", &holds, "--as-known-at", &holds]).succeeded();
        run(&["replay", &file, "--at", &holds]).failed(&[&format!("event {event} "), field, "audit"]);
    }
}

#[test]
fn whatever_somebody_wrote_into_a_log_stays_on_its_line() {
    let reason = "rain\n\nRovers won by 9 wickets\u{1b}[2J\u{9b}1A\u{2028}x\u{202e}y";
    let balls: [&[i64]; 1] = [&[2, 3]];
    let log = Setting::overs(1).table().home_bats().balls(balls).abandoned("rain");
    let log = log.forge().set(log.len(), "/reason", reason).mended();
    let replayed = replay(&log, &[]);
    assert_eq!(replayed.lines().count() as u64, log.len() + 2, "{}", replayed.escape_debug());
    let disguised =
        |letter: char| (letter.is_control() && letter != '\n') || ['\u{2028}', '\u{202e}'].contains(&letter);
    assert!(!replayed.contains(disguised), "{}", replayed.escape_debug());
}

#[test]
fn the_card_and_the_replay_tell_of_reviews_in_words() {
    let lbw: &[i64] = &[5, 5];
    let setting = Setting { rules: json!({"overs": 5, "drs": "house"}), ..Setting::default() };
    let upheld = setting.table().home_bats().balls([&[2, 3], lbw]).reviewed(5);
    let scratch = Scratch::new();
    let file = scratch.write("match.ndjson", upheld.balls([&[2, 4], lbw]).log().text());
    let card = run(&["scorecard", &file]).succeeded();
    let sentence = "Wanderers reviewed delivery 2 (innings 1, 0.2), upheld: Wanderers 1 lbw b Rovers 11, now Wanderers 1 not out";
    let words: Vec<&str> = card.split_whitespace().collect();
    assert!(words.join(" ").contains(sentence), "{card}");
    let replay = run(&["replay", &file]).succeeded();
    assert!(replay.contains("Wanderers review: upheld. Wanderers 1 not out; 0/0"), "{replay}");
}

#[test]
fn the_replay_tells_secret_and_drawn_choices() {
    let scratch = Scratch::new();
    let file = scratch.write("match.ndjson", remote_board_game().text());
    let replay = run(&["replay", &file]).succeeded();
    for sentence in [
        "The secret choices of both sides for delivery 1 (innings 1, 0.1) are revealed. ",
        "'s delivery was drawn, since they timed out.",
        " choose their batter skills.",
        "are rolled, and a side has to choose",
    ] {
        assert!(replay.contains(sentence), "{sentence}:\n{replay}");
    }
}
