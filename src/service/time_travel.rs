//! Reads of a match as it was, or as a replay of its whole log shows it. Each folds a log on a thread of its
//! own.

use std::ops::ControlFlow;

use tracing::Instrument;

use super::folding::{broken, missing, read_log};
use super::{MatchService, ServiceError};
use crate::audit::{Evidence, evidence};
use crate::log::{Entry, Head, MatchId};
use crate::projection::{AsOf, AsOfError, CommentaryAsOf, CommentaryBuilder, DisputeEntry};
use crate::store::StoreError;

impl MatchService {
    /// The match as of an event, with its commentary up to there.
    pub async fn commentary_as_of(
        &self,
        match_id: MatchId,
        as_of: AsOf,
    ) -> Result<CommentaryAsOf, ServiceError> {
        let last = self.head(match_id).await?.seq;
        if let Some(at) =
            [as_of.seq, as_of.known_at].into_iter().flatten().find(|at| !(1..=last).contains(at))
        {
            return Err(AsOfError::NoSuchEvent { at, last }.into());
        }
        let mut builder = CommentaryBuilder::new(as_of, self.editions_of(match_id).await?);
        let build = move |log: Vec<Entry>| {
            for entry in log {
                let followed = entry.read().and_then(|event| builder.follow(event));
                followed.map_err(|fault| broken((entry.seq, fault)))?;
            }
            Ok(builder.end()?)
        };
        let span = tracing::info_span!("fold", %match_id);
        self.fold_on_thread(match_id, as_of.known_at.unwrap_or(last), build).instrument(span).await
    }

    /// A dispute with the evidence that a replay of the log gives, and the head of the log; `None` where no
    /// dispute has this number.
    pub async fn evidence(
        &self,
        match_id: MatchId,
        number: u32,
    ) -> Result<(Option<(DisputeEntry, Evidence)>, Head), ServiceError> {
        let head = self.head(match_id).await?;
        let (editions, last) = (self.editions_of(match_id).await?, head.clone());
        let replay = move |log: Vec<Entry>| {
            ends_at(&log, &last)?;
            evidence(read_log(&log)?, editions, number).map_err(broken)
        };
        let span = tracing::info_span!("fold", %match_id);
        Ok((self.fold_on_thread(match_id, head.seq, replay).instrument(span).await?, head))
    }

    /// Folds the log of a match up to event `to` on a thread of its own, with a permit to have it in memory.
    async fn fold_on_thread<T: Send + 'static>(
        &self,
        match_id: MatchId,
        to: u64,
        fold: impl FnOnce(Vec<Entry>) -> Result<T, ServiceError> + Send + 'static,
    ) -> Result<T, ServiceError> {
        let permit = self.reading.permit(match_id).await?;
        let log = self.log(match_id, to).await?;
        permit.run(move || fold(log)).await
    }

    /// The log of a match up to event `to`, as text.
    pub(super) async fn log(&self, match_id: MatchId, to: u64) -> Result<Vec<Entry>, ServiceError> {
        let mut log = Vec::new();
        let mut take = |entry| {
            log.push(entry);
            ControlFlow::Continue(())
        };
        self.store.read(match_id, 0, to, &mut take).await?;
        match log.last().map_or(0, |last: &Entry| last.seq) {
            // All events up to the head have to be in the store.
            last if last < to => Err(missing(last + 1)),
            _ => Ok(log),
        }
    }

    /// The log of a match up to its head, as text.
    pub(super) async fn log_up_to(&self, match_id: MatchId, head: &Head) -> Result<Vec<Entry>, ServiceError> {
        let log = self.log(match_id, head.seq).await?;
        ends_at(&log, head)?;
        Ok(log)
    }
}

/// Checks that a log ends at its head: another instance may have appended, or the store may have been
/// restored.
fn ends_at(log: &[Entry], head: &Head) -> Result<(), ServiceError> {
    if log.last().is_some_and(|last| last.hash == head.hash) {
        Ok(())
    } else {
        Err(StoreError::Conflict.into())
    }
}
