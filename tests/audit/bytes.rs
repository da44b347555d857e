//! Logs with changed bytes are never clean, and no file makes the audit panic.

use std::thread;

use third_umpire::audit::{Verdict, audit};
use third_umpire_test_support::logs::forger::edited;
use third_umpire_test_support::logs::{remote_match, scripted, short};
use third_umpire_test_support::random::Lcg;

fn is_clean(bytes: &[u8]) -> bool {
    audit(bytes, None).is_ok_and(|report| report.verdict == Verdict::Clean)
}

/// Asserts that a log is not clean with any of these bytes changed, one at a time.
fn never_clean(log: &[u8], places: impl Iterator<Item = usize>, change: impl Fn(usize, u8) -> u8) {
    let mut changed = log.to_vec();
    for place in places {
        changed[place] = change(place, log[place]);
        if changed[place] != log[place] {
            assert!(!is_clean(&changed), "byte {place}: {} -> {}", log[place], changed[place]);
        }
        changed[place] = log[place];
    }
    assert!(is_clean(&changed));
}

/// Asserts that a short log is not clean with any byte changed, in each of several ways at once.
fn short_never_clean<F: Fn(usize, u8) -> u8 + Send>(changes: impl IntoIterator<Item = F>) {
    let log = short().text().into_bytes();
    let log = &log;
    thread::scope(|scope| {
        for change in changes {
            scope.spawn(|| never_clean(log, 0..log.len(), change));
        }
    });
}

#[test]
fn no_bit_of_a_log_may_be_another() {
    short_never_clean((0..8).map(|bit| move |_, byte| byte ^ (1 << bit)));
}

#[test]
fn no_digit_of_a_log_may_be_the_next() {
    short_never_clean([
        |_, byte: u8| if byte.is_ascii_digit() { b'0' + (byte - b'0' + 1) % 10 } else { byte },
    ]);
}

#[test]
fn no_byte_of_a_log_may_be_a_nul_a_line_end_a_blank_a_quote_or_no_text() {
    short_never_clean([0, b'\n', b'\r', b' ', b'"', 0xff].map(|value| move |_, _| value));
}

#[test]
fn no_byte_of_a_whole_match_may_be_any_other_byte() {
    // Every seventh byte gets another value.
    let log = scripted().text().into_bytes();
    never_clean(&log, (0..log.len()).step_by(7), |place, _| (place * 37 % 256) as u8);
}

#[test]
fn a_log_edited_at_random_is_never_clean_unless_it_is_the_same_again() {
    let edit = |log: &[u8], edits| {
        let mut random = Lcg(20_260_131);
        for _ in 0..edits {
            let other = edited(log, &mut random);
            let cut = log.starts_with(&other) && other.ends_with(b"\n");
            // A log that was cut off at the end of a line is valid, as a match in play.
            assert!(!is_clean(&other) || other == log || cut, "{}", String::from_utf8_lossy(&other));
        }
    };
    let logs =
        [short().text().into_bytes(), scripted().text().into_bytes(), remote_match().text().into_bytes()];
    thread::scope(|scope| {
        for (log, edits) in logs.iter().zip([6_500, 3_000, 500]) {
            scope.spawn(move || edit(log, edits));
        }
    });
}
