//! A real store with faults that a test switches on, and a service on it in the process of the test.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use third_umpire::commands::{TokenPurpose, TokenRow, VerifiedToken};
use third_umpire::log::{Actor, EditionRecord, Entry, Head, MatchId, Role};
use third_umpire::matches::SealOpening;
use third_umpire::rules::Edition;
use third_umpire::store::{
    Append, AppendStore, CachedPage, EachEntry, EventStore, Fold, IdempotencyRecord, ListRow, MatchFilter,
    Offered, Projected, Rebuilt, RecordPlace, ScoringOffer, SpreadStore, StoreError, SweptBatch,
};

use tokio::runtime::Handle;

use super::client::Client;
use super::in_process::InProcess;
use super::play;

/// A fault of a store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// Reads fail after the next write.
    UnavailableAfterCommit,
    /// Reads fail.
    Unavailable,
    /// Reads of events fail, all others work.
    NoEvents,
    /// Writes are stored, and answered with uncertainty.
    Unsure,
}

/// A real store with a fault that a test can switch on.
pub struct FaultyStore {
    store: Arc<dyn EventStore>,
    fault: Mutex<Option<Fault>>,
    /// Outdated heads to answer with, one a question, before the real one.
    old_heads: Mutex<VecDeque<Head>>,
}

impl FaultyStore {
    fn set_fault(&self, fault: Option<Fault>) {
        *self.fault.lock().expect("nobody panics with the lock") = fault;
    }

    fn fault(&self) -> Option<Fault> {
        *self.fault.lock().expect("nobody panics with the lock")
    }

    fn check_reads(&self) -> Result<(), StoreError> {
        let unavailable = || StoreError::Unavailable("the test has made it so".to_owned());
        if self.fault() == Some(Fault::Unavailable) { Err(unavailable()) } else { Ok(()) }
    }

    fn check_reads_of_events(&self) -> Result<(), StoreError> {
        let unavailable = || StoreError::Unavailable("the test has made it so".to_owned());
        if self.fault() == Some(Fault::NoEvents) { Err(unavailable()) } else { self.check_reads() }
    }

    /// The effect of the fault on a write that was stored.
    fn after_write(&self) -> Result<(), StoreError> {
        match self.fault() {
            Some(Fault::UnavailableAfterCommit) => self.set_fault(Some(Fault::Unavailable)),
            Some(Fault::Unsure) => {
                return Err(StoreError::Unsure(None, "the test has made it so".to_owned()));
            }
            Some(Fault::Unavailable | Fault::NoEvents) | None => {}
        }
        Ok(())
    }
}

#[async_trait]
impl AppendStore for FaultyStore {
    async fn write(&self, appends: &[Append]) -> Vec<Result<(), StoreError>> {
        let written = self.store.write(appends).await;
        written.into_iter().map(|one| one.and_then(|()| self.after_write())).collect()
    }

    fn most_at_once(&self) -> usize {
        self.store.most_at_once()
    }
}

#[async_trait]
impl EventStore for FaultyStore {
    async fn identity(&self) -> Result<String, StoreError> {
        self.check_reads()?;
        self.store.identity().await
    }

    async fn head(&self, match_id: MatchId) -> Result<Option<Head>, StoreError> {
        self.check_reads()?;
        let old = self.old_heads.lock().expect("nobody panics with the lock").pop_front();
        if old.is_some() { Ok(old) } else { self.store.head(match_id).await }
    }

    async fn heads(&self, match_ids: &[MatchId]) -> Result<Vec<(MatchId, u64)>, StoreError> {
        self.check_reads()?;
        self.store.heads(match_ids).await
    }

    async fn entries(&self, match_id: MatchId, after: u64, limit: u32) -> Result<Vec<Entry>, StoreError> {
        self.check_reads_of_events()?;
        self.store.entries(match_id, after, limit).await
    }

    async fn read(
        &self,
        match_id: MatchId,
        after: u64,
        to: u64,
        each: &mut EachEntry<'_>,
    ) -> Result<(), StoreError> {
        self.check_reads_of_events()?;
        self.store.read(match_id, after, to, each).await
    }

    async fn server_seed(&self, match_id: MatchId) -> Result<Option<String>, StoreError> {
        self.check_reads()?;
        self.store.server_seed(match_id).await
    }

    async fn role(
        &self,
        match_id: MatchId,
        purpose: TokenPurpose,
        hash: &str,
    ) -> Result<Option<Role>, StoreError> {
        self.check_reads()?;
        self.store.role(match_id, purpose, hash).await
    }

    async fn tokens(&self, match_id: MatchId) -> Result<Vec<TokenRow>, StoreError> {
        self.check_reads()?;
        self.store.tokens(match_id).await
    }

    async fn offer_scoring(&self, offer: &ScoringOffer) -> Result<Offered, StoreError> {
        self.check_reads()?;
        self.store.offer_scoring(offer).await
    }

    async fn name_writer(
        &self,
        match_id: MatchId,
        token: &VerifiedToken,
        name: &str,
    ) -> Result<bool, StoreError> {
        self.check_reads()?;
        self.store.name_writer(match_id, token, name).await
    }

    async fn offered(&self, match_id: MatchId, hash: &str) -> Result<Option<i64>, StoreError> {
        self.check_reads()?;
        self.store.offered(match_id, hash).await
    }

    async fn stop_offer(
        &self,
        match_id: MatchId,
        by: Option<&VerifiedToken>,
        at: i64,
    ) -> Result<bool, StoreError> {
        self.check_reads()?;
        self.store.stop_offer(match_id, by, at).await
    }

    async fn knows_hash(&self, match_id: MatchId, hash: &str) -> Result<bool, StoreError> {
        self.check_reads()?;
        self.store.knows_hash(match_id, hash).await
    }

    async fn openings(&self, match_id: MatchId) -> Result<Vec<SealOpening>, StoreError> {
        self.check_reads()?;
        self.store.openings(match_id).await
    }

    async fn idempotency_record(
        &self,
        match_id: MatchId,
        actor: Actor,
        key: &str,
    ) -> Result<Option<IdempotencyRecord>, StoreError> {
        self.check_reads()?;
        self.store.idempotency_record(match_id, actor, key).await
    }

    async fn sweep(&self, after: &RecordPlace, before: DateTime<Utc>) -> Result<SweptBatch, StoreError> {
        self.check_reads()?;
        self.store.sweep(after, before).await
    }

    async fn view(&self, match_id: MatchId, name: &str) -> Result<Option<CachedPage>, StoreError> {
        self.check_reads()?;
        self.store.view(match_id, name).await
    }

    async fn matches(&self, filter: &MatchFilter) -> Result<Vec<ListRow>, StoreError> {
        self.check_reads()?;
        self.store.matches(filter).await
    }

    async fn renew(&self, projected: &[Projected]) -> Result<(), StoreError> {
        self.check_reads()?;
        self.store.renew(projected).await
    }

    async fn list(&self, projected: &[Projected]) -> Result<(), StoreError> {
        self.check_reads()?;
        self.store.list(projected).await
    }

    async fn behind(
        &self,
        after: MatchId,
        before: DateTime<Utc>,
        limit: u32,
    ) -> Result<Vec<MatchId>, StoreError> {
        self.check_reads()?;
        self.store.behind(after, before, limit).await
    }

    async fn match_ids(&self, after: Option<MatchId>, limit: u32) -> Result<Vec<MatchId>, StoreError> {
        self.check_reads()?;
        self.store.match_ids(after, limit).await
    }

    fn spread(&self) -> Option<&dyn SpreadStore> {
        self.store.spread()
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
        self.after_write().map(|()| is_new)
    }

    async fn edition(&self, sha256: &str) -> Result<Option<String>, StoreError> {
        self.check_reads()?;
        self.store.edition(sha256).await
    }

    async fn editions(&self) -> Result<Vec<EditionRecord>, StoreError> {
        self.check_reads()?;
        self.store.editions().await
    }

    async fn probe(&self) -> Result<(), StoreError> {
        self.check_reads()?;
        self.store.probe().await
    }

    async fn ping(&self) -> Result<(), StoreError> {
        self.check_reads()?;
        self.store.ping().await
    }

    async fn close(&self) {
        self.store.close().await;
    }
}

/// A service in the process of the test, on a store with faults.
pub struct FaultyService {
    running: InProcess,
    store: Arc<FaultyStore>,
    /// The runtime of the service, in which its store is closed.
    runtime: Handle,
}

impl FaultyService {
    pub fn start(database: &str) -> FaultyService {
        let (made, making) = std::sync::mpsc::channel();
        let running = InProcess::start_on(database, move |store| {
            let (fault, old_heads) = (Mutex::default(), Mutex::default());
            let store = Arc::new(FaultyStore { store, fault, old_heads });
            made.send((Arc::clone(&store), Handle::current())).expect("the test waits for it");
            store
        });
        let (store, runtime) = making.recv().expect("the store was made");
        FaultyService { running, store, runtime }
    }

    /// Closes the store, as a service does that stops.
    pub fn close_store(&self) {
        let (store, (closed, closing)) = (Arc::clone(&self.store), std::sync::mpsc::channel());
        self.runtime.spawn(async move {
            store.close().await;
            closed.send(()).expect("the test waits for it");
        });
        closing.recv().expect("the store is closed");
    }

    pub fn client(&self) -> &Client {
        self.running.client()
    }

    /// Switches a fault on.
    pub fn fails(&self, fault: Fault) {
        self.store.set_fault(Some(fault));
    }

    /// Whether reads of the store fail.
    pub fn is_unavailable(&self) -> bool {
        self.store.fault() == Some(Fault::Unavailable)
    }

    /// Switches the fault off.
    pub fn mend(&self) {
        self.store.set_fault(None);
    }

    /// Answers the next question for a head with this outdated one.
    pub fn answers_old_head(&self, head: play::Head) {
        let play::Head { seq, hash } = head;
        self.store.old_heads.lock().expect("nobody panics with the lock").push_back(Head { seq, hash });
    }

    /// The number of outdated heads that have not been asked for yet.
    pub fn old_heads_left(&self) -> usize {
        self.store.old_heads.lock().expect("nobody panics with the lock").len()
    }
}
