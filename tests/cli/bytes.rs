//! A log with its bytes changed anywhere is never clean, and no file makes the audit panic.

use std::ops::Range;
use std::thread;

use third_umpire::audit::{Verdict, audit};

use crate::support::{Lcg, Setting, fed, from_afar, scripted};

/// Seven events, so that every bit can be changed: created, tossed, decided, an over, two balls, given up.
fn short() -> Vec<u8> {
    let balls: [&[i64]; 2] = [&[2, 3], &[3, 5, 1, 1, 6]];
    Setting::overs(1).table().home_bats().balls(balls).abandoned("rain").text().into_bytes()
}

fn is_clean(bytes: &[u8]) -> bool {
    audit(bytes, None).is_ok_and(|report| report.verdict == Verdict::Clean)
}

/// Changes bytes of a log one at a time, and nowhere is it clean.
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

/// The same for every byte of a short log and each of several changes, all at once.
fn short_never_clean<F: Fn(usize, u8) -> u8 + Send>(changes: impl IntoIterator<Item = F>) {
    let log = &short();
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
    // Every seventh byte, each time by another value.
    let log = scripted().text().into_bytes();
    never_clean(&log, (0..log.len()).step_by(7), |place, _| (place * 37 % 256) as u8);
}

/// A stretch of up to sixty bytes.
fn span(random: &mut Lcg, length: usize) -> Range<usize> {
    let from = random.below(length);
    from..(from + random.below(60)).min(length)
}

/// Takes a stretch out, puts one in, or replaces one by another, of the log's own bytes or of any.
fn edited(log: &[u8], random: &mut Lcg) -> Vec<u8> {
    let gone = span(random, log.len());
    let gone = if random.below(3) == 0 { gone.start..gone.start } else { gone };
    let new: Vec<u8> = match random.below(3) {
        0 => Vec::new(),
        1 => log[span(random, log.len())].to_vec(),
        _ => (0..random.below(20)).map(|_| random.below(256) as u8).collect(),
    };
    [&log[..gone.start], &new, &log[gone.end..]].concat()
}

#[test]
fn a_log_edited_at_random_is_never_clean_unless_it_is_the_same_again() {
    let edit = |log: &[u8], edits| {
        let mut random = Lcg(20_260_131);
        for _ in 0..edits {
            let other = edited(log, &mut random);
            let cut = log.starts_with(&other) && other.ends_with(b"\n");
            // A log cut off at the end of a line is a log of a match in play.
            assert!(!is_clean(&other) || other == log || cut, "{}", String::from_utf8_lossy(&other));
        }
    };
    let logs = [short(), scripted().text().into_bytes(), from_afar().text().into_bytes()];
    thread::scope(|scope| {
        for (log, edits) in logs.iter().zip([6_500, 3_000, 500]) {
            scope.spawn(move || edit(log, edits));
        }
    });
}

#[test]
fn the_program_ends_with_1_or_2_and_does_not_panic_whatever_became_of_a_log() {
    let (log, mut random) = (short(), Lcg(7));
    let flips = (0..log.len()).step_by(101).map(|place| {
        let mut flipped = log.clone();
        flipped[place] ^= 1 << (place % 8);
        flipped
    });
    let edits: Vec<_> = (0..40).map(|_| edited(&log, &mut random)).filter(|other| *other != log).collect();
    let mut ends = [0, 0];
    for other in flips.chain(edits) {
        let ran = fed(&["audit", "-"], &other);
        match ran.code {
            Some(code @ 1..=2) => ends[code as usize - 1] += 1,
            _ => panic!("{ran:?}: {}", String::from_utf8_lossy(&other)),
        }
    }
    assert!(ends.iter().all(|times| *times > 5), "{ends:?}");
}
