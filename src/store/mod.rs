//! The store: logs, secrets and cached projections, in SQLite or Postgres.
//!
//! An append is all there or not at all: the match's head moves on from the one the writer saw, the events come in, the
//! idempotency row and the projections with them. Whoever saw an older head gets [`StoreError::Conflict`].

mod appender;
mod obstacle;
mod postgres;
mod probe;
mod queries;
mod sqlite;
mod tables;
mod writing;

use std::ops::ControlFlow;
use std::sync::Arc;

use async_trait::async_trait;
use chrono::{DateTime, Utc};

use crate::commands::{Pass, Secrets};
use crate::log::{Actor, EditionRecord, Entry, Event, Head, MatchId, Role};
use crate::matches::Opening;
use crate::rules::Edition;
use crate::views::Rows;

pub use appender::{Appender, Commit};
pub use obstacle::Obstacle;
pub use postgres::PostgresStore;
pub use probe::Probe;
pub use sqlite::SqliteStore;

/// Why the store did not do what it was asked.
#[derive(Debug, Clone, thiserror::Error)]
pub enum StoreError {
    /// The match has moved on from the seq the writer saw, or another transaction was in the way: decide again.
    #[error("the match has moved on")]
    Conflict,
    /// Something known keeps the database from doing it.
    #[error("{0}: {1}")]
    Hindered(Obstacle, String),
    /// The database cannot be reached or is locked; it may answer later.
    #[error("the database does not answer: {0}")]
    Unavailable(String),
    /// The database went away while it was making an append last: nobody knows whether it has.
    #[error("the database went away in the middle of an append: {0}")]
    Unsure(String),
    /// The address of the database makes no sense.
    #[error("{0}")]
    Address(String),
    /// The tables are not those of this version.
    #[error("the tables are not those of this version: {0}")]
    Migration(String),
    /// Anything else.
    #[error("the database refuses: {0}")]
    Failed(String),
}

/// An event on its way into the store.
#[derive(Debug, Clone)]
pub struct Record {
    /// The text that was hashed, and the hash.
    pub entry: Entry,
    /// The event's kind.
    pub kind: &'static str,
    /// When.
    pub at: DateTime<Utc>,
}

impl StoreError {
    /// Whether one append of several may have failed for all, so that each is written by itself.
    fn may_be_of_one(&self) -> bool {
        match self {
            StoreError::Conflict | StoreError::Failed(_) => true,
            StoreError::Hindered(obstacle, _) => obstacle.may_be_of_one_match(),
            StoreError::Unavailable(_)
            | StoreError::Unsure(_)
            | StoreError::Address(_)
            | StoreError::Migration(_) => false,
        }
    }

    /// What a failure to commit means.
    fn of_commit(self) -> StoreError {
        match self {
            StoreError::Hindered(obstacle, reason) if !obstacle.is_fault() => {
                StoreError::Unsure(format!("{obstacle}: {reason}"))
            }
            StoreError::Unavailable(reason) | StoreError::Failed(reason) => StoreError::Unsure(reason),
            other => other,
        }
    }
}

impl Record {
    /// An event and its text.
    pub fn of(event: &Event, entry: Entry) -> Record {
        Record { entry, kind: event.data.kind(), at: event.at }
    }
}

/// A request that was answered, so that it can be answered again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answered {
    /// Who asked.
    pub actor: Actor,
    /// The key the client gave.
    pub key: String,
    /// SHA-256 of path and body.
    pub request: String,
    /// The first event appended.
    pub first_seq: u64,
    /// The last event appended.
    pub last_seq: u64,
}

/// What a token is for, as it is stored.
fn purpose(invite: bool) -> &'static str {
    if invite { "invite" } else { "token" }
}

/// Everything one append writes.
#[derive(Debug, Clone)]
pub struct Append {
    /// The match.
    pub match_id: MatchId,
    /// The head the writer saw; that of an empty log for a new match.
    pub expected: Head,
    /// The token it was allowed by, where there is one: it still has to be the role's.
    pub pass: Option<Pass>,
    /// The events, in order, from `expected + 1` on.
    pub records: Vec<Record>,
    /// The projections after the last of them.
    pub rows: Rows,
    /// The request to remember, if it had a key.
    pub answered: Option<Answered>,
    /// What is to be stored beside the log.
    pub secrets: Secrets,
}

impl Append {
    /// Whether it begins a match.
    fn is_first(&self) -> bool {
        self.expected.seq == 0
    }

    /// The `seq` of the last event it appends.
    fn new_seq(&self) -> u64 {
        self.expected.seq + self.records.len() as u64
    }

    /// The hash of the last event it appends.
    fn new_hash(&self) -> &str {
        self.records.last().map_or("", |record| record.entry.hash.as_str())
    }
}

/// A cached view of a match.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct View {
    /// The hash of the event after which it is true.
    pub hash: String,
    /// The view, as JSON.
    pub body: String,
}

/// Which matches to list.
#[derive(Debug, Clone, Default)]
pub struct Filter {
    /// Only of this game.
    pub game: Option<String>,
    /// Only with this status.
    pub status: Option<String>,
    /// Only with a side of exactly this name.
    pub team: Option<String>,
    /// Only those created before this one.
    pub before: Option<MatchId>,
    /// At most so many.
    pub limit: u32,
}

/// Takes an event as it is read, and says whether to go on.
pub type Each<'a> = dyn FnMut(Entry) -> ControlFlow<()> + Send + 'a;

/// Folds a log into the rows of its projections, or says why it cannot.
pub type Fold = Arc<dyn Fn(&[Entry]) -> Result<Rows, String> + Send + Sync>;

/// What happened to a match in a rebuild.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Rebuilt {
    /// Its projections are new.
    Done,
    /// Its log does not fold; its projections are as they were.
    Broken(String),
}

/// A store of match logs.
#[async_trait]
pub trait EventStore: Send + Sync {
    /// Writes appends to different matches, all of each or nothing of it: one that meets a conflict fails alone.
    /// [`Appender`] brings together those that can be written at once.
    async fn write(&self, appends: &[Append]) -> Vec<Result<(), StoreError>>;
    /// The most appends to be written at once.
    fn most_at_once(&self) -> usize;
    /// The end of a match's log; `None` if there is no such match.
    async fn head(&self, match_id: MatchId) -> Result<Option<Head>, StoreError>;
    /// The ends of several logs: match and seq.
    async fn heads(&self, match_ids: &[MatchId]) -> Result<Vec<(MatchId, u64)>, StoreError>;
    /// Events after `after`, in order, at most `limit`.
    async fn entries(&self, match_id: MatchId, after: u64, limit: u32) -> Result<Vec<Entry>, StoreError>;
    /// Hands on the events after `after` up to `to`, in order, each as it comes, until `each` breaks off.
    async fn read(
        &self,
        match_id: MatchId,
        after: u64,
        to: u64,
        each: &mut Each<'_>,
    ) -> Result<(), StoreError>;
    /// The server seed of a seeded match.
    async fn server_seed(&self, match_id: MatchId) -> Result<Option<String>, StoreError>;
    /// Whose token, or invite, has this hash.
    async fn role(&self, match_id: MatchId, invite: bool, hash: &str) -> Result<Option<Role>, StoreError>;
    /// The choices that are open to the service; those of the log's seals that are not yet turned up count.
    async fn openings(&self, match_id: MatchId) -> Result<Vec<Opening>, StoreError>;
    /// A request that was answered before.
    async fn answered(
        &self,
        match_id: MatchId,
        actor: Actor,
        key: &str,
    ) -> Result<Option<Answered>, StoreError>;
    /// A cached view, if there is one and it is true after the last event.
    async fn view(&self, match_id: MatchId, name: &str) -> Result<Option<View>, StoreError>;
    /// The match list, newest first, as JSON.
    async fn matches(&self, filter: &Filter) -> Result<Vec<(MatchId, String)>, StoreError>;
    /// Ids of matches after one, in order, at most `limit`.
    async fn match_ids(&self, after: Option<MatchId>, limit: u32) -> Result<Vec<MatchId>, StoreError>;
    /// Drops the projections of matches that have no log.
    async fn drop_orphans(&self) -> Result<(), StoreError>;
    /// Drops the projections of some matches and folds them again, while nobody appends to them.
    async fn rebuild(&self, match_ids: &[MatchId], fold: Fold)
    -> Result<Vec<(MatchId, Rebuilt)>, StoreError>;
    /// Keeps an edition; whether it is new. One of the same hash is the same.
    async fn keep_edition(&self, edition: &Edition) -> Result<bool, StoreError>;
    /// The canonical form of the edition of this hash.
    async fn edition(&self, sha256: &str) -> Result<Option<String>, StoreError>;
    /// The editions that are kept, by their names.
    async fn editions(&self) -> Result<Vec<EditionRecord>, StoreError>;
    /// Makes a small write that nobody reads, to find out whether anything can be written.
    async fn probe(&self) -> Result<(), StoreError>;
    /// Whether the database answers.
    async fn ping(&self) -> Result<(), StoreError>;
    /// Closes all connections.
    async fn close(&self);
}

/// How the tables are brought up to this version when a store is opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Migrate {
    /// Apply what is missing, one instance at a time.
    Apply,
    /// The same without the lock, for engines that have none.
    ApplyWithoutLock,
    /// Change nothing; refuse tables that are not of this version.
    Check,
}

/// Opens the store at `url`: `sqlite:///abs/path`, `sqlite://relative`, `postgres://...`.
pub async fn open(url: &str, migrate: Migrate, commit: Commit) -> Result<Arc<dyn EventStore>, StoreError> {
    if url.starts_with("sqlite:") {
        Ok(Arc::new(SqliteStore::open(url, migrate).await?))
    } else if url.starts_with("postgres:") || url.starts_with("postgresql:") {
        Ok(Arc::new(PostgresStore::open(url, migrate, commit).await?))
    } else {
        let message = "a database is sqlite:///absolute/path, sqlite://relative or postgres://user@host/name";
        Err(StoreError::Address(message.to_owned()))
    }
}
