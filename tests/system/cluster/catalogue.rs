//! The catalogue of a plain, migrated Postgres: every table can be spread over the machines of a cluster, and
//! a ball changes no index of the list.

use third_umpire::store::{BY_MATCH, REFERENCE};
use third_umpire_test_support::service::{Deployment, Engine, Session};

use super::succeeds;

/// What keeps tables from being spread. `{by_match}` and `{reference}` are the two lists of tables.
const FAULTS: &str = "
with tables as (
    select oid, relname::text as name, relname = any ('{by_match}') as is_by_match from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
)
select 'the table ' || name || ' is in neither list' from tables
where name <> all ('{by_match}'::text[] || '{reference}'::text[])
union all
select 'there is no table ' || name from unnest('{by_match}'::text[] || '{reference}'::text[]) name
where name not in (select name from tables)
union all
select 'the table ' || name || ' has no match_id uuid not null' from tables
where is_by_match and not exists (
    select from pg_attribute
    where attrelid = oid and attname = 'match_id' and atttypid = 'uuid'::regtype and attnotnull)
union all
select 'the table ' || name || ' has no primary key' from tables
where not exists (select from pg_index where indrelid = oid and indisprimary)
union all
select 'the unique index ' || indexrelid::regclass || ' has no match_id' from pg_index join tables on indrelid = oid
where is_by_match and indisunique and not exists (
    select from pg_attribute where attrelid = indrelid and attname = 'match_id' and attnum = any (indkey))
union all
select 'there is a sequence: ' || relname from pg_class
where relnamespace = 'public'::regnamespace and relkind = 'S'
union all
select 'there is a foreign key: ' || conname from pg_constraint where contype = 'f'
order by 1";

/// What keeps the tables of a database from being spread.
fn faults(session: &mut Session) -> Vec<String> {
    let listed = |tables: &[&str]| format!("{{{}}}", tables.join(","));
    let sql = FAULTS.replace("{by_match}", &listed(&BY_MATCH)).replace("{reference}", &listed(&REFERENCE));
    session.texts(&sql)
}

#[test]
fn every_table_belongs_to_matches_or_stands_on_every_machine() {
    Deployment::as_process(Engine::Postgres, |deployment| {
        succeeds(&["migrate", "--database", &deployment.database().url]);
        assert!(BY_MATCH.iter().all(|table| !REFERENCE.contains(table)), "a table is in both lists");
        assert_eq!(BY_MATCH[0], "heads", "the other tables are placed with it");
        assert_eq!(faults(&mut deployment.database().session()), Vec::<String>::new());
    });
}

#[test]
fn a_table_an_index_and_a_sequence_that_cannot_be_spread_are_found() {
    Deployment::as_process(Engine::Postgres, |deployment| {
        succeeds(&["migrate", "--database", &deployment.database().url]);
        let mut session = deployment.database().session();
        let samples: &[(&str, &[&str])] = &[
            ("create table note (body text primary key)", &["the table note is in neither list"]),
            ("create table note (match_id uuid primary key)", &["the table note is in neither list"]),
            ("drop table openings", &["there is no table openings"]),
            (
                "alter table views alter match_id type text",
                &["the table views has no match_id uuid not null"],
            ),
            (
                "alter table views drop constraint views_pkey; alter table views alter match_id drop not null",
                &["the table views has no match_id uuid not null", "the table views has no primary key"],
            ),
            (
                "alter table store_identity drop constraint store_identity_pkey",
                &["the table store_identity has no primary key"],
            ),
            ("create unique index by_hash on tokens (hash)", &["the unique index by_hash has no match_id"]),
            ("create unique index by_hash on tokens (hash, match_id)", &[]),
            ("create index by_hash on tokens (hash)", &[]),
            ("create sequence numbers", &["there is a sequence: numbers"]),
            (
                "alter table match_list add number bigint generated always as identity",
                &["there is a sequence: match_list_number_seq"],
            ),
            (
                "alter table secrets add foreign key (match_id) references heads",
                &["there is a foreign key: secrets_match_id_fkey"],
            ),
        ];
        for (made, found) in samples {
            session.run(&format!("begin; {made}")).expect(made);
            assert_eq!(faults(&mut session), *found, "{made}");
            session.run("rollback").expect("nothing stays");
        }
    });
}

#[test]
fn no_index_of_the_list_or_of_heads_holds_what_every_ball_changes() {
    let indexed = "select attname from pg_attribute join pg_index on attrelid = indrelid and attnum = any (indkey) \
         where indrelid in ('match_list'::regclass, 'heads'::regclass) group by attname order by attname";
    Deployment::as_process(Engine::Postgres, |deployment| {
        succeeds(&["migrate", "--database", &deployment.database().url]);
        let columns = deployment.database().session().texts(indexed);
        assert_eq!(columns, ["away", "game", "home", "last_hour", "match_id", "status"]);
    });
}
