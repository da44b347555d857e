//! Reading matches: from memory, where they are fresh, or from the store.

use std::ops::ControlFlow;
use std::sync::Arc;

use super::cache::{CacheEntry, CachedMatch};
use super::{MatchService, ServiceError, missing};
use crate::dice::ServerSeed;
use crate::editions::{Editions, named_in};
use crate::log::{Entry, Event, Head, InvalidEvent, MatchId};
use crate::store::StoreError;
use crate::views::{AsOf, AsOfError, CommentaryAsOf, CommentaryBuilder};
use crate::views::{History, MatchProjection, Page};

impl MatchService {
    /// The match as readers may see it: as it stands, or as it stood a moment ago.
    pub async fn projection(&self, match_id: MatchId) -> Result<Arc<MatchProjection>, ServiceError> {
        Ok(self.history(match_id).await?.projection)
    }

    /// A page of the match as readers may see it, and the hash of the event after which it is true.
    pub async fn page(&self, match_id: MatchId, page: Page) -> Result<(String, String), ServiceError> {
        if self.known(match_id).is_none_or(|slot| slot.cached().is_none())
            && let Some(view) = self.store.view(match_id, page.name()).await?
        {
            return Ok((view.hash, view.body));
        }
        let held = self.history(match_id).await?;
        Ok((held.projection.head().hash.clone(), held.page(page).to_owned()))
    }

    async fn history(&self, match_id: MatchId) -> Result<CachedMatch, ServiceError> {
        let known = self.known(match_id);
        if let Some(held) = known.as_ref().and_then(|slot| slot.cached()).filter(CachedMatch::is_fresh) {
            return Ok(held);
        }
        match known {
            Some(slot) => self.current(match_id, &slot).await,
            None => {
                let slot = Arc::<CacheEntry>::default();
                let held = self.current(match_id, &slot).await?;
                // Only what there is takes a place in memory.
                self.slot(match_id).keep(&held, false);
                Ok(held)
            }
        }
    }

    /// The match as it stood after event `at`, and as it was known then.
    pub async fn projection_at(&self, match_id: MatchId, at: u64) -> Result<MatchProjection, ServiceError> {
        let projection = if at == 0 { None } else { self.folded(match_id, None, at).await? };
        match projection {
            Some(projection) if projection.head().seq == at => Ok(projection),
            projection => match self.store.head(match_id).await? {
                Some(head) if at == 0 || head.seq < at => {
                    Err(AsOfError::NoSuchEvent { at, last: head.seq }.into())
                }
                Some(_) => Err(missing(projection.map_or(0, |projection| projection.head().seq) + 1)),
                None => Err(ServiceError::NoSuchMatch(match_id)),
            },
        }
    }

    /// The match at a moment, as it is known at another, told up to there.
    pub async fn commentary_as_of(
        &self,
        match_id: MatchId,
        moment: AsOf,
    ) -> Result<CommentaryAsOf, ServiceError> {
        let head = self.store.head(match_id).await?.ok_or(ServiceError::NoSuchMatch(match_id))?;
        let (known, last) = (moment.known_at.unwrap_or(head.seq), head.seq);
        if let Some(at) =
            [moment.seq, moment.known_at].into_iter().flatten().find(|at| !(1..=last).contains(at))
        {
            return Err(AsOfError::NoSuchEvent { at, last }.into());
        }
        let edition = self.edition_of(match_id).await?;
        let mut telling = CommentaryBuilder::new(moment, Editions::from(edition.as_ref()));
        self.read(match_id, 0, known, |event, _| telling.follow(event)).await?;
        match telling.end() {
            // What is up to the head is in the store, or has been lost.
            Err(AsOfError::NoSuchEvent { last, .. }) if last < known => Err(missing(last + 1)),
            told => Ok(told?),
        }
    }

    /// What is held of a match, brought up to its head in the store.
    pub(super) async fn current(
        &self,
        match_id: MatchId,
        slot: &CacheEntry,
    ) -> Result<CachedMatch, ServiceError> {
        let held = slot.cached();
        let head = self.store.head(match_id).await?.ok_or(ServiceError::NoSuchMatch(match_id))?;
        if let Some(held) = held.as_ref().filter(|held| *held.projection.head() == head) {
            let again = held.seen_again();
            slot.keep(&again, false);
            return Ok(again);
        }
        let seed = match &held {
            Some(held) => held.seed.clone(),
            None => self.seed(match_id).await?,
        };
        let was_held = held.is_some();
        let known = held.filter(|held| held.projection.head().seq < head.seq);
        let on_top = known.is_some();
        let folded = match self.fold_to(match_id, known, &head).await {
            // What is held is not the beginning of what is stored, as after the store was put back to an earlier
            // state and went on otherwise: only the store counts.
            Err(ServiceError::BrokenLog { .. }) if on_top => {
                self.fold_to(match_id, None, &head).await.map(|projection| (projection, true))
            }
            folded => folded.map(|projection| (projection, was_held && !on_top)),
        };
        let (projection, forget) = folded?;
        let current = CachedMatch::now(Arc::new(projection), seed);
        slot.keep(&current, forget);
        Ok(current)
    }

    /// Folds a log up to its head, on top of what is known of it.
    async fn fold_to(
        &self,
        match_id: MatchId,
        known: Option<CachedMatch>,
        head: &Head,
    ) -> Result<MatchProjection, ServiceError> {
        let known = known.map(|held| MatchProjection::clone(&held.projection));
        let projection = self.folded(match_id, known, head.seq).await?;
        let last = projection.as_ref().map_or(0, |projection| projection.head().seq);
        match projection {
            Some(projection) if projection.head() == head => Ok(projection),
            _ if last < head.seq => Err(missing(last + 1)),
            _ => {
                let reason = "the log does not end in the head that is stored".to_owned();
                Err(ServiceError::BrokenLog { seq: head.seq, reason })
            }
        }
    }

    /// Folds a log up to event `to`, or as far as it goes, on top of what is known of it.
    async fn folded(
        &self,
        match_id: MatchId,
        known: Option<MatchProjection>,
        to: u64,
    ) -> Result<Option<MatchProjection>, ServiceError> {
        let mut projection = known;
        let after = projection.as_ref().map_or(0, |projection| projection.head().seq);
        match self
            .read(match_id, after, to, |event, editions| {
                MatchProjection::follow(&mut projection, &event, editions)
            })
            .await
        {
            // Few logs have corrections, and to be ready for one costs as much as the fold.
            Err(ServiceError::BrokenLog { .. }) if after == 0 => {
                let edition = self.edition_of(match_id).await?;
                let mut history = History::new(Editions::from(edition.as_ref()));
                self.read(match_id, 0, to, |event, _| history.follow(event).map(|_| ())).await?;
                Ok(history.into_projection())
            }
            folded => folded.map(|()| projection),
        }
    }

    /// The whole log of a match, and its head.
    pub async fn whole_log(&self, match_id: MatchId) -> Result<(Vec<Event>, Head), ServiceError> {
        let head = self.store.head(match_id).await?.ok_or(ServiceError::NoSuchMatch(match_id))?;
        Ok((self.events(match_id, &head).await?, head))
    }

    /// The whole log, which ends in this head.
    pub(super) async fn events(&self, match_id: MatchId, head: &Head) -> Result<Vec<Event>, ServiceError> {
        let mut events = Vec::new();
        self.read(match_id, 0, head.seq, |event, _| {
            events.push(event);
            Ok(())
        })
        .await?;
        match events.last() {
            Some(last) if last.head() == *head => Ok(events),
            _ => Err(StoreError::Conflict.into()),
        }
    }

    pub(super) async fn seed(&self, match_id: MatchId) -> Result<Option<ServerSeed>, ServiceError> {
        let Some(text) = self.store.server_seed(match_id).await? else { return Ok(None) };
        let broken = |_| StoreError::Failed("a stored server seed is not 64 hexadecimal digits".to_owned());
        Ok(Some(ServerSeed::from_hex(&text).map_err(broken)?))
    }

    /// Reads a log up to event `to`, or as far as it goes, and hands each event on with the editions it may be read with. The
    /// edition that the first event names is fetched where no match in memory is played with it.
    async fn read(
        &self,
        match_id: MatchId,
        after: u64,
        to: u64,
        mut take: impl FnMut(Event, &Editions) -> Result<(), InvalidEvent> + Send,
    ) -> Result<(), ServiceError> {
        let (mut editions, mut wanted) = (Editions::default(), None);
        let mut with_known = |event: Event| {
            if let Some(named) = named_in(&event.data) {
                let Some(known) = self.editions.find(&named.sha256) else {
                    wanted = Some(named.sha256.clone());
                    return Err(InvalidEvent::new("data.edition", "is read first"));
                };
                editions.insert(known);
            }
            take(event, &editions)
        };
        let read = self.read_on(match_id, after, to, &mut with_known).await;
        let Some(sha256) = wanted else { return read };
        editions.insert(self.edition(&sha256).await.map_err(|error| match error {
            ServiceError::NoSuchEdition(_) => ServiceError::BrokenLog { seq: 1, reason: error.to_string() },
            error => error,
        })?);
        self.read_on(match_id, after, to, &mut |event| take(event, &editions)).await
    }

    /// Reads a log up to event `to`, or as far as it goes. Each event is taken as it comes, while the database looks for the
    /// next.
    async fn read_on(
        &self,
        match_id: MatchId,
        after: u64,
        to: u64,
        take: &mut (dyn FnMut(Event) -> Result<(), InvalidEvent> + Send),
    ) -> Result<(), ServiceError> {
        let mut fault = None;
        let mut follow = |entry: Entry| match entry.read().and_then(&mut *take) {
            Ok(()) => ControlFlow::Continue(()),
            Err(broken) => {
                fault = Some(ServiceError::BrokenLog { seq: entry.seq, reason: broken.to_string() });
                ControlFlow::Break(())
            }
        };
        self.store.read(match_id, after, to, &mut follow).await?;
        fault.map_or(Ok(()), Err)
    }
}
