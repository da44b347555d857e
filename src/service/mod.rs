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

use std::borrow::Cow;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use chrono::{DateTime, Utc};
use hashlink::LruCache;

use serde_json::{Map, Value};

use crate::commands::{Asked, Decided, NewSide, Submission};
use crate::commands::{Pass, Secrets, TokenRow};
use crate::dice::ServerSeed;
use crate::editions::Editions;
use crate::games;
use crate::log::{Actor, ClockOff, Entry, Event, EventData, Head, MatchId, Role, SeedSource, now};
use crate::matches::corrections::{self, Agreement};
use crate::matches::{Hidden, Terms, new_match_with};
use crate::metrics::Metrics;
use crate::rules::{Choices, Place, Refusal, Why};
use crate::scorebook::Side;
use crate::store::{Answered, Append, Appender, Commit, EventStore, Probe, Record, StoreError};
use crate::views::{Book, Reading, Rows, Untold};

use self::cache::{Held, Slot};
use self::editions::EditionCache;
pub use editions::all_editions;
pub use simulations::{NotTaken, Queue, Queued, Status};
pub use subscriptions::Following;

/// Matches whose folded state is kept in memory.
const BOOKS_KEPT: usize = 1_000;
/// How long the database may take to say that it is there.
const ANSWERS_WITHIN: Duration = Duration::from_secs(3);
/// How often a race that was lost to another instance is decided again.
const TRIES: u32 = 20;

/// Why a match did not take what was put into it, or could not be read.
#[derive(Debug, thiserror::Error)]
pub enum PlayError {
    /// There is no match of this id.
    #[error("there is no match {0}")]
    NoSuchMatch(MatchId),
    /// There is no such event, or nothing was known of it then.
    #[error(transparent)]
    Untold(#[from] Untold),
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

impl PlayError {
    /// Whether it may have come from looking at a match, a token or a key as they no longer are.
    fn may_be_of_old_state(&self) -> bool {
        match self {
            PlayError::Store(error) => matches!(error, StoreError::Conflict),
            PlayError::StoredBefore(_) => false,
            PlayError::NoSuchMatch(_)
            | PlayError::Untold(_)
            | PlayError::Refused(_)
            | PlayError::StaleHead(_)
            | PlayError::TokenRefused
            | PlayError::KeyReused
            | PlayError::Contended
            | PlayError::BrokenLog { .. }
            | PlayError::NoSuchEdition(_)
            | PlayError::NoEntropy => true,
            PlayError::ClockOff(_) => false,
        }
    }
}

impl From<Refusal> for PlayError {
    fn from(refusal: Refusal) -> PlayError {
        PlayError::Refused(Box::new(refusal))
    }
}

/// What an append came to.
#[derive(Clone)]
pub struct Appended {
    /// The events, as text.
    pub entries: Vec<Entry>,
    /// The match before the first of them, where the answer says what they changed. It is kept from the decision: a read that
    /// fails after the append would tell a client to try again what is stored.
    pub before: Option<Arc<Book>>,
    /// The match after the last of them.
    pub book: Arc<Book>,
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
    pub terms: Terms,
    /// On whose word.
    pub actor: Actor,
    /// Tokens and invites, hashed.
    pub tokens: Vec<TokenRow>,
}

/// The matches, as this process plays them.
pub struct Matches {
    store: Arc<dyn EventStore>,
    appender: Appender,
    probe: Probe,
    slots: Mutex<LruCache<MatchId, Arc<Slot>>>,
    following: Following,
    metrics: Metrics,
    editions: EditionCache,
}

impl Matches {
    /// Plays the matches of a store, and counts what it does.
    pub fn new(store: Arc<dyn EventStore>, commit: Commit, metrics: Metrics) -> std::io::Result<Matches> {
        let appender = Appender::start(Arc::clone(&store), commit, metrics.clone())?;
        let probe = Probe::of(Arc::clone(&store));
        let slots = Mutex::new(LruCache::new(BOOKS_KEPT));
        let (following, editions) = (Following::default(), EditionCache::default());
        Ok(Matches { store, appender, probe, slots, following, metrics, editions })
    }

    /// Whether matches can be played: the clock can be recorded, the database answers, and stores what is
    /// appended.
    pub async fn can_play(&self) -> Result<(), PlayError> {
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
    pub fn following(&self) -> &Following {
        &self.following
    }

    /// Creates a match.
    pub async fn create(&self, asked: NewMatch) -> Result<Appended, PlayError> {
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
            (true, None) => Some((ServerSeed::from_os().map_err(|_| PlayError::NoEntropy)?, SeedSource::Os)),
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
        let book = fold(None, &first, &editions)?;
        let server_seed = given.map(|(seed, _)| seed.clone());
        let secrets = Secrets { server_seed, tokens: asked.tokens, opening: None };
        let append = Append {
            match_id,
            expected: Head::default(),
            pass: None,
            records: records(&first),
            rows: Rows::of(&book),
            answered: None,
            secrets,
        };
        // Nobody else can be writing to it: there is no head to race for.
        for written in self.store.write(&[append]).await {
            self.probe.learn(&written);
            written?;
        }
        self.count(&first);
        let held = Held::now(Arc::new(book), seed.map(|(seed, _)| seed));
        let appended = Appended { entries: entries(first), before: None, book: Arc::clone(&held.book) };
        self.slot(match_id).keep(&held, false);
        Ok(appended)
    }

    /// Whose token has this hash, or had it when it was last looked up: enough for what [`submit`](Self::submit) will
    /// make sure of.
    pub async fn admit(&self, match_id: MatchId, hash: &str) -> Result<Pass, PlayError> {
        if let Some(pass) = self.known(match_id).and_then(|slot| slot.knows(hash)) {
            return Ok(pass);
        }
        let pass = self.role(match_id, false, hash).await?;
        self.slot(match_id).learn(&pass);
        Ok(pass)
    }

    /// Whose token has this hash now, and the match as it stands now: what is shown to a side alone is never of a moment ago.
    pub async fn seen_by(&self, match_id: MatchId, hash: &str) -> Result<(Role, Arc<Book>), PlayError> {
        let role = self.role(match_id, false, hash).await?.role;
        Ok((role, self.current(match_id, &self.slot(match_id)).await?.book))
    }

    /// Whose invite has this hash.
    pub async fn invited(&self, match_id: MatchId, hash: &str) -> Result<Option<Side>, PlayError> {
        Ok(self.role(match_id, true, hash).await?.role.side())
    }

    /// Makes sure that a token is its role's now.
    async fn confirm(&self, match_id: MatchId, pass: &Pass) -> Result<(), PlayError> {
        let known = self.role(match_id, false, &pass.hash).await?;
        if known.role == pass.role { Ok(()) } else { Err(PlayError::TokenRefused) }
    }

    /// Hashes are compared, so the time it takes says nothing about the token.
    async fn role(&self, match_id: MatchId, invite: bool, hash: &str) -> Result<Pass, PlayError> {
        match self.store.role(match_id, invite, hash).await? {
            Some(role) => Ok(Pass { role, hash: hash.to_owned() }),
            None if self.store.head(match_id).await?.is_none() => Err(PlayError::NoSuchMatch(match_id)),
            None => Err(PlayError::TokenRefused),
        }
    }

    /// What a side has in its hand, and has chosen in secret: for its own eyes.
    pub async fn hands(&self, book: &Book, sides: &[Side]) -> Result<Map<String, Value>, PlayError> {
        let mut hands = Map::new();
        if book.fixture().step().is_some() && !sides.is_empty() {
            let seed = self.seed(book.match_id()).await?;
            let openings = self.store.openings(book.match_id()).await?;
            let hidden = Hidden { seed: seed.as_ref(), openings: &openings, now: now()? };
            for side in sides {
                let hand = book.fixture().hand(*side, hidden)?;
                if !hand.is_null() {
                    hands.insert(side.as_str().to_owned(), hand);
                }
            }
        }
        Ok(hands)
    }

    /// Puts something into a match: decides it on the match as it stands and appends what follows.
    pub async fn submit(&self, submission: &Submission) -> Result<Appended, PlayError> {
        let submission = &self.for_this_head(submission).await?;
        let slot = self.slot(submission.match_id);
        let _turn = slot.turn.lock().await;
        if let Some(held) = slot.held() {
            match self.try_submit(submission, &held).await {
                Err(error) if !error.may_be_of_old_state() => return Err(error),
                Err(_) => {}
                Ok(appended) => return Ok(kept(&slot, appended, held.seed)),
            }
        }
        for tries in 1..=TRIES {
            if let Some(pass) = &submission.pass {
                self.confirm(submission.match_id, pass).await?;
            }
            if let Some(again) = self.answered_before(submission).await? {
                return Ok(again);
            }
            let current = self.current(submission.match_id, &slot).await?;
            match self.try_submit(submission, &current).await {
                Ok(appended) => return Ok(kept(&slot, appended, current.seed)),
                Err(PlayError::Store(StoreError::Conflict)) => {
                    self.metrics.count_lost_race();
                    step_back(tries).await;
                }
                // It may have been stored, with its key, since it was looked for.
                Err(error) if error.may_be_of_old_state() => {
                    return self.answered_before(submission).await?.ok_or(error);
                }
                Err(error) => return Err(error),
            }
        }
        Err(PlayError::Contended)
    }

    /// What is only for the match as it stands now is not decided again on another.
    async fn for_this_head<'a>(&self, asked: &'a Submission) -> Result<Cow<'a, Submission>, PlayError> {
        if asked.is_for_any_head() || asked.if_match.is_some() {
            return Ok(Cow::Borrowed(asked));
        }
        let head = self.store.head(asked.match_id).await?.ok_or(PlayError::NoSuchMatch(asked.match_id))?;
        Ok(Cow::Owned(Submission { if_match: Some(vec![head.hash]), ..asked.clone() }))
    }

    /// What a correction would come to: the match before it, and after. Nothing is stored.
    pub async fn dry_run(&self, submission: &Submission) -> Result<(Arc<Book>, Book), PlayError> {
        if let Some(pass) = &submission.pass {
            self.confirm(submission.match_id, pass).await?;
        }
        let held = self.current(submission.match_id, &self.slot(submission.match_id)).await?;
        let head = held.book.head();
        if submission.if_match.as_ref().is_some_and(|expected| !expected.contains(&head.hash)) {
            return Err(PlayError::StaleHead(head.clone()));
        }
        let Asked::Correct(ask) = &submission.asked else {
            return Ok((Arc::clone(&held.book), Book::clone(&held.book)));
        };
        let log = self.events(submission.match_id, head).await?;
        let actor = submission.actor;
        let editions = Editions::from(held.book.fixture().edition());
        let as_made = corrections::decide(
            held.book.fixture(),
            &log,
            ask,
            actor,
            held.seed.as_ref(),
            Agreement::Supposed,
        )?;
        if as_made.shows_new_dice {
            let message = "this would show a die that is not in the log yet, and a dry run shows none";
            return Err(Refusal::new(Why::IllegalInput, Place::Field("dry_run".to_owned()), message).into());
        }
        let sealed = seal(submission.match_id, head, as_made.said, now()?)?;
        Ok((held.book, read_again(log, &sealed, editions)?))
    }

    async fn try_submit(&self, submission: &Submission, current: &Held) -> Result<Appended, PlayError> {
        let head = current.book.head();
        if submission.if_match.as_ref().is_some_and(|expected| !expected.contains(&head.hash)) {
            return Err(PlayError::StaleHead(head.clone()));
        }
        let openings = match submission.needs_openings() {
            true => self.store.openings(submission.match_id).await?,
            false => Vec::new(),
        };
        let log = match submission.needs_log(current.book.fixture()) {
            true => self.events(submission.match_id, head).await?,
            false => Vec::new(),
        };
        let hidden = Hidden { seed: current.seed.as_ref(), openings: &openings, now: now()? };
        let Decided { events, secrets } = submission.decide(current.book.fixture(), hidden, &log)?;
        let sealed = seal(submission.match_id, head, events, hidden.now)?;
        let editions = Editions::from(current.book.fixture().edition());
        let book = match log.is_empty() {
            true => fold(Some(&current.book), &sealed, &editions)?,
            false => read_again(log, &sealed, editions)?,
        };
        let answered = submission.key.as_ref().map(|key| Answered {
            actor: submission.actor,
            key: key.key.clone(),
            request: key.request.clone(),
            first_seq: head.seq + 1,
            last_seq: book.head().seq,
        });
        let append = Append {
            match_id: submission.match_id,
            expected: head.clone(),
            pass: submission.pass.clone(),
            records: records(&sealed),
            rows: Rows::of(&book),
            answered,
            secrets,
        };
        let appended = self.appender.append(append).await;
        self.probe.learn(&appended);
        appended?;
        self.following.moved(submission.match_id, book.head().seq);
        self.count(&sealed);
        let before = submission.tells_difference().then(|| Arc::clone(&current.book));
        Ok(Appended { entries: entries(sealed), before, book: Arc::new(book) })
    }

    /// The answer that was given to the same request before, made again from the log.
    async fn answered_before(&self, submission: &Submission) -> Result<Option<Appended>, PlayError> {
        let Some(key) = &submission.key else { return Ok(None) };
        let found = self.store.answered(submission.match_id, submission.actor, &key.key).await?;
        let Some(answered) = found else { return Ok(None) };
        if answered.request != key.request {
            return Err(PlayError::KeyReused);
        }
        self.answer_again(submission, &answered).await.map(Some).map_err(|error| match error {
            PlayError::Store(error) => PlayError::StoredBefore(error),
            error => error,
        })
    }

    /// What a request came to that was answered before.
    async fn answer_again(&self, asked: &Submission, answered: &Answered) -> Result<Appended, PlayError> {
        let Answered { first_seq, last_seq, .. } = *answered;
        let before = match asked.tells_difference() {
            true => Some(Arc::new(self.book_at(asked.match_id, first_seq - 1).await?)),
            false => None,
        };
        let book = Arc::new(self.book_at(asked.match_id, last_seq).await?);
        let count = u32::try_from(last_seq + 1 - first_seq).unwrap_or(u32::MAX);
        let entries = self.store.entries(asked.match_id, first_seq - 1, count).await?;
        Ok(Appended { entries, before, book })
    }

    /// The match's place in memory, if it has one.
    fn known(&self, match_id: MatchId) -> Option<Arc<Slot>> {
        self.slots.lock().unwrap_or_else(PoisonError::into_inner).get(&match_id).map(Arc::clone)
    }

    fn slot(&self, match_id: MatchId) -> Arc<Slot> {
        let mut slots = self.slots.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(slot) = slots.get(&match_id) {
            return Arc::clone(slot);
        }
        let slot = Arc::<Slot>::default();
        slots.insert(match_id, Arc::clone(&slot));
        slot
    }
}

/// Folds a whole log into the rows the store keeps of it.
pub fn rows_of(entries: &[Entry], editions: &Editions) -> Result<Rows, String> {
    let mut book = None;
    let folded = entries.iter().try_for_each(|entry| Book::follow(&mut book, &entry.read()?, editions));
    if let (Ok(()), Some(book)) = (folded, &book) {
        return Ok(Rows::of(book));
    }
    // Few logs have corrections, and to be ready for one costs more than the fold.
    let mut reading = Reading::new(editions.clone());
    for entry in entries {
        entry
            .read()
            .and_then(|event| reading.follow(event).map(|_| ()))
            .map_err(|broken| format!("event {}: {broken}", entry.seq))?;
    }
    Ok(Rows::of(reading.book().ok_or("the log is empty")?))
}

fn missing(seq: u64) -> PlayError {
    PlayError::BrokenLog { seq, reason: "the event is missing".to_owned() }
}

/// Makes events of what was decided. Nobody asks for the end of a match: it is the service's to say.
fn seal(
    match_id: MatchId,
    head: &Head,
    decided: Vec<(EventData, Actor)>,
    at: DateTime<Utc>,
) -> Result<Vec<(Event, Entry)>, PlayError> {
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
fn fold(book: Option<&Book>, sealed: &[(Event, Entry)], editions: &Editions) -> Result<Book, PlayError> {
    let mut folded = book.cloned();
    for (event, _) in sealed {
        Book::follow(&mut folded, event, editions)
            .map_err(|broken| PlayError::BrokenLog { seq: event.seq, reason: broken.to_string() })?;
    }
    match folded {
        Some(folded) if !sealed.is_empty() => Ok(folded),
        _ => Err(StoreError::Failed("there is nothing to append".to_owned()).into()),
    }
}

/// Reads a log, and the new events that correct it.
fn read_again(log: Vec<Event>, sealed: &[(Event, Entry)], editions: Editions) -> Result<Book, PlayError> {
    let mut reading = Reading::new(editions);
    for event in log.into_iter().chain(sealed.iter().map(|(event, _)| event.clone())) {
        let seq = event.seq;
        reading.follow(event).map_err(|broken| PlayError::BrokenLog { seq, reason: broken.to_string() })?;
    }
    reading.into_book().ok_or_else(|| missing(1))
}

fn records(sealed: &[(Event, Entry)]) -> Vec<Record> {
    sealed.iter().map(|(event, entry)| Record::of(event, entry.clone())).collect()
}

/// Keeps a match as it is after an append.
fn kept(slot: &Slot, appended: Appended, seed: Option<ServerSeed>) -> Appended {
    slot.keep(&Held::now(Arc::clone(&appended.book), seed), false);
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
