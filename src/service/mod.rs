//! The service of matches: it loads a match, decides a command on it, and appends the events.
//!
//! The folded state of a match is cached in memory. Events decided on it are appended only if its head is
//! still the head in the store, and the token still that of its role; and a refusal is final only after a
//! look at the store. So any number of instances may serve one database.

mod cache;
mod editions;
mod loading;
mod simulations;
mod subscriptions;
mod system;

use std::borrow::Cow;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use chrono::{DateTime, Utc};
use hashlink::LruCache;

use serde_json::{Map, Value};

use crate::commands::{Command, CommandDecided, CommandRequest, NewSide};
use crate::commands::{Secrets, TokenRow, VerifiedToken};
use crate::dice::ServerSeed;
use crate::editions::Editions;
use crate::games;
use crate::log::{Actor, Entry, Event, EventData, Head, MatchId, Role, SeedSource};
use crate::matches::corrections::{self, Consent};
use crate::matches::{MatchSettings, ServerSecrets, new_match_with};
use crate::metrics::Metrics;
use crate::rules::{Choices, Place, Refusal, RefusalKind};
use crate::scorebook::Side;
use crate::store::{
    Append, CommitMode, EventStore, GroupCommitter, IdempotencyRecord, Probe, Record, StoreError,
};
use crate::views::{AsOfError, History, MatchProjection, Rows};

use self::cache::{CacheEntry, CachedMatch};
use self::editions::EditionCache;
pub use editions::all_editions;
pub use simulations::{QueueRefusal, QueuedSimulation, SimulationQueue, SimulationStatus};
pub use subscriptions::Subscriptions;
pub use system::{ClockOff, now, random_seed};

/// The number of matches whose folded state is cached.
const MATCHES_KEPT: usize = 1_000;
/// How long the database may take to answer a ping.
const ANSWERS_WITHIN: Duration = Duration::from_secs(3);
/// How often a command is decided again after another instance has appended first.
const TRIES: u32 = 20;

/// The error of a command or a read.
#[derive(Debug, thiserror::Error)]
pub enum ServiceError {
    /// There is no match with this id.
    #[error("there is no match {0}")]
    NoSuchMatch(MatchId),
    /// There is no such event, or it was not known yet.
    #[error(transparent)]
    Untold(#[from] AsOfError),
    /// The rules refuse the command.
    #[error("{0}")]
    Refused(Box<Refusal>),
    /// The match has moved on from the head that the client saw.
    #[error("the match has moved on to event {}", .0.seq)]
    StaleHead(Head),
    /// The token is not of a role that may do this, or it was replaced.
    #[error("this token of the match does not allow that, or it has been replaced")]
    TokenRefused,
    /// The idempotency key was used for another request.
    #[error("this Idempotency-Key was used for another request")]
    KeyReused,
    /// Other instances appended first at every try.
    #[error("other requests append to this match; try again")]
    Contended,
    /// The stored log does not fold.
    #[error("the stored log is not valid at event {seq}: {reason}")]
    BrokenLog {
        /// The seq of the event that is not valid.
        seq: u64,
        /// The reason why it is not valid.
        reason: String,
    },
    /// There is no edition with this hash.
    #[error("there is no edition {0} here")]
    NoSuchEdition(String),
    /// The operating system gave no random bytes.
    #[error("the operating system gives no random bytes")]
    NoEntropy,
    /// An earlier try of the request was stored, but its answer cannot be read now.
    #[error("an earlier try of this request was stored, and its answer cannot be read: {0}")]
    StoredBefore(StoreError),
    /// The system's clock shows a time that no log can have.
    #[error("{0}; nothing was stored by this request")]
    ClockOff(#[from] ClockOff),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl ServiceError {
    /// Whether the error may be due to a cached match, token or key that is out of date.
    fn may_be_of_old_state(&self) -> bool {
        match self {
            ServiceError::Store(error) => matches!(error, StoreError::Conflict),
            ServiceError::StoredBefore(_) => false,
            ServiceError::NoSuchMatch(_)
            | ServiceError::Untold(_)
            | ServiceError::Refused(_)
            | ServiceError::StaleHead(_)
            | ServiceError::TokenRefused
            | ServiceError::KeyReused
            | ServiceError::Contended
            | ServiceError::BrokenLog { .. }
            | ServiceError::NoSuchEdition(_)
            | ServiceError::NoEntropy => true,
            ServiceError::ClockOff(_) => false,
        }
    }
}

impl From<Refusal> for ServiceError {
    fn from(refusal: Refusal) -> ServiceError {
        ServiceError::Refused(Box::new(refusal))
    }
}

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

/// The settings of a new match, as its creator gives them.
pub struct NewMatch {
    /// The game's id.
    pub game: String,
    /// The options of the game.
    pub rules: Choices,
    /// The hash of the edition; the built-in one if left out, in a game that has editions.
    pub edition: Option<String>,
    /// The home side.
    pub home: NewSide,
    /// The away side.
    pub away: NewSide,
    /// Whether the dice come from a seed.
    pub seeded: bool,
    /// The server seed that the creator gives, 64 hexadecimal digits; random bytes of the operating system if
    /// left out.
    pub seed: Option<String>,
    /// The settings of client seeds, remote play and the timeout.
    pub terms: MatchSettings,
    /// The author of the match.
    pub actor: Actor,
    /// The hashes of tokens and invites.
    pub tokens: Vec<TokenRow>,
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
    /// A service of the matches in this store, which counts into these metrics.
    pub fn new(
        store: Arc<dyn EventStore>,
        commit: CommitMode,
        metrics: Metrics,
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
            editions: EditionCache::default(),
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

    /// Creates a match.
    pub async fn create(&self, new: NewMatch) -> Result<Appended, ServiceError> {
        let illegal = |field: &str, message: String| {
            Refusal::new(RefusalKind::IllegalInput, Place::Field(field.to_owned()), message)
        };
        let game = games::find(&new.game).ok_or_else(|| {
            let known: Vec<&str> = crate::games::GAMES.iter().map(|game| game.id).collect();
            illegal("game", format!("there is no game {:?}", new.game)).legal(known)
        })?;
        let seed = match (new.seeded, &new.seed) {
            (false, None) => None,
            (false, Some(_)) => {
                return Err(illegal("seed", "a match with table dice has no seed".to_owned()).into());
            }
            (true, None) => Some((random_seed().map_err(|_| ServiceError::NoEntropy)?, SeedSource::Os)),
            (true, Some(text)) => {
                let seed = ServerSeed::from_hex(text).map_err(|fault| illegal("seed", fault.to_string()))?;
                Some((seed, SeedSource::Creator))
            }
        };
        let given = seed.as_ref().map(|(seed, source)| (seed, *source));
        let edition = self.edition_for(game, new.edition.as_deref()).await?;
        let editions = Editions::from(edition.as_ref());
        let edition = edition.as_deref();
        let (home, away) = (new.home.sheet(Side::Home, edition)?, new.away.sheet(Side::Away, edition)?);
        let created = new_match_with(edition, game, &new.rules, home, away, given, new.terms)?;
        // Match ids hold the time as well, so a match is created only while the clock is valid.
        let at = now()?;
        self.keep_for_match(edition).await?;
        let match_id = MatchId::now_v7();
        let created = vec![(EventData::MatchCreated(created), new.actor)];
        let first = seal(match_id, &Head::default(), created, at)?;
        let projection = fold(None, &first, &editions)?;
        let server_seed = given.map(|(seed, _)| seed.clone());
        let secrets = Secrets { server_seed, tokens: new.tokens, opening: None };
        let append = Append {
            match_id,
            expected: Head::default(),
            token: None,
            records: records(&first),
            rows: Rows::of(&projection),
            idempotency: None,
            secrets,
        };
        // A new match has no other writer, so it needs no group commit and no second try.
        for written in self.store.write(&[append]).await {
            self.probe.record(&written);
            written?;
        }
        self.count(&first);
        let held = CachedMatch::now(Arc::new(projection), seed.map(|(seed, _)| seed));
        let appended =
            Appended { entries: entries(first), before: None, projection: Arc::clone(&held.projection) };
        self.entry(match_id).keep(&held, false);
        Ok(appended)
    }

    /// The token with this hash, perhaps as cached. That is enough for a command, which
    /// [`submit`](Self::submit) appends only if the token is still valid.
    pub async fn authenticate(&self, match_id: MatchId, hash: &str) -> Result<VerifiedToken, ServiceError> {
        if let Some(pass) = self.known(match_id).and_then(|entry| entry.knows(hash)) {
            return Ok(pass);
        }
        let pass = self.role(match_id, false, hash).await?;
        self.entry(match_id).remember(&pass);
        Ok(pass)
    }

    /// The role of the token with this hash and the match, both read from the store: a replaced token never
    /// shows a hand.
    pub async fn visible_to(
        &self,
        match_id: MatchId,
        hash: &str,
    ) -> Result<(Role, Arc<MatchProjection>), ServiceError> {
        let role = self.role(match_id, false, hash).await?.role;
        Ok((role, self.current(match_id, &self.entry(match_id)).await?.projection))
    }

    /// The side of the invite with this hash.
    pub async fn invited(&self, match_id: MatchId, hash: &str) -> Result<Option<Side>, ServiceError> {
        Ok(self.role(match_id, true, hash).await?.role.side())
    }

    /// Checks in the store that a token is still valid for its role.
    async fn confirm(&self, match_id: MatchId, pass: &VerifiedToken) -> Result<(), ServiceError> {
        let known = self.role(match_id, false, &pass.hash).await?;
        if known.role == pass.role { Ok(()) } else { Err(ServiceError::TokenRefused) }
    }

    /// The token or invite with this hash, from the store. Only hashes are compared, so the time this takes
    /// reveals nothing.
    async fn role(&self, match_id: MatchId, invite: bool, hash: &str) -> Result<VerifiedToken, ServiceError> {
        match self.store.role(match_id, invite, hash).await? {
            Some(role) => Ok(VerifiedToken { role, hash: hash.to_owned() }),
            None if self.store.head(match_id).await?.is_none() => Err(ServiceError::NoSuchMatch(match_id)),
            None => Err(ServiceError::TokenRefused),
        }
    }

    /// The hands and secret choices of some sides, to be shown only to these sides.
    pub async fn hands(
        &self,
        projection: &MatchProjection,
        sides: &[Side],
    ) -> Result<Map<String, Value>, ServiceError> {
        let mut hands = Map::new();
        if projection.the_match().secret_choice().is_some() && !sides.is_empty() {
            let seed = self.seed(projection.match_id()).await?;
            let openings = self.store.openings(projection.match_id()).await?;
            let hidden = ServerSecrets { seed: seed.as_ref(), openings: &openings, now: now()? };
            for side in sides {
                let hand = projection.the_match().hand(*side, hidden)?;
                if !hand.is_null() {
                    hands.insert(side.as_str().to_owned(), hand);
                }
            }
        }
        Ok(hands)
    }

    /// Submits a command: decides it on the match as it is now, and appends the events.
    pub async fn submit(&self, submission: &CommandRequest) -> Result<Appended, ServiceError> {
        let submission = &self.for_this_head(submission).await?;
        let entry = self.entry(submission.match_id);
        let _lock = entry.write_lock.lock().await;
        if let Some(held) = entry.cached() {
            match self.try_submit(submission, &held).await {
                Err(error) if !error.may_be_of_old_state() => return Err(error),
                Err(_) => {}
                Ok(appended) => return Ok(kept(&entry, appended, held.seed)),
            }
        }
        for tries in 1..=TRIES {
            if let Some(pass) = &submission.token {
                self.confirm(submission.match_id, pass).await?;
            }
            if let Some(answered) = self.replay_idempotent(submission).await? {
                return Ok(answered);
            }
            let current = self.current(submission.match_id, &entry).await?;
            match self.try_submit(submission, &current).await {
                Ok(appended) => return Ok(kept(&entry, appended, current.seed)),
                Err(ServiceError::Store(StoreError::Conflict)) => {
                    self.metrics.count_lost_race();
                    back_off(tries).await;
                }
                // The request may have been stored with its key since the last look.
                Err(error) if error.may_be_of_old_state() => {
                    return self.replay_idempotent(submission).await?.ok_or(error);
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
        submission: &CommandRequest,
    ) -> Result<(Arc<MatchProjection>, MatchProjection), ServiceError> {
        if let Some(pass) = &submission.token {
            self.confirm(submission.match_id, pass).await?;
        }
        let held = self.current(submission.match_id, &self.entry(submission.match_id)).await?;
        let head = held.projection.head();
        if submission.if_match.as_ref().is_some_and(|expected| !expected.contains(&head.hash)) {
            return Err(ServiceError::StaleHead(head.clone()));
        }
        let Command::Correct(correction) = &submission.command else {
            return Ok((Arc::clone(&held.projection), MatchProjection::clone(&held.projection)));
        };
        let log = self.events(submission.match_id, head).await?;
        let actor = submission.actor;
        let editions = Editions::from(held.projection.the_match().edition());
        let as_made = corrections::decide(
            held.projection.the_match(),
            &log,
            correction,
            actor,
            held.seed.as_ref(),
            Consent::Assumed,
        )?;
        if as_made.shows_new_dice {
            let message =
                "this correction shows a die that is not in the log yet, and a dry run may show none";
            return Err(
                Refusal::new(RefusalKind::IllegalInput, Place::Field("dry_run".to_owned()), message).into()
            );
        }
        let sealed = seal(submission.match_id, head, as_made.events, now()?)?;
        Ok((held.projection, fold_corrected(log, &sealed, editions)?))
    }

    async fn try_submit(
        &self,
        submission: &CommandRequest,
        current: &CachedMatch,
    ) -> Result<Appended, ServiceError> {
        let head = current.projection.head();
        if submission.if_match.as_ref().is_some_and(|expected| !expected.contains(&head.hash)) {
            return Err(ServiceError::StaleHead(head.clone()));
        }
        let openings = match submission.needs_openings() {
            true => self.store.openings(submission.match_id).await?,
            false => Vec::new(),
        };
        let log = match submission.needs_log(current.projection.the_match()) {
            true => self.events(submission.match_id, head).await?,
            false => Vec::new(),
        };
        let secret = ServerSecrets { seed: current.seed.as_ref(), openings: &openings, now: now()? };
        let CommandDecided { events, secrets } =
            submission.decide(current.projection.the_match(), secret, &log)?;
        let sealed = seal(submission.match_id, head, events, secret.now)?;
        let editions = Editions::from(current.projection.the_match().edition());
        let projection = match log.is_empty() {
            true => fold(Some(&current.projection), &sealed, &editions)?,
            false => fold_corrected(log, &sealed, editions)?,
        };
        let answered = submission.key.as_ref().map(|key| IdempotencyRecord {
            actor: submission.actor,
            key: key.key.clone(),
            request: key.request.clone(),
            first_seq: head.seq + 1,
            last_seq: projection.head().seq,
        });
        let append = Append {
            match_id: submission.match_id,
            expected: head.clone(),
            token: submission.token.clone(),
            records: records(&sealed),
            rows: Rows::of(&projection),
            idempotency: answered,
            secrets,
        };
        let appended = self.committer.append(append).await;
        self.probe.record(&appended);
        appended?;
        self.subscriptions.advance(submission.match_id, projection.head().seq);
        self.count(&sealed);
        let before = submission.tells_difference().then(|| Arc::clone(&current.projection));
        Ok(Appended { entries: entries(sealed), before, projection: Arc::new(projection) })
    }

    /// The answer to an earlier try of the request, made again from the log.
    async fn replay_idempotent(&self, submission: &CommandRequest) -> Result<Option<Appended>, ServiceError> {
        let Some(key) = &submission.key else { return Ok(None) };
        let found = self.store.answered(submission.match_id, submission.actor, &key.key).await?;
        let Some(answered) = found else { return Ok(None) };
        if answered.request != key.request {
            return Err(ServiceError::KeyReused);
        }
        self.answer_from_log(submission, &answered).await.map(Some).map_err(|error| match error {
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

/// Folds a whole log into the rows that the store keeps of it.
pub fn rows_of(entries: &[Entry], editions: &Editions) -> Result<Rows, String> {
    let mut projection = None;
    let folded = entries
        .iter()
        .try_for_each(|entry| MatchProjection::follow(&mut projection, &entry.read()?, editions));
    if let (Ok(()), Some(projection)) = (folded, &projection) {
        return Ok(Rows::of(projection));
    }
    // Few logs have corrections, and a history that can go back costs more than a plain fold.
    let mut history = History::new(editions.clone());
    for entry in entries {
        entry
            .read()
            .and_then(|event| history.follow(event).map(|_| ()))
            .map_err(|broken| format!("event {}: {broken}", entry.seq))?;
    }
    Ok(Rows::of(history.projection().ok_or("the log is empty")?))
}

fn missing(seq: u64) -> ServiceError {
    ServiceError::BrokenLog { seq, reason: "the event is missing".to_owned() }
}

/// Makes chained events of decided data. The author of a match's end is always the service.
fn seal(
    match_id: MatchId,
    head: &Head,
    decided: Vec<(EventData, Actor)>,
    at: DateTime<Utc>,
) -> Result<Vec<(Event, Entry)>, ServiceError> {
    let mut head = head.clone();
    let mut sealed = Vec::with_capacity(decided.len());
    for (data, actor) in decided {
        let actor = if matches!(data, EventData::MatchCompleted(_)) { Actor::Service } else { actor };
        let (event, entry) = Event::seal(match_id, &head, at, actor, data)
            .map_err(|fault| StoreError::Failed(format!("an event cannot be written: {fault}")))?;
        head = event.head();
        sealed.push((event, entry));
    }
    Ok(sealed)
}

/// Applies new events to a copy of the projection, as they will be applied when they are read back.
fn fold(
    projection: Option<&MatchProjection>,
    sealed: &[(Event, Entry)],
    editions: &Editions,
) -> Result<MatchProjection, ServiceError> {
    let mut folded = projection.cloned();
    for (event, _) in sealed {
        MatchProjection::follow(&mut folded, event, editions)
            .map_err(|broken| ServiceError::BrokenLog { seq: event.seq, reason: broken.to_string() })?;
    }
    match folded {
        Some(folded) if !sealed.is_empty() => Ok(folded),
        _ => Err(StoreError::Failed("there is nothing to append".to_owned()).into()),
    }
}

/// Folds a log together with the new events that correct it.
fn fold_corrected(
    log: Vec<Event>,
    sealed: &[(Event, Entry)],
    editions: Editions,
) -> Result<MatchProjection, ServiceError> {
    let mut history = History::new(editions);
    for event in log.into_iter().chain(sealed.iter().map(|(event, _)| event.clone())) {
        let seq = event.seq;
        history
            .follow(event)
            .map_err(|broken| ServiceError::BrokenLog { seq, reason: broken.to_string() })?;
    }
    history.into_projection().ok_or_else(|| missing(1))
}

fn records(sealed: &[(Event, Entry)]) -> Vec<Record> {
    sealed.iter().map(|(event, entry)| Record::of(event, entry.clone())).collect()
}

/// Caches a match after an append.
fn kept(entry: &CacheEntry, appended: Appended, seed: Option<ServerSeed>) -> Appended {
    entry.keep(&CachedMatch::now(Arc::clone(&appended.projection), seed), false);
    appended
}

fn entries(sealed: Vec<(Event, Entry)>) -> Vec<Entry> {
    sealed.into_iter().map(|(_, entry)| entry).collect()
}

/// Waits after a lost race, longer at each try, with some jitter so that two instances do not collide again.
async fn back_off(tries: u32) {
    let jitter = SystemTime::UNIX_EPOCH.elapsed().map_or(0, |since| since.subsec_nanos() % 4);
    tokio::time::sleep(Duration::from_millis(u64::from(tries.min(10) * (1 + jitter)))).await;
}
