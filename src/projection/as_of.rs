//! Readers of a log that build a match as of an event, and with it its commentary.

use crate::editions::Editions;
use crate::log::{Event, InvalidEvent};
use crate::matches::History;
use crate::projection::{CommentaryLine, LoadedMatch};

/// The point at which a match is read: as of an event, with the corrections up to another.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct AsOf {
    /// The event as of which the match is read; the last known event if left out.
    pub seq: Option<u64>,
    /// The event after which nothing is known, such as corrections; the last event of the log if left out.
    pub known_at: Option<u64>,
}

/// A match as of an event, with its commentary up to there.
pub struct CommentaryAsOf {
    /// The match as of that event.
    pub loaded: LoadedMatch,
    /// The commentary up to that event, with lines for void events.
    pub lines: Vec<CommentaryLine>,
}

/// The error of reading a match as of an event.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AsOfError {
    /// The log ends before the event.
    #[error("there is no event {at}; the log ends at event {last}")]
    NoSuchEvent {
        /// The seq of the event.
        at: u64,
        /// The seq of the last event.
        last: u64,
    },
    /// The event came after the one up to which the log is known.
    #[error("event {at} was not known yet after event {known}: as_known_at may not be before at")]
    NotKnownYet {
        /// The event as of which the match is read.
        at: u64,
        /// The event up to which the log is known.
        known: u64,
    },
    /// The log is not valid.
    #[error("the log is not valid: {0}")]
    Broken(InvalidEvent),
}

/// A match as of an event, with the history of the log that is known.
pub struct KnownPast {
    /// The match as of that event.
    pub loaded: LoadedMatch,
    /// The history of the log.
    pub history: History<LoadedMatch>,
    /// The last live event of play that counts in the match; 0 where none does.
    pub last_live: u64,
}

/// A reader of a log that builds a match as of an event.
pub struct PastBuilder {
    as_of: AsOf,
    history: History<LoadedMatch>,
    /// The match when its event was appended, before later corrections.
    as_appended: Option<LoadedMatch>,
}

impl PastBuilder {
    /// A builder for a log that may be read with these editions.
    pub fn new(as_of: AsOf, editions: Editions) -> PastBuilder {
        PastBuilder { as_of, history: History::new(editions), as_appended: None }
    }

    /// Whether an event comes after the one as of which the match is read.
    pub fn is_later(&self, seq: u64) -> bool {
        self.as_of.seq.is_some_and(|at| seq > at)
    }

    /// Reads the next event, and returns the match after it.
    pub fn follow(&mut self, event: Event) -> Result<&LoadedMatch, InvalidEvent> {
        let seq = event.seq;
        let loaded = self.history.follow(event)?;
        if self.as_of.seq == Some(seq) {
            self.as_appended = Some(loaded.clone());
        }
        Ok(loaded)
    }

    /// Ends the reading, and returns the match.
    pub fn end(self) -> Result<KnownPast, AsOfError> {
        let PastBuilder { as_of: AsOf { seq: at, known_at: known }, history, as_appended } = self;
        let last = history.state().map_or(0, |loaded| loaded.head().seq);
        if let Some(at) = known.filter(|known| *known != last) {
            return Err(AsOfError::NoSuchEvent { at, last });
        }
        if let (Some(at), Some(known)) = (at, known)
            && known < at
        {
            return Err(AsOfError::NotKnownYet { at, known });
        }
        let last_live = history.last_live_up_to(at.unwrap_or(last), as_appended.as_ref());
        let loaded = match (at, as_appended) {
            (Some(_), Some(as_appended)) => history.as_of(as_appended).map_err(AsOfError::Broken)?,
            (Some(at), None) => return Err(AsOfError::NoSuchEvent { at, last }),
            (None, _) => history.state().cloned().ok_or(AsOfError::NoSuchEvent { at: 1, last })?,
        };
        Ok(KnownPast { loaded, history, last_live })
    }
}

/// A reader of a log that builds a match as of an event, with its commentary.
pub struct CommentaryBuilder {
    past: PastBuilder,
    lines: Vec<CommentaryLine>,
}

impl CommentaryBuilder {
    /// A builder for a log that may be read with these editions.
    pub fn new(as_of: AsOf, editions: Editions) -> CommentaryBuilder {
        CommentaryBuilder { past: PastBuilder::new(as_of, editions), lines: Vec::new() }
    }

    /// Reads the next event.
    pub fn follow(&mut self, event: Event) -> Result<(), InvalidEvent> {
        if self.past.is_later(event.seq) {
            return self.past.follow(event).map(|_| ());
        }
        let described = event.clone();
        let loaded = self.past.follow(event)?;
        self.lines.push(loaded.describe(&described));
        Ok(())
    }

    /// Ends the reading, and returns the match with its commentary.
    pub fn end(self) -> Result<CommentaryAsOf, AsOfError> {
        let (past, mut lines) = (self.past.end()?, self.lines);
        for line in &mut lines {
            line.void = past.history.voided_by(line.seq);
        }
        Ok(CommentaryAsOf { loaded: past.loaded, lines })
    }
}

impl AsRef<LoadedMatch> for CommentaryAsOf {
    fn as_ref(&self) -> &LoadedMatch {
        &self.loaded
    }
}
