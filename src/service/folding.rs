//! Events on their way to the store: sealed into the chain, and folded into the match that they make.

use chrono::{DateTime, Utc};

use super::ServiceError;
use crate::editions::Editions;
use crate::log::{Actor, Entry, Event, EventData, Head, InvalidEvent, MatchId};
use crate::matches::History;
use crate::store::{NewEvent, StoreError};
use crate::views::{LoadedMatch, Rows};

/// Folds a whole log into the rows that the store keeps of it.
pub fn rows_of(entries: &[Entry], editions: &Editions) -> Result<Rows, String> {
    let mut loaded = None;
    let folded =
        entries.iter().try_for_each(|entry| LoadedMatch::follow(&mut loaded, &entry.read()?, editions));
    if let (Ok(()), Some(loaded)) = (folded, &loaded) {
        return Ok(Rows::of(loaded));
    }
    // Few logs have corrections, and a history that can go back costs more than a plain fold.
    let mut history: History<LoadedMatch> = History::new(editions.clone());
    for entry in entries {
        entry
            .read()
            .and_then(|event| history.follow(event).map(|_| ()))
            .map_err(|broken| format!("event {}: {broken}", entry.seq))?;
    }
    Ok(Rows::of(history.state().ok_or("the log is empty")?))
}

pub(super) fn missing(seq: u64) -> ServiceError {
    ServiceError::BrokenLog { seq, reason: "the event is missing".to_owned() }
}

/// Makes chained events of decided data. The author of a match's end is always the service.
pub(super) fn seal(
    match_id: MatchId,
    head: &Head,
    decided: Vec<(EventData, Actor)>,
    at: DateTime<Utc>,
) -> Result<Vec<(Event, Entry)>, ServiceError> {
    let mut head = head.clone();
    let mut sealed = Vec::with_capacity(decided.len());
    for (data, actor) in decided {
        let actor = if matches!(data, EventData::MatchCompleted(_)) { Actor::Service } else { actor };
        let (event, entry) = Event::seal(match_id, &head, at, actor, data)
            .map_err(|fault| StoreError::Failed(format!("an event cannot be written: {fault}")))?;
        head = event.head();
        sealed.push((event, entry));
    }
    Ok(sealed)
}

/// The error of a stored event that cannot be read, or cannot come where it is.
pub(super) fn broken(seq: u64, fault: &InvalidEvent) -> ServiceError {
    ServiceError::BrokenLog { seq, reason: fault.to_string() }
}

/// Reads the events of a stored log.
pub(super) fn read_log(log: &[Entry]) -> Result<Vec<Event>, ServiceError> {
    log.iter().map(|entry| entry.read().map_err(|fault| broken(entry.seq, &fault))).collect()
}

/// Folds a log from its first event on.
pub(super) fn fold_log(log: &[Entry], editions: &Editions) -> Result<LoadedMatch, ServiceError> {
    let mut loaded = None;
    let folded = log.iter().try_for_each(|entry| LoadedMatch::follow(&mut loaded, &entry.read()?, editions));
    if let (Ok(()), Some(loaded)) = (folded, loaded) {
        return Ok(loaded);
    }
    // Few logs have corrections, and a history that can go back costs more than a plain fold.
    let mut history: History<LoadedMatch> = History::new(editions.clone());
    for entry in log {
        let followed = entry.read().and_then(|event| history.follow(event).map(drop));
        followed.map_err(|fault| broken(entry.seq, &fault))?;
    }
    history.into_state().ok_or_else(|| missing(1))
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

pub(super) fn records(sealed: &[(Event, Entry)]) -> Vec<NewEvent> {
    sealed.iter().map(|(event, entry)| NewEvent::of(event, entry.clone())).collect()
}

pub(super) fn entries(sealed: Vec<(Event, Entry)>) -> Vec<Entry> {
    sealed.into_iter().map(|(_, entry)| entry).collect()
}
