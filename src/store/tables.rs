//! The tables of a store: its migrations, and whether they were run.

use std::sync::LazyLock;

use sqlx::migrate::{Migrate as MigrateConnection, MigrateError, Migration, MigrationType, Migrator};
use sqlx::{Database, Pool, Postgres, SqlSafeStr};

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
    8 "0008_hours_of_last_events.sql",
    9 "0009_purposes_of_tokens.sql",
    10 "0010_names_of_writers.sql",
    11 "0011_events_of_list_rows.sql",
);

/// The tables whose rows belong to a match. A cluster spreads them over its machines by `match_id`: `heads`
/// comes first, and the others stand where it stands.
pub const BY_MATCH: [&str; 8] =
    ["heads", "events", "secrets", "tokens", "openings", "idempotency", "match_list", "views"];
/// The tables that every machine of a cluster holds whole.
pub const REFERENCE: [&str; 3] = ["editions", "store_identity", "_sqlx_migrations"];

/// The SQL that spreads the tables over the machines of a Citus cluster. What is spread stays as it is.
pub fn distribution_on_citus() -> String {
    let listed = |tables: &[&str]| format!("{{{}}}", tables.join(","));
    include_str!("../../migrations/citus.sql")
        .replace("{by_match}", &listed(&BY_MATCH))
        .replace("{reference}", &listed(&REFERENCE))
}

/// The migrations of the store in SQLite.
pub static SQLITE: LazyLock<Migrator> = migrations!("sqlite":
    1 "0001_scorebook.sql",
    2 "0002_pages_of_finished_matches.sql",
    3 "0003_openings.sql",
    4 "0004_editions.sql",
    5 "0005_forms_of_documents.sql",
    6 "0006_store_identity.sql",
    7 "0007_last_events.sql",
    8 "0008_hours_of_last_events.sql",
    9 "0009_purposes_of_tokens.sql",
    10 "0010_names_of_writers.sql",
    11 "0011_events_of_list_rows.sql",
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
    let fault = |error: MigrateError| match error {
        MigrateError::VersionMissing(version) => later(version),
        error => StoreError::Migration(error.to_string()),
    };
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
    let applied = connection.list_applied_migrations(&migrations.table_name).await.map_err(|error| {
        fault(format!("run `third-umpire migrate` first{} ({error})", on_a_cluster::<DB>()))
    })?;
    if let Some(unknown) = applied.iter().find(|applied| !migrations.version_exists(applied.version)) {
        return Err(later(unknown.version));
    }
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

/// The refusal of tables with a migration that this version does not know.
fn later(version: i64) -> StoreError {
    StoreError::Migration(format!(
        "migration {version} is of a later version of third-umpire; run that version, or restore a backup"
    ))
}

/// The rest of the advice to migrate: a machine of a cluster has the tables only after they are spread.
fn on_a_cluster<DB: Database>() -> &'static str {
    if DB::NAME == Postgres::NAME {
        "; in a cluster run it at the coordinator, and then spread the tables: docs/operations.md, \"A cluster\""
    } else {
        ""
    }
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

    /// The words of a file in lower case, without comments.
    fn code(sql: &str) -> String {
        let lines = sql.lines().map(|line| line.split("--").next().unwrap_or_default());
        let words = lines.flat_map(str::split_whitespace).map(str::to_lowercase);
        words.collect::<Vec<_>>().join(" ")
    }

    /// The statements of a file, without the texts between quotes or `$$`.
    fn statements(code: &str) -> Vec<String> {
        let outside: String = code.split("$$").step_by(2).collect::<Vec<_>>().join("$$");
        let unquoted: String = outside.split('\'').step_by(2).collect();
        unquoted.split(';').map(|one| one.trim().to_owned()).filter(|one| !one.is_empty()).collect()
    }

    /// Whether an update calls a function whose result depends on the clock, on chance or on the session's
    /// time zone. A cluster takes none of these beside columns.
    fn is_of_the_session(code: &str) -> bool {
        const NEVER: [&str; 6] =
            ["now()", "current_timestamp", "clock_timestamp()", "random()", "gen_random_uuid()", "to_char("];
        const IN_A_ZONE: [&str; 3] = ["extract(", "date_part(", "date_trunc("];
        let updates =
            code.split(';').filter_map(|one| one.split_once("update ").filter(|_| !is_trigger(one)));
        let mut updates = updates.map(|(_, update)| update);
        updates.any(|update| {
            let of_a_zone = |call: &str| {
                let mut calls = update.split(call).skip(1);
                calls.any(|rest| !rest.split(')').next().unwrap_or_default().contains(" at time zone "))
            };
            NEVER.iter().any(|call| update.contains(call)) || IN_A_ZONE.into_iter().any(of_a_zone)
        })
    }

    /// Whether a statement makes a trigger, which names an update without being one.
    fn is_trigger(statement: &str) -> bool {
        statement.contains("create trigger ")
    }

    /// The reason why a cluster refuses a migration, if it does.
    fn refusal(sql: &str) -> Option<&'static str> {
        const SETTING: &str = "set local citus.enable_unsafe_triggers = on;";
        let code = code(sql);
        let statements = statements(&code);
        let [statement] = statements.as_slice() else { return Some("is not one statement") };
        if is_of_the_session(&code) {
            return Some("updates by a function that depends on the session");
        }
        let has_trigger = code.contains(" trigger ");
        match code.split_once(SETTING) {
            _ if !has_trigger => None,
            None => Some("makes a trigger without the setting"),
            Some(_) if !statement.starts_with("do ") => Some("is not one block"),
            Some((before, _)) if before.contains(" trigger ") => Some("sets after a trigger"),
            Some(_) => None,
        }
    }

    /// sqlx sends a migration as one query, and a cluster refuses a query of several commands.
    #[test]
    fn a_migration_of_postgres_is_one_statement() {
        let since: Vec<_> = POSTGRES.iter().filter(|migration| migration.version >= 5).collect();
        assert!(!since.is_empty());
        for migration in since {
            assert_eq!(refusal(migration.sql.as_str()), None, "{}", migration.description);
        }
    }

    #[test]
    fn the_check_refuses_a_migration_that_a_cluster_refuses() {
        let of_the_session = Some("updates by a function that depends on the session");
        let set = "set local citus.enable_unsafe_triggers = on;";
        let trigger = "create trigger t before update on heads for each row execute function f();";
        for (sql, reason) in [
            ("create table a (b text);\ncreate table c (d text);", Some("is not one statement")),
            ("-- nothing;", Some("is not one statement")),
            ("do $$ begin a; end $$; drop table b;", Some("is not one statement")),
            ("create table a (b text default ';');", None),
            ("create table a (b text); -- a comment; and its end\n", None),
            ("do $$ begin a; b; end $$;", None),
            ("do $$\nbegin\n    a;\n    b;\nend\n$$;\n", None),
            ("update a set b = extract(epoch from c)", of_the_session),
            ("do $$ begin update a set b = round(extract(epoch from a.c) * 1000); end $$;", of_the_session),
            (
                "update a set b = extract(epoch from c at time zone 'UTC'), d = extract(day from c)",
                of_the_session,
            ),
            ("update a set b = date_part('epoch', c)", of_the_session),
            ("update a set b = date_trunc('day', c)", of_the_session),
            ("update a set b = to_char(c, 'YYYY')", of_the_session),
            ("update a set b = NOW()", of_the_session),
            ("update a set b = c + gen_random_uuid()", of_the_session),
            ("update a set b = round(extract(epoch from c at time zone 'UTC') * 1000)", None),
            ("do $$ begin update a set b = c; create table d (e timestamptz default now()); end $$", None),
            (trigger, Some("makes a trigger without the setting")),
            (format!("do $$ begin {trigger} end $$;").as_str(), Some("makes a trigger without the setting")),
            (format!("{set} {trigger}").as_str(), Some("is not one statement")),
            (format!("do $$ begin {trigger} {set} end $$;").as_str(), Some("sets after a trigger")),
            (format!("do $$ begin {set} {trigger} end $$;").as_str(), None),
        ] {
            assert_eq!(refusal(sql), reason, "{sql}");
        }
    }
}
