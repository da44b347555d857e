//! The store in Postgres, or an engine that speaks its protocol. Appends to existing matches are written in
//! groups; the first append of a match, and one with secrets, has a transaction of its own.

mod group;
mod single;

use std::collections::{HashMap, HashSet};
use std::str::FromStr;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::{self, ThreadId};
use std::time::{Duration, Instant};

use futures_util::future::join_all;
use sqlx::pool::PoolConnection;
use sqlx::postgres::{PgConnectOptions, PgPool, PgPoolOptions};
use sqlx::{ConnectOptions, Connection as _, Executor as _, PgConnection, Postgres, Transaction};

use self::group::{Locked, SETTINGS, write_after_loss, write_together};
use self::single::write_parts;
use super::queries::{PROBE, event_store};
use super::tables::{self, prepare_tables};
use super::writing::store_writing;
use super::{CommitMode, Migrate, Obstacle, StoreError};

const CONNECTIONS: u32 = 16;
const PATIENCE: Duration = Duration::from_secs(5);
/// How long a statement that writes appends together may take, by the clock of this side.
const LONGEST_WRITE: Duration = Duration::from_secs(12);
/// How long locked matches are looked out for, after one was found.
const WARY_FOR: Duration = Duration::from_secs(5);
/// How long after its last use a connection is trusted without a ping.
const SURELY_THERE: Duration = Duration::from_millis(20);
const LIMITS: &str = "set lock_timeout = '5s'; set statement_timeout = '60s'";

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
}

impl PostgresStore {
    /// The most appends in a group: enough to share the cost of a transaction, few enough that clients are
    /// answered soon.
    const MOST_AT_ONCE: usize = 16;
    /// The clause with which a select locks its rows.
    const FOR_UPDATE: &str = " for update";

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
            .max_connections(CONNECTIONS)
            .acquire_timeout(PATIENCE)
            .test_before_acquire(false)
            .before_acquire(|connection, state| Box::pin(is_there(connection, state.idle_for)))
            .after_connect(|connection, _| {
                Box::pin(async move { connection.execute(LIMITS).await.map(|_| ()) })
            })
            .connect_with(options.clone())
            .await
            .map_err(Self::fault)?;
        Ok(PostgresStore { pool, options, together: Mutex::default(), commit, wary_until: Mutex::default() })
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

    /// Writes appends, those to existing matches in one statement. Where that fails, each is written by
    /// itself, to find the one that is at fault.
    async fn write_all(&self, appends: &[Append]) -> Vec<Result<(), StoreError>> {
        // The connections of group commits are not the pool's, and would be opened again.
        if self.pool.is_closed() {
            return vec![Err(StoreError::Closed); appends.len()];
        }
        let adds = |append: &&Append| append.secrets.is_none() && !append.is_first();
        let mut adding: Vec<&Append> = appends.iter().filter(adds).collect();
        // Sorted by match, so that two writers cannot deadlock.
        adding.sort_unstable_by_key(|append| append.match_id);
        let written = match self.commit {
            CommitMode::Group if !adding.is_empty() => self.write_adding(&adding).await,
            CommitMode::Group | CommitMode::Single => Err(None),
        };
        let written = &written;
        join_all(appends.iter().map(|append| async move {
            match written {
                Ok(moved) if adds(&append) && moved.contains(&append.match_id) => Ok(()),
                Ok(_) if adds(&append) => Err(StoreError::Conflict),
                Err(Some(gone)) if adds(&append) => Err(gone.clone()),
                Ok(_) | Err(_) => self.write_one(append).await,
            }
        }))
        .await
    }

    /// Writes one append in a transaction of its own.
    async fn write_one(&self, append: &Append) -> Result<(), StoreError> {
        let mut writer = self.writer().await?;
        let mut transaction = self.begin(&mut writer).await?;
        write_parts(&mut transaction, append).await?;
        self.commit(transaction).await
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

    /// Writes appends to existing matches, and returns the matches that were written. The error is `None`
    /// where the appends have to be written one by one.
    async fn write_adding(&self, appends: &[&Append]) -> Result<HashSet<MatchId>, Option<StoreError>> {
        let thread = thread::current().id();
        let kept = self.kept().remove(&thread);
        let mut on = self.connected(kept).await?;
        let mut written = self.write_on(&mut on, appends).await;
        if let Err(lost) = &written
            && is_lost(lost)
        {
            // The outcome is not known, but written appends can be recognised by their hashes.
            let unsure = Some(StoreError::Unsure(lost.to_string()));
            on = self.connected(None).await.map_err(|_| unsure.clone())?;
            written = Ok(write_after_loss(&mut on, appends).await.map_err(|_| unsure)?);
        }
        self.kept().insert(thread, (on, Instant::now()));
        written.map_err(|error| match Self::fault(error) {
            StoreError::Unavailable(_) if self.is_wary() => None,
            one if one.may_be_of_one() => None,
            not_now @ (StoreError::Unavailable(_) | StoreError::Hindered(..)) => Some(not_now),
            _ => None,
        })
    }

    /// Writes appends on a connection. Locked matches are left out, but only after one was found: looking for
    /// locks costs time.
    async fn write_on(
        &self,
        on: &mut PgConnection,
        appends: &[&Append],
    ) -> Result<HashSet<MatchId>, sqlx::Error> {
        let late = |_| sqlx::Error::Io(std::io::ErrorKind::TimedOut.into());
        if !self.is_wary() {
            let written = tokio::time::timeout(LONGEST_WRITE, write_together(on, appends, Locked::WaitFor));
            match written.await.map_err(late)? {
                Err(error) if is_held(&error) => {}
                written => return written,
            }
            *self.wary_until.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now() + WARY_FOR);
        }
        tokio::time::timeout(LONGEST_WRITE, write_together(on, appends, Locked::LeaveOut))
            .await
            .map_err(late)?
    }

    /// Whether a locked match was found a moment ago.
    fn is_wary(&self) -> bool {
        let until = *self.wary_until.lock().unwrap_or_else(PoisonError::into_inner);
        until.is_some_and(|until| Instant::now() < until)
    }

    fn kept(&self) -> MutexGuard<'_, HashMap<ThreadId, (PgConnection, Instant)>> {
        self.together.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The kept connection, if it is still alive, or a new one. The error is `None` for an engine that does
    /// not know the settings.
    async fn connected(
        &self,
        kept: Option<(PgConnection, Instant)>,
    ) -> Result<PgConnection, Option<StoreError>> {
        let connecting = async {
            if let Some((mut on, used)) = kept
                && is_there(&mut on, used.elapsed()).await?
            {
                return Ok(on);
            }
            let mut on = self.options.connect().await?;
            on.execute(SETTINGS).await?;
            Ok(on)
        };
        let late = |_| Some(StoreError::Unavailable("Postgres does not take a connection".to_owned()));
        tokio::time::timeout(PATIENCE, connecting).await.map_err(late)?.map_err(|error| {
            match Self::fault(error) {
                StoreError::Failed(_) | StoreError::Denied(_) => None,
                other => Some(other),
            }
        })
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
            Some(code)
                if ["08", "3D", "53", "55", "57", "58"].iter().any(|class| code.starts_with(class)) =>
            {
                StoreError::Unavailable(error.to_string())
            }
            _ => StoreError::Failed(error.to_string()),
        }
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

/// Whether a connection that was idle for this time is still alive.
async fn is_there(connection: &mut PgConnection, idle_for: Duration) -> Result<bool, sqlx::Error> {
    Ok(idle_for < SURELY_THERE || connection.ping().await.is_ok())
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

store_writing!(PostgresStore, Postgres);
event_store!(PostgresStore, Postgres);
