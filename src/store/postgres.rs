mod together;

use std::collections::HashSet;
use std::str::FromStr;
use std::time::Duration;

use sqlx::migrate::Migrator;
use sqlx::pool::PoolConnection;
use sqlx::postgres::{PgConnectOptions, PgPool, PgPoolOptions};
use sqlx::{ConnectOptions, Connection as _, Executor as _, Postgres, Transaction};

use self::together::{SETTINGS, write_together};
use super::queries::event_store;
use super::tables::see_to_tables;
use super::writing::store_writing;
use super::{Commit, Migrate, StoreError};

static MIGRATIONS: Migrator = sqlx::migrate!("migrations/postgres");

const CONNECTIONS: u32 = 16;
const PATIENCE: Duration = Duration::from_secs(5);
const LIMITS: &str = "set lock_timeout = '5s'; set statement_timeout = '60s'";

/// Match logs in Postgres, or an engine that speaks its protocol.
pub struct PostgresStore {
    pool: PgPool,
    /// The connection for appends that are written together; it belongs to the thread that writes.
    together: PgPool,
    commit: Commit,
}

impl PostgresStore {
    /// What a select says to hold the rows it finds.
    const FOR_UPDATE: &str = " for update";

    /// Connects to `url` and sees to the tables.
    pub async fn open(url: &str, migrate: Migrate, commit: Commit) -> Result<PostgresStore, StoreError> {
        let options = PgConnectOptions::from_str(url)
            .map_err(|error| StoreError::Address(format!("this is no postgres:// address: {error}")))?
            .application_name("third-umpire")
            .disable_statement_logging();
        // The pool would only say that it waited in vain.
        let place = format!("{}:{}", options.get_host(), options.get_port());
        let probe = options.connect().await;
        probe
            .map_err(|error| StoreError::Unavailable(format!("Postgres at {place}: {error}")))?
            .close()
            .await
            .ok();
        // Migrations may take as long as they need.
        let migrating = PgPoolOptions::new().max_connections(1).connect_with(options.clone()).await;
        see_to_tables(&MIGRATIONS, migrate, &migrating.map_err(Self::fault)?).await?;
        let pool = pool_of(CONNECTIONS, LIMITS.to_owned()).connect_with(options.clone()).await;
        let together = pool_of(1, format!("{LIMITS}; {SETTINGS}")).connect_lazy_with(options);
        Ok(PostgresStore { pool: pool.map_err(Self::fault)?, together, commit })
    }

    async fn reading(&self) -> Result<PoolConnection<Postgres>, StoreError> {
        self.pool.acquire().await.map_err(Self::fault)
    }

    async fn writing(&self) -> Result<Transaction<'static, Postgres>, StoreError> {
        self.pool.begin().await.map_err(Self::fault)
    }

    /// Writes appends, all of them in one statement where they may go together and each only adds to a match. What that
    /// statement is refused for is found out by writing each by itself.
    async fn write_all(&self, appends: &[Append]) -> Vec<Result<(), StoreError>> {
        let adding: Vec<&Append> = appends.iter().filter(|append| append.opening.is_none()).collect();
        let written = match self.commit {
            Commit::Together if !adding.is_empty() => self.write_adding(&adding).await,
            Commit::Together | Commit::Alone => Err(None),
        };
        let mut results = Vec::with_capacity(appends.len());
        for append in appends {
            results.push(match &written {
                Ok(moved) if append.opening.is_none() => {
                    if moved.contains(&append.match_id) {
                        Ok(())
                    } else {
                        Err(StoreError::Conflict)
                    }
                }
                Err(Some(gone)) if append.opening.is_none() => Err(gone.clone()),
                Ok(_) | Err(_) => self.write_one(append).await,
            });
        }
        results
    }

    /// One append in a transaction of its own.
    async fn write_one(&self, append: &Append) -> Result<(), StoreError> {
        let mut transaction = self.writing().await?;
        write_parts(&mut transaction, append).await?;
        transaction.commit().await.map_err(|error| Self::fault(error).of_commit())
    }

    /// The matches that were written; an error where the database does not answer, none where it refuses.
    async fn write_adding(&self, appends: &[&Append]) -> Result<HashSet<MatchId>, Option<StoreError>> {
        let mut connection = self.together.acquire().await.map_err(|error| Some(Self::fault(error)))?;
        write_together(&mut connection, appends).await.map_err(|error| {
            let refused = matches!(error, sqlx::Error::Database(_));
            match Self::fault(error) {
                gone @ StoreError::Unavailable(_) if refused => Some(gone),
                // The statement was sent: whether it was done, nobody knows.
                gone @ StoreError::Unavailable(_) => Some(gone.of_commit()),
                _ => None,
            }
        })
    }

    async fn shut(&self) {
        self.pool.close().await;
        self.together.close().await;
    }

    /// Judges an error by its SQLSTATE: 23505 unique violation and 40xxx lost races are conflicts; classes 08, 53, 55, 57,
    /// 58 and 25006 (read-only) mean that the server cannot do it now.
    fn fault(error: sqlx::Error) -> StoreError {
        let sqlstate = match &error {
            sqlx::Error::Database(inner) => inner.code().map(|code| code.into_owned()),
            sqlx::Error::Io(_)
            | sqlx::Error::Tls(_)
            | sqlx::Error::Protocol(_)
            | sqlx::Error::PoolTimedOut
            | sqlx::Error::PoolClosed
            | sqlx::Error::WorkerCrashed => return StoreError::Unavailable(error.to_string()),
            _ => None,
        };
        match sqlstate.as_deref() {
            Some("23505" | "40001" | "40P01") => StoreError::Conflict,
            Some(code)
                if code == "25006" || ["08", "53", "55", "57", "58", "3D", "28"].contains(&&code[..2]) =>
            {
                StoreError::Unavailable(error.to_string())
            }
            _ => StoreError::Failed(error.to_string()),
        }
    }
}

/// A pool whose connections begin with some settings.
fn pool_of(connections: u32, settings: String) -> PgPoolOptions {
    PgPoolOptions::new().max_connections(connections).acquire_timeout(PATIENCE).after_connect(
        move |connection, _| {
            let settings = settings.clone();
            Box::pin(async move { connection.execute(sqlx::AssertSqlSafe(settings)).await.map(|_| ()) })
        },
    )
}

store_writing!(PostgresStore, Postgres);
event_store!(PostgresStore, Postgres);
