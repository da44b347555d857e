//! The store in Postgres, or an engine that speaks its protocol. Appends to existing matches are written in
//! groups; the first append of a match, and one with secrets, has a transaction of its own.

mod group;
mod refusals;
mod silence;
mod single;
mod spread;

use std::collections::HashMap;
use std::str::FromStr;
use std::sync::Mutex;
use std::thread::ThreadId;
use std::time::{Duration, Instant};

use sqlx::pool::PoolConnection;
use sqlx::postgres::{PgConnectOptions, PgPool, PgPoolOptions};
use sqlx::{ConnectOptions, Connection as _, Executor as _, PgConnection, Postgres, Transaction};

use self::refusals::Refusals;
use self::silence::Silences;
use super::offering::store_offering;
use super::queries::{PROBE, event_store};
use super::tables::{self, prepare_tables};
use super::writing::store_writing;
use super::{CommitMode, Migrate, Obstacle, StoreError};

/// The connections of the pool where appends are written together, on connections of their own.
const CONNECTIONS: u32 = 16;
/// The connections of the pool beside those of the writers, where each append is written by itself.
const BESIDE_WRITERS: u16 = 8;
const PATIENCE: Duration = Duration::from_secs(5);
/// How long after its last use a connection is trusted without a ping.
const SURELY_THERE: Duration = Duration::from_millis(20);
const LIMITS: &str = "set lock_timeout = '5s'; set statement_timeout = '60s'";
/// The limits where matches are spread: a machine that hangs holds a connection for less than
/// [`PATIENCE`], for which others wait for one.
const SPREAD_LIMITS: &str = "set lock_timeout = '3s'; set statement_timeout = '3s'";

/// The store of match logs in Postgres.
pub struct PostgresStore {
    pool: PgPool,
    options: PgConnectOptions,
    /// The connections for group commits, by thread, with the time of their last use. A pool would ping them
    /// before and after every use, and hand them to threads that did not open them, which costs a detour.
    together: Mutex<HashMap<ThreadId, (PgConnection, Instant)>>,
    commit: CommitMode,
    /// The time until which group commits leave out locked matches.
    wary_until: Mutex<Option<Instant>>,
    /// The refusals of the statement of a group commit.
    refusals: Refusals,
    /// The matches whose machine did not answer a moment ago.
    silences: Silences,
}

impl PostgresStore {
    /// The clause with which a select locks its rows.
    const FOR_UPDATE: &str = " for update";
    /// The select that locks the head of a match.
    const HOLD_HEAD: &str = "select seq from heads where match_id = $1 for update";
    /// The clause with which a select locks its rows, but for those that others have locked.
    const FOR_UPDATE_UNLESS_LOCKED: &str = " for update skip locked";
    /// The setting of a transaction whose statements read all matches.
    const LONG: Option<&str> = Some("set local statement_timeout = '60s'");

    /// Connects to `url`, and migrates or checks the tables.
    pub async fn open(url: &str, migrate: Migrate, commit: CommitMode) -> Result<PostgresStore, StoreError> {
        let options = PgConnectOptions::from_str(url)
            .map_err(|error| StoreError::Address(format!("this is no postgres:// address: {error}")))?
            .application_name("third-umpire")
            .disable_statement_logging();
        // A first connection without the pool, whose error would only be a timeout.
        let place = format!("{}:{}", options.get_host(), options.get_port());
        let probe = options.connect().await;
        probe
            .map_err(|error| StoreError::Unavailable(format!("Postgres at {place}: {error}")))?
            .close()
            .await
            .ok();
        // Migrations may take as long as they need.
        let migrating = PgPoolOptions::new().max_connections(1).connect_with(options.clone()).await;
        prepare_tables(&tables::POSTGRES, migrate, &migrating.map_err(Self::fault)?).await?;
        let pool = PgPoolOptions::new()
            .max_connections(connections(commit))
            .acquire_timeout(PATIENCE)
            .test_before_acquire(false)
            .before_acquire(|connection, state| Box::pin(is_there(connection, state.idle_for)))
            .after_connect(move |connection, _| {
                Box::pin(async move { connection.execute(limits(commit)).await.map(|_| ()) })
            })
            .connect_with(options.clone())
            .await
            .map_err(Self::fault)?;
        let (refusals, silences) = (Refusals::default(), Silences::new());
        let (together, wary_until) = (Mutex::default(), Mutex::default());
        Ok(PostgresStore { pool, options, together, commit, wary_until, refusals, silences })
    }

    /// The questions to spread matches, which have no group commit.
    fn as_spread(&self) -> Option<&dyn SpreadStore> {
        match self.commit {
            CommitMode::Group => None,
            CommitMode::Single { .. } => Some(self),
        }
    }

    async fn reading(&self) -> Result<PoolConnection<Postgres>, StoreError> {
        self.pool.acquire().await.map_err(Self::fault)
    }

    async fn writer(&self) -> Result<PoolConnection<Postgres>, StoreError> {
        self.pool.acquire().await.map_err(Self::fault)
    }

    async fn begin<'a>(&self, on: &'a mut PgConnection) -> Result<Transaction<'a, Postgres>, StoreError> {
        on.begin().await.map_err(Self::fault)
    }

    async fn commit(&self, transaction: Transaction<'_, Postgres>) -> Result<(), StoreError> {
        transaction.commit().await.map_err(|error| Self::fault(error).of_commit())
    }

    /// Makes the small write of a probe, and returns the obstacle where it fails. A write that the role may
    /// not make counts as made, since it shows nothing about the database; and so does one that conflicts
    /// with another probe.
    async fn try_to_write(&self) -> Result<(), StoreError> {
        let mut writer = self.writer().await?;
        let mut transaction = self.begin(&mut writer).await?;
        let written = sqlx::query(PROBE).bind(MatchId::nil()).execute(&mut *transaction).await;
        let Err(error) = written else { return transaction.commit().await.map_err(Self::fault) };
        transaction.rollback().await.map_err(Self::fault)?;
        match Self::fault(error) {
            StoreError::Conflict => Ok(()),
            StoreError::Denied(error) => {
                tracing::warn!(error, "whether anything can be written is not known: the role may not try");
                Ok(())
            }
            StoreError::Hindered(Obstacle::ReadOnly, told) => {
                let follows = sqlx::query_scalar("select pg_is_in_recovery()").fetch_one(&mut *writer).await;
                let standby = matches!(follows, Ok(true));
                let obstacle = if standby { Obstacle::Standby } else { Obstacle::ReadOnly };
                Err(StoreError::Hindered(obstacle, told))
            }
            fault => Err(fault),
        }
    }

    async fn shut(&self) {
        self.pool.close().await;
        let kept = std::mem::take(&mut *self.kept());
        for (together, _) in kept.into_values() {
            // A connection that cannot be closed properly does no harm.
            let _ = together.close().await;
        }
    }

    /// Classifies an error by its SQLSTATE: 23505 (unique violation) and 40xxx (lost races) are conflicts;
    /// 42501 is a missing privilege; the classes 08, 3D, 53, 55, 57 and 58 mean that the server is not
    /// available now.
    fn fault(error: sqlx::Error) -> StoreError {
        let sqlstate = match &error {
            sqlx::Error::Database(inner) => inner.code().map(|code| code.into_owned()),
            sqlx::Error::Io(_)
            | sqlx::Error::Tls(_)
            | sqlx::Error::Protocol(_)
            | sqlx::Error::PoolTimedOut
            | sqlx::Error::WorkerCrashed => return StoreError::Unavailable(error.to_string()),
            sqlx::Error::PoolClosed => return StoreError::Closed,
            _ => None,
        };
        if let Some(obstacle) = sqlstate.as_deref().and_then(obstacle) {
            return StoreError::Hindered(obstacle, error.to_string());
        }
        match sqlstate.as_deref() {
            Some("23505" | "40001" | "40P01") => StoreError::Conflict,
            Some("42501") => StoreError::Denied(error.to_string()),
            // Not supported: Citus refuses to lock rows on several machines.
            Some("0A000") => StoreError::Failed(format!(
                "{error}; an engine that spreads matches over machines needs --no-group-commit"
            )),
            Some(code)
                if ["08", "3D", "53", "55", "57", "58"].iter().any(|class| code.starts_with(class)) =>
            {
                StoreError::Unavailable(error.to_string())
            }
            _ => StoreError::Failed(error.to_string()),
        }
    }
}

/// The connections of the pool.
fn connections(commit: CommitMode) -> u32 {
    match commit {
        CommitMode::Group => CONNECTIONS,
        CommitMode::Single { writers } => u32::from(writers) + u32::from(BESIDE_WRITERS),
    }
}

/// The limits of a connection of the pool.
fn limits(commit: CommitMode) -> &'static str {
    match commit {
        CommitMode::Group => LIMITS,
        CommitMode::Single { .. } => SPREAD_LIMITS,
    }
}

/// The obstacle of a SQLSTATE: read only, disk full, data or index corrupted, authorization refused.
fn obstacle(sqlstate: &str) -> Option<Obstacle> {
    match sqlstate {
        "25006" => Some(Obstacle::ReadOnly),
        "53100" => Some(Obstacle::DiskFull),
        "XX001" | "XX002" => Some(Obstacle::Corrupt),
        "28000" | "28P01" => Some(Obstacle::LoginRefused),
        _ => None,
    }
}

/// Whether another transaction held a lock for too long: 55P03.
fn is_held(error: &sqlx::Error) -> bool {
    error.as_database_error().and_then(|error| error.code()).is_some_and(|code| code == "55P03")
}

/// Whether the outcome of a statement is not known after an error: the connection broke, or the server ended
/// it (class 57).
fn is_lost(error: &sqlx::Error) -> bool {
    match error {
        sqlx::Error::Database(told) => {
            told.code().is_some_and(|code| code.starts_with("57P") || code.starts_with("08"))
        }
        sqlx::Error::Io(_) | sqlx::Error::Tls(_) | sqlx::Error::Protocol(_) | sqlx::Error::WorkerCrashed => {
            true
        }
        _ => false,
    }
}

/// Whether a connection that was idle for this time is still alive.
async fn is_there(connection: &mut PgConnection, idle_for: Duration) -> Result<bool, sqlx::Error> {
    Ok(idle_for < SURELY_THERE || connection.ping().await.is_ok())
}

store_writing!(PostgresStore, Postgres);
store_offering!(PostgresStore);
event_store!(PostgresStore, Postgres);
