//! The hash chain of a log: each event has the hash of the event before, so that no event can be changed,
//! added or removed unnoticed.

use sha2::{Digest, Sha256};

use super::{Entry, Head, MatchId, RawEvent};

/// A break in the hash chain of a log.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ChainBreak {
    /// A break in the sequence: an event is missing, doubled or out of order.
    #[error("event {expected} is expected here, and this is event {found}")]
    Sequence {
        /// The expected `seq`.
        expected: u64,
        /// The `seq` of the event.
        found: u64,
    },
    /// A wrong `prev`: the event was not made on top of the one before.
    #[error("`prev` is not the hash of the event before")]
    Previous {
        /// The hash of the event before.
        expected: String,
        /// The hash in `prev`.
        found: String,
    },
    /// A wrong hash: the event is not the one that was hashed.
    #[error("`hash` is not the SHA-256 of this event")]
    Hash {
        /// The SHA-256 of the event.
        expected: String,
        /// The hash in `hash`.
        found: String,
    },
    /// An event of another match.
    #[error("this event is of match {found}, the log of match {expected}")]
    OtherMatch {
        /// The match of the log.
        expected: MatchId,
        /// The match of the event.
        found: MatchId,
    },
}

/// A follower of the hash chain of a log, from its first event on.
#[derive(Debug, Default)]
pub struct Chain {
    match_id: Option<MatchId>,
    head: Head,
}

impl Chain {
    /// The head of the log so far.
    pub fn head(&self) -> &Head {
        &self.head
    }

    /// Checks the next event and moves on to it, even after a break, so that a reader can go on.
    pub fn link(&mut self, event: &RawEvent, entry: &Entry) -> Result<(), ChainBreak> {
        let verdict = self.check(event, entry);
        self.pass(event, entry);
        verdict
    }

    /// Moves on to the next event without a check.
    pub fn pass(&mut self, event: &RawEvent, entry: &Entry) {
        self.match_id.get_or_insert(event.match_id);
        self.head.seq = event.seq;
        self.head.hash.clone_from(&entry.hash);
    }

    fn check(&self, event: &RawEvent, entry: &Entry) -> Result<(), ChainBreak> {
        let expected = self.head.seq.saturating_add(1);
        if event.seq != expected {
            return Err(ChainBreak::Sequence { expected, found: event.seq });
        }
        if let Some(expected) = self.match_id.filter(|&id| id != event.match_id) {
            return Err(ChainBreak::OtherMatch { expected, found: event.match_id });
        }
        if event.prev != self.head.hash {
            return Err(ChainBreak::Previous { expected: self.head.hash.clone(), found: event.prev.clone() });
        }
        let digest = hash_of(&entry.body);
        if digest != entry.hash {
            return Err(ChainBreak::Hash { expected: digest, found: entry.hash.clone() });
        }
        Ok(())
    }
}

/// The hash of the canonical form of an event or of an edition.
pub(crate) fn hash_of(body: &str) -> String {
    let mut digits = [0; 64];
    match hex::encode_to_slice(Sha256::digest(body.as_bytes()), &mut digits) {
        Ok(()) => String::from_utf8_lossy(&digits).into_owned(),
        Err(_) => unreachable!("a SHA-256 has 64 hexadecimal digits"),
    }
}

/// Whether a text has the form of a hash: 64 lower-case hexadecimal digits.
pub fn is_hash(text: &str) -> bool {
    text.len() == 64 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

/// A hash that somebody gives, in the form in which it is compared and recorded: tools print its digits in
/// capitals, too. `None` if the text is no hash.
pub fn given_hash(text: &str) -> Option<String> {
    let hash = text.to_ascii_lowercase();
    is_hash(&hash).then_some(hash)
}
