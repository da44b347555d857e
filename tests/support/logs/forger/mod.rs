//! A forger changes a log after the match, and may hash it again.

mod balls;
mod bytes;

use serde_json::Value;

pub use balls::{CIRCUMSTANCES, OUTCOME, Tampering, changed};
pub use bytes::edited;

use super::{Log, canonical, hash_of, sha256};

/// A log in pieces, to be changed and put together again.
#[derive(Clone)]
pub struct Forger(Vec<Piece>);

/// An event, and its recorded line as long as the event is unchanged.
#[derive(Clone)]
struct Piece {
    event: Value,
    line: Option<String>,
}

impl Piece {
    fn new(event: Value) -> Piece {
        Piece { event, line: None }
    }

    fn line(self) -> String {
        self.line.unwrap_or_else(|| canonical(&self.event))
    }

    /// The line of this event, and its hash, at another place in the chain.
    fn chained(mut self, seq: u64, prev: &str) -> (String, String) {
        let Some(line) = self.line else {
            (self.event["seq"], self.event["prev"]) = (seq.into(), prev.into());
            let hash = hash_of(&self.event);
            self.event["hash"] = hash.clone().into();
            return (canonical(&self.event), hash);
        };
        // Nothing before the hash changes: `actor`, `at` and `data`.
        let begin = &line[..line.rfind(",\"hash\":").expect("an event has a hash")];
        let [kind, of_match, version] = ["kind", "match", "v"].map(|name| &self.event[name]);
        let rest = format!(
            "\"kind\":{kind},\"match\":{of_match},\"prev\":\"{prev}\",\"seq\":{seq},\"v\":{version}}}"
        );
        let hash = sha256(format!("{begin},{rest}"));
        (format!("{begin},\"hash\":\"{hash}\",{rest}"), hash)
    }
}

impl Forger {
    /// Takes a log into its events; a line with an edition is left out.
    pub fn of(log: &Log) -> Forger {
        let pieces = log.event_lines().zip(log.events());
        Forger(pieces.map(|(line, event)| Piece { event, line: Some(line.to_owned()) }).collect())
    }

    /// The index of the event with this seq.
    fn place(&self, seq: u64) -> usize {
        self.0.iter().position(|piece| piece.event["seq"] == seq).unwrap()
    }

    /// The event at this index, counted from 0.
    pub fn at(&self, place: usize) -> &Value {
        &self.0[place].event
    }

    /// The event with this seq, to be changed.
    pub fn event(&mut self, seq: u64) -> &mut Value {
        let place = self.place(seq);
        let piece = &mut self.0[place];
        piece.line = None;
        &mut piece.event
    }

    /// Changes every event.
    pub fn each(mut self, change: impl Fn(&mut Value)) -> Forger {
        for piece in &mut self.0 {
            piece.line = None;
            change(&mut piece.event);
        }
        self
    }

    /// Changes a field of an event's data, named by a JSON pointer. The field has to exist, and its value to
    /// change.
    pub fn set(mut self, seq: u64, field: &str, value: impl Into<Value>) -> Forger {
        let place = self.event(seq)["data"].pointer_mut(field);
        let place = place.unwrap_or_else(|| panic!("event {seq} has no {field}"));
        let value = value.into();
        assert_ne!(*place, value, "a forgery changes something");
        *place = value;
        self
    }

    /// Changes an event's data by hand.
    pub fn with(mut self, seq: u64, change: impl FnOnce(&mut Value)) -> Forger {
        let before = self.event(seq)["data"].clone();
        change(&mut self.event(seq)["data"]);
        assert_ne!(before, self.event(seq)["data"], "a forgery changes something");
        self
    }

    /// Takes an event out.
    pub fn without(mut self, seq: u64) -> Forger {
        let place = self.place(seq);
        self.0.remove(place);
        self
    }

    /// Repeats an event right after itself.
    pub fn doubled(mut self, seq: u64) -> Forger {
        let place = self.place(seq);
        self.0.insert(place, self.0[place].clone());
        self
    }

    /// Swaps two events.
    pub fn swapped(mut self, one: u64, other: u64) -> Forger {
        let places = (self.place(one), self.place(other));
        self.0.swap(places.0, places.1);
        self
    }

    /// Puts an event in at an index, counted from 0.
    pub fn inserted(mut self, place: usize, event: Value) -> Forger {
        self.0.insert(place, Piece::new(event));
        self
    }

    /// Appends an event.
    pub fn and(mut self, event: Value) -> Forger {
        self.0.push(Piece::new(event));
        self
    }

    /// The log with its old chain: hashes, `prev` and `seq` stay as they were.
    pub fn broken(self) -> Log {
        Log::of_lines(self.0.into_iter().map(Piece::line).collect())
    }

    /// The log with every event numbered, chained and hashed again.
    pub fn mended(self) -> Log {
        let mut prev = String::new();
        let mended = (1..).zip(self.0).map(|(seq, piece)| {
            let (line, hash) = piece.chained(seq, &prev);
            prev = hash;
            line
        });
        Log::of_lines(mended.collect())
    }

    /// The log with one event hashed again and nothing else; the `prev` of the next event no longer fits.
    pub fn half_mended(mut self, seq: u64) -> Log {
        let event = self.event(seq);
        event["hash"] = hash_of(event).into();
        self.broken()
    }
}
