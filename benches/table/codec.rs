//! Reading and writing events in canonical form, against the way by a JSON tree: the reason for which the log
//! has a reader and a writer of its own.

use std::hint::black_box;

use serde::Deserialize;
use serde_json::Value;
use sha2::{Digest, Sha256};
use third_umpire::canonical::canonical;
use third_umpire::log::{Event, Head, LogReader, MOST_VALUES_OF_EVENT, RawEvent, plain_json};

use super::logs::logs;
use super::report::{Reach, Row};
use super::turns::{Done, Scale, in_turn};

/// Compares both directions with serde_json and the canonical form of its tree, which do the same.
pub fn rows(scale: Scale) -> Vec<Row> {
    let logs = logs(scale.pick(100, 1));
    let events: Vec<Event> = logs.iter().flat_map(|log| read(log)).collect();
    let lines = || logs.iter().flat_map(|log| log.lines());
    let reading = in_turn(
        scale.pick(15, 1),
        || timed(logs.iter().flat_map(|log| read(log))),
        || timed(lines().map(read_by_a_tree)),
    );
    let writing = in_turn(
        scale.pick(15, 1),
        || timed(events.iter().map(write)),
        || timed(events.iter().map(write_by_a_tree)),
    );
    let rates =
        |work, against, compared, least| Row::rates(work, against, "events", compared, Reach::AtLeast(least));
    vec![
        rates(
            "read the events of logs in canonical form",
            "the same by a JSON tree: one check, one parse, one canonical form, one event a line",
            reading,
            4.0,
        ),
        rates("write events in canonical form, with SHA-256", "the same by a JSON tree", writing, 2.0),
    ]
}

fn timed<T>(work: impl Iterator<Item = T>) -> Done {
    Done::timed(|| work.map(black_box).count() as u64)
}

fn read(log: &str) -> impl Iterator<Item = Event> {
    LogReader::new(log.as_bytes()).map(|line| line.expect("a match log").0.read().expect("an event"))
}

fn read_by_a_tree(line: &str) -> Event {
    plain_json(line.as_bytes(), MOST_VALUES_OF_EVENT).expect("plain JSON");
    let tree: Value = serde_json::from_str(line).expect("JSON");
    assert_eq!(canonical(&tree).expect("a canonical form"), line);
    RawEvent::deserialize(&tree).expect("an event").read().expect("an event")
}

fn write(event: &Event) -> Event {
    let head = Head { seq: event.seq - 1, hash: event.prev.clone() };
    Event::seal(event.match_id, &head, event.at, event.actor, event.data.clone()).expect("hashable").0
}

fn write_by_a_tree(event: &Event) -> Event {
    let mut tree = serde_json::to_value(event).expect("an event is JSON");
    tree.as_object_mut().and_then(|members| members.remove("hash"));
    let body = canonical(&tree).expect("a canonical form");
    let hash = hex::encode(Sha256::digest(black_box(body)));
    Event { hash, ..event.clone() }
}
