//! Events of a match that are changed, in its file or behind the service's back.

use serde_json::Value;

use super::database::{Database, Session};
use super::play::Match;
use crate::logs::{canonical, hash_of, without_hash};

/// A log with one changed event, and the chain mended from there on.
pub fn with_event(log: &str, at: usize, change: impl FnOnce(&mut Value)) -> String {
    let mut events: Vec<Value> =
        log.lines().map(|line| serde_json::from_str(line).expect("a line is JSON")).collect();
    change(&mut events[at]);
    for at in at..events.len() {
        events[at]["prev"] = at.checked_sub(1).map_or("".into(), |before| events[before]["hash"].clone());
        events[at]["hash"] = hash_of(&events[at]).into();
    }
    events.iter().map(|event| canonical(event) + "\n").collect()
}

/// The events of a match, as the table has them.
fn stored(session: &mut Session, id: &str) -> Vec<Value> {
    let mut column =
        |name| session.texts(&format!("select {name} from events where match_id = {id} order by seq"));
    let (bodies, hashes) = (column("body"), column("hash"));
    let event = |(body, hash): (&String, String)| {
        let mut event: Value = serde_json::from_str(body).expect("a body is JSON");
        event["hash"] = hash.into();
        event
    };
    bodies.iter().zip(hashes).map(event).collect()
}

/// The part of the chain that a forger mends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mending {
    /// No hash is mended.
    Nothing,
    /// The hash of the changed event is mended.
    ItsHash,
    /// All hashes from the changed event on are mended, and the head.
    Chain,
}

/// Changes an event behind the service's back; the triggers have to be dropped.
pub fn forge(
    database: &Database,
    played: &Match,
    seq: u64,
    mending: Mending,
    change: impl FnOnce(&mut Value),
) {
    let mut session = database.session();
    let id = database.id(&played.id);
    let mut events = stored(&mut session, &id);
    let from = usize::try_from(seq).expect("a small number") - 1;
    change(&mut events[from]);
    let to = if mending == Mending::Chain { events.len() } else { from + 1 };
    for at in from..to {
        if at > from {
            events[at]["prev"] = events[at - 1]["hash"].clone();
        }
        if mending != Mending::Nothing {
            events[at]["hash"] = hash_of(&events[at]).into();
        }
        let body = canonical(&without_hash(&events[at])).replace('\'', "''");
        let (hash, seq) = (events[at]["hash"].as_str().expect("a hash is text"), at + 1);
        let sql = format!(
            "update events set body = '{body}', hash = '{hash}' where match_id = {id} and seq = {seq}"
        );
        assert_eq!(session.run(&sql).expect("the triggers are gone"), 1);
    }
    if let Some(last) = events.last().filter(|_| mending == Mending::Chain) {
        let hash = last["hash"].as_str().expect("a hash is text");
        let sql = format!("update heads set hash = '{hash}' where match_id = {id}");
        assert_eq!(session.run(&sql).expect("heads may be written"), 1);
    }
}
