use serde::Serialize;
use sha2::{Digest, Sha256};
use utoipa::ToSchema;

use super::{Entry, MatchId, RawEvent};

/// The last event of a log: how far it goes and the hash that stands for all of it.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, ToSchema)]
pub struct Head {
    /// The last event's `seq`; 0 for an empty log.
    pub seq: u64,
    /// The last event's hash, 64 lower-case hexadecimal digits; empty for an empty log.
    pub hash: String,
}

/// Where a chain of events does not hold.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ChainBreak {
    /// An event is missing, doubled or out of order.
    #[error("event {expected} is due here, and this is event {found}")]
    Sequence {
        /// The `seq` due.
        expected: u64,
        /// The `seq` found.
        found: u64,
    },
    /// The event was not made on top of the one before it.
    #[error("`prev` is not the hash of the event before")]
    Previous {
        /// The hash before.
        expected: String,
        /// What `prev` says.
        found: String,
    },
    /// The event is not what was hashed.
    #[error("`hash` is not the SHA-256 of this event")]
    Hash {
        /// What this event hashes to.
        expected: String,
        /// What `hash` says.
        found: String,
    },
    /// The event is of another match.
    #[error("this event is of match {found}, the log of match {expected}")]
    OtherMatch {
        /// The log's match.
        expected: MatchId,
        /// The event's.
        found: MatchId,
    },
}

/// Follows a log's hashes from the first event on.
#[derive(Debug, Default)]
pub struct Chain {
    match_id: Option<MatchId>,
    head: Head,
}

impl Chain {
    /// The last event that was linked.
    pub fn head(&self) -> &Head {
        &self.head
    }

    /// Checks the next event and moves on to it, even where it breaks, so that a reader may go on.
    pub fn link(&mut self, event: &RawEvent, entry: &Entry) -> Result<(), ChainBreak> {
        let verdict = self.check(event, entry);
        self.pass(event, entry);
        verdict
    }

    /// Moves on to the next event unchecked.
    pub fn pass(&mut self, event: &RawEvent, entry: &Entry) {
        self.match_id.get_or_insert(event.match_id);
        self.head.seq = event.seq;
        self.head.hash.clone_from(&entry.hash);
    }

    fn check(&self, event: &RawEvent, entry: &Entry) -> Result<(), ChainBreak> {
        let due = self.head.seq.saturating_add(1);
        if event.seq != due {
            return Err(ChainBreak::Sequence { expected: due, found: event.seq });
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

/// The hash of a canonical form: of an event's, or of an edition's.
pub(crate) fn hash_of(body: &str) -> String {
    let mut digits = [0; 64];
    match hex::encode_to_slice(Sha256::digest(body.as_bytes()), &mut digits) {
        Ok(()) => String::from_utf8_lossy(&digits).into_owned(),
        Err(_) => unreachable!("a SHA-256 has 64 hexadecimal digits"),
    }
}

/// Whether this can be the hash of an event: 64 lower-case hexadecimal digits.
pub fn is_hash(text: &str) -> bool {
    text.len() == 64 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}
