//! Sweeping: idempotency records older than 30 days are removed, by the command `sweep`, and by a running
//! service where its role may.

use std::convert::Infallible;
use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};

use super::now;
use crate::log::MatchId;
use crate::store::{EventStore, RecordPlace, StoreError, SweptBatch};

/// How long a request can be sent again with its key.
const KEPT_FOR: TimeDelta = TimeDelta::days(30);
/// The interval at which a running service sweeps.
const DAY: Duration = Duration::from_secs(24 * 60 * 60);
/// The number of matches that are looked up at once, where a sweep goes match by match.
const MATCHES: u32 = 1_000;
/// How often a batch is tried that conflicts with other writers.
const TRIES: u32 = 10;

/// Removes the idempotency records that are older than 30 days now, and returns how many there were.
pub async fn sweep(store: &dyn EventStore, now: DateTime<Utc>) -> Result<u64, StoreError> {
    let before = now - KEPT_FOR;
    if store.spread().is_none() {
        return sweep_from(store, RecordPlace::default(), before).await;
    }
    let young = first_created(before);
    let (mut last, mut removed) = (None, 0);
    loop {
        let mut match_ids = store.match_ids(last, MATCHES).await?;
        match_ids.retain(|match_id| *match_id < young);
        last = match_ids.last().copied();
        if last.is_none() {
            return Ok(removed);
        }
        for match_id in match_ids {
            removed += sweep_from(store, RecordPlace::before(match_id), before).await?;
        }
    }
}

/// The least id of a match created at a time or later, since ids begin with their time. Such a match has no
/// older event.
fn first_created(at: DateTime<Utc>) -> MatchId {
    MatchId::from_u128(u128::try_from(at.timestamp_millis()).unwrap_or_default() << 80)
}

/// Removes the old idempotency records after a place: of its match where matches are spread over machines,
/// and otherwise of all.
async fn sweep_from(
    store: &dyn EventStore,
    mut place: RecordPlace,
    before: DateTime<Utc>,
) -> Result<u64, StoreError> {
    let mut removed = 0;
    loop {
        let batch = sweep_batch(store, &place, before).await?;
        removed += batch.removed;
        match batch.last {
            Some(last) => place = last,
            None => return Ok(removed),
        }
    }
}

async fn sweep_batch(
    store: &dyn EventStore,
    after: &RecordPlace,
    before: DateTime<Utc>,
) -> Result<SweptBatch, StoreError> {
    for tries in 1..TRIES {
        match store.sweep(after, before).await {
            // Another instance may sweep or append at the same time.
            Err(StoreError::Conflict | StoreError::Unavailable(_)) => {
                tokio::time::sleep(Duration::from_millis(u64::from(50 * tries))).await;
            }
            swept => return swept,
        }
    }
    store.sweep(after, before).await
}

/// Sweeps now and then once a day. A sweep that fails changes nothing for matches, so it is only logged; that
/// the role lacks the privilege is logged once.
pub async fn sweep_daily(store: &dyn EventStore) -> Infallible {
    let mut was_denied = false;
    loop {
        // On a clock that is off the service ends by itself.
        if let Ok(now) = now() {
            match sweep(store, now).await {
                Ok(0) => {}
                Ok(removed) => tracing::info!(removed, "idempotency keys older than 30 days are removed"),
                Err(StoreError::Denied(_)) if was_denied => {}
                Err(StoreError::Denied(reason)) => {
                    was_denied = true;
                    tracing::warn!(
                        reason,
                        "idempotency keys older than 30 days stay: let the owner of the tables run `third-umpire sweep`"
                    );
                }
                Err(error) => {
                    tracing::warn!(%error, "idempotency keys older than 30 days stay for a day more")
                }
            }
        }
        tokio::time::sleep(DAY).await;
    }
}
