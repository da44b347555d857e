//! The log file as a chain of hashes, in which no byte can be changed unnoticed.

use std::sync::OnceLock;

use proptest::prelude::*;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use third_umpire::log::{
    Actor, Chain, Entry, Event, EventData, Head, LogReader, RawEvent, TeamSheet, Toss, TossChoice,
};
use third_umpire::matches::Input;
use third_umpire_test_support::logs::{PlayedMatch, heads, howzat};
use third_umpire_test_support::random::{cases, short_plans, step};

/// Seals events one upon the other: returns the envelopes, and the stored entry of each.
fn sealed(events: &[EventData]) -> Vec<(Event, Entry)> {
    let id = "01940000-0000-7000-8000-000000000001".parse().expect("a UUID");
    let mut head = Head::default();
    let seal = |(i, data): (usize, &EventData)| {
        let at = 1_767_225_600_000 + 1_001 * i as i64;
        let at = chrono::DateTime::from_timestamp_millis(at).expect("a time");
        let sealed = Event::seal(id, &head, at, Actor::Scorer, data.clone()).expect("hashable");
        head = sealed.0.head();
        sealed
    };
    events.iter().enumerate().map(seal).collect()
}

/// The match log file.
fn file(sealed: &[(Event, Entry)]) -> Vec<u8> {
    sealed.iter().map(|(_, entry)| entry.line() + "\n").collect::<String>().into_bytes()
}

/// Reads a match log file as an auditor does, except for the rules: every line, every link, every field.
fn read(file: &[u8]) -> Result<Vec<(Event, Entry)>, String> {
    let mut chain = Chain::default();
    let mut read = Vec::new();
    for line in LogReader::new(file) {
        let (raw, entry): (RawEvent, Entry) = line.map_err(|broken| broken.to_string())?;
        chain.link(&raw, &entry).map_err(|broken| broken.to_string())?;
        let event = raw.read().map_err(|broken| broken.to_string())?;
        let recorded: Value = serde_json::from_str(&entry.body).expect("JSON");
        assert_eq!(event.data.to_value(), recorded["data"], "nothing in it was passed over");
        assert_eq!(*chain.head(), event.head());
        read.push((event, entry));
    }
    Ok(read)
}

/// A small log with one of everything: the toss, an over, a wicket, a choice, a detail, names to be escaped.
fn small_log() -> &'static [u8] {
    static LOG: OnceLock<Vec<u8>> = OnceLock::new();
    LOG.get_or_init(|| {
        let side = |name: &str| {
            TeamSheet::of_names(name, (1..=11).map(|n| format!("{name}\"\\é\u{1f3cf}{n}")).collect())
        };
        let created = PlayedMatch::create(howzat(), json!({"overs": 1}), side("A"), side("B"), None);
        let mut a_match = created.expect("legal sides");
        a_match.enter(heads(), &[1]).expect("heads");
        a_match.enter(Input::TossDecision { to: TossChoice::Bat }, &[]).expect("A bats");
        a_match.balls("W");
        a_match.ball(&[3, 5, 6, 6, 1]);
        file(&sealed(&a_match.log))
    })
}

/// The events of the shortest possible match: created and abandoned.
fn abandoned() -> Vec<EventData> {
    let mut a_match = PlayedMatch::created(json!({"overs": 1}));
    a_match.enter(Input::Abandon { reason: "rain".to_owned() }, &[]).expect("legal");
    a_match.log
}

/// The small log with its lines changed.
fn with_lines(change: impl FnOnce(&mut Vec<String>)) -> Vec<u8> {
    let text = String::from_utf8(small_log().to_vec()).expect("UTF-8");
    let mut lines: Vec<String> = text.lines().map(|line| format!("{line}\n")).collect();
    change(&mut lines);
    lines.concat().into_bytes()
}

#[test]
fn a_sealed_log_reads_back_event_for_event() {
    let read = read(small_log()).expect("an honest log");
    assert_eq!(read.len(), 6);
    for (i, (event, entry)) in read.iter().enumerate() {
        assert_eq!((event.seq, entry.seq), (i as u64 + 1, i as u64 + 1));
        assert_eq!(event.prev, if i == 0 { "" } else { &read[i - 1].0.hash });
        assert_eq!(entry.read().as_ref(), Ok(event));
    }
    assert_eq!(file(&read), small_log());
}

/// The changes of single bytes that go unnoticed.
fn unnoticed(log: &[u8], changes: impl Fn(usize) -> Vec<u8>) -> Vec<(usize, u8)> {
    assert!(read(log).is_ok(), "the log itself is accepted");
    let mut changed = log.to_vec();
    let all = (0..log.len()).flat_map(|at| changes(at).into_iter().map(move |change| (at, change)));
    let unnoticed = all.filter(|&(at, change)| {
        changed[at] = log[at] ^ change;
        let accepted = read(&changed).is_ok();
        changed[at] = log[at];
        accepted
    });
    unnoticed.collect()
}

#[test]
fn a_change_of_any_single_bit_of_a_log_is_caught() {
    let shortest = file(&sealed(&abandoned()));
    assert_eq!(unnoticed(&shortest, |_| (0..8).map(|bit| 1 << bit).collect()), []);
}

#[test]
fn a_change_of_any_byte_of_a_log_with_balls_is_caught() {
    assert_eq!(unnoticed(small_log(), |at| vec![1 << (at % 8)]), []);
}

#[test]
fn lines_lost_doubled_moved_or_added_are_caught() {
    assert!(read(&with_lines(|_| ())).is_ok(), "the log itself is accepted");
    for at in 0..6 {
        // A log without its last line is still valid: only a known head reveals the loss.
        let lost = read(&with_lines(|lines| drop(lines.remove(at))));
        assert_eq!(lost.is_ok(), at == 5, "line {at} lost");
        let doubled = with_lines(|lines| lines.insert(at, lines[at].clone()));
        assert!(read(&doubled).is_err(), "line {at} doubled");
        let blank = with_lines(|lines| lines.insert(at, "\n".to_owned()));
        assert!(read(&blank).is_err(), "blank line {at}");
    }
    for at in 1..6 {
        assert!(read(&with_lines(|lines| lines.swap(at - 1, at))).is_err(), "line {at} a line earlier");
    }
}

#[test]
fn a_line_in_another_form_of_the_same_json_is_caught() {
    let forms: [fn(&str) -> String; 7] = [
        |line| line.replacen(':', ": ", 1),
        |line| format!(" {line}"),
        |line| line.replace('\n', "\r\n"),
        |line| format!("\u{feff}{line}"),
        |line| line.replacen("A", "\\u0041", 1),
        |line| line.replacen("\"v\":1", "\"v\":1.0", 1),
        |line| line.replacen("\"v\":1", "\"v\":1,\"v\":1", 1),
    ];
    for (i, form) in forms.into_iter().enumerate() {
        let changed = with_lines(|lines| lines[0] = form(&lines[0]));
        assert_ne!(changed, small_log(), "form {i}");
        assert!(read(&changed).is_err(), "form {i}");
    }
}

#[test]
fn a_log_cut_off_within_a_line_or_without_a_line_is_caught() {
    let log = small_log();
    let ends = log.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at + 1);
    let ends: Vec<usize> = ends.collect();
    for length in 0..log.len() {
        assert_eq!(read(&log[..length]).is_ok(), ends.contains(&length), "{length} bytes");
    }
}

#[test]
fn a_file_that_is_no_log_is_refused() {
    let deep = "[".repeat(100_000) + "\n";
    let long = "a".repeat(2 << 20) + "\n";
    let texts: [&[u8]; 10] = [
        b"",
        b"\n",
        b"{}\n",
        b"[]\n",
        b"null\n",
        b"match\n",
        b"\"\xff\"\n",
        b"\xff\xfe\n",
        deep.as_bytes(),
        long.as_bytes(),
    ];
    for (i, text) in texts.into_iter().enumerate() {
        let verdict = read(text).expect_err("no log");
        assert!(verdict.starts_with("line 1: "), "text {i}: {verdict}");
    }
    let log = [small_log(), b"{}\n"].concat();
    assert!(read(&log).is_err_and(|verdict| verdict.starts_with("line 7: ")));
}

#[test]
fn an_event_sealed_anew_breaks_the_chain_at_the_next() {
    let honest = read(small_log()).expect("an honest log");
    let mut events: Vec<EventData> = honest.iter().map(|(event, _)| event.data.clone()).collect();
    let EventData::Toss(Toss::Called(toss)) = &mut events[1] else { panic!("the toss is the second event") };
    toss.winner = toss.winner.other();
    let mut forged = honest.clone();
    forged[1] = sealed(&events)[1].clone();
    let verdict = read(&file(&forged)).expect_err("a forged toss");
    assert_eq!(verdict, "`prev` is not the hash of the event before");
}

#[test]
fn a_line_in_another_form_is_caught_even_where_its_hash_was_made_to_fit() {
    let forms: [fn(&str) -> String; 5] = [
        str::to_owned,
        |body| body.replace("\"v\":1", "\"v\": 1"),
        |body| body.replace("\"v\":1", "\"v\":1.0"),
        |body| body.replace("\"rain\"", "\"r\\u0061in\""),
        |body| body.replace(",\"v\":1", "").replacen('{', "{\"v\":1,", 1),
    ];
    for (i, form) in forms.into_iter().enumerate() {
        let mut log = sealed(&abandoned());
        let entry = &mut log[1].1;
        let body = form(&entry.body);
        assert_eq!(body == entry.body, i == 0, "form {i}");
        entry.hash = hex::encode(Sha256::digest(body.as_bytes()));
        entry.body = body;
        assert_eq!(read(&file(&log)).is_ok(), i == 0, "form {i}");
    }
}

#[test]
fn an_event_sealed_under_a_number_that_is_not_due_is_caught() {
    let honest = read(small_log()).expect("an honest log");
    let (last, before) = (&honest[5].0, honest[4].0.head());
    for seq in [0, 4, 5, 6, 1 << 40] {
        let head = Head { seq, hash: before.hash.clone() };
        let mut forged = honest.clone();
        forged[5] =
            Event::seal(last.match_id, &head, last.at, last.actor, last.data.clone()).expect("hashable");
        assert_eq!(read(&file(&forged)).is_ok(), seq == before.seq, "sealed upon {seq}");
    }
}

#[test]
fn an_event_of_another_match_is_caught() {
    let honest = read(small_log()).expect("an honest log");
    let (last, before) = (&honest[5].0, honest[4].0.head());
    let other = "01940000-0000-7000-8000-000000000002".parse().expect("a UUID");
    let strange = Event::seal(other, &before, last.at, last.actor, last.data.clone()).expect("hashable");
    let mut mixed = honest.clone();
    mixed[5] = strange;
    assert!(read(&file(&mixed)).is_err_and(|verdict| verdict.contains("this event is of match")));
}

proptest! {
    #![proptest_config(cases(32))]

    #[test]
    fn the_log_of_any_match_reads_back_and_a_changed_byte_anywhere_in_it_is_caught(
        plan in short_plans(),
        changes in proptest::collection::vec((any::<prop::sample::Index>(), 1u8..), 1..4),
    ) {
        let (mut live, mut chooser) = plan.begin();
        while step(&mut live, &mut chooser).is_some() {}
        let sealed = sealed(&live.log);
        let mut log = file(&sealed);
        prop_assert_eq!(read(&log), Ok(sealed));
        for (place, change) in changes {
            let at = place.index(log.len());
            log[at] ^= change;
            prop_assert!(read(&log).is_err(), "byte {at} changed by {change}");
            log[at] ^= change;
        }
    }
}
