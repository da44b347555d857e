//! Match log files that may contain the edition of their match.

use std::fmt;
use std::io::BufRead;
use std::sync::Arc;

use super::{Edition, Editions};
use crate::log::{BrokenLine, EditionRecord, Entry, EventData, LogReader, RawEvent, hash_of};

/// A match log file, and the editions with which its events may be read: those handed in, and the one on its
/// first line.
pub struct MatchLog<R> {
    lines: LogReader<R>,
    begun: bool,
    given: Option<Arc<Edition>>,
    editions: Editions,
}

/// The reason why a log cannot be read with the editions there are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EditionMismatch {
    /// The edition of the match is not known here.
    Unknown(EditionRecord),
    /// The log contains another edition than its match is played with.
    Another {
        /// The edition in the log.
        given: EditionRecord,
        /// The edition of the match.
        played: Option<EditionRecord>,
    },
}

impl<R: BufRead> MatchLog<R> {
    /// A log file read from `source`.
    pub fn new(source: R, editions: Editions) -> MatchLog<R> {
        MatchLog { lines: LogReader::new(source), begun: false, given: None, editions }
    }

    /// The reason why a log that begins with this event cannot be read with its own edition, or with the
    /// known ones.
    pub fn misfit(&self, first: &RawEvent, entry: &Entry) -> Option<EditionMismatch> {
        let first = first.clone().read().ok()?.data;
        let EventData::MatchCreated(created) = &first else { return None };
        match &self.given {
            Some(given) if created.edition.as_ref().map(|played| &played.sha256) == Some(&given.sha256) => {
                None
            }
            Some(given) => {
                Some(EditionMismatch::Another { given: given.record(), played: created.edition.clone() })
            }
            None => {
                let played = self
                    .editions
                    .named_in(&first)
                    .filter(|played| self.editions.find(&played.sha256).is_none())?;
                // When the event is not the one that was hashed, its edition means nothing.
                (hash_of(&entry.body) == entry.hash).then(|| EditionMismatch::Unknown(played.clone()))
            }
        }
    }

    /// Adds editions with which the log may be read.
    pub fn add_editions(&mut self, editions: &Editions) {
        self.editions.add(editions);
    }

    /// The editions with which the log may be read, once its first event has been read.
    pub fn editions(&self) -> &Editions {
        &self.editions
    }
}

impl<R: BufRead> Iterator for MatchLog<R> {
    type Item = Result<(RawEvent, Entry), BrokenLine>;

    fn next(&mut self) -> Option<Self::Item> {
        let next = self.lines.next();
        if !std::mem::replace(&mut self.begun, true)
            && let Some(text) = self.lines.edition()
        {
            match self.editions.read(text.as_bytes()) {
                Ok(edition) => {
                    let edition = Arc::new(edition);
                    self.editions.insert(Arc::clone(&edition));
                    self.given = Some(edition);
                }
                Err(faults) => {
                    let first = faults.first().map(ToString::to_string).unwrap_or_default();
                    let reason = match faults.len() {
                        0 | 1 => format!("is not an edition: {first}"),
                        more => format!("is not an edition, with {more} faults; the first is {first}"),
                    };
                    return Some(Err(BrokenLine::new(1, &reason)));
                }
            }
        }
        next
    }
}

impl fmt::Display for EditionMismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EditionMismatch::Unknown(EditionRecord { id, sha256 }) => write!(
                f,
                "the match is played with edition {id:?}, {sha256}, which is not known here; give it as the log's first \
                 line, as .../log?with=edition does"
            ),
            EditionMismatch::Another { given, played: Some(played) } => write!(
                f,
                "the log contains edition {:?}, {}, and the match is played with {:?}, {}",
                given.id, given.sha256, played.id, played.sha256
            ),
            EditionMismatch::Another { given, played: None } => {
                write!(f, "the log contains edition {:?}, and the match is played without one", given.id)
            }
        }
    }
}

impl From<EditionMismatch> for BrokenLine {
    fn from(misfit: EditionMismatch) -> BrokenLine {
        BrokenLine { line: 1, reason: misfit.to_string() }
    }
}
