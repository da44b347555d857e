//! Migrations, and instances that start at the same time.

use std::thread;
use third_umpire_test_support::on_own_processes;
use third_umpire_test_support::service::{
    Client, Database, Deployment, Engine, Match, Process, Serving, Session, Starting, chained, run, table,
    until,
};

fn without_migration() -> Serving<'static> {
    Serving { arguments: &["--no-migrate"], ..Serving::default() }
}

/// A database without any tables.
fn emptied(deployment: &Deployment) -> String {
    match deployment.database().engine {
        Engine::Sqlite => std::fs::write(deployment.file(), "").expect("the folder is ours"),
        Engine::Postgres => {
            let sql = "drop schema public cascade; create schema public";
            deployment.database().run(sql).expect("the owner can");
        }
    }
    deployment.database().url.clone()
}

on_own_processes!(instances_that_start_together_on_an_empty_database_all_serve, |deployment| {
    let (url, folder) = (emptied(deployment), deployment.folder().to_owned());
    let start = |_| {
        let (url, folder) = (url.clone(), folder.clone());
        thread::spawn(move || Process::start(&url, &folder, Serving::default()))
    };
    let starting: Vec<_> = (0..4).map(start).collect();
    let services: Vec<Process> =
        starting.into_iter().map(|one| one.join().expect("the service starts")).collect();
    let played = Match::create(services[0].client(), &table(1));
    played.begin();
    for service in &services {
        played.through(service.client()).bowl(&[2, 3]);
    }
    chained(&played.events());
});

on_own_processes!(told_not_to_migrate_it_serves_only_tables_of_its_version, |deployment| {
    let url = emptied(deployment);
    let arguments = ["serve", "--listen", "127.0.0.1:0", "--no-migrate", "--database"];
    let refused = run(&[&arguments[..], &[&url]].concat());
    let stderr = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert_eq!(refused.status.code(), Some(2), "{stderr}");
    assert!(stderr.contains("third-umpire migrate") && refused.stdout.is_empty(), "{stderr}");
    for _ in 0..2 {
        assert_eq!(
            run(&["migrate", "--database", &url]).status.code(),
            Some(0),
            "the command may be run again"
        );
    }
    let service = deployment.serve_as(without_migration());
    Match::create(service.client(), &table(1)).play_step();
});

/// The changes of a later version to the list of migrations: one of its own beside ours, or in place of ours.
const OF_A_LATER_VERSION: [&str; 2] = [
    "insert into _sqlx_migrations select 9999, 'wagon wheels', installed_on, success, checksum, execution_time \
     from _sqlx_migrations where version = 1",
    "delete from _sqlx_migrations where version = (select max(version) from _sqlx_migrations where version < 9999)",
];

/// Asserts that each command refuses the tables of a later version by the name of its migration, and leaves
/// them alone. `role` is the address of who serves without migrating.
#[track_caller]
pub fn refuses_a_later_version(database: &Database, role: &str) {
    let serve = &["serve", "--listen", "127.0.0.1:0"][..];
    let commands = [
        serve,
        &[serve, &["--no-migrate"]].concat(),
        &[serve, &["--no-migrate", "--no-group-commit"]].concat(),
        &[serve, &["--no-migration-lock"]].concat(),
        &["migrate"],
        &["migrate", "--no-migration-lock"],
        &["rebuild"],
        &["rebuild", "--no-group-commit"],
        &["sweep"],
        &["sweep", "--no-group-commit"],
    ];
    for change in OF_A_LATER_VERSION {
        database.run(change).expect("the owner can");
        let rows = database.everything();
        for arguments in commands {
            let url = if arguments.contains(&"--no-migrate") { role } else { &database.url };
            let refused = run(&[arguments, &["--database", url]].concat());
            let told = String::from_utf8_lossy(&refused.stderr).into_owned();
            assert_eq!(refused.status.code(), Some(2), "{arguments:?}: {told}");
            assert!(refused.stdout.is_empty(), "{arguments:?}");
            assert!(told.contains("not those of this version"), "{arguments:?}: {told}");
            assert!(told.contains("migration 9999 is of a later version"), "{arguments:?}: {told}");
        }
        assert_eq!(database.everything(), rows);
    }
}

on_own_processes!(every_command_refuses_the_tables_of_a_later_version, |deployment| {
    Match::create(deployment.client(), &table(1)).play_step();
    refuses_a_later_version(deployment.database(), &deployment.database().url);
});

/// A session that is creating tables, so that other migrations have to wait.
fn makes_tables(deployment: &Deployment) -> Session {
    let mut session = deployment.database().session();
    let begun = match deployment.database().engine {
        Engine::Sqlite => session.run("pragma journal_mode = wal; begin immediate"),
        Engine::Postgres => session.run("begin; create table _sqlx_migrations (version int)"),
    };
    begun.expect("nobody else is there");
    session
}

#[track_caller]
fn only_lives(client: &Client) {
    client.get("/healthz").expect(200);
    assert_eq!(client.request("HEAD", "/healthz").send().status, 200);
    let listed = ["/readyz", "/v1/matches", "/metrics", "/openapi.json", "/v1/simulations/x"];
    let mut answers: Vec<_> = listed.into_iter().map(|path| client.get(path)).collect();
    answers.push(client.request("GET", "/docs/").unlisted().send());
    answers.push(client.request("GET", "/nothing").unlisted().send());
    for answer in answers {
        answer.refused(503, "store-unavailable").says(&["starting", "waits for its tables"]);
        assert_eq!(answer.header("retry-after"), "1", "{}", answer.request);
    }
    client.post("/v1/matches", &table(1)).refused(503, "store-unavailable");
}

on_own_processes!(while_a_migration_waits_the_service_says_that_it_lives_and_nothing_else, |deployment| {
    let url = emptied(deployment);
    let mut session = makes_tables(deployment);
    // On Postgres one of them has the lock of migrations, and waits for a table; the other waits for the
    // lock.
    let starting: Vec<_> = (0..2).map(|_| Starting::begin(&url, deployment.folder())).collect();
    for one in &starting {
        only_lives(one.service().client());
        assert_eq!(one.printed(), "", "the service does not say that it listens");
    }
    session.run("rollback").expect("the transaction is open");
    for one in &starting {
        let client = one.service().client();
        until("the service listens", || {
            let at = client.authority();
            one.printed() == format!("listening on http://{at}\nopen http://{at}/ in a browser\n")
        });
        client.get("/readyz").expect(200);
        Match::create(client, &table(1)).play_step();
    }
});

on_own_processes!(told_to_stop_while_a_migration_waits_it_stops, |deployment| {
    let url = emptied(deployment);
    let mut session = makes_tables(deployment);
    let starting = Starting::begin(&url, deployment.folder());
    starting.service().terminate();
    assert_eq!(starting.ended(), Some(0));
    session.run("rollback").expect("the transaction is open");
    Match::create(deployment.client(), &table(1)).play_step();
});
