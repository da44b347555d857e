//! Reads of a match as it was, or as a replay of its whole log shows it. Each folds a log on a thread of its
//! own, while the database fetches the rest of the log.

use std::ops::ControlFlow;
use std::sync::Arc;

use tokio::runtime::Handle;
use tracing::Instrument;

use super::folding::{LogFolder, broken, missing};
use super::{MatchService, ServiceError};
use crate::audit::{Evidence, evidence};
use crate::log::{Entry, Event, Head, InvalidEvent, MatchId};
use crate::store::StoreError;
use crate::views::{AsOf, AsOfError, CommentaryAsOf, CommentaryBuilder, DisputeEntry, LoadedMatch};

impl MatchService {
    /// The match after event `at`, without later corrections.
    pub async fn loaded_at(&self, match_id: MatchId, at: u64) -> Result<LoadedMatch, ServiceError> {
        let last = self.store.head(match_id).await?.ok_or(ServiceError::NoSuchMatch(match_id))?.seq;
        if !(1..=last).contains(&at) {
            return Err(AsOfError::NoSuchEvent { at, last }.into());
        }
        let editions = self.editions_of(match_id).await?;
        let follow = move |folder: &mut LogFolder, event| folder.follow(event, &editions);
        let end = |folder: LogFolder| folder.end().ok_or_else(|| missing(1));
        self.fold_up_to((match_id, at), LogFolder::new(), follow, end).await
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
        let builder = CommentaryBuilder::new(as_of, self.editions_of(match_id).await?);
        let to = as_of.known_at.unwrap_or(last);
        self.fold_up_to((match_id, to), builder, CommentaryBuilder::follow, |builder| Ok(builder.end()?))
            .await
    }

    /// A dispute with the evidence that a replay of the log gives, and the head of the log; `None` where no
    /// dispute has this number.
    pub async fn evidence(
        &self,
        match_id: MatchId,
        number: u32,
    ) -> Result<(Option<(DisputeEntry, Evidence)>, Head), ServiceError> {
        let head = self.store.head(match_id).await?.ok_or(ServiceError::NoSuchMatch(match_id))?;
        let (editions, last) = (self.editions_of(match_id).await?, head.hash.clone());
        let take = |log: &mut Vec<Event>, event| {
            log.push(event);
            Ok(())
        };
        let replay = move |log: Vec<Event>| {
            if log.last().is_none_or(|event| event.hash != last) {
                return Err(StoreError::Conflict.into());
            }
            evidence(log, editions, number).map_err(|(seq, fault)| broken(seq, &fault))
        };
        Ok((self.fold_up_to((match_id, head.seq), Vec::new(), take, replay).await?, head))
    }

    /// Reads the log of a match up to event `to` on a thread of its own, and hands on each event while the
    /// database fetches the next; `end` makes the result of what `follow` has folded.
    async fn fold_up_to<F: Send + 'static, T: Send + 'static>(
        &self,
        (match_id, to): (MatchId, u64),
        mut folded: F,
        mut follow: impl FnMut(&mut F, Event) -> Result<(), InvalidEvent> + Send + 'static,
        end: impl FnOnce(F) -> Result<T, ServiceError> + Send + 'static,
    ) -> Result<T, ServiceError> {
        let permit = self.reading.permit().await?;
        let (store, runtime) = (Arc::clone(&self.store), Handle::current());
        let read_and_fold = async move {
            let mut read = Ok(0);
            let mut take = |entry: Entry| {
                let followed = entry.read().and_then(|event| follow(&mut folded, event));
                read = followed.map(|()| entry.seq).map_err(|fault| broken(entry.seq, &fault));
                if read.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            };
            store.read(match_id, 0, to, &mut take).await?;
            all_read(read?, to)?;
            end(folded)
        };
        let span = tracing::info_span!("fold", %match_id, to);
        permit.run(move || runtime.block_on(read_and_fold.instrument(span))).await
    }

    /// The log of a match up to event `to`, as text.
    pub(super) async fn log(&self, match_id: MatchId, to: u64) -> Result<Vec<Entry>, ServiceError> {
        let mut log = Vec::new();
        let mut take = |entry| {
            log.push(entry);
            ControlFlow::Continue(())
        };
        self.store.read(match_id, 0, to, &mut take).await?;
        all_read(log.last().map_or(0, |last: &Entry| last.seq), to)?;
        Ok(log)
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

/// Checks that a log was read up to event `to`: all events up to the head have to be in the store.
fn all_read(last: u64, to: u64) -> Result<(), ServiceError> {
    if last < to { Err(missing(last + 1)) } else { Ok(()) }
}
