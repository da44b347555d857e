use sqlx::migrate::{Migrate as MigrateConnection, MigrateError, Migrator};
use sqlx::{Database, Pool};

use super::{Migrate, StoreError};

/// Brings the tables up to this version, or checks that they are.
pub async fn prepare_tables<DB: Database>(
    migrations: &Migrator,
    migrate: Migrate,
    pool: &Pool<DB>,
) -> Result<(), StoreError>
where
    DB::Connection: MigrateConnection,
{
    let fault = |error: MigrateError| StoreError::Migration(error.to_string());
    match migrate {
        Migrate::Check => check_tables(migrations, pool).await,
        Migrate::Apply => migrations.run(pool).await.map_err(fault),
        Migrate::ApplyWithoutLock => {
            let mut unlocked = Migrator { migrations: migrations.migrations.clone(), ..Migrator::DEFAULT };
            unlocked.set_locking(false);
            unlocked.run(pool).await.map_err(fault)
        }
    }
}

async fn check_tables<DB: Database>(migrations: &Migrator, pool: &Pool<DB>) -> Result<(), StoreError>
where
    DB::Connection: MigrateConnection,
{
    let fault = |error: String| StoreError::Migration(error);
    let mut connection = pool.acquire().await.map_err(|error| fault(error.to_string()))?;
    let applied = connection
        .list_applied_migrations(&migrations.table_name)
        .await
        .map_err(|error| fault(format!("run `third-umpire migrate` first ({error})")))?;
    for migration in migrations.iter() {
        let found = applied.iter().find(|applied| applied.version == migration.version);
        if found.is_none_or(|applied| applied.checksum != migration.checksum) {
            let version = migration.version;
            return Err(fault(format!(
                "migration {version} is missing or differs; run `third-umpire migrate`"
            )));
        }
    }
    Ok(())
}
