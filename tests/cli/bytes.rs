//! A log with its bytes changed anywhere is never clean, and no file makes the audit panic.

use std::ops::Range;

use third_umpire::audit::{Verdict, audit};

use crate::support::{Lcg, Setting, scripted};

/// Seven events, so that every byte can be changed: created, tossed, decided, an over, two balls, given up.
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

#[test]
fn no_byte_of_a_log_may_differ_in_its_lowest_bit() {
    let log = short();
    never_clean(&log, 0..log.len(), |_, byte| byte ^ 0x01);
}

#[test]
fn no_byte_of_a_log_may_differ_in_case_or_be_another_digit() {
    let log = short();
    never_clean(&log, 0..log.len(), |_, byte| match byte {
        b'0'..=b'8' => byte + 1,
        b'9' => b'0',
        _ => byte ^ 0x20,
    });
}

#[test]
fn no_byte_of_a_log_may_differ_in_its_highest_bit_or_be_a_line_end() {
    let log = short();
    never_clean(&log, 0..log.len(), |place, byte| if place % 2 == 0 { byte ^ 0x80 } else { b'\n' });
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
    for (log, edits) in [(short(), 2_000), (scripted().text().into_bytes(), 1_000)] {
        let mut random = Lcg(20_260_131);
        for _ in 0..edits {
            let other = edited(&log, &mut random);
            let cut = log.starts_with(&other) && other.ends_with(b"\n");
            // A log cut off at the end of a line is a log of a match in play.
            assert!(!is_clean(&other) || other == log || cut, "{}", String::from_utf8_lossy(&other));
        }
    }
}
