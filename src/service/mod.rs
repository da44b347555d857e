//! The service of matches: it loads a match, decides a command on it, and appends the events.
//!
//! The folded state of a match is cached in memory. Events decided on it are appended only if its head is
//! still the head in the store, and the token still that of its role; and a refusal is final only after a
//! look at the store. So any number of instances may serve one database.

mod access;
mod board;
mod cache;
mod create;
mod dry_run;
mod editions;
mod error;
mod folding;
mod handing_over;
mod idempotency;
mod issuing;
mod listing;
mod loading;
mod luck;
mod preview;
mod renewing;
mod shared_folds;
mod simulations;
mod submit;
mod subscriptions;
mod sweeping;
mod system;
#[cfg(test)]
mod tests;
mod threads;
mod time_travel;

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use hashlink::LruCache;
use tokio::sync::{Mutex as AsyncMutex, OnceCell};

use crate::editions::Editions;
use crate::log::{Entry, Event, Head, MatchId};
use crate::metrics::{Metrics, ServiceGauges};
use crate::projection::LoadedMatch;
use crate::store::{CommitMode, EventStore, GroupCommitter, Probe, StoreError};
use crate::views::MatchNow;

use self::board::BoardRows;
use self::cache::CacheEntry;
use self::editions::EditionCache;
use self::listing::RowsBehind;
use self::luck::LuckTables;
use self::threads::WorkerThreads;
use self::time_travel::ReadersFolds;
pub use create::{GivenCreation, NewMatch};
pub use dry_run::{DryRun, LaterAsked, LaterBall, UnfinishedCorrection};
pub use editions::all_editions;
pub use error::ServiceError;
pub use folding::rows_of;
pub use handing_over::Invited;
pub use issuing::{IssuedBy, TokenIssue};
pub use listing::keep_list;
pub(crate) use listing::told_once;
pub use loading::RenderedPage;
pub use luck::LuckAsOf;
pub use preview::{Previewed, PreviewedMatch};
pub use simulations::{QueueRefusal, QueuedSimulation, SimulationQueue, SimulationStatus};
pub use subscriptions::{Announced, Subscriptions};
pub use sweeping::{sweep, sweep_daily};
pub use system::{ClockOff, now, random_seed};
pub(crate) use threads::on_own_thread;

/// The number of matches whose folded state is cached.
const MATCHES_KEPT: usize = 1_000;
/// How long the database may take to answer a ping.
const ANSWERS_WITHIN: Duration = Duration::from_secs(3);

/// The result of an append.
#[derive(Clone)]
pub struct Appended {
    /// The appended events, as text.
    pub entries: Vec<Entry>,
    /// The match before the first of them, where the answer shows what they changed. It is kept from the
    /// decision: a read that fails after the append would tell a client to repeat a request that is stored.
    pub before: Option<Arc<LoadedMatch>>,
    /// The match after the last of them.
    pub loaded: Arc<LoadedMatch>,
    /// The score and the situation after the last of them.
    pub now: MatchNow,
    /// Whether an earlier try of the request has appended them. The match may have gone on since.
    pub is_repeat: bool,
}

/// The service that plays the matches of a store.
pub struct MatchService {
    store: Arc<dyn EventStore>,
    committer: GroupCommitter,
    probe: Probe,
    cache: Mutex<LruCache<MatchId, Arc<CacheEntry>>>,
    subscriptions: Subscriptions,
    editions: EditionCache,
    /// The threads for what is read, which anybody may ask for.
    reading: WorkerThreads,
    /// What readers have folded of late, or fold now.
    readers_folds: ReadersFolds,
    /// The tables with which it is read how the dice of matches fell.
    luck_tables: LuckTables,
    /// The threads for decisions, which no reader holds up.
    deciding: WorkerThreads,
    /// The lock that a request holds while it stores documents that it has made anew.
    renewing: AsyncMutex<()>,
    /// Whether rows of the match list are written behind their appends. Where each append is committed by
    /// itself, a row comes with it.
    lists_behind: bool,
    rows_behind: RowsBehind,
    /// The store's own id, once it was read.
    store_id: OnceCell<String>,
    /// The matches that the board looks at, as they were read last.
    board_rows: BoardRows,
    metrics: Metrics,
}

impl MatchService {
    /// A service of the matches in this store, which counts into these metrics, and knows these games and
    /// editions.
    pub fn new(
        store: Arc<dyn EventStore>,
        commit: CommitMode,
        metrics: Metrics,
        known: Editions,
    ) -> std::io::Result<MatchService> {
        let committer = GroupCommitter::start(Arc::clone(&store), commit, metrics.clone())?;
        let probe = Probe::of(Arc::clone(&store));
        let cache = Mutex::new(LruCache::new(MATCHES_KEPT));
        Ok(MatchService {
            store,
            committer,
            probe,
            cache,
            subscriptions: Subscriptions::default(),
            metrics,
            editions: EditionCache::new(&known),
            reading: WorkerThreads::new(),
            readers_folds: ReadersFolds::new(),
            luck_tables: LuckTables::new(),
            deciding: WorkerThreads::new(),
            renewing: AsyncMutex::default(),
            lists_behind: commit == CommitMode::Group,
            rows_behind: RowsBehind::default(),
            store_id: OnceCell::new(),
            board_rows: BoardRows::default(),
        })
    }

    /// Checks that matches can be played: the clock is valid, the database answers, and it stores events.
    pub async fn can_play(&self) -> Result<(), ServiceError> {
        now()?;
        let late = |_| StoreError::Unavailable("a ping does not come back".to_owned());
        let pinged = async { tokio::time::timeout(ANSWERS_WITHIN, self.store.ping()).await.map_err(late)? };
        let ready = tokio::try_join!(pinged, self.probe.ask());
        Ok(ready.map(|((), ())| ())?)
    }

    fn count(&self, sealed: &[(Event, Entry)]) {
        sealed.iter().for_each(|(event, _)| self.metrics.count_event(event.data.kind()));
    }

    /// The numbers of what the service has at the moment.
    pub(crate) fn gauges(&self) -> ServiceGauges {
        let matches_cached = self.cache.lock().unwrap_or_else(PoisonError::into_inner).len();
        let (matches_followed, subscribers) = self.subscriptions.count();
        let appends_waiting = self.committer.waiting();
        ServiceGauges { matches_cached, appends_waiting, matches_followed, subscribers }
    }

    /// The head of a match, as it is in the store.
    pub async fn head(&self, match_id: MatchId) -> Result<Head, ServiceError> {
        self.store.head(match_id).await?.ok_or(ServiceError::NoSuchMatch(match_id))
    }

    /// The store's own random id. It never changes, so it is read once.
    pub async fn store_id(&self) -> Result<&str, ServiceError> {
        let id = self.store_id.get_or_try_init(|| self.store.identity()).await?;
        Ok(id.as_str())
    }

    /// The store, for reads.
    pub fn store(&self) -> &dyn EventStore {
        self.store.as_ref()
    }

    /// The subscriptions to matches.
    pub fn subscriptions(&self) -> &Subscriptions {
        &self.subscriptions
    }

    /// The cache entry of a match, if it has one.
    fn known(&self, match_id: MatchId) -> Option<Arc<CacheEntry>> {
        self.cache.lock().unwrap_or_else(PoisonError::into_inner).get(&match_id).map(Arc::clone)
    }

    fn entry(&self, match_id: MatchId) -> Arc<CacheEntry> {
        let mut cache = self.cache.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(entry) = cache.get(&match_id) {
            return Arc::clone(entry);
        }
        let entry = Arc::<CacheEntry>::default();
        cache.insert(match_id, Arc::clone(&entry));
        entry
    }
}
