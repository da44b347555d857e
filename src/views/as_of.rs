use crate::editions::Editions;
use crate::log::{Broken, Event};
use crate::views::{Book, CommentaryLine, Reading};

/// A moment of a match, and when it is known.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Moment {
    /// After this event; the last that is known if left out.
    pub at: Option<u64>,
    /// As it was known after this event; the last there is if left out.
    pub known: Option<u64>,
}

/// A match at a moment, and told up to there.
pub struct Told {
    /// The match.
    pub book: Book,
    /// What happened up to that moment, what is void among it.
    pub lines: Vec<CommentaryLine>,
}

/// Why a moment cannot be told.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Untold {
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
    Broken(Broken),
}

/// A log that is read up to where a moment is known, and told on the way.
pub struct Telling {
    moment: Moment,
    reading: Reading,
    /// The book as it was at that moment.
    then: Option<Book>,
    lines: Vec<CommentaryLine>,
}

impl Telling {
    /// Tells a moment of a log that may be read with these editions.
    pub fn new(moment: Moment, editions: Editions) -> Telling {
        Telling { moment, reading: Reading::new(editions), then: None, lines: Vec::new() }
    }

    /// Reads the next event.
    pub fn follow(&mut self, event: Event) -> Result<(), Broken> {
        let seq = event.seq;
        if self.moment.at.is_some_and(|at| seq > at) {
            return self.reading.follow(event).map(|_| ());
        }
        let told = event.clone();
        let book = self.reading.follow(event)?;
        self.lines.push(book.tell(&told));
        if self.moment.at == Some(seq) {
            self.then = Some(book.clone());
        }
        Ok(())
    }

    /// The log is read as far as it is known.
    pub fn end(mut self) -> Result<Told, Untold> {
        let last = self.reading.book().map_or(0, |book| book.head().seq);
        let Moment { at, known } = self.moment;
        if let Some(at) = known.filter(|known| *known != last) {
            return Err(Untold::NoSuchEvent { at, last });
        }
        if let (Some(at), Some(known)) = (at, known)
            && known < at
        {
            return Err(Untold::NotKnownYet { at, known });
        }
        for line in &mut self.lines {
            line.void = self.reading.struck_by(line.seq);
        }
        let book = match (at, self.then) {
            (Some(_), Some(then)) => self.reading.about(then).map_err(Untold::Broken)?,
            (Some(at), None) => return Err(Untold::NoSuchEvent { at, last }),
            (None, _) => self.reading.into_book().ok_or(Untold::NoSuchEvent { at: 1, last })?,
        };
        Ok(Told { book, lines: self.lines })
    }
}
