//! The tables of a store: its migrations, and whether they were run.

use std::sync::LazyLock;

use sqlx::migrate::{Migrate as MigrateConnection, MigrateError, Migration, MigrationType, Migrator};
use sqlx::{Database, Pool, SqlSafeStr};

use super::{Migrate, StoreError};

/// The migrations in a folder. `sqlx::migrate!` would find the files by itself, but it needs SQLite and both
/// drivers built once more, for the compiler.
macro_rules! migrations {
    ($folder:literal: $($version:literal $file:literal,)*) => {
        LazyLock::new(|| Migrator::with_migrations(vec![$(
            migration($version, $file, include_str!(concat!("../../migrations/", $folder, "/", $file))),
        )*]))
    };
}

/// The migrations of the store in Postgres.
pub static POSTGRES: LazyLock<Migrator> = migrations!("postgres":
    1 "0001_scorebook.sql",
    2 "0002_pages_of_finished_matches.sql",
    3 "0003_openings.sql",
    4 "0004_editions.sql",
    5 "0005_forms_of_documents.sql",
    6 "0006_store_identity.sql",
    7 "0007_last_events.sql",
);

/// The migrations of the store in SQLite.
pub static SQLITE: LazyLock<Migrator> = migrations!("sqlite":
    1 "0001_scorebook.sql",
    2 "0002_pages_of_finished_matches.sql",
    3 "0003_openings.sql",
    4 "0004_editions.sql",
    5 "0005_forms_of_documents.sql",
    6 "0006_store_identity.sql",
    7 "0007_last_events.sql",
);

/// A migration, with the description that sqlx reads from the file's name.
fn migration(version: i64, file: &str, sql: &'static str) -> Migration {
    let description = file.trim_end_matches(".sql").replace('_', " ").split_off("0000 ".len());
    Migration::new(version, description.into(), MigrationType::Simple, sql.into_sql_str(), false)
}

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

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{Migrator, POSTGRES, SQLITE};

    /// The version, description, kind and checksum of each migration: what sqlx stores of it, or asks.
    fn listed(migrator: &Migrator) -> Vec<String> {
        let migrations = migrator.iter().map(|migration| {
            let (version, kind) = (migration.version, migration.migration_type);
            format!(
                "{version} {} {kind:?} {:?} {}",
                migration.description, migration.checksum, migration.no_tx
            )
        });
        migrations.collect()
    }

    #[tokio::test]
    async fn the_migrations_are_the_files_of_their_folders() {
        for (folder, embedded) in [("migrations/postgres", &POSTGRES), ("migrations/sqlite", &SQLITE)] {
            let files = Migrator::new(Path::new(env!("CARGO_MANIFEST_DIR")).join(folder).as_path()).await;
            assert_eq!(listed(embedded), listed(&files.expect("a folder of migrations")), "{folder}");
        }
    }

    /// Whether a file has one statement; the body of a `do` block is a text for Postgres, between `$$`.
    fn is_one_statement(sql: &str) -> bool {
        let code: Vec<&str> = sql.lines().filter(|line| !line.starts_with("--")).collect();
        let code = code.join("\n");
        let outside: String = code.split("$$").step_by(2).collect();
        outside.trim_end().find(';') == Some(outside.trim_end().len() - 1)
    }

    /// sqlx sends a migration as one query, and a cluster refuses a query of several commands.
    #[test]
    fn a_migration_of_postgres_is_one_statement() {
        let since: Vec<_> = POSTGRES.iter().filter(|migration| migration.version >= 5).collect();
        assert!(!since.is_empty());
        for migration in since {
            assert!(is_one_statement(migration.sql.as_str()), "{}", migration.description);
        }
        assert!(!is_one_statement("create table a (b text);\ncreate table c (d text);"));
        assert!(is_one_statement("do $$ begin a; b; end $$;"));
    }
}
