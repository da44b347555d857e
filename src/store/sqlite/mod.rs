//! The store in an SQLite file: one writer at a time, with readers beside it (WAL).

mod files;
mod group;

use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;

use sqlx::pool::PoolConnection;
use sqlx::sqlite::{
    SqliteConnectOptions, SqliteJournalMode, SqlitePool, SqlitePoolOptions, SqliteSynchronous,
};
use sqlx::{ConnectOptions, Connection as _, Sqlite, SqliteConnection, Transaction};
use tokio::sync::{MappedMutexGuard, Mutex, MutexGuard};

use self::files::Files;
use self::group::APPENDING;
use super::offering::store_offering;
use super::queries::{PROBE, event_store};
use super::tables::{self, prepare_tables};
use super::writing::store_writing;
use super::{Migrate, Obstacle, StoreError};

const READERS: u32 = 4;
/// How long to wait for another process that writes.
const BUSY: Duration = Duration::from_secs(2);
/// The number of rows that are read ahead of the fold: about a match.
const ROWS_AHEAD: usize = 512;
/// The number of pages after which the journal is checkpointed: a page that many appends touch is then
/// written only once.
const JOURNAL_PAGES: &str = "4000";
const MIGRATION_TRIES: u32 = 5;
/// How long to wait for the writer of this process.
const PATIENCE: Duration = Duration::from_secs(10);

/// The store of match logs in an SQLite file.
pub struct SqliteStore {
    readers: SqlitePool,
    /// The only connection that writes. A pool would ping it before and after every use.
    writer: Mutex<Option<SqliteConnection>>,
    options: SqliteConnectOptions,
    files: Files,
}

impl SqliteStore {
    /// The clause with which a select locks its rows: none, since a write transaction locks the whole file.
    const FOR_UPDATE: &str = "";
    /// The select that locks the head of a match: a write transaction locks the whole file.
    const HOLD_HEAD: &str = "select seq from heads where match_id = $1";
    /// The clause with which a select locks its rows, but for those that others have locked: none either.
    const FOR_UPDATE_UNLESS_LOCKED: &str = "";
    /// The setting of a transaction whose statements read all matches: none, since no statement is limited.
    const LONG: Option<&str> = None;

    /// The options of `url`, which name a file.
    fn options(url: &str) -> Result<SqliteConnectOptions, StoreError> {
        let options = SqliteConnectOptions::from_str(url)
            .map_err(|error| StoreError::Address(format!("this is no sqlite:// address: {error}")))?;
        if options.get_filename().as_os_str().is_empty() || url.contains(":memory:") {
            let message = "third-umpire keeps matches: name a file, as in sqlite://third-umpire.db";
            return Err(StoreError::Address(message.to_owned()));
        }
        Ok(options)
    }

    /// The file of `url`.
    pub(super) fn file(url: &str) -> Result<PathBuf, StoreError> {
        Ok(SqliteStore::options(url)?.get_filename().to_owned())
    }

    /// Opens the file of `url`, which is created if it is missing, and migrates or checks the tables.
    pub async fn open(url: &str, migrate: Migrate) -> Result<SqliteStore, StoreError> {
        let options = SqliteStore::options(url)?
            .journal_mode(SqliteJournalMode::Wal)
            .synchronous(SqliteSynchronous::Full)
            .pragma("recursive_triggers", "on")
            // The statement journal of a large statement is kept in memory, not in a file.
            .pragma("temp_store", "memory")
            .pragma("wal_autocheckpoint", JOURNAL_PAGES)
            .busy_timeout(BUSY)
            .row_buffer_size(ROWS_AHEAD)
            .disable_statement_logging();
        let path = options.get_filename().to_owned();
        let create = migrate != Migrate::Check && !url.contains("mode=");
        let options = if create { options.create_if_missing(true) } else { options };
        if create {
            create_private(&path);
        }
        // A connection to a file does not break.
        let pool = |connections| {
            let options = SqlitePoolOptions::new().test_before_acquire(false);
            options.max_connections(connections).acquire_timeout(PATIENCE)
        };
        let cannot = |error| StoreError::Unavailable(format!("{} cannot be opened: {error}", path.display()));
        let migrating = pool(1).connect_with(options.clone()).await.map_err(cannot)?;
        let mut tries = 1;
        // SQLite has no lock for migrations: where instances start together, another has made the tables
        // meanwhile.
        while let Err(error) = prepare_tables(&tables::SQLITE, migrate, &migrating).await {
            if migrate == Migrate::Check || tries == MIGRATION_TRIES {
                return Err(error);
            }
            tries += 1;
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        migrating.close().await;
        let writer = Mutex::new(Some(connect_writer(&options).await.map_err(cannot)?));
        // The writer holds the files open from now on.
        let files = Files::opened(&path);
        let readers = pool(READERS).connect_lazy_with(options.clone());
        Ok(SqliteStore { readers, writer, options, files })
    }

    /// The questions to spread matches: none, since all are in one file.
    fn as_spread(&self) -> Option<&dyn SpreadStore> {
        None
    }

    /// A connection to read one match, which needs nothing of its own.
    async fn reading_of(&self, _: MatchId) -> Result<PoolConnection<Sqlite>, StoreError> {
        self.reading().await
    }

    async fn reading(&self) -> Result<PoolConnection<Sqlite>, StoreError> {
        // The files beside the database go with the last connection, which is no fault then.
        if self.readers.is_closed() {
            return Err(StoreError::Closed);
        }
        self.files.are_there()?;
        self.readers.acquire().await.map_err(Self::fault)
    }

    async fn writer(&self) -> Result<MappedMutexGuard<'_, SqliteConnection>, StoreError> {
        let late = |_| StoreError::Unavailable("others have been writing for too long".to_owned());
        let writer = tokio::time::timeout(PATIENCE, self.writer.lock()).await.map_err(late)?;
        MutexGuard::try_map(writer, Option::as_mut).map_err(|_| StoreError::Closed)
    }

    async fn begin<'a>(&self, on: &'a mut SqliteConnection) -> Result<Transaction<'a, Sqlite>, StoreError> {
        self.prepare_to_write(on).await?;
        on.begin_with("begin immediate").await.map_err(Self::fault)
    }

    /// Makes the connection ready that is about to write.
    async fn prepare_to_write(&self, on: &mut SqliteConnection) -> Result<(), StoreError> {
        self.files.are_there()?;
        // A commit that failed, as on a full disk, has been rolled back without the driver knowing; what it
        // is still to roll back is, once it answers.
        if on.is_in_transaction() && (on.ping().await.is_err() || on.is_in_transaction()) {
            let fresh = connect_writer(&self.options).await.map_err(Self::fault)?;
            // What it has opened is what was there before it, which the old one has held meanwhile.
            self.files.are_there()?;
            *on = fresh;
        }
        Ok(())
    }

    /// Makes a small write, and says what stands in the way.
    async fn try_to_write(&self) -> Result<(), StoreError> {
        let mut writer = self.writer().await?;
        let mut transaction = self.begin(&mut writer).await?;
        let written = sqlx::query(PROBE).bind(MatchId::nil()).execute(&mut *transaction).await;
        written.map_err(Self::fault)?;
        self.end(transaction).await
    }

    /// Ends a transaction that stores something. What went into a file that was gone by then is not
    /// acknowledged: nobody knows what becomes of it.
    async fn commit(&self, transaction: Transaction<'_, Sqlite>) -> Result<(), StoreError> {
        self.end(transaction).await.map_err(StoreError::of_commit)
    }

    async fn end(&self, transaction: Transaction<'_, Sqlite>) -> Result<(), StoreError> {
        transaction.commit().await.map_err(Self::fault).and_then(|()| self.files.are_there())
    }

    async fn shut(&self) {
        self.readers.close().await;
        if let Some(writer) = self.writer.lock().await.take() {
            // What it could not write into the file stays in the journal beside it.
            let _ = writer.close().await;
        }
    }

    /// The error of a statement that is a transaction by itself. What the disk or the memory refuses may be
    /// its commit; everything else is before that.
    fn fault_of_transaction(error: sqlx::Error) -> StoreError {
        const NO_MEMORY: i32 = 7;
        const INPUT_OUTPUT: i32 = 10;
        let code = result_code(&error).map(|code| code & 0xff);
        let fault = Self::fault(error);
        if matches!(code, Some(NO_MEMORY | INPUT_OUTPUT)) { fault.of_commit() } else { fault }
    }

    /// Judges an error by SQLite's result code: a key that exists is a conflict, as is what a trigger
    /// refuses; busy, locked, I/O and the like mean that it cannot be done now.
    fn fault(error: sqlx::Error) -> StoreError {
        let code = match &error {
            sqlx::Error::Io(_) | sqlx::Error::PoolTimedOut | sqlx::Error::WorkerCrashed => {
                return StoreError::Unavailable(error.to_string());
            }
            sqlx::Error::PoolClosed => return StoreError::Closed,
            error => result_code(error),
        };
        let Some(code) = code else { return StoreError::Failed(error.to_string()) };
        const PRIMARY_KEY: i32 = 1555;
        const TRIGGER: i32 = 1811;
        const UNIQUE: i32 = 2067;
        if let Some(obstacle) = obstacle(code) {
            return StoreError::Hindered(obstacle, error.to_string());
        }
        match code {
            PRIMARY_KEY | TRIGGER | UNIQUE => StoreError::Conflict,
            code if [5, 6, 10, 14].contains(&(code & 0xff)) => StoreError::Unavailable(error.to_string()),
            _ => StoreError::Failed(error.to_string()),
        }
    }
}

/// Opens a connection that writes.
async fn connect_writer(options: &SqliteConnectOptions) -> Result<SqliteConnection, sqlx::Error> {
    let mut on = options.connect().await?;
    sqlx::raw_sql(APPENDING).execute(&mut on).await?;
    Ok(on)
}

/// SQLite's extended result code.
fn result_code(error: &sqlx::Error) -> Option<i32> {
    error.as_database_error().and_then(|error| error.code()).and_then(|code| code.parse().ok())
}

/// What stands in the way, by SQLite's extended result code, whose low byte is the result code.
fn obstacle(code: i32) -> Option<Obstacle> {
    const WRITE: i32 = 778;
    const SYNC: i32 = 1034;
    const MOVED: i32 = 1032;
    const READ_ONLY: i32 = 8;
    const CORRUPT: i32 = 11;
    const FULL: i32 = 13;
    const NO_DATABASE: i32 = 26;
    match (code, code & 0xff) {
        (WRITE | SYNC, _) => Some(Obstacle::DiskRefuses),
        (MOVED, _) => Some(Obstacle::FileGone),
        (_, READ_ONLY) => Some(Obstacle::ReadOnly),
        (_, CORRUPT | NO_DATABASE) => Some(Obstacle::Corrupt),
        (_, FULL) => Some(Obstacle::DiskFull),
        _ => None,
    }
}

/// Makes a missing file so that nobody else on the machine can read it: it holds the seeds of matches in
/// play. Where it cannot be made, opening it will say why.
fn create_private(path: &Path) {
    let _ = std::fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(path);
}

store_writing!(SqliteStore, Sqlite);
store_offering!(SqliteStore);
event_store!(SqliteStore, Sqlite);
