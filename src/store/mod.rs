//! The store: logs, secrets and cached projections, in SQLite or Postgres.
//!
//! An append is atomic: it moves the match's head on from the one that the writer saw, and writes the events
//! and the idempotency row with it. A writer that saw an older head gets [`StoreError::Conflict`]. The
//! projections come with it, or the row of the match list follows: until then it is true as of an earlier
//! event, which it names.

mod group_commit;
mod obstacle;
mod offering;
mod postgres;
mod probe;
mod queries;
mod sqlite;
mod tables;
mod writing;

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;

use async_trait::async_trait;
use chrono::{DateTime, Utc};

use crate::commands::{Secrets, TokenPurpose, TokenRow, VerifiedToken};
use crate::log::{Actor, EditionRecord, Entry, Event, Head, MatchId, Role, SafeText};
use crate::matches::SealOpening;
use crate::rules::Edition;
use crate::views::Rows;

pub use group_commit::{CommitMode, GroupCommitter};
pub use obstacle::Obstacle;
pub use offering::{Offered, ScoringOffer};
pub use postgres::PostgresStore;
pub use probe::Probe;
pub use sqlite::SqliteStore;
pub use tables::{BY_MATCH, REFERENCE, distribution_on_citus};

/// The error of a store.
#[derive(Debug, Clone, thiserror::Error)]
pub enum StoreError {
    /// The match has moved on from the head that the writer saw, or another transaction conflicted: decide
    /// again.
    #[error("the match has moved on")]
    Conflict,
    /// A known obstacle keeps the database from working.
    #[error("{0}: {1}")]
    Hindered(Obstacle, String),
    /// The database cannot be reached or is locked, and may answer later.
    #[error("the database does not answer: {0}")]
    Unavailable(String),
    /// The database went away during a commit, or an obstacle came up in it, so it is not known whether the
    /// append is stored.
    #[error("it is not known whether an append is stored: {1}")]
    Unsure(Option<Obstacle>, String),
    /// The address of the database is not valid.
    #[error("{0}")]
    Address(String),
    /// The store is closed, since the service stops. Nothing was written.
    #[error("the store is closed")]
    Closed,
    /// The role of the service lacks a privilege.
    #[error("the role lacks a privilege: {0}")]
    Denied(String),
    /// The tables are not those of this version.
    #[error("the tables are not those of this version: {0}")]
    Migration(String),
    /// The database failed in any other way.
    #[error("the database refuses: {0}")]
    Failed(String),
}

impl StoreError {
    /// Whether a single append may be the reason that a group failed, so that each has to be written by
    /// itself.
    fn may_be_of_one(&self) -> bool {
        match self {
            StoreError::Conflict | StoreError::Denied(_) | StoreError::Failed(_) => true,
            StoreError::Hindered(obstacle, _) => obstacle.may_be_of_one_match(),
            StoreError::Unavailable(_)
            | StoreError::Unsure(..)
            | StoreError::Closed
            | StoreError::Address(_)
            | StoreError::Migration(_) => false,
        }
    }

    /// The error for a failed commit, after which it may not be known whether anything is stored.
    fn of_commit(self) -> StoreError {
        match self {
            StoreError::Hindered(obstacle, reason) if !obstacle.is_fault() && !obstacle.undoes_commits() => {
                StoreError::Unsure(Some(obstacle), reason)
            }
            StoreError::Unavailable(reason) | StoreError::Failed(reason) => StoreError::Unsure(None, reason),
            other => other,
        }
    }
}

/// The record of an answered request with an idempotency key, from which it can be answered again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IdempotencyRecord {
    /// The actor of the request.
    pub actor: Actor,
    /// The key that the client gave.
    pub key: String,
    /// SHA-256 of path and body.
    pub request: String,
    /// The first event appended.
    pub first_seq: u64,
    /// The last event appended.
    pub last_seq: u64,
}

/// The place of an idempotency record in the order of all records.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RecordPlace {
    match_id: MatchId,
    actor: String,
    key: String,
}

impl RecordPlace {
    /// The place before the first record of a match.
    pub fn before(match_id: MatchId) -> RecordPlace {
        RecordPlace { match_id, ..RecordPlace::default() }
    }
}

/// The result of sweeping a batch of idempotency records.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SweptBatch {
    /// The number of removed records.
    pub removed: u64,
    /// The last record of the batch; `None` where no record is left.
    pub last: Option<RecordPlace>,
}

/// Everything one append writes.
#[derive(Debug, Clone)]
pub struct Append {
    /// The match's id.
    pub match_id: MatchId,
    /// The head that the writer saw; that of an empty log for a new match.
    pub expected: Head,
    /// The token that allowed the append, if one did, and that still has to be valid.
    pub token: Option<VerifiedToken>,
    /// The events, in order, from `expected + 1` on, each with its text. There is at least one.
    pub events: Arc<[(Event, Entry)]>,
    /// The projections after the last of them; none where the row of the match list follows.
    pub rows: Option<Rows>,
    /// The request to remember, if it had a key.
    pub idempotency: Option<IdempotencyRecord>,
    /// The secrets to be stored beside the log.
    pub secrets: Secrets,
}

impl Append {
    /// Whether the append begins a match.
    fn is_first(&self) -> bool {
        self.expected.seq == 0
    }

    /// The bytes that are written: the events, and the pages of a match that has ended.
    fn bytes(&self) -> usize {
        let events = self.events.iter().map(|(_, entry)| entry.body.len());
        let pages = self.rows.iter().flat_map(|rows| &rows.pages);
        events.chain(pages.map(|(_, page)| page.len())).sum()
    }

    /// The `seq` of the last appended event.
    fn new_seq(&self) -> u64 {
        self.expected.seq + self.events.len() as u64
    }

    /// The time of the last appended event, in milliseconds.
    fn at(&self) -> i64 {
        self.events.last().map_or(0, |(event, _)| event.at.timestamp_millis())
    }

    /// The hash of the last appended event.
    fn new_hash(&self) -> &str {
        self.events.last().map_or("", |(_, entry)| entry.hash.as_str())
    }
}

/// The projections of a match as of an event of its log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Projected {
    /// The match's id.
    pub match_id: MatchId,
    /// The event.
    pub head: Head,
    /// The projections.
    pub rows: Rows,
}

/// A cached view of a match.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CachedPage {
    /// The hash of the event as of which the view is true.
    pub hash: String,
    /// The view, as JSON.
    pub body: String,
}

/// A row of the match list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListRow {
    /// The place of the match.
    pub place: ListPlace,
    /// The entry of the match, as JSON.
    pub body: String,
    /// The form of the entry. One that is not [`FORM`](crate::views::FORM) counts as missing.
    pub form: i32,
    /// The event as of which the entry is true.
    pub seq: u64,
}

/// The order of the match list.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum ListOrder {
    /// By creation, the newest match first.
    #[default]
    Created,
    /// By the last event, the match that changed last first.
    Changed,
}

/// The place of a match in the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ListPlace {
    /// The match's id.
    pub match_id: MatchId,
    /// The time of its last event in milliseconds.
    pub last_at: i64,
}

/// A filter of the match list.
#[derive(Debug, Clone, Default)]
pub struct MatchFilter {
    /// Only matches with one of these ids; all if there is none.
    pub ids: Vec<MatchId>,
    /// Only matches of this game.
    pub game: Option<&'static str>,
    /// Only matches with one of these statuses; all if there is none.
    pub statuses: Vec<&'static str>,
    /// Only matches with a side of exactly this name.
    pub team: Option<SafeText>,
    /// Only matches whose last event is before this time, in milliseconds.
    pub before: Option<i64>,
    /// Only matches that come after this place.
    pub after: Option<ListPlace>,
    /// The order of the list.
    pub order: ListOrder,
    /// The most matches to return.
    pub limit: u32,
}

/// A function that takes each event as it is read, and decides whether to go on.
pub type EachEntry<'a> = dyn FnMut(Entry) -> ControlFlow<()> + Send + 'a;

/// A function that folds a log into the rows of its projections, or returns why it cannot.
pub type Fold = Arc<dyn Fn(&[Entry]) -> Result<Rows, String> + Send + Sync>;

/// The result of rebuilding a match.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Rebuilt {
    /// The projections of the match are rebuilt.
    Done,
    /// The log does not fold, and the projections are unchanged.
    Broken(String),
}

/// The appends of a store.
#[async_trait]
pub trait AppendStore: Send + Sync {
    /// Writes appends to different matches. Each is atomic, and one that meets a conflict fails alone.
    /// [`GroupCommitter`] collects appends that can be written at once.
    async fn write(&self, appends: &[Append]) -> Vec<Result<(), StoreError>>;
    /// The most appends in one group commit.
    fn most_at_once(&self) -> usize;
}

/// A store whose matches are spread over machines, each of which may be away by itself.
#[async_trait]
pub trait SpreadStore: Send + Sync {
    /// The heads of several matches, as match and seq. A machine that does not answer within a second is an
    /// error.
    async fn heads_soon(&self, match_ids: &[MatchId]) -> Result<Vec<(MatchId, u64)>, StoreError>;
    /// The number of reads that may begin now and leave connections for writes.
    fn free_to_read(&self) -> usize;
}

/// A store of match logs.
#[async_trait]
pub trait EventStore: AppendStore {
    /// The store's own random id, which tells it from every other store.
    async fn identity(&self) -> Result<String, StoreError>;
    /// The head of a match; `None` if there is no such match.
    async fn head(&self, match_id: MatchId) -> Result<Option<Head>, StoreError>;
    /// The heads of several matches, as match and seq.
    async fn heads(&self, match_ids: &[MatchId]) -> Result<Vec<(MatchId, u64)>, StoreError>;
    /// The events after `after`, in order, at most `limit`.
    async fn entries(&self, match_id: MatchId, after: u64, limit: u32) -> Result<Vec<Entry>, StoreError>;
    /// Hands each event after `after` up to `to` to `each`, in order, until that breaks off.
    async fn read(
        &self,
        match_id: MatchId,
        after: u64,
        to: u64,
        each: &mut EachEntry<'_>,
    ) -> Result<(), StoreError>;
    /// The server seed of a seeded match.
    async fn server_seed(&self, match_id: MatchId) -> Result<Option<String>, StoreError>;
    /// The role of what is stored for this purpose with this hash.
    async fn role(
        &self,
        match_id: MatchId,
        purpose: TokenPurpose,
        hash: &str,
    ) -> Result<Option<Role>, StoreError>;
    /// All tokens and invites that are stored of a match.
    async fn tokens(&self, match_id: MatchId) -> Result<Vec<TokenRow>, StoreError>;
    /// Names the device of the holder of a token; returns whether the token is still valid.
    async fn name_writer(
        &self,
        match_id: MatchId,
        token: &VerifiedToken,
        name: &str,
    ) -> Result<bool, StoreError>;
    /// Stores a scoring invite in place of the one before, if the token of the offer is still valid.
    async fn offer_scoring(&self, offer: &ScoringOffer) -> Result<Offered, StoreError>;
    /// The end that an offer of a scoring invite with this hash was answered with.
    async fn offered(&self, match_id: MatchId, hash: &str) -> Result<Option<i64>, StoreError>;
    /// Ends a scoring invite that still stands at this time, in milliseconds. Returns whether the token is
    /// still valid.
    async fn stop_offer(
        &self,
        match_id: MatchId,
        by: Option<&VerifiedToken>,
        at: i64,
    ) -> Result<bool, StoreError>;
    /// Whether anything is stored with this hash, whatever its purpose.
    async fn knows_hash(&self, match_id: MatchId, hash: &str) -> Result<bool, StoreError>;
    /// The sealed choices that the service knows. Only those whose seals in the log are not revealed yet
    /// count.
    async fn openings(&self, match_id: MatchId) -> Result<Vec<SealOpening>, StoreError>;
    /// The record of an earlier answer under this idempotency key.
    async fn idempotency_record(
        &self,
        match_id: MatchId,
        actor: Actor,
        key: &str,
    ) -> Result<Option<IdempotencyRecord>, StoreError>;
    /// Looks at the next idempotency records after a place, and removes those whose last event was appended
    /// before this time. A batch is small, so that no lock is held for long. Where matches are spread over
    /// machines, the next records are those of the same match.
    async fn sweep(&self, after: &RecordPlace, before: DateTime<Utc>) -> Result<SweptBatch, StoreError>;
    /// A cached view of the present form, if there is one that is true as of the last event.
    async fn view(&self, match_id: MatchId, name: &str) -> Result<Option<CachedPage>, StoreError>;
    /// The match list, in the order of the filter. Rows of other forms are among them.
    async fn matches(&self, filter: &MatchFilter) -> Result<Vec<ListRow>, StoreError>;
    /// Stores the projections of some matches anew. A match that has moved on, or that an append has locked,
    /// is left as it is: it gets projections as of a later event.
    async fn renew(&self, projected: &[Projected]) -> Result<(), StoreError>;
    /// Stores the rows of some matches in the match list, and locks no head, so that the matches go on
    /// meanwhile. A row that is true as of a later event stays, and so does one whose match has no such
    /// event.
    async fn list(&self, projected: &[Projected]) -> Result<(), StoreError>;
    /// The matches after `after` that are not over and whose row in the match list is behind their log, the
    /// last event of which came before this time; in order, at most `limit`.
    async fn behind(
        &self,
        after: MatchId,
        before: DateTime<Utc>,
        limit: u32,
    ) -> Result<Vec<MatchId>, StoreError>;
    /// The ids of matches after `after`, in order, at most `limit`.
    async fn match_ids(&self, after: Option<MatchId>, limit: u32) -> Result<Vec<MatchId>, StoreError>;
    /// Drops the projections of matches that have no log.
    async fn drop_orphans(&self) -> Result<(), StoreError>;
    /// Rebuilds the projections of some matches, and locks them against appends meanwhile.
    async fn rebuild(&self, match_ids: &[MatchId], fold: Fold)
    -> Result<Vec<(MatchId, Rebuilt)>, StoreError>;
    /// Stores an edition by its hash, and returns whether it is new.
    async fn keep_edition(&self, edition: &Edition) -> Result<bool, StoreError>;
    /// The canonical form of the edition with this hash.
    async fn edition(&self, sha256: &str) -> Result<Option<String>, StoreError>;
    /// The stored editions, by name.
    async fn editions(&self) -> Result<Vec<EditionRecord>, StoreError>;
    /// The questions to a store whose matches are spread over machines; `None` where all matches are in one
    /// place.
    fn spread(&self) -> Option<&dyn SpreadStore>;
    /// Makes a small write that nobody reads, to find out whether events can be stored.
    async fn probe(&self) -> Result<(), StoreError>;
    /// Whether the database answers.
    async fn ping(&self) -> Result<(), StoreError>;
    /// Closes all connections.
    async fn close(&self);
}

/// The way to bring the tables up to this version when a store is opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Migrate {
    /// Apply missing migrations, one instance at a time.
    Apply,
    /// Apply missing migrations without a lock, for engines that have none.
    ApplyWithoutLock,
    /// Change nothing; refuse tables that are not of this version.
    Check,
}

/// The engines of a store, by the address of its database.
enum StoreEngine {
    Sqlite,
    Postgres,
}

impl StoreEngine {
    fn of(url: &str) -> Result<StoreEngine, StoreError> {
        if url.starts_with("sqlite:") {
            Ok(StoreEngine::Sqlite)
        } else if url.starts_with("postgres:") || url.starts_with("postgresql:") {
            Ok(StoreEngine::Postgres)
        } else {
            let message =
                "a database is sqlite:///absolute/path, sqlite://relative or postgres://user@host/name";
            Err(StoreError::Address(message.to_owned()))
        }
    }
}

/// The file of the database at `url`; none where the database is no file.
pub fn sqlite_file(url: &str) -> Result<Option<PathBuf>, StoreError> {
    match StoreEngine::of(url)? {
        StoreEngine::Sqlite => SqliteStore::file(url).map(Some),
        StoreEngine::Postgres => Ok(None),
    }
}

/// Opens the store at `url`: `sqlite:///abs/path`, `sqlite://relative`, `postgres://...`.
pub async fn open(
    url: &str,
    migrate: Migrate,
    commit: CommitMode,
) -> Result<Arc<dyn EventStore>, StoreError> {
    match StoreEngine::of(url)? {
        StoreEngine::Sqlite => Ok(Arc::new(SqliteStore::open(url, migrate).await?)),
        StoreEngine::Postgres => Ok(Arc::new(PostgresStore::open(url, migrate, commit).await?)),
    }
}
