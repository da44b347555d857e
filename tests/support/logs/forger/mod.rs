//! Somebody who changes a log after the event, and may know how hashes are made.

mod balls;
mod bytes;

use serde_json::Value;

pub use balls::{CIRCUMSTANCES, OUTCOME, Tampering, changed};
pub use bytes::edited;

use super::{Log, canonical, hash_of};

/// A log taken apart, to be changed and put together again.
#[derive(Clone)]
pub struct Forger(pub Vec<Value>);

impl Forger {
    /// Where the event of this seq stands.
    fn place(&self, seq: u64) -> usize {
        self.0.iter().position(|event| event["seq"] == seq).unwrap()
    }

    /// The event of this seq, to change it.
    pub fn event(&mut self, seq: u64) -> &mut Value {
        let place = self.place(seq);
        &mut self.0[place]
    }

    /// Changes a field of an event's data, named as a JSON pointer. It has to be there, and to change.
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

    /// Puts an event in once more, right behind itself.
    pub fn doubled(mut self, seq: u64) -> Forger {
        let place = self.place(seq);
        self.0.insert(place, self.0[place].clone());
        self
    }

    /// Lets two events change places.
    pub fn swapped(mut self, one: u64, other: u64) -> Forger {
        let places = (self.place(one), self.place(other));
        self.0.swap(places.0, places.1);
        self
    }

    /// Appends an event.
    pub fn and(mut self, event: Value) -> Forger {
        self.0.push(event);
        self
    }

    /// The log with the chain left as it was: hashes, `prev` and `seq` are those of before.
    pub fn broken(self) -> Log {
        Log::of_lines(self.0.iter().map(|event| canonical(event)).collect())
    }

    /// The log with all events numbered, chained and hashed again, from the first on.
    pub fn mended(mut self) -> Log {
        let mut prev = String::new();
        for (seq, event) in (1u64..).zip(&mut self.0) {
            event["seq"] = seq.into();
            event["prev"] = prev.into();
            prev = hash(event);
        }
        self.broken()
    }

    /// The log with one event hashed again and nothing else: the next one's `prev` gives it away.
    pub fn half_mended(mut self, seq: u64) -> Log {
        hash(self.event(seq));
        self.broken()
    }
}

/// Hashes an event again, as the log's specification says.
fn hash(event: &mut Value) -> String {
    let hash = hash_of(event);
    event["hash"] = hash.clone().into();
    hash
}
