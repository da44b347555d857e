//! Reads of a match as it was, or as a replay of its whole log shows it. Each folds a log on a thread of its
//! own.

use std::ops::ControlFlow;

use super::folding::{broken, fold_log, missing, read_log};
use super::{MatchService, ServiceError};
use crate::audit::{Evidence, evidence};
use crate::log::{Entry, Head, MatchId};
use crate::store::StoreError;
use crate::views::{AsOf, AsOfError, CommentaryAsOf, CommentaryBuilder, DisputeEntry, LoadedMatch};

impl MatchService {
    /// The match after event `at`, without later corrections.
    pub async fn loaded_at(&self, match_id: MatchId, at: u64) -> Result<LoadedMatch, ServiceError> {
        let last = self.store.head(match_id).await?.ok_or(ServiceError::NoSuchMatch(match_id))?.seq;
        if !(1..=last).contains(&at) {
            return Err(AsOfError::NoSuchEvent { at, last }.into());
        }
        let turn = self.threads.turn().await?;
        let (log, editions) = (self.log(match_id, at).await?, self.editions_of(match_id).await?);
        turn.run(move || fold_log(&log, &editions)).await
    }

    /// The match as of an event, with its commentary up to there.
    pub async fn commentary_as_of(
        &self,
        match_id: MatchId,
        as_of: AsOf,
    ) -> Result<CommentaryAsOf, ServiceError> {
        let last = self.store.head(match_id).await?.ok_or(ServiceError::NoSuchMatch(match_id))?.seq;
        if let Some(at) =
            [as_of.seq, as_of.known_at].into_iter().flatten().find(|at| !(1..=last).contains(at))
        {
            return Err(AsOfError::NoSuchEvent { at, last }.into());
        }
        let turn = self.threads.turn().await?;
        let log = self.log(match_id, as_of.known_at.unwrap_or(last)).await?;
        let mut builder = CommentaryBuilder::new(as_of, self.editions_of(match_id).await?);
        let build = move || {
            for entry in log {
                entry
                    .read()
                    .and_then(|event| builder.follow(event))
                    .map_err(|fault| broken(entry.seq, &fault))?;
            }
            Ok(builder.end()?)
        };
        turn.run(build).await
    }

    /// A dispute with the evidence that a replay of the log gives, and the head of the log; `None` where no
    /// dispute has this number.
    pub async fn evidence(
        &self,
        match_id: MatchId,
        number: u32,
    ) -> Result<(Option<(DisputeEntry, Evidence)>, Head), ServiceError> {
        let head = self.store.head(match_id).await?.ok_or(ServiceError::NoSuchMatch(match_id))?;
        let turn = self.threads.turn().await?;
        let log = self.log_up_to(match_id, &head).await?;
        let editions = self.editions_of(match_id).await?;
        let replay =
            move || evidence(read_log(&log)?, editions, number).map_err(|(seq, fault)| broken(seq, &fault));
        Ok((turn.run(replay).await?, head))
    }

    /// The log of a match up to event `to`, as text.
    async fn log(&self, match_id: MatchId, to: u64) -> Result<Vec<Entry>, ServiceError> {
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
        match log.last() {
            Some(last) if last.hash == head.hash => Ok(log),
            _ => Err(StoreError::Conflict.into()),
        }
    }
}
