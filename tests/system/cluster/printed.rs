//! The SQL that `migrate --print citus` prints: what it spreads, and what it refuses.

use third_umpire::store::{BY_MATCH, REFERENCE};
use third_umpire_test_support::service::{Database, Deployment, Engine, run};

use super::{STAND_IN, spread, stand_in, succeeds};

/// Plays a scenario on a database of its own in the Postgres that tests share.
fn on_a_database(scenario: impl FnOnce(&Database)) {
    Deployment::as_process(Engine::Postgres, |deployment| scenario(deployment.database()));
}

/// The tables that are spread, each with the way in which it is.
fn tables(database: &Database) -> Vec<String> {
    database.texts("select logicalrelid || ' ' || partmethod::text from pg_dist_partition order by 1")
}

/// The tables that ought to be spread.
fn all_tables() -> Vec<String> {
    let by_match = BY_MATCH.iter().map(|table| format!("{table} h"));
    let mut all: Vec<String> = by_match.chain(REFERENCE.iter().map(|table| format!("{table} n"))).collect();
    all.sort();
    all
}

/// The kind, the number and the file of each table and index.
fn relations(database: &Database) -> Vec<String> {
    database.texts(
        "select relname || ' ' || relkind::text || ' ' || oid || ' ' || relfilenode from pg_class \
         where relnamespace = 'public'::regnamespace order by 1",
    )
}

#[test]
fn the_printed_sql_spreads_every_table_and_does_nothing_the_second_time() {
    on_a_database(|database| {
        stand_in(database);
        spread(database).expect("the tables can be spread");
        assert_eq!(tables(database), all_tables());
        let once = relations(database);
        spread(database).expect("the tables are spread");
        assert_eq!((tables(database), relations(database)), (all_tables(), once));
        succeeds(&["migrate", "--database", &database.url]);
    });
}

#[test]
fn a_postgres_without_citus_refuses_the_printed_sql_and_stays_as_it_was() {
    on_a_database(|database| {
        succeeds(&["migrate", "--database", &database.url]);
        let before = relations(database);
        let error = spread(database).expect_err("there is no Citus");
        assert!(error.contains("this database has no Citus: run `create extension citus`"), "{error}");
        assert_eq!(relations(database), before);
    });
}

#[test]
fn tables_that_were_spread_by_half_are_completed_and_keep_their_rows() {
    on_a_database(|database| {
        stand_in(database);
        let rows = "insert into heads select gen_random_uuid(), n, 'x' from generate_series(1, 20) n";
        database.run(rows).expect("the owner can");
        let half = "select create_distributed_table('heads', 'match_id'), create_reference_table('editions')";
        database.run(half).expect("a superuser can");
        assert_eq!(tables(database), ["editions n", "heads h"]);
        spread(database).expect("the others can be spread");
        assert_eq!(tables(database), all_tables());
        assert_eq!(database.texts("select count(*)::text from heads"), ["20"]);
        let used = database.texts("select distinct tableoid::regclass::text from heads");
        assert!(used.len() > 1, "{used:?}");
    });
}

#[test]
fn a_table_that_is_spread_in_another_way_is_named_and_nothing_changes() {
    const TO_UNDO: &str = "`undistribute_table` first";
    for (wrong, named) in [
        (
            "alter table heads drop constraint heads_pkey; select create_distributed_table('heads', 'hash')",
            "the table heads is spread by hash, and has to be by match_id",
        ),
        (
            "select create_distributed_table('heads', 'match_id'), create_distributed_table('views', 'match_id')",
            "the table views is spread apart from heads, and has to stand where heads does",
        ),
        (
            // A table of Citus that only the coordinator has.
            "insert into pg_dist_partition values ('editions', 'n', null, 0, 's')",
            "the table editions is on one machine, and has to be a reference table",
        ),
        ("select create_reference_table('views')", "the table views is spread in another way than by match"),
        (
            "alter table editions drop constraint editions_pkey; select create_distributed_table('editions', 'sha256')",
            "the table editions is spread, and every machine needs it",
        ),
    ] {
        on_a_database(|database| {
            stand_in(database);
            database.run(wrong).expect("a superuser can");
            let before = (tables(database), relations(database));
            let error = spread(database).expect_err(wrong);
            assert!(error.contains(named) && error.contains(TO_UNDO), "{error}");
            assert_eq!((tables(database), relations(database)), before);
        });
    }
}

#[test]
fn a_missing_table_is_named_and_nothing_changes() {
    on_a_database(|database| {
        database.run(STAND_IN).expect("a superuser can");
        database.run("drop table if exists openings").expect("the owner can");
        succeeds(&["migrate", "--print", "citus", "--database", &database.url]);
        let before = relations(database);
        let error = spread(database).expect_err("a table is missing");
        assert!(error.contains("is missing: run `third-umpire migrate` at the coordinator first"), "{error}");
        assert_eq!((tables(database), relations(database)), (vec![], before));
    });
}

#[test]
fn a_table_too_many_stays_where_it_is_and_is_named_in_a_warning() {
    Deployment::with_own_cluster(|deployment, cluster| {
        let database = deployment.database();
        stand_in(database);
        database
            .run("create table note (body text); insert into note values ('mine')")
            .expect("the owner can");
        spread(database).expect("the others can be spread");
        assert_eq!(tables(database), all_tables());
        assert_eq!(database.texts("select tableoid::regclass || ' ' || body from note"), ["note mine"]);
        let log = std::fs::read_to_string(cluster.folder().join("log")).expect("the server has a log");
        assert!(log.contains("WARNING:  the table note is none of this version of third-umpire"), "{log}");
        assert_eq!(log.matches("WARNING:  the table ").count(), 1, "{log}");
    });
}

#[test]
fn a_service_at_a_machine_without_the_tables_names_the_recipe() {
    on_a_database(|database| {
        succeeds(&["migrate", "--database", &database.url]);
        database.run("drop table _sqlx_migrations").expect("the owner can");
        let serving = ["serve", "--no-migrate", "--listen", "127.0.0.1:0", "--database", &database.url];
        let output = run(&serving);
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{told}");
        for part in
            ["run `third-umpire migrate` first", "at the coordinator", "docs/operations.md, \"A cluster\""]
        {
            assert!(told.contains(part), "{told}");
        }
    });
}
