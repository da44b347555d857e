//! Rows of the log cannot be changed, not even by another program on the same database.

use third_umpire_test_support::on_own_stores;
use third_umpire_test_support::service::{Deployment, Engine, Match, SECRETS, Service, chained, table};

fn played(service: &Service) -> Match {
    let played = service.create(&table(1));
    played.begin().bowl(&[2, 4]);
    played
}

/// Statements that would change recorded rows.
fn changes(deployment: &Deployment, played: &Match) -> Vec<String> {
    let id = deployment.database().id(&played.id);
    let row = format!("values ({id}, 2, 'toss', '2026-01-01T00:00:00Z', 'x', 'y')");
    let mut changes = vec![
        "update events set body = 'x'".to_owned(),
        format!("update events set hash = 'x' where match_id = {id} and seq = 5"),
        format!("update events set seq = 99 where match_id = {id} and seq = 5"),
        "update events set body = body".to_owned(),
        "delete from events".to_owned(),
        format!("delete from events where match_id = {id} and seq = 5"),
        format!("insert into events {row}"),
    ];
    changes.extend(match deployment.database().engine {
        Engine::Sqlite => vec![
            format!("replace into events {row}"),
            format!("insert or replace into events {row}"),
            format!("update or replace events set seq = 2 where match_id = {id} and seq = 5"),
            format!("insert into events {row} on conflict do update set body = 'x'"),
            format!("pragma recursive_triggers = on; insert or replace into events {row}"),
            format!("pragma recursive_triggers = off; insert or replace into events {row}"),
        ],
        Engine::Postgres => vec![
            "truncate events".to_owned(),
            "truncate events cascade".to_owned(),
            format!("insert into events {row} on conflict (match_id, seq) do update set body = 'x'"),
            "with gone as (delete from events returning *) select count(*) from gone".to_owned(),
        ],
    });
    changes
}

on_own_stores!(no_statement_changes_or_removes_an_event, |deployment| {
    let played = played(deployment);
    let before = deployment.database().rows(SECRETS);
    for sql in changes(deployment, &played) {
        let refusal = deployment.database().run(&sql).map_err(|error| error.to_string());
        let message = refusal.expect_err(&sql);
        let loud = message.contains("append-only") || message.to_lowercase().contains("unique");
        assert!(loud, "{sql}: {message}");
        assert_eq!(deployment.database().rows(SECRETS), before, "{sql}");
    }
    chained(&played.events());
    played.play_step();
});

on_own_stores!(a_transaction_that_tries_is_lost_as_a_whole, |deployment| {
    let played = played(deployment);
    let before = deployment.database().everything();
    let mut session = deployment.database().session();
    session.run("begin").expect("a transaction begins");
    session.run("delete from match_list").expect("a projection may be dropped");
    let error = session.run("delete from events").expect_err("the log may not").to_string();
    assert!(error.contains("DELETE is not allowed"), "{error}");
    session.run("rollback").expect("what is left to do");
    assert_eq!(deployment.database().everything(), before);
    played.play_step();
});

on_own_stores!(insert_or_ignore_changes_nothing_either, |deployment| {
    let played = played(deployment);
    let id = deployment.database().id(&played.id);
    let row = format!("values ({id}, 2, 'toss', '2026-01-01T00:00:00Z', 'x', 'y')");
    let sql = match deployment.database().engine {
        Engine::Sqlite => format!("insert or ignore into events {row}"),
        Engine::Postgres => format!("insert into events {row} on conflict do nothing"),
    };
    let before = deployment.database().rows(SECRETS);
    let changed = deployment.database().run(&sql);
    assert!(!matches!(changed, Ok(1..)), "the statement is refused, or changes nothing");
    assert_eq!(deployment.database().rows(SECRETS), before);
    played.play_step();
});
