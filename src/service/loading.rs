//! Reading matches: from the cache where an entry is fresh, or from the store.

use std::ops::ControlFlow;
use std::sync::Arc;

use tracing::Instrument;

use super::cache::{CacheEntry, CachedMatch};
use super::folding::{broken, fold_with_history, missing};
use super::threads::{WorkerThreads, on_own_thread};
use super::{MatchService, ServiceError};
use crate::dice::ServerSeed;
use crate::editions::Editions;
use crate::log::{Entry, Event, Head, InvalidEvent, MatchId};
use crate::metrics::MadeOn;
use crate::projection::{AsOfError, LoadedMatch};
use crate::store::StoreError;
use crate::views::Page;

/// A page of a match as JSON.
pub struct RenderedPage {
    /// The hash of the event as of which it is true.
    pub hash: String,
    /// The text.
    pub body: String,
    /// The place where it was rendered.
    pub made_on: MadeOn,
}

impl MatchService {
    /// The match for readers: from the cache where that is fresh, or from the store.
    pub async fn loaded(&self, match_id: MatchId) -> Result<Arc<LoadedMatch>, ServiceError> {
        Ok(self.recent(match_id).await?.loaded)
    }

    /// A page of the match for readers. One of more than `most` bytes is rendered on a thread of its own.
    pub async fn page(
        &self,
        match_id: MatchId,
        page: Page,
        most: usize,
    ) -> Result<RenderedPage, ServiceError> {
        let is_cached = self.known(match_id).is_some_and(|entry| entry.cached().is_some());
        if !is_cached && let Some(view) = self.store.view(match_id, page.name()).await? {
            return Ok(RenderedPage { hash: view.hash, body: view.body, made_on: MadeOn::Kept });
        }
        let cached = self.recent(match_id).await?;
        if !is_cached {
            self.renew_pages(&cached.loaded).await?;
        }
        let hash = cached.loaded.head().hash.clone();
        let (body, made_on) = match cached.page_up_to(page, most) {
            // A larger one has been rendered before, on a thread of its own.
            Some(body) => (body, MadeOn::Kept),
            None => (on_own_thread(move || cached.page(page)).await?, MadeOn::Thread),
        };
        Ok(RenderedPage { hash, body: body.as_ref().to_owned(), made_on })
    }

    /// The match as of an event or later, or as it is in the store, where that has no such event.
    pub(super) async fn loaded_from(
        &self,
        match_id: MatchId,
        seq: u64,
    ) -> Result<Arc<LoadedMatch>, ServiceError> {
        Ok(self.cached_where(match_id, |cached| cached.loaded.head().seq >= seq).await?.loaded)
    }

    async fn recent(&self, match_id: MatchId) -> Result<CachedMatch, ServiceError> {
        self.cached_where(match_id, CachedMatch::is_fresh).await
    }

    /// The cached match where it will do, or else brought up to its head in the store.
    async fn cached_where(
        &self,
        match_id: MatchId,
        will_do: impl Fn(&CachedMatch) -> bool,
    ) -> Result<CachedMatch, ServiceError> {
        let known = self.known(match_id);
        if let Some(cached) = known.as_ref().and_then(|entry| entry.cached()).filter(will_do) {
            return Ok(cached);
        }
        match known {
            Some(entry) => self.current(match_id, &entry, &self.reading).await,
            None => {
                let entry = Arc::<CacheEntry>::default();
                let cached = self.current(match_id, &entry, &self.reading).await?;
                // A cache entry is made only for a match that exists.
                self.entry(match_id).keep(&cached, false);
                Ok(cached)
            }
        }
    }

    /// The cached match, brought up to its head in the store. A log with corrections is folded on one of
    /// these threads.
    pub(super) async fn current(
        &self,
        match_id: MatchId,
        entry: &CacheEntry,
        threads: &WorkerThreads,
    ) -> Result<CachedMatch, ServiceError> {
        self.load(match_id, entry, threads).instrument(tracing::info_span!("load", %match_id)).await
    }

    async fn load(
        &self,
        match_id: MatchId,
        entry: &CacheEntry,
        threads: &WorkerThreads,
    ) -> Result<CachedMatch, ServiceError> {
        let cached = entry.cached();
        let head = self.head(match_id).await?;
        if let Some(cached) = cached.as_ref().filter(|cached| *cached.loaded.head() == head) {
            let again = cached.refreshed();
            entry.keep(&again, false);
            return Ok(again);
        }
        let seed = match &cached {
            Some(cached) => cached.seed.clone(),
            None => self.seed(match_id).await?,
        };
        let was_cached = cached.is_some();
        let known = cached.filter(|cached| cached.loaded.head().seq < head.seq);
        let on_top = known.is_some();
        let folded = match self.fold_to(match_id, known, &head, threads).await {
            // The cached match is not the beginning of the stored log, for example since the store was
            // restored to an earlier state and grew differently: only the store counts.
            Err(ServiceError::BrokenLog { .. }) if on_top => {
                self.fold_to(match_id, None, &head, threads).await.map(|loaded| (loaded, true))
            }
            folded => folded.map(|loaded| (loaded, was_cached && !on_top)),
        };
        let (loaded, forget) = folded?;
        tracing::debug!(seq = loaded.head().seq, "a match is loaded");
        let current = CachedMatch::now(Arc::new(loaded), seed);
        entry.keep(&current, forget);
        Ok(current)
    }

    /// Folds a log up to its head, on top of the cached match.
    async fn fold_to(
        &self,
        match_id: MatchId,
        known: Option<CachedMatch>,
        head: &Head,
        threads: &WorkerThreads,
    ) -> Result<LoadedMatch, ServiceError> {
        let known = known.map(|cached| LoadedMatch::clone(&cached.loaded));
        let loaded = self.folded(match_id, known, head.seq, threads).await?;
        let last = loaded.as_ref().map_or(0, |loaded| loaded.head().seq);
        match loaded {
            Some(loaded) if loaded.head() == head => Ok(loaded),
            _ if last < head.seq => Err(missing(last + 1)),
            _ => {
                let reason = "the log does not end in the head that is stored".to_owned();
                Err(ServiceError::BrokenLog { seq: head.seq, reason })
            }
        }
    }

    /// The match after event `at`, without later corrections, as a command that is sent again was answered.
    pub async fn loaded_at(&self, match_id: MatchId, at: u64) -> Result<LoadedMatch, ServiceError> {
        let span = tracing::info_span!("load", %match_id, at);
        let folded = self.folded(match_id, None, at, &self.deciding).instrument(span).await?;
        if let Some(loaded) = folded.filter(|loaded| loaded.head().seq == at) {
            return Ok(loaded);
        }
        match self.head(match_id).await?.seq {
            last if (1..=last).contains(&at) => Err(missing(at)),
            last => Err(AsOfError::NoSuchEvent { at, last }.into()),
        }
    }

    /// Folds a log up to event `to` on top of the match that is known, if one is.
    async fn folded(
        &self,
        match_id: MatchId,
        known: Option<LoadedMatch>,
        to: u64,
        threads: &WorkerThreads,
    ) -> Result<Option<LoadedMatch>, ServiceError> {
        let after = known.as_ref().map_or(0, |known| known.head().seq);
        let (mut loaded, mut is_corrected) = (known, false);
        let follow = |event: Event, editions: &Editions| {
            is_corrected |= event.data.reversal().is_some();
            LoadedMatch::open_or_follow(&mut loaded, &event, editions)
        };
        match self.read(match_id, after, to, follow).await {
            // A plain fold ends at a correction. Few logs have any, and they are read once more.
            Err(ServiceError::BrokenLog { .. }) if after == 0 && is_corrected => {
                let permit = threads.permit(match_id).await?;
                let (log, editions) = (self.log(match_id, to).await?, self.editions_of(match_id).await?);
                let fold = move || fold_with_history(&log, &editions);
                permit.run(move || fold().map_err(broken)).await
            }
            read => read.map(|()| loaded),
        }
    }

    pub(super) async fn seed(&self, match_id: MatchId) -> Result<Option<ServerSeed>, ServiceError> {
        let Some(text) = self.store.server_seed(match_id).await? else { return Ok(None) };
        let broken = |_| StoreError::Failed("a stored server seed is not 64 hexadecimal digits".to_owned());
        Ok(Some(ServerSeed::from_hex(&text).map_err(broken)?))
    }

    /// Reads a log up to event `to`, or to its end, and hands each event on with the editions for it. The
    /// edition that the first event names is fetched from the store where the cache has it not.
    async fn read(
        &self,
        match_id: MatchId,
        after: u64,
        to: u64,
        mut take: impl FnMut(Event, &Editions) -> Result<(), InvalidEvent> + Send,
    ) -> Result<(), ServiceError> {
        let (mut editions, mut wanted) = (self.known_editions().only(None), None);
        let mut with_known = |event: Event| {
            if let Some(named) = self.known_editions().named_in(&event.data) {
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

    /// Reads a log up to event `to`, or to its end. Each event is handed on at once, while the database
    /// fetches the next.
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
            Err(invalid) => {
                fault = Some(broken((entry.seq, invalid)));
                ControlFlow::Break(())
            }
        };
        self.store.read(match_id, after, to, &mut follow).await?;
        fault.map_or(Ok(()), Err)
    }
}
