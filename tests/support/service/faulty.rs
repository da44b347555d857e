//! A real store that fails when a test says so, and a service on it in the process of the test.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use third_umpire::log::{Actor, EditionRecord, Entry, Head, MatchId, Role};
use third_umpire::matches::SealOpening;
use third_umpire::rules::Edition;
use third_umpire::store::{
    Append, CachedPage, EachEntry, EventStore, Fold, IdempotencyRecord, MatchFilter, Rebuilt, StoreError,
};

use super::client::Client;
use super::in_process::InProcess;
use super::play;

/// What goes wrong in a store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// Once something has been stored, nothing can be read.
    SilentAfterCommit,
    /// Nothing can be read.
    Silent,
    /// Events cannot be read; all else can.
    NoEvents,
    /// What is stored is not confirmed.
    Unsure,
}

/// A real store that fails when a test says so.
pub struct FaultyStore {
    store: Arc<dyn EventStore>,
    fault: Mutex<Option<Fault>>,
    /// Heads to be told, one a question, before the real one is.
    old_heads: Mutex<VecDeque<Head>>,
}

impl FaultyStore {
    fn now(&self, fault: Option<Fault>) {
        *self.fault.lock().expect("nobody panics with it") = fault;
    }

    fn fault(&self) -> Option<Fault> {
        *self.fault.lock().expect("nobody panics with it")
    }

    fn answers(&self) -> Result<(), StoreError> {
        let gone = || StoreError::Unavailable("the test has made it so".to_owned());
        if self.fault() == Some(Fault::Silent) { Err(gone()) } else { Ok(()) }
    }

    fn has_events(&self) -> Result<(), StoreError> {
        let gone = || StoreError::Unavailable("the test has made it so".to_owned());
        if self.fault() == Some(Fault::NoEvents) { Err(gone()) } else { self.answers() }
    }

    /// What becomes of something that was stored.
    fn stored(&self) -> Result<(), StoreError> {
        match self.fault() {
            Some(Fault::SilentAfterCommit) => self.now(Some(Fault::Silent)),
            Some(Fault::Unsure) => return Err(StoreError::Unsure("the test has made it so".to_owned())),
            Some(Fault::Silent | Fault::NoEvents) | None => {}
        }
        Ok(())
    }
}

#[async_trait]
impl EventStore for FaultyStore {
    async fn write(&self, appends: &[Append]) -> Vec<Result<(), StoreError>> {
        let written = self.store.write(appends).await;
        written.into_iter().map(|one| one.and_then(|()| self.stored())).collect()
    }

    fn most_at_once(&self) -> usize {
        self.store.most_at_once()
    }

    async fn head(&self, match_id: MatchId) -> Result<Option<Head>, StoreError> {
        self.answers()?;
        let old = self.old_heads.lock().expect("nobody panics with it").pop_front();
        if old.is_some() { Ok(old) } else { self.store.head(match_id).await }
    }

    async fn heads(&self, match_ids: &[MatchId]) -> Result<Vec<(MatchId, u64)>, StoreError> {
        self.answers()?;
        self.store.heads(match_ids).await
    }

    async fn entries(&self, match_id: MatchId, after: u64, limit: u32) -> Result<Vec<Entry>, StoreError> {
        self.has_events()?;
        self.store.entries(match_id, after, limit).await
    }

    async fn read(
        &self,
        match_id: MatchId,
        after: u64,
        to: u64,
        each: &mut EachEntry<'_>,
    ) -> Result<(), StoreError> {
        self.has_events()?;
        self.store.read(match_id, after, to, each).await
    }

    async fn server_seed(&self, match_id: MatchId) -> Result<Option<String>, StoreError> {
        self.answers()?;
        self.store.server_seed(match_id).await
    }

    async fn role(&self, match_id: MatchId, invite: bool, hash: &str) -> Result<Option<Role>, StoreError> {
        self.answers()?;
        self.store.role(match_id, invite, hash).await
    }

    async fn openings(&self, match_id: MatchId) -> Result<Vec<SealOpening>, StoreError> {
        self.answers()?;
        self.store.openings(match_id).await
    }

    async fn idempotency_record(
        &self,
        match_id: MatchId,
        actor: Actor,
        key: &str,
    ) -> Result<Option<IdempotencyRecord>, StoreError> {
        self.answers()?;
        self.store.idempotency_record(match_id, actor, key).await
    }

    async fn view(&self, match_id: MatchId, name: &str) -> Result<Option<CachedPage>, StoreError> {
        self.answers()?;
        self.store.view(match_id, name).await
    }

    async fn matches(&self, filter: &MatchFilter) -> Result<Vec<(MatchId, String)>, StoreError> {
        self.answers()?;
        self.store.matches(filter).await
    }

    async fn match_ids(&self, after: Option<MatchId>, limit: u32) -> Result<Vec<MatchId>, StoreError> {
        self.answers()?;
        self.store.match_ids(after, limit).await
    }

    async fn drop_orphans(&self) -> Result<(), StoreError> {
        self.store.drop_orphans().await
    }

    async fn rebuild(
        &self,
        match_ids: &[MatchId],
        fold: Fold,
    ) -> Result<Vec<(MatchId, Rebuilt)>, StoreError> {
        self.store.rebuild(match_ids, fold).await
    }

    async fn keep_edition(&self, edition: &Edition) -> Result<bool, StoreError> {
        let is_new = self.store.keep_edition(edition).await?;
        self.stored().map(|()| is_new)
    }

    async fn edition(&self, sha256: &str) -> Result<Option<String>, StoreError> {
        self.answers()?;
        self.store.edition(sha256).await
    }

    async fn editions(&self) -> Result<Vec<EditionRecord>, StoreError> {
        self.answers()?;
        self.store.editions().await
    }

    async fn probe(&self) -> Result<(), StoreError> {
        self.answers()?;
        self.store.probe().await
    }

    async fn ping(&self) -> Result<(), StoreError> {
        self.answers()?;
        self.store.ping().await
    }

    async fn close(&self) {
        self.store.close().await;
    }
}

/// A service in the process of the test, on a store that fails when the test says so.
pub struct FaultyService {
    running: InProcess,
    store: Arc<FaultyStore>,
}

impl FaultyService {
    pub fn start(database: &str) -> FaultyService {
        let (made, making) = std::sync::mpsc::channel();
        let running = InProcess::start_on(database, move |store| {
            let (fault, old_heads) = (Mutex::default(), Mutex::default());
            let store = Arc::new(FaultyStore { store, fault, old_heads });
            made.send(Arc::clone(&store)).expect("the test waits for it");
            store
        });
        FaultyService { running, store: making.recv().expect("it was made") }
    }

    pub fn client(&self) -> &Client {
        self.running.client()
    }

    /// What the store does wrong from now on.
    pub fn fails(&self, fault: Fault) {
        self.store.now(Some(fault));
    }

    /// Whether nothing can be read from the store.
    pub fn is_silent(&self) -> bool {
        self.store.fault() == Some(Fault::Silent)
    }

    /// The store does nothing wrong any more.
    pub fn mend(&self) {
        self.store.now(None);
    }

    /// Tells this head once more, to whoever asks for one next.
    pub fn tells_old_head(&self, head: play::Head) {
        let play::Head { seq, hash } = head;
        self.store.old_heads.lock().expect("nobody panics with it").push_back(Head { seq, hash });
    }

    /// How many of them are still to be told.
    pub fn old_heads_left(&self) -> usize {
        self.store.old_heads.lock().expect("nobody panics with it").len()
    }
}
