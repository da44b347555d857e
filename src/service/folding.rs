//! Folds of whole logs into the match that they make.

use super::ServiceError;
use crate::editions::Editions;
use crate::log::{Entry, Event, InvalidEvent};
use crate::matches::History;
use crate::projection::LoadedMatch;
use crate::views::{MatchNow, Rows};

/// Folds a whole log into the rows that the store keeps of it.
pub fn rows_of(log: &[Entry], editions: &Editions) -> Result<Rows, String> {
    let folded = fold(log, editions).map_err(|(seq, fault)| format!("event {seq}: {fault}"))?;
    folded
        .map(|loaded| Rows::of(&loaded, &MatchNow::of(&loaded)))
        .ok_or_else(|| "the log is empty".to_owned())
}

/// Folds a log, or names the event that cannot be read or cannot come where it is. Few logs have corrections,
/// and a history that can go back costs more than a plain fold.
fn fold(log: &[Entry], editions: &Editions) -> Result<Option<LoadedMatch>, (u64, InvalidEvent)> {
    let mut loaded = None;
    for entry in log {
        let event = entry.read().map_err(|fault| (entry.seq, fault))?;
        if event.data.reversal().is_some() {
            return fold_with_history(log, editions);
        }
        LoadedMatch::open_or_follow(&mut loaded, &event, editions).map_err(|fault| (entry.seq, fault))?;
    }
    Ok(loaded)
}

/// Folds a log that has corrections.
pub(super) fn fold_with_history(
    log: &[Entry],
    editions: &Editions,
) -> Result<Option<LoadedMatch>, (u64, InvalidEvent)> {
    fold_reversibly(log.iter().map(|entry| (entry.seq, entry.read())), editions)
}

/// Folds a log together with the new events that correct it.
pub(super) fn fold_corrected(
    log: Vec<Event>,
    sealed: &[(Event, Entry)],
    editions: &Editions,
) -> Result<LoadedMatch, ServiceError> {
    let events = log.into_iter().chain(sealed.iter().map(|(event, _)| event.clone()));
    let folded = fold_reversibly(events.map(|event| (event.seq, Ok(event))), editions);
    folded.map_err(broken)?.ok_or_else(|| missing(1))
}

/// Folds events that may be corrected later, or names the one that cannot be read or cannot come where it is.
fn fold_reversibly(
    events: impl Iterator<Item = (u64, Result<Event, InvalidEvent>)>,
    editions: &Editions,
) -> Result<Option<LoadedMatch>, (u64, InvalidEvent)> {
    let mut history: History<LoadedMatch> = History::new(editions.clone());
    for (seq, event) in events {
        event.and_then(|event| history.follow(event).map(drop)).map_err(|fault| (seq, fault))?;
    }
    Ok(history.into_state())
}

/// Reads the events of a stored log.
pub(super) fn read_log(log: &[Entry]) -> Result<Vec<Event>, ServiceError> {
    log.iter().map(|entry| entry.read().map_err(|fault| broken((entry.seq, fault)))).collect()
}

/// The error of a stored event that cannot be read, or cannot come where it is.
pub(super) fn broken((seq, fault): (u64, InvalidEvent)) -> ServiceError {
    ServiceError::BrokenLog { seq, reason: fault.to_string() }
}

/// The error of a stored log in which an event is missing.
pub(super) fn missing(seq: u64) -> ServiceError {
    ServiceError::BrokenLog { seq, reason: "the event is missing".to_owned() }
}
