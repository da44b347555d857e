use crate::editions::Editions;
use crate::log::{Event, InvalidEvent};
use crate::views::{CommentaryLine, History, MatchProjection};

/// A moment of a match, and when it is known.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct AsOf {
    /// After this event; the last that is known if left out.
    pub seq: Option<u64>,
    /// As it was known after this event; the last there is if left out.
    pub known_at: Option<u64>,
}

/// A match at a moment, and told up to there.
pub struct CommentaryAsOf {
    /// The match.
    pub projection: MatchProjection,
    /// What happened up to that moment, what is void among it.
    pub lines: Vec<CommentaryLine>,
}

/// Why a moment cannot be told.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AsOfError {
    /// The log ends before it.
    #[error("there is no event {at}; the log ends at event {last}")]
    NoSuchEvent {
        /// The event asked for.
        at: u64,
        /// The last there is.
        last: u64,
    },
    /// Nothing was known then of a later event.
    #[error("at event {known} nothing was known of event {at}: as_known_at is not before at")]
    NotKnownYet {
        /// The moment that is asked about.
        at: u64,
        /// The moment at which it should be known.
        known: u64,
    },
    /// The log does not hold.
    #[error("the log does not hold: {0}")]
    Broken(InvalidEvent),
}

/// A log that is read up to where a moment is known, and told on the way.
pub struct CommentaryBuilder {
    moment: AsOf,
    history: History,
    /// The book as it was at that moment.
    then: Option<MatchProjection>,
    lines: Vec<CommentaryLine>,
}

impl CommentaryBuilder {
    /// Tells a moment of a log that may be read with these editions.
    pub fn new(moment: AsOf, editions: Editions) -> CommentaryBuilder {
        CommentaryBuilder { moment, history: History::new(editions), then: None, lines: Vec::new() }
    }

    /// Reads the next event.
    pub fn follow(&mut self, event: Event) -> Result<(), InvalidEvent> {
        let seq = event.seq;
        if self.moment.seq.is_some_and(|at| seq > at) {
            return self.history.follow(event).map(|_| ());
        }
        let told = event.clone();
        let projection = self.history.follow(event)?;
        self.lines.push(projection.describe(&told));
        if self.moment.seq == Some(seq) {
            self.then = Some(projection.clone());
        }
        Ok(())
    }

    /// The log is read as far as it is known.
    pub fn end(mut self) -> Result<CommentaryAsOf, AsOfError> {
        let last = self.history.projection().map_or(0, |projection| projection.head().seq);
        let AsOf { seq: at, known_at: known } = self.moment;
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
        let projection = match (at, self.then) {
            (Some(_), Some(then)) => self.history.about(then).map_err(AsOfError::Broken)?,
            (Some(at), None) => return Err(AsOfError::NoSuchEvent { at, last }),
            (None, _) => self.history.into_projection().ok_or(AsOfError::NoSuchEvent { at: 1, last })?,
        };
        Ok(CommentaryAsOf { projection, lines: self.lines })
    }
}
