use std::hint::black_box;

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;
use sha2::{Digest, Sha256};
use third_umpire::audit::{Verdict, audit};
use third_umpire::log::{Ball, Over};

use super::logs::logs;
use super::report::{Reach, Row};
use super::turns::{Done, Scale, in_turn};

/// Compares an audit with reading and hashing the log, which no verifier can do without.
pub fn rows(scale: Scale) -> Vec<Row> {
    let logs = logs(scale.pick(100, 1));
    let compared = in_turn(scale.pick(15, 1), || audited(&logs), || parsed_and_hashed(&logs));
    vec![Row::rates(
        "audit of logs in memory: form, chain, rules, seeds",
        "only parsing (serde_json, into the types of balls and overs) and SHA-256 of the same lines",
        "events",
        compared,
        Reach::AtLeast(0.5),
    )]
}

fn audited(logs: &[String]) -> Done {
    Done::timed(|| {
        let audited = |log: &String| {
            let report = audit(log.as_bytes(), None).expect("a match log");
            assert_eq!(report.verdict, Verdict::Clean);
            report.events
        };
        logs.iter().map(audited).sum()
    })
}

/// A line of a log, with its data not read yet.
#[derive(Deserialize)]
#[expect(dead_code, reason = "they are read, and nothing is done with them")]
struct Line<'a> {
    #[serde(rename = "match")]
    match_id: &'a str,
    seq: u64,
    at: &'a str,
    actor: &'a str,
    kind: &'a str,
    v: u32,
    #[serde(borrow)]
    data: &'a RawValue,
    prev: &'a str,
    hash: &'a str,
}

/// Reads a line into the types that a verifier would have.
fn parse(line: &str) {
    let line: Line = black_box(serde_json::from_str(line).expect("JSON"));
    let data = line.data.get();
    match line.kind {
        "ball" => drop(black_box(serde_json::from_str::<Ball>(data).expect("a ball"))),
        "over" => drop(black_box(serde_json::from_str::<Over>(data).expect("an over"))),
        _ => drop(black_box(serde_json::from_str::<Value>(data).expect("JSON"))),
    }
}

fn parsed_and_hashed(logs: &[String]) -> Done {
    Done::timed(|| {
        let lines = logs.iter().flat_map(|log| log.lines());
        lines
            .map(|line| {
                parse(line);
                let (before, after) = around_the_hash(line);
                black_box(Sha256::new().chain_update(before).chain_update(after).finalize());
                1
            })
            .sum()
    })
}

/// A line without its hash member, as it was hashed.
fn around_the_hash(line: &str) -> (&str, &str) {
    let kind = line.rfind("\"kind\":\"").expect("a kind");
    let hash = kind - "\"hash\":\"\",".len() - 64;
    (&line[..hash], &line[kind..])
}
