//! Reading matches: from memory, where they are fresh, or from the store.

use std::ops::ControlFlow;
use std::sync::Arc;

use super::cache::{Held, Slot};
use super::{Matches, PlayError, missing};
use crate::dice::ServerSeed;
use crate::editions::{Editions, named_in};
use crate::log::{Broken, Entry, Event, Head, MatchId};
use crate::store::StoreError;
use crate::views::{Book, Page, Reading};
use crate::views::{Moment, Telling, Told, Untold};

impl Matches {
    /// The match as readers may see it: as it stands, or as it stood a moment ago.
    pub async fn book(&self, match_id: MatchId) -> Result<Arc<Book>, PlayError> {
        Ok(self.reading(match_id).await?.book)
    }

    /// A page of the match as readers may see it, and the hash of the event after which it is true.
    pub async fn page(&self, match_id: MatchId, page: Page) -> Result<(String, String), PlayError> {
        if self.known(match_id).is_none_or(|slot| slot.held().is_none())
            && let Some(view) = self.store.view(match_id, page.name()).await?
        {
            return Ok((view.hash, view.body));
        }
        let held = self.reading(match_id).await?;
        Ok((held.book.head().hash.clone(), held.page(page).to_owned()))
    }

    async fn reading(&self, match_id: MatchId) -> Result<Held, PlayError> {
        let known = self.known(match_id);
        if let Some(held) = known.as_ref().and_then(|slot| slot.held()).filter(Held::is_fresh) {
            return Ok(held);
        }
        match known {
            Some(slot) => self.current(match_id, &slot).await,
            None => {
                let slot = Arc::<Slot>::default();
                let held = self.current(match_id, &slot).await?;
                // Only what there is takes a place in memory.
                self.slot(match_id).keep(&held, false);
                Ok(held)
            }
        }
    }

    /// The match as it stood after event `at`, and as it was known then.
    pub async fn book_at(&self, match_id: MatchId, at: u64) -> Result<Book, PlayError> {
        let book = if at == 0 { None } else { self.folded(match_id, None, at).await? };
        match book {
            Some(book) if book.head().seq == at => Ok(book),
            book => match self.store.head(match_id).await? {
                Some(head) if at == 0 || head.seq < at => {
                    Err(Untold::NoSuchEvent { at, last: head.seq }.into())
                }
                Some(_) => Err(missing(book.map_or(0, |book| book.head().seq) + 1)),
                None => Err(PlayError::NoSuchMatch(match_id)),
            },
        }
    }

    /// The match at a moment, as it is known at another, told up to there.
    pub async fn told_at(&self, match_id: MatchId, moment: Moment) -> Result<Told, PlayError> {
        let head = self.store.head(match_id).await?.ok_or(PlayError::NoSuchMatch(match_id))?;
        let (known, last) = (moment.known.unwrap_or(head.seq), head.seq);
        if let Some(at) = [moment.at, moment.known].into_iter().flatten().find(|at| !(1..=last).contains(at))
        {
            return Err(Untold::NoSuchEvent { at, last }.into());
        }
        let edition = self.edition_of(match_id).await?;
        let mut telling = Telling::new(moment, Editions::from(edition.as_ref()));
        self.read(match_id, 0, known, |event, _| telling.follow(event)).await?;
        match telling.end() {
            // What is up to the head is in the store, or has been lost.
            Err(Untold::NoSuchEvent { last, .. }) if last < known => Err(missing(last + 1)),
            told => Ok(told?),
        }
    }

    /// What is held of a match, brought up to its head in the store.
    pub(super) async fn current(&self, match_id: MatchId, slot: &Slot) -> Result<Held, PlayError> {
        let held = slot.held();
        let head = self.store.head(match_id).await?.ok_or(PlayError::NoSuchMatch(match_id))?;
        if let Some(held) = held.as_ref().filter(|held| *held.book.head() == head) {
            let again = held.seen_again();
            slot.keep(&again, false);
            return Ok(again);
        }
        let seed = match &held {
            Some(held) => held.seed.clone(),
            None => self.seed(match_id).await?,
        };
        let was_held = held.is_some();
        let known = held.filter(|held| held.book.head().seq < head.seq);
        let on_top = known.is_some();
        let folded = match self.fold_to(match_id, known, &head).await {
            // What is held is not the beginning of what is stored, as after the store was put back to an earlier
            // state and went on otherwise: only the store counts.
            Err(PlayError::BrokenLog { .. }) if on_top => {
                self.fold_to(match_id, None, &head).await.map(|book| (book, true))
            }
            folded => folded.map(|book| (book, was_held && !on_top)),
        };
        let (book, forget) = folded?;
        let current = Held::now(Arc::new(book), seed);
        slot.keep(&current, forget);
        Ok(current)
    }

    /// Folds a log up to its head, on top of what is known of it.
    async fn fold_to(&self, match_id: MatchId, known: Option<Held>, head: &Head) -> Result<Book, PlayError> {
        let known = known.map(|held| Book::clone(&held.book));
        let book = self.folded(match_id, known, head.seq).await?;
        let last = book.as_ref().map_or(0, |book| book.head().seq);
        match book {
            Some(book) if book.head() == head => Ok(book),
            _ if last < head.seq => Err(missing(last + 1)),
            _ => {
                let reason = "the log does not end in the head that is stored".to_owned();
                Err(PlayError::BrokenLog { seq: head.seq, reason })
            }
        }
    }

    /// Folds a log up to event `to`, or as far as it goes, on top of what is known of it.
    async fn folded(
        &self,
        match_id: MatchId,
        known: Option<Book>,
        to: u64,
    ) -> Result<Option<Book>, PlayError> {
        let mut book = known;
        let after = book.as_ref().map_or(0, |book| book.head().seq);
        match self
            .read(match_id, after, to, |event, editions| Book::follow(&mut book, &event, editions))
            .await
        {
            // Few logs have corrections, and to be ready for one costs as much as the fold.
            Err(PlayError::BrokenLog { .. }) if after == 0 => {
                let edition = self.edition_of(match_id).await?;
                let mut reading = Reading::new(Editions::from(edition.as_ref()));
                self.read(match_id, 0, to, |event, _| reading.follow(event).map(|_| ())).await?;
                Ok(reading.into_book())
            }
            folded => folded.map(|()| book),
        }
    }

    /// The whole log of a match, and its head.
    pub async fn whole_log(&self, match_id: MatchId) -> Result<(Vec<Event>, Head), PlayError> {
        let head = self.store.head(match_id).await?.ok_or(PlayError::NoSuchMatch(match_id))?;
        Ok((self.events(match_id, &head).await?, head))
    }

    /// The whole log, which ends in this head.
    pub(super) async fn events(&self, match_id: MatchId, head: &Head) -> Result<Vec<Event>, PlayError> {
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

    pub(super) async fn seed(&self, match_id: MatchId) -> Result<Option<ServerSeed>, PlayError> {
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
        mut take: impl FnMut(Event, &Editions) -> Result<(), Broken> + Send,
    ) -> Result<(), PlayError> {
        let (mut editions, mut wanted) = (Editions::default(), None);
        let mut with_known = |event: Event| {
            if let Some(named) = named_in(&event.data) {
                let Some(known) = self.editions.find(&named.sha256) else {
                    wanted = Some(named.sha256.clone());
                    return Err(Broken::new("data.edition", "is read first"));
                };
                editions.insert(known);
            }
            take(event, &editions)
        };
        let read = self.read_on(match_id, after, to, &mut with_known).await;
        let Some(sha256) = wanted else { return read };
        editions.insert(self.edition(&sha256).await.map_err(|error| match error {
            PlayError::NoSuchEdition(_) => PlayError::BrokenLog { seq: 1, reason: error.to_string() },
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
        take: &mut (dyn FnMut(Event) -> Result<(), Broken> + Send),
    ) -> Result<(), PlayError> {
        let mut fault = None;
        let mut follow = |entry: Entry| match entry.read().and_then(&mut *take) {
            Ok(()) => ControlFlow::Continue(()),
            Err(broken) => {
                fault = Some(PlayError::BrokenLog { seq: entry.seq, reason: broken.to_string() });
                ControlFlow::Break(())
            }
        };
        self.store.read(match_id, after, to, &mut follow).await?;
        fault.map_or(Ok(()), Err)
    }
}
