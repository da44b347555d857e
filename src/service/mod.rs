//! Play: load, fold, decide, append.
//!
//! A match's folded state is kept in memory. What is decided on it is appended only if its head is still the head in the
//! store, and the token still the role's; and no refusal is final before the store has been asked. So any number of
//! instances may serve one database.

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
use crate::rules::{Choices, Place, Refusal, Why};
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

/// Matches whose folded state is kept in memory.
const MATCHES_KEPT: usize = 1_000;
/// How long the database may take to say that it is there.
const ANSWERS_WITHIN: Duration = Duration::from_secs(3);
/// How often a race that was lost to another instance is decided again.
const TRIES: u32 = 20;

/// Why a match did not take what was put into it, or could not be read.
#[derive(Debug, thiserror::Error)]
pub enum ServiceError {
    /// There is no match of this id.
    #[error("there is no match {0}")]
    NoSuchMatch(MatchId),
    /// There is no such event, or nothing was known of it then.
    #[error(transparent)]
    Untold(#[from] AsOfError),
    /// The rules refuse.
    #[error("{0}")]
    Refused(Box<Refusal>),
    /// The match has moved on from the head the client saw.
    #[error("the match has moved on to event {}", .0.seq)]
    StaleHead(Head),
    /// The token is not this role's, or not any more.
    #[error("this is not the token of this match for that, or it has been replaced")]
    TokenRefused,
    /// The idempotency key was used for another request.
    #[error("this Idempotency-Key was used for another request")]
    KeyReused,
    /// Every race was lost.
    #[error("others are appending to this match; try again")]
    Contended,
    /// The stored log does not fold.
    #[error("the stored log does not hold at event {seq}: {reason}")]
    BrokenLog {
        /// Where.
        seq: u64,
        /// Why.
        reason: String,
    },
    /// There is no edition of this hash.
    #[error("there is no edition {0} here")]
    NoSuchEdition(String),
    /// The operating system gave no random bytes.
    #[error("the operating system gives no random bytes")]
    NoEntropy,
    /// The request was stored when it came first; the answer to it, sent again, cannot be read.
    #[error("this request was stored when it came first, and the answer cannot be read: {0}")]
    StoredBefore(StoreError),
    /// The system's clock shows a time that no log can have.
    #[error("{0}; nothing was stored by this request")]
    ClockOff(#[from] ClockOff),
    /// The store.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl ServiceError {
    /// Whether it may have come from looking at a match, a token or a key as they no longer are.
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

/// What an append came to.
#[derive(Clone)]
pub struct Appended {
    /// The events, as text.
    pub entries: Vec<Entry>,
    /// The match before the first of them, where the answer says what they changed. It is kept from the decision: a read that
    /// fails after the append would tell a client to try again what is stored.
    pub before: Option<Arc<MatchProjection>>,
    /// The match after the last of them.
    pub projection: Arc<MatchProjection>,
}

/// What is asked for in a new match.
pub struct NewMatch {
    /// The game's id.
    pub game: String,
    /// Its options.
    pub rules: Choices,
    /// The hash of its edition; the game's own, where it has editions and this is left out.
    pub edition: Option<String>,
    /// The home side.
    pub home: NewSide,
    /// The away side.
    pub away: NewSide,
    /// Whether the dice come from a seed.
    pub seeded: bool,
    /// The server seed the creator gives, 64 hexadecimal digits; the operating system's random bytes otherwise.
    pub seed: Option<String>,
    /// How the two sides come together.
    pub terms: MatchSettings,
    /// On whose word.
    pub actor: Actor,
    /// Tokens and invites, hashed.
    pub tokens: Vec<TokenRow>,
}

/// The matches, as this process plays them.
pub struct MatchService {
    store: Arc<dyn EventStore>,
    appender: GroupCommitter,
    probe: Probe,
    slots: Mutex<LruCache<MatchId, Arc<CacheEntry>>>,
    subscriptions: Subscriptions,
    editions: EditionCache,
    metrics: Metrics,
}

impl MatchService {
    /// Plays the matches of a store, and counts what it does.
    pub fn new(
        store: Arc<dyn EventStore>,
        commit: CommitMode,
        metrics: Metrics,
    ) -> std::io::Result<MatchService> {
        let appender = GroupCommitter::start(Arc::clone(&store), commit, metrics.clone())?;
        let probe = Probe::of(Arc::clone(&store));
        let slots = Mutex::new(LruCache::new(MATCHES_KEPT));
        Ok(MatchService {
            store,
            appender,
            probe,
            slots,
            subscriptions: Subscriptions::default(),
            metrics,
            editions: EditionCache::default(),
        })
    }

    /// Whether matches can be played: the clock can be recorded, the database answers, and stores what is
    /// appended.
    pub async fn can_play(&self) -> Result<(), ServiceError> {
        now()?;
        let late = |_| StoreError::Unavailable("a ping does not come back".to_owned());
        let pinged = async { tokio::time::timeout(ANSWERS_WITHIN, self.store.ping()).await.map_err(late)? };
        let told = tokio::try_join!(pinged, self.probe.ask());
        Ok(told.map(|((), ())| ())?)
    }

    fn count(&self, sealed: &[(Event, Entry)]) {
        sealed.iter().for_each(|(event, _)| self.metrics.count_event(event.data.kind()));
    }

    /// The store, for what is only read.
    pub fn store(&self) -> &dyn EventStore {
        self.store.as_ref()
    }

    /// Those who follow matches as they are played.
    pub fn subscriptions(&self) -> &Subscriptions {
        &self.subscriptions
    }

    /// Creates a match.
    pub async fn create(&self, asked: NewMatch) -> Result<Appended, ServiceError> {
        let illegal = |field: &str, message: String| {
            Refusal::new(Why::IllegalInput, Place::Field(field.to_owned()), message)
        };
        let game = games::find(&asked.game).ok_or_else(|| {
            let known: Vec<&str> = crate::games::GAMES.iter().map(|game| game.id).collect();
            illegal("game", format!("there is no game {:?}", asked.game)).legal(known)
        })?;
        let seed = match (asked.seeded, &asked.seed) {
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
        let edition = self.edition_for(game, asked.edition.as_deref()).await?;
        let editions = Editions::from(edition.as_ref());
        let edition = edition.as_deref();
        let (home, away) = (asked.home.sheet(Side::Home, edition)?, asked.away.sheet(Side::Away, edition)?);
        let created = new_match_with(edition, game, &asked.rules, home, away, given, asked.terms)?;
        // Ids have the time in them as well: nothing is begun on a clock that cannot be recorded.
        let at = now()?;
        self.keep_for_match(edition).await?;
        let match_id = MatchId::now_v7();
        let created = vec![(EventData::MatchCreated(created), asked.actor)];
        let first = seal(match_id, &Head::default(), created, at)?;
        let projection = fold(None, &first, &editions)?;
        let server_seed = given.map(|(seed, _)| seed.clone());
        let secrets = Secrets { server_seed, tokens: asked.tokens, opening: None };
        let append = Append {
            match_id,
            expected: Head::default(),
            token: None,
            records: records(&first),
            rows: Rows::of(&projection),
            idempotency: None,
            secrets,
        };
        // Nobody else can be writing to it: there is no head to race for.
        for written in self.store.write(&[append]).await {
            self.probe.learn(&written);
            written?;
        }
        self.count(&first);
        let held = CachedMatch::now(Arc::new(projection), seed.map(|(seed, _)| seed));
        let appended =
            Appended { entries: entries(first), before: None, projection: Arc::clone(&held.projection) };
        self.slot(match_id).keep(&held, false);
        Ok(appended)
    }

    /// Whose token has this hash, or had it when it was last looked up: enough for what [`submit`](Self::submit) will
    /// make sure of.
    pub async fn authenticate(&self, match_id: MatchId, hash: &str) -> Result<VerifiedToken, ServiceError> {
        if let Some(pass) = self.known(match_id).and_then(|slot| slot.knows(hash)) {
            return Ok(pass);
        }
        let pass = self.role(match_id, false, hash).await?;
        self.slot(match_id).learn(&pass);
        Ok(pass)
    }

    /// Whose token has this hash now, and the match as it stands now: what is shown to a side alone is never of a moment ago.
    pub async fn seen_by(
        &self,
        match_id: MatchId,
        hash: &str,
    ) -> Result<(Role, Arc<MatchProjection>), ServiceError> {
        let role = self.role(match_id, false, hash).await?.role;
        Ok((role, self.current(match_id, &self.slot(match_id)).await?.projection))
    }

    /// Whose invite has this hash.
    pub async fn invited(&self, match_id: MatchId, hash: &str) -> Result<Option<Side>, ServiceError> {
        Ok(self.role(match_id, true, hash).await?.role.side())
    }

    /// Makes sure that a token is its role's now.
    async fn confirm(&self, match_id: MatchId, pass: &VerifiedToken) -> Result<(), ServiceError> {
        let known = self.role(match_id, false, &pass.hash).await?;
        if known.role == pass.role { Ok(()) } else { Err(ServiceError::TokenRefused) }
    }

    /// Hashes are compared, so the time it takes says nothing about the token.
    async fn role(&self, match_id: MatchId, invite: bool, hash: &str) -> Result<VerifiedToken, ServiceError> {
        match self.store.role(match_id, invite, hash).await? {
            Some(role) => Ok(VerifiedToken { role, hash: hash.to_owned() }),
            None if self.store.head(match_id).await?.is_none() => Err(ServiceError::NoSuchMatch(match_id)),
            None => Err(ServiceError::TokenRefused),
        }
    }

    /// What a side has in its hand, and has chosen in secret: for its own eyes.
    pub async fn hands(
        &self,
        projection: &MatchProjection,
        sides: &[Side],
    ) -> Result<Map<String, Value>, ServiceError> {
        let mut hands = Map::new();
        if projection.the_match().step().is_some() && !sides.is_empty() {
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

    /// Puts something into a match: decides it on the match as it stands and appends what follows.
    pub async fn submit(&self, submission: &CommandRequest) -> Result<Appended, ServiceError> {
        let submission = &self.for_this_head(submission).await?;
        let slot = self.slot(submission.match_id);
        let _turn = slot.write_lock.lock().await;
        if let Some(held) = slot.cached() {
            match self.try_submit(submission, &held).await {
                Err(error) if !error.may_be_of_old_state() => return Err(error),
                Err(_) => {}
                Ok(appended) => return Ok(kept(&slot, appended, held.seed)),
            }
        }
        for tries in 1..=TRIES {
            if let Some(pass) = &submission.token {
                self.confirm(submission.match_id, pass).await?;
            }
            if let Some(again) = self.replay_idempotent(submission).await? {
                return Ok(again);
            }
            let current = self.current(submission.match_id, &slot).await?;
            match self.try_submit(submission, &current).await {
                Ok(appended) => return Ok(kept(&slot, appended, current.seed)),
                Err(ServiceError::Store(StoreError::Conflict)) => {
                    self.metrics.count_lost_race();
                    step_back(tries).await;
                }
                // It may have been stored, with its key, since it was looked for.
                Err(error) if error.may_be_of_old_state() => {
                    return self.replay_idempotent(submission).await?.ok_or(error);
                }
                Err(error) => return Err(error),
            }
        }
        Err(ServiceError::Contended)
    }

    /// What is only for the match as it stands now is not decided again on another.
    async fn for_this_head<'a>(
        &self,
        asked: &'a CommandRequest,
    ) -> Result<Cow<'a, CommandRequest>, ServiceError> {
        if asked.is_for_any_head() || asked.if_match.is_some() {
            return Ok(Cow::Borrowed(asked));
        }
        let head = self.store.head(asked.match_id).await?.ok_or(ServiceError::NoSuchMatch(asked.match_id))?;
        Ok(Cow::Owned(CommandRequest { if_match: Some(vec![head.hash]), ..asked.clone() }))
    }

    /// What a correction would come to: the match before it, and after. Nothing is stored.
    pub async fn dry_run(
        &self,
        submission: &CommandRequest,
    ) -> Result<(Arc<MatchProjection>, MatchProjection), ServiceError> {
        if let Some(pass) = &submission.token {
            self.confirm(submission.match_id, pass).await?;
        }
        let held = self.current(submission.match_id, &self.slot(submission.match_id)).await?;
        let head = held.projection.head();
        if submission.if_match.as_ref().is_some_and(|expected| !expected.contains(&head.hash)) {
            return Err(ServiceError::StaleHead(head.clone()));
        }
        let Command::Correct(ask) = &submission.command else {
            return Ok((Arc::clone(&held.projection), MatchProjection::clone(&held.projection)));
        };
        let log = self.events(submission.match_id, head).await?;
        let actor = submission.actor;
        let editions = Editions::from(held.projection.the_match().edition());
        let as_made = corrections::decide(
            held.projection.the_match(),
            &log,
            ask,
            actor,
            held.seed.as_ref(),
            Consent::Supposed,
        )?;
        if as_made.shows_new_dice {
            let message = "this would show a die that is not in the log yet, and a dry run shows none";
            return Err(Refusal::new(Why::IllegalInput, Place::Field("dry_run".to_owned()), message).into());
        }
        let sealed = seal(submission.match_id, head, as_made.said, now()?)?;
        Ok((held.projection, read_again(log, &sealed, editions)?))
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
        let hidden = ServerSecrets { seed: current.seed.as_ref(), openings: &openings, now: now()? };
        let CommandDecided { events, secrets } =
            submission.decide(current.projection.the_match(), hidden, &log)?;
        let sealed = seal(submission.match_id, head, events, hidden.now)?;
        let editions = Editions::from(current.projection.the_match().edition());
        let projection = match log.is_empty() {
            true => fold(Some(&current.projection), &sealed, &editions)?,
            false => read_again(log, &sealed, editions)?,
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
        let appended = self.appender.append(append).await;
        self.probe.learn(&appended);
        appended?;
        self.subscriptions.moved(submission.match_id, projection.head().seq);
        self.count(&sealed);
        let before = submission.tells_difference().then(|| Arc::clone(&current.projection));
        Ok(Appended { entries: entries(sealed), before, projection: Arc::new(projection) })
    }

    /// The answer that was given to the same request before, made again from the log.
    async fn replay_idempotent(&self, submission: &CommandRequest) -> Result<Option<Appended>, ServiceError> {
        let Some(key) = &submission.key else { return Ok(None) };
        let found = self.store.answered(submission.match_id, submission.actor, &key.key).await?;
        let Some(answered) = found else { return Ok(None) };
        if answered.request != key.request {
            return Err(ServiceError::KeyReused);
        }
        self.answer_again(submission, &answered).await.map(Some).map_err(|error| match error {
            ServiceError::Store(error) => ServiceError::StoredBefore(error),
            error => error,
        })
    }

    /// What a request came to that was answered before.
    async fn answer_again(
        &self,
        asked: &CommandRequest,
        answered: &IdempotencyRecord,
    ) -> Result<Appended, ServiceError> {
        let IdempotencyRecord { first_seq, last_seq, .. } = *answered;
        let before = match asked.tells_difference() {
            true => Some(Arc::new(self.projection_at(asked.match_id, first_seq - 1).await?)),
            false => None,
        };
        let projection = Arc::new(self.projection_at(asked.match_id, last_seq).await?);
        let count = u32::try_from(last_seq + 1 - first_seq).unwrap_or(u32::MAX);
        let entries = self.store.entries(asked.match_id, first_seq - 1, count).await?;
        Ok(Appended { entries, before, projection })
    }

    /// The match's place in memory, if it has one.
    fn known(&self, match_id: MatchId) -> Option<Arc<CacheEntry>> {
        self.slots.lock().unwrap_or_else(PoisonError::into_inner).get(&match_id).map(Arc::clone)
    }

    fn slot(&self, match_id: MatchId) -> Arc<CacheEntry> {
        let mut slots = self.slots.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(slot) = slots.get(&match_id) {
            return Arc::clone(slot);
        }
        let slot = Arc::<CacheEntry>::default();
        slots.insert(match_id, Arc::clone(&slot));
        slot
    }
}

/// Folds a whole log into the rows the store keeps of it.
pub fn rows_of(entries: &[Entry], editions: &Editions) -> Result<Rows, String> {
    let mut projection = None;
    let folded = entries
        .iter()
        .try_for_each(|entry| MatchProjection::follow(&mut projection, &entry.read()?, editions));
    if let (Ok(()), Some(projection)) = (folded, &projection) {
        return Ok(Rows::of(projection));
    }
    // Few logs have corrections, and to be ready for one costs more than the fold.
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

/// Makes events of what was decided. Nobody asks for the end of a match: it is the service's to say.
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

/// Applies new events to a copy of the book, the way they will be applied when they are read back.
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

/// Reads a log, and the new events that correct it.
fn read_again(
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

/// Keeps a match as it is after an append.
fn kept(slot: &CacheEntry, appended: Appended, seed: Option<ServerSeed>) -> Appended {
    slot.keep(&CachedMatch::now(Arc::clone(&appended.projection), seed), false);
    appended
}

fn entries(sealed: Vec<(Event, Entry)>) -> Vec<Entry> {
    sealed.into_iter().map(|(_, entry)| entry).collect()
}

/// Waits a little after a lost race, longer each time and never as long as the others, so that they do not meet again.
async fn step_back(tries: u32) {
    let jitter = SystemTime::UNIX_EPOCH.elapsed().map_or(0, |since| since.subsec_nanos() % 4);
    tokio::time::sleep(Duration::from_millis(u64::from(tries.min(10) * (1 + jitter)))).await;
}
