//! The memory of an audit stays small however long a log is, since files come from strangers.

use std::io::Write;
use std::process::{Child, ChildStdin, Command, Stdio};

use serde_json::json;
use third_umpire::scorebook::Side;
use third_umpire_test_support::logs::{Log, Setting, Wides, scripted};
use third_umpire_test_support::program::command;

const MEGABYTE: usize = 1 << 20;

/// An audit that reads its input bit by bit.
struct Reading {
    child: Child,
    stdin: ChildStdin,
}

impl Reading {
    fn new() -> Reading {
        Reading::by(command(&["audit", "-"]))
    }

    /// An audit whose allocator takes no huge pages, and gives back at once what is freed: its peak is what
    /// it keeps.
    fn without_reserves() -> Reading {
        let mut audit = command(&["audit", "-"]);
        audit.envs([("MIMALLOC_ALLOW_THP", "0"), ("MIMALLOC_PURGE_DELAY", "0")]);
        Reading::by(audit)
    }

    fn by(mut audit: Command) -> Reading {
        let mut child =
            audit.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let stdin = child.stdin.take().unwrap();
        Reading { child, stdin }
    }

    /// Writes to the audit; on return it has read all but what fits into a pipe.
    fn give(&mut self, bytes: &[u8]) {
        self.stdin.write_all(bytes).unwrap();
    }

    /// The peak of its memory, in bytes; `None` on systems without `/proc`.
    fn peak(&self) -> Option<usize> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).ok()?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
        line.trim().trim_end_matches(" kB").parse::<usize>().ok().map(|kilobytes| kilobytes * 1024)
    }

    fn ends(self) -> (Option<i32>, String) {
        drop(self.stdin);
        let output = self.child.wait_with_output().unwrap();
        (output.status.code(), String::from_utf8(output.stdout).unwrap())
    }
}

/// Writes the first of these pieces, then all others, and returns how much memory the others took.
fn grows_by(reading: &mut Reading, mut pieces: impl Iterator<Item = String>, first: usize) -> Option<usize> {
    pieces.by_ref().take(first).for_each(|piece| reading.give(piece.as_bytes()));
    let before = reading.peak();
    pieces.for_each(|piece| reading.give(piece.as_bytes()));
    Some(reading.peak()?.saturating_sub(before?))
}

#[test]
fn sixty_megabytes_of_events_are_read_in_the_memory_of_one() {
    let long = format!("{{\"x\":\"{}\"}}", "y".repeat(100_000));
    let line = scripted().lines[4].replacen("\"detail\":{}", &format!("\"detail\":{long}"), 1);
    let lines = 60 * MEGABYTE / line.len();
    let mut reading = Reading::new();
    reading.give(scripted().first(4).text().as_bytes());
    let pieces = (0..lines).map(|_| format!("{line}\n"));
    if let Some(growth) = grows_by(&mut reading, pieces, lines / 20) {
        assert!(growth < 4 * MEGABYTE, "57 MB more took {growth} bytes more");
        assert!(reading.peak().unwrap() < 40 * MEGABYTE, "{:?}", reading.peak());
    }
    let (code, text) = reading.ends();
    assert_eq!(code, Some(1), "{text}");
    assert!(text.starts_with("DIVERGES at event 5"), "{text}");
}

#[test]
fn a_line_of_fifty_megabytes_is_read_only_to_the_limit() {
    for before in [0, 4] {
        let mut reading = Reading::new();
        reading.give(scripted().first(before).text().as_bytes());
        let (quarter, mut peak) = (vec![b'x'; MEGABYTE / 4], None);
        let given = (0..200).take_while(|_| {
            peak = peak.max(reading.peak());
            reading.stdin.write_all(&quarter).is_ok()
        });
        let given = given.count();
        assert!(given < 8, "{given} quarters of a megabyte were read");
        assert!(peak < Some(40 * MEGABYTE), "{peak:?}");
        assert_eq!(reading.ends(), (Some(2), String::new()));
    }
}

/// Audits this log with 15,000 wides after it: returns how much memory the last 12,000 took, and the output.
fn audits_many_wides(log: &Log) -> (Option<usize>, String) {
    let mut reading = Reading::new();
    reading.give(log.text().as_bytes());
    let pieces = Wides::of(log).take(15_000).map(|line| line + "\n");
    let growth = grows_by(&mut reading, pieces, 3_000);
    let (code, text) = reading.ends();
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains("every outcome follows from the rules: 15001 deliveries"), "{text}");
    (growth, text)
}

#[test]
fn a_match_that_goes_on_and_on_is_audited_in_a_few_hundred_bytes_a_ball() {
    let log = Setting::overs(1).table().home_bats().balls([&[1, 2]]).log();
    let (growth, _) = audits_many_wides(&log);
    // The match before each ball is kept for a possible correction: 350 bytes of it.
    assert!(growth < Some(12_000 * 400), "dice that cannot be proved took {growth:?} bytes");
}

#[test]
fn a_seeded_match_keeps_its_dice_for_the_seed_that_judges_them() {
    let log = Setting::overs(1).seeded().home_bats().balls([&[1, 2]]).log();
    let (growth, text) = audits_many_wides(&log);
    assert!(text.contains("the seeds are not open"), "{text}");
    // The match before each ball takes 660 bytes.
    assert!(growth < Some(12_000 * 750), "the dice of 8 MB of log took {growth:?} bytes");
}

/// Events that repeat a ball and a dispute of it; every other ball has an agreed outcome.
fn disputed_wides() -> impl Iterator<Item = String> {
    let wide: [&[i64]; 1] = [&[1, 2]];
    let outcome = json!({"extras": {"wides": 2}});
    let mut maker = Setting::overs(1).table().home_bats();
    std::iter::repeat_with(move || {
        let events = maker.sealed.events.len();
        let next = std::mem::replace(&mut maker, Setting::overs(1).table());
        let next = next.balls(wide).ball_agreed_on(wide[0], outcome.clone(), "two were run");
        let last = next.the_match().play().deliveries();
        maker = next.disputed(last - 1, "no wide", Side::Home).disputed(last, "nor this", Side::Home);
        let new = if events == 3 { 0 } else { events };
        maker.sealed.lines[new..].iter().map(|line| format!("{line}\n")).collect()
    })
}

#[test]
fn balls_in_memory_do_not_keep_the_matchs_own_texts() {
    let mut reading = Reading::without_reserves();
    let growth = grows_by(&mut reading, disputed_wides().take(4_000), 400);
    assert!(growth < Some(12 * MEGABYTE), "14,400 balls and disputes took {growth:?} bytes");
    let (code, text) = reading.ends();
    assert_eq!(code, Some(0), "{}", &text[..500]);
}
