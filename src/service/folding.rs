//! Folds of whole logs into the match that they make.

use super::ServiceError;
use crate::editions::Editions;
use crate::log::{Entry, Event, EventData, InvalidEvent};
use crate::matches::History;
use crate::views::{LoadedMatch, Rows};

/// A fold of a log, event by event. Few logs have corrections, and a history that can go back costs more than
/// a plain fold, so a history is made at the first correction.
pub(super) enum LogFolder {
    /// The match without corrections so far, and the events from the first on, if these were all read.
    Plain(Option<LoadedMatch>, Option<Vec<Event>>),
    /// The match with its history.
    WithHistory(History<LoadedMatch>),
}

impl LogFolder {
    /// A fold from the first event of a log on.
    pub(super) fn new() -> LogFolder {
        LogFolder::Plain(None, Some(Vec::new()))
    }

    /// A fold that goes on from a match that is known, and ends at a correction.
    pub(super) fn on_top_of(known: LoadedMatch) -> LogFolder {
        LogFolder::Plain(Some(known), None)
    }

    /// Goes on with the next event of a log that may be read with these editions.
    pub(super) fn follow(&mut self, event: Event, editions: &Editions) -> Result<(), InvalidEvent> {
        match self {
            LogFolder::Plain(_, Some(log)) if matches!(event.data, EventData::Correction(_)) => {
                let mut history: History<LoadedMatch> = History::new(editions.clone());
                for event in log.drain(..).chain([event]) {
                    history.follow(event)?;
                }
                *self = LogFolder::WithHistory(history);
            }
            LogFolder::Plain(loaded, log) => {
                LoadedMatch::open_or_follow(loaded, &event, editions)?;
                if let Some(log) = log {
                    log.push(event);
                }
            }
            LogFolder::WithHistory(history) => drop(history.follow(event)?),
        }
        Ok(())
    }

    /// The match after the last event; none where there was no event.
    pub(super) fn end(self) -> Option<LoadedMatch> {
        match self {
            LogFolder::Plain(loaded, _) => loaded,
            LogFolder::WithHistory(history) => history.into_state(),
        }
    }
}

/// Folds a whole log into the rows that the store keeps of it.
pub fn rows_of(log: &[Entry], editions: &Editions) -> Result<Rows, String> {
    let mut folder = LogFolder::new();
    for entry in log {
        let followed = entry.read().and_then(|event| folder.follow(event, editions));
        followed.map_err(|fault| format!("event {}: {fault}", entry.seq))?;
    }
    folder.end().map(|loaded| Rows::of(&loaded)).ok_or_else(|| "the log is empty".to_owned())
}

/// Folds a log together with the new events that correct it.
pub(super) fn fold_corrected(
    log: Vec<Event>,
    sealed: &[(Event, Entry)],
    editions: Editions,
) -> Result<LoadedMatch, ServiceError> {
    let mut history: History<LoadedMatch> = History::new(editions);
    for event in log.into_iter().chain(sealed.iter().map(|(event, _)| event.clone())) {
        let seq = event.seq;
        history.follow(event).map_err(|fault| broken(seq, &fault))?;
    }
    history.into_state().ok_or_else(|| missing(1))
}

/// Reads the events of a stored log.
pub(super) fn read_log(log: &[Entry]) -> Result<Vec<Event>, ServiceError> {
    log.iter().map(|entry| entry.read().map_err(|fault| broken(entry.seq, &fault))).collect()
}

/// The error of a stored event that cannot be read, or cannot come where it is.
pub(super) fn broken(seq: u64, fault: &InvalidEvent) -> ServiceError {
    ServiceError::BrokenLog { seq, reason: fault.to_string() }
}

/// The error of a stored log in which an event is missing.
pub(super) fn missing(seq: u64) -> ServiceError {
    ServiceError::BrokenLog { seq, reason: "the event is missing".to_owned() }
}
