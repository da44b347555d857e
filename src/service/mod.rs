//! The service of matches: it loads a match, decides a command on it, and appends the events.
//!
//! The folded state of a match is cached in memory. Events decided on it are appended only if its head is
//! still the head in the store, and the token still that of its role; and a refusal is final only after a
//! look at the store. So any number of instances may serve one database.

mod access;
mod cache;
mod create;
mod editions;
mod error;
mod folding;
mod loading;
mod simulations;
mod subscriptions;
mod sweeping;
mod system;

use std::borrow::Cow;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use hashlink::LruCache;

use crate::commands::{Command, CommandDecided, CommandRequest};
use crate::dice::ServerSeed;
use crate::editions::Editions;
use crate::log::{Entry, Event, Head, MatchId};
use crate::matches::ServerSecrets;
use crate::matches::corrections::{self, Consent};
use crate::metrics::Metrics;
use crate::rules::{Place, Refusal, RefusalKind};
use crate::store::{Append, CommitMode, EventStore, GroupCommitter, IdempotencyRecord, Probe, StoreError};
use crate::views::{MatchProjection, Rows};

use self::cache::{CacheEntry, CachedMatch};
use self::editions::EditionCache;
use self::folding::{entries, fold, fold_corrected, records, seal};
pub use create::NewMatch;
pub use editions::all_editions;
pub use error::ServiceError;
pub use folding::rows_of;
pub use simulations::{QueueRefusal, QueuedSimulation, SimulationQueue, SimulationStatus};
pub use subscriptions::Subscriptions;
pub use sweeping::{sweep, sweep_daily};
pub use system::{ClockOff, now, random_seed};

/// The number of matches whose folded state is cached.
const MATCHES_KEPT: usize = 1_000;
/// How long the database may take to answer a ping.
const ANSWERS_WITHIN: Duration = Duration::from_secs(3);
/// How often a command is decided again after another instance has appended first.
const TRIES: u32 = 20;

/// The result of an append.
#[derive(Clone)]
pub struct Appended {
    /// The appended events, as text.
    pub entries: Vec<Entry>,
    /// The match before the first of them, where the answer shows what they changed. It is kept from the
    /// decision: a read that fails after the append would tell a client to repeat a request that is stored.
    pub before: Option<Arc<MatchProjection>>,
    /// The match after the last of them.
    pub projection: Arc<MatchProjection>,
}

/// The service that plays the matches of a store.
pub struct MatchService {
    store: Arc<dyn EventStore>,
    committer: GroupCommitter,
    probe: Probe,
    cache: Mutex<LruCache<MatchId, Arc<CacheEntry>>>,
    subscriptions: Subscriptions,
    editions: EditionCache,
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

    /// The store, for reads.
    pub fn store(&self) -> &dyn EventStore {
        self.store.as_ref()
    }

    /// The subscriptions to matches.
    pub fn subscriptions(&self) -> &Subscriptions {
        &self.subscriptions
    }

    /// Submits a command: decides it on the match as it is now, and appends the events.
    pub async fn submit(&self, request: &CommandRequest) -> Result<Appended, ServiceError> {
        let request = &self.for_this_head(request).await?;
        let entry = self.entry(request.match_id);
        let _lock = entry.write_lock.lock().await;
        if let Some(cached) = entry.cached() {
            match self.try_submit(request, &cached).await {
                Err(error) if !error.may_be_of_old_state() => return Err(error),
                Err(_) => {}
                Ok(appended) => return Ok(kept(&entry, appended, cached.seed)),
            }
        }
        for tries in 1..=TRIES {
            if let Some(token) = &request.token {
                self.confirm(request.match_id, token).await?;
            }
            if let Some(answered) = self.replay_idempotent(request).await? {
                return Ok(answered);
            }
            let current = self.current(request.match_id, &entry).await?;
            match self.try_submit(request, &current).await {
                Ok(appended) => return Ok(kept(&entry, appended, current.seed)),
                Err(ServiceError::Store(StoreError::Conflict)) => {
                    self.metrics.count_lost_race();
                    back_off(tries).await;
                }
                // The request may have been stored with its key since the last look.
                Err(error) if error.may_be_of_old_state() => {
                    return self.replay_idempotent(request).await?.ok_or(error);
                }
                Err(error) => return Err(error),
            }
        }
        Err(ServiceError::Contended)
    }

    /// The request with the head as its condition, where its command is not to be decided again on a later
    /// head.
    async fn for_this_head<'a>(
        &self,
        request: &'a CommandRequest,
    ) -> Result<Cow<'a, CommandRequest>, ServiceError> {
        if request.is_for_any_head() || request.if_match.is_some() {
            return Ok(Cow::Borrowed(request));
        }
        let match_id = request.match_id;
        let head = self.store.head(match_id).await?.ok_or(ServiceError::NoSuchMatch(match_id))?;
        Ok(Cow::Owned(CommandRequest { if_match: Some(vec![head.hash]), ..request.clone() }))
    }

    /// The match before and after a correction, of which nothing is stored.
    pub async fn dry_run(
        &self,
        request: &CommandRequest,
    ) -> Result<(Arc<MatchProjection>, MatchProjection), ServiceError> {
        if let Some(token) = &request.token {
            self.confirm(request.match_id, token).await?;
        }
        let cached = self.current(request.match_id, &self.entry(request.match_id)).await?;
        let head = cached.projection.head();
        check_if_match(request, head)?;
        let Command::Correct(correction) = &request.command else {
            return Ok((Arc::clone(&cached.projection), MatchProjection::clone(&cached.projection)));
        };
        let log = self.events(request.match_id, head).await?;
        let actor = request.actor;
        let as_made = corrections::decide(
            cached.projection.the_match(),
            &log,
            correction,
            actor,
            cached.seed.as_ref(),
            Consent::Assumed,
        )?;
        if as_made.shows_new_dice {
            let message =
                "this correction shows a die that is not in the log yet, and a dry run may show none";
            return Err(
                Refusal::new(RefusalKind::IllegalInput, Place::Field("dry_run".to_owned()), message).into()
            );
        }
        let sealed = seal(request.match_id, head, as_made.events, now()?)?;
        let editions = cached.projection.the_match().editions().clone();
        Ok((cached.projection, fold_corrected(log, &sealed, editions)?))
    }

    async fn try_submit(
        &self,
        request: &CommandRequest,
        current: &CachedMatch,
    ) -> Result<Appended, ServiceError> {
        let head = current.projection.head();
        check_if_match(request, head)?;
        let openings = match request.needs_openings() {
            true => self.store.openings(request.match_id).await?,
            false => Vec::new(),
        };
        let log = match request.needs_log(current.projection.the_match()) {
            true => self.events(request.match_id, head).await?,
            false => Vec::new(),
        };
        let secret = ServerSecrets { seed: current.seed.as_ref(), openings: &openings, now: now()? };
        let CommandDecided { events, secrets } =
            request.decide(current.projection.the_match(), secret, &log)?;
        let sealed = seal(request.match_id, head, events, secret.now)?;
        let editions = current.projection.the_match().editions();
        let projection = match log.is_empty() {
            true => fold(Some(&current.projection), &sealed, editions)?,
            false => fold_corrected(log, &sealed, editions.clone())?,
        };
        let answered = request.key.as_ref().map(|key| IdempotencyRecord {
            actor: request.actor,
            key: key.key.clone(),
            request: key.request.clone(),
            first_seq: head.seq + 1,
            last_seq: projection.head().seq,
        });
        let append = Append {
            match_id: request.match_id,
            expected: head.clone(),
            token: request.token.clone(),
            records: records(&sealed),
            rows: Rows::of(&projection),
            idempotency: answered,
            secrets,
        };
        let appended = self.committer.append(append).await;
        self.probe.record(&appended);
        appended?;
        self.subscriptions.advance(request.match_id, projection.head().seq);
        self.count(&sealed);
        let before = request.tells_difference().then(|| Arc::clone(&current.projection));
        Ok(Appended { entries: entries(sealed), before, projection: Arc::new(projection) })
    }

    /// The answer to an earlier try of the request, made again from the log.
    async fn replay_idempotent(&self, request: &CommandRequest) -> Result<Option<Appended>, ServiceError> {
        let Some(key) = &request.key else { return Ok(None) };
        let found = self.store.idempotency_record(request.match_id, request.actor, &key.key).await?;
        let Some(answered) = found else { return Ok(None) };
        if answered.request != key.request {
            return Err(ServiceError::KeyReused);
        }
        self.answer_from_log(request, &answered).await.map(Some).map_err(|error| match error {
            ServiceError::Store(error) => ServiceError::StoredBefore(error),
            error => error,
        })
    }

    /// The result of a request that was answered before, read from the log.
    async fn answer_from_log(
        &self,
        request: &CommandRequest,
        answered: &IdempotencyRecord,
    ) -> Result<Appended, ServiceError> {
        let IdempotencyRecord { first_seq, last_seq, .. } = *answered;
        let before = match request.tells_difference() {
            true => Some(Arc::new(self.projection_at(request.match_id, first_seq - 1).await?)),
            false => None,
        };
        let projection = Arc::new(self.projection_at(request.match_id, last_seq).await?);
        let count = u32::try_from(last_seq + 1 - first_seq).unwrap_or(u32::MAX);
        let entries = self.store.entries(request.match_id, first_seq - 1, count).await?;
        Ok(Appended { entries, before, projection })
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

/// Checks that the match is still at a head that the request expects, if it names any.
fn check_if_match(request: &CommandRequest, head: &Head) -> Result<(), ServiceError> {
    match &request.if_match {
        Some(expected) if !expected.contains(&head.hash) => Err(ServiceError::StaleHead(head.clone())),
        _ => Ok(()),
    }
}

/// Caches a match after an append.
fn kept(entry: &CacheEntry, appended: Appended, seed: Option<ServerSeed>) -> Appended {
    entry.keep(&CachedMatch::now(Arc::clone(&appended.projection), seed), false);
    appended
}

/// Waits after a lost race, longer at each try, with some jitter so that two instances do not collide again.
async fn back_off(tries: u32) {
    let jitter = SystemTime::UNIX_EPOCH.elapsed().map_or(0, |since| since.subsec_nanos() % 4);
    tokio::time::sleep(Duration::from_millis(u64::from(tries.min(10) * (1 + jitter)))).await;
}
