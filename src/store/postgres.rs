use std::str::FromStr;
use std::time::Duration;

use sqlx::migrate::Migrator;
use sqlx::pool::PoolConnection;
use sqlx::postgres::{PgConnectOptions, PgPool, PgPoolOptions};
use sqlx::{ConnectOptions, Connection as _, Executor as _, Postgres, Transaction};

use super::queries::event_store;
use super::tables::see_to_tables;
use super::{Migrate, StoreError};

static MIGRATIONS: Migrator = sqlx::migrate!("migrations/postgres");

const CONNECTIONS: u32 = 16;
const PATIENCE: Duration = Duration::from_secs(5);

/// Match logs in Postgres, or an engine that speaks its protocol.
pub struct PostgresStore {
    pool: PgPool,
}

impl PostgresStore {
    /// Connects to `url` and sees to the tables.
    pub async fn open(url: &str, migrate: Migrate) -> Result<PostgresStore, StoreError> {
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
        let pool = PgPoolOptions::new()
            .max_connections(CONNECTIONS)
            .acquire_timeout(PATIENCE)
            .after_connect(|connection, _| {
                Box::pin(async move {
                    connection
                        .execute("set lock_timeout = '5s'; set statement_timeout = '60s'")
                        .await
                        .map(|_| ())
                })
            })
            .connect_with(options)
            .await
            .map_err(Self::fault)?;
        Ok(PostgresStore { pool })
    }

    async fn reading(&self) -> Result<PoolConnection<Postgres>, StoreError> {
        self.pool.acquire().await.map_err(Self::fault)
    }

    async fn writing(&self) -> Result<Transaction<'static, Postgres>, StoreError> {
        self.pool.begin().await.map_err(Self::fault)
    }

    async fn shut(&self) {
        self.pool.close().await;
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

event_store!(PostgresStore, Postgres);
