//! Reads of a match as it was, or as a replay of its whole log shows it. Each place is folded on a thread of
//! its own, once for all who ask for it meanwhile.

use std::ops::ControlFlow;
use std::sync::Arc;

use tracing::Instrument;

use super::folding::{broken, missing, read_log};
use super::shared_folds::{Asked, SharedFolds};
use super::{MatchService, ServiceError};
use crate::audit::{Evidence, evidence};
use crate::editions::Editions;
use crate::log::{Entry, Head, MatchId};
use crate::matches::delivery_key;
use crate::projection::{AsOf, AsOfError, CommentaryAsOf, CommentaryBuilder, DisputeEntry};
use crate::store::StoreError;
use crate::views::{DeliveriesAsOf, DeliveriesBuilder, DeliveryBuilder, DeliveryView, NeverBowled};

/// The size of the folds with a commentary that are kept: the bytes of the logs that were folded, since a
/// fold takes about as much as its log. An early place counts in full, too, since it has the corrections that
/// came later.
const COMMENTARIES_KEPT: usize = 16 << 20;
/// The size of the folds with deliveries that are kept, counted in the same way.
const DELIVERIES_KEPT: usize = 8 << 20;
/// The size of a fold beside its log: the state of the match.
const OF_A_FOLD: usize = 64 << 10;
/// How many deliveries are kept in full.
const IN_FULL_KEPT: usize = 256;
/// How many disputes are kept with their evidence.
const EVIDENCE_KEPT: usize = 256;

/// A place in the log of a match, whose head was read just now. The head is part of it, since a correction
/// changes what was before it.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) struct LogPlace<P> {
    match_id: MatchId,
    head: Head,
    place: P,
}

/// The folds of matches as of an event.
type FoldsAsOf<V> = SharedFolds<LogPlace<AsOf>, V>;

/// The folds that readers share.
pub(super) struct ReadersFolds {
    /// The matches as of an event, with their commentary.
    commentaries: FoldsAsOf<CommentaryAsOf>,
    /// The matches as of an event, with their deliveries.
    deliveries: FoldsAsOf<DeliveriesAsOf>,
    /// The deliveries by their numbers, each in full.
    in_full: SharedFolds<LogPlace<u32>, Result<DeliveryView, NeverBowled>>,
    /// The disputes by their numbers, with their evidence.
    evidence: SharedFolds<LogPlace<u32>, Option<(DisputeEntry, Evidence)>>,
}

impl ReadersFolds {
    /// No folds yet.
    pub(super) fn new() -> ReadersFolds {
        ReadersFolds {
            commentaries: SharedFolds::with_room(COMMENTARIES_KEPT),
            deliveries: SharedFolds::with_room(DELIVERIES_KEPT),
            in_full: SharedFolds::with_room(IN_FULL_KEPT),
            evidence: SharedFolds::with_room(EVIDENCE_KEPT),
        }
    }
}

impl MatchService {
    /// The match as of an event, with its commentary up to there.
    pub async fn commentary_as_of(
        &self,
        match_id: MatchId,
        as_of: AsOf,
    ) -> Result<Arc<CommentaryAsOf>, ServiceError> {
        self.fold_as_of(match_id, as_of, &self.readers_folds.commentaries, commentary_of).await
    }

    /// The match as of an event, with the deliveries that stand there.
    pub async fn deliveries_as_of(
        &self,
        match_id: MatchId,
        as_of: AsOf,
    ) -> Result<Arc<DeliveriesAsOf>, ServiceError> {
        self.fold_as_of(match_id, as_of, &self.readers_folds.deliveries, deliveries_of).await
    }

    /// The fold of a match as of an event, made by `fold` of its log, or kept among `folds`.
    async fn fold_as_of<V: Send + Sync + 'static>(
        &self,
        match_id: MatchId,
        as_of: AsOf,
        folds: &FoldsAsOf<V>,
        fold: fn(Vec<Entry>, AsOf, Editions) -> Result<V, ServiceError>,
    ) -> Result<Arc<V>, ServiceError> {
        let head = self.head(match_id).await?;
        if let Some(at) =
            [as_of.seq, as_of.known_at].into_iter().flatten().find(|at| !(1..=head.seq).contains(at))
        {
            return Err(AsOfError::NoSuchEvent { at, last: head.seq }.into());
        }
        let to = as_of.known_at.unwrap_or(head.seq);
        let place = LogPlace { match_id, head, place: as_of };
        let unmade = match folds.ask(place).await? {
            Asked::Made(past) => return Ok(past),
            Asked::ToMake(unmade) => unmade,
        };
        let editions = self.editions_of(match_id).await?;
        let build = move |log: Vec<Entry>| {
            let size = OF_A_FOLD + log.iter().map(|entry| entry.body.len()).sum::<usize>();
            Ok(unmade.made(fold(log, as_of, editions)?, size))
        };
        let span = tracing::info_span!("fold", %match_id);
        self.fold_on_thread(match_id, to, build).instrument(span).await
    }

    /// A dispute with the evidence that a replay of the log gives, and the head of the log; `None` where no
    /// dispute has this number.
    pub async fn evidence(
        &self,
        match_id: MatchId,
        number: u32,
    ) -> Result<(Arc<Option<(DisputeEntry, Evidence)>>, Head), ServiceError> {
        let head = self.head(match_id).await?;
        let place = LogPlace { match_id, head: head.clone(), place: number };
        let unmade = match self.readers_folds.evidence.ask(place).await? {
            Asked::Made(found) => return Ok((found, head)),
            Asked::ToMake(unmade) => unmade,
        };
        let (editions, last) = (self.editions_of(match_id).await?, head.clone());
        let replay = move |log: Vec<Entry>| {
            ends_at(&log, &last)?;
            let found = evidence(read_log(&log)?, editions, number).map_err(broken)?;
            Ok(unmade.made(found, 1))
        };
        let span = tracing::info_span!("fold", %match_id);
        Ok((self.fold_on_thread(match_id, head.seq, replay).instrument(span).await?, head))
    }

    /// A delivery in full, and the head of the log.
    pub async fn delivery(
        &self,
        match_id: MatchId,
        number: u32,
    ) -> Result<(Arc<Result<DeliveryView, NeverBowled>>, Head), ServiceError> {
        let head = self.head(match_id).await?;
        let place = LogPlace { match_id, head: head.clone(), place: number };
        let unmade = match self.readers_folds.in_full.ask(place).await? {
            Asked::Made(found) => return Ok((found, head)),
            Asked::ToMake(unmade) => unmade,
        };
        let (editions, last) = (self.editions_of(match_id).await?, head.clone());
        let fold = move |log: Vec<Entry>| {
            ends_at(&log, &last)?;
            let log = read_log(&log)?;
            let key = delivery_key(&log, &editions, number).map_err(broken)?;
            let mut builder = DeliveryBuilder::new((number, key), editions);
            for event in log {
                let seq = event.seq;
                builder.follow(event).map_err(|fault| broken((seq, fault)))?;
            }
            Ok(unmade.made(builder.end().map_err(|fault| broken((last.seq, fault)))?, 1))
        };
        let span = tracing::info_span!("fold", %match_id);
        Ok((self.fold_on_thread(match_id, head.seq, fold).instrument(span).await?, head))
    }

    /// Does work for a reader of a match on a thread of its own, in the match's turn.
    pub async fn on_readers_thread<T: Send + 'static>(
        &self,
        match_id: MatchId,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, ServiceError> {
        self.reading.permit(match_id).await?.run(move || Ok(work())).await
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

/// The match as of an event with its commentary, from its log.
fn commentary_of(log: Vec<Entry>, as_of: AsOf, editions: Editions) -> Result<CommentaryAsOf, ServiceError> {
    let mut builder = CommentaryBuilder::new(as_of, editions);
    for entry in log {
        let followed = entry.read().and_then(|event| builder.follow(event));
        followed.map_err(|fault| broken((entry.seq, fault)))?;
    }
    Ok(builder.end()?)
}

/// The match as of an event with its deliveries, from its log.
fn deliveries_of(log: Vec<Entry>, as_of: AsOf, editions: Editions) -> Result<DeliveriesAsOf, ServiceError> {
    let mut builder = DeliveriesBuilder::new(as_of, editions);
    for entry in log {
        let followed = entry.read().and_then(|event| builder.follow(event));
        followed.map_err(|fault| broken((entry.seq, fault)))?;
    }
    Ok(builder.end()?)
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
