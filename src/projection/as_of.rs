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

/// A reader of a log that builds a match as of an event, with its commentary.
pub struct CommentaryBuilder {
    as_of: AsOf,
    history: History<LoadedMatch>,
    /// The match when its event was appended, before later corrections.
    as_appended: Option<LoadedMatch>,
    lines: Vec<CommentaryLine>,
}

impl CommentaryBuilder {
    /// A builder for a log that may be read with these editions.
    pub fn new(as_of: AsOf, editions: Editions) -> CommentaryBuilder {
        CommentaryBuilder { as_of, history: History::new(editions), as_appended: None, lines: Vec::new() }
    }

    /// Reads the next event.
    pub fn follow(&mut self, event: Event) -> Result<(), InvalidEvent> {
        let seq = event.seq;
        if self.as_of.seq.is_some_and(|at| seq > at) {
            return self.history.follow(event).map(|_| ());
        }
        let described = event.clone();
        let loaded = self.history.follow(event)?;
        self.lines.push(loaded.describe(&described));
        if self.as_of.seq == Some(seq) {
            self.as_appended = Some(loaded.clone());
        }
        Ok(())
    }

    /// Ends the reading, and returns the match with its commentary.
    pub fn end(mut self) -> Result<CommentaryAsOf, AsOfError> {
        let last = self.history.state().map_or(0, |loaded| loaded.head().seq);
        let AsOf { seq: at, known_at: known } = self.as_of;
        if let Some(at) = known.filter(|known| *known != last) {
            return Err(AsOfError::NoSuchEvent { at, last });
        }
        if let (Some(at), Some(known)) = (at, known)
            && known < at
        {
            return Err(AsOfError::NotKnownYet { at, known });
        }
        for line in &mut self.lines {
            line.void = self.history.voided_by(line.seq);
        }
        let loaded = match (at, self.as_appended) {
            (Some(_), Some(as_appended)) => self.history.as_of(as_appended).map_err(AsOfError::Broken)?,
            (Some(at), None) => return Err(AsOfError::NoSuchEvent { at, last }),
            (None, _) => self.history.into_state().ok_or(AsOfError::NoSuchEvent { at: 1, last })?,
        };
        Ok(CommentaryAsOf { loaded, lines: self.lines })
    }
}
