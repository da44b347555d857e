//! The options of a service whose matches are spread: how many appends are written at once, and the advice to
//! set the option where an engine refuses a group commit.

use serde_json::json;
use third_umpire_test_support::service::{
    Answer, Client, Deployment, Engine, Match, Serving, run, seeded, until,
};

/// The matches that are played at once.
const MATCHES: usize = 12;

/// The number of writes of the service that wait for a lock.
const WAITING_FOR_A_LOCK: &str = "select count(*)::text from pg_stat_activity where datname = current_database() \
    and wait_event_type = 'Lock' and application_name = 'third-umpire'";

/// The number of appends that wait for a writer.
fn waiting(client: &Client) -> String {
    let metrics = client.get("/metrics");
    let lines = metrics.text().lines();
    let figure = lines.filter_map(|line| line.strip_prefix("third_umpire_appends_waiting ")).next();
    figure.expect("the service counts them").to_owned()
}

#[test]
fn appends_are_written_at_once_by_as_many_writers_as_asked_for() {
    for (writers, busy) in [(&["--writers", "1"][..], 1), (&[], 8), (&["--writers", "64"], MATCHES)] {
        Deployment::as_process(Engine::Postgres, |deployment| {
            let arguments = &[&["--no-group-commit"], writers].concat();
            let service = deployment.serve_as(Serving { arguments, ..Serving::default() });
            let client = service.client();
            let played: Vec<Match> = (0..MATCHES).map(|_| Match::create(client, &seeded(2))).collect();
            for one in &played {
                one.begin();
            }
            let mut lock = deployment.database().session();
            lock.run("begin").expect("it begins");
            lock.run("select 1 from heads for update").expect("the owner can");
            let answers: Vec<Answer> = std::thread::scope(|scope| {
                let bowl = |one| scope.spawn(move || Match::post(one, "/balls", &json!({})));
                let balls: Vec<_> = played.iter().map(bowl).collect();
                until("all writers wait for the lock, and the others for a writer", || {
                    deployment.database().texts(WAITING_FOR_A_LOCK) == [busy.to_string()]
                        && waiting(client) == (MATCHES - busy).to_string()
                });
                lock.run("rollback").expect("it ends");
                balls.into_iter().map(|ball| ball.join().expect("it is answered")).collect()
            });
            answers.into_iter().for_each(|answer| drop(answer.expect(201)));
        });
    }
}

/// What makes Postgres refuse the statement of a group commit, and take every other one.
const REFUSE_GROUPS: &str = "create rule refused as on insert to events do also notify refused";

#[test]
fn an_engine_that_refuses_group_commits_is_named_once_with_the_option_to_set() {
    Deployment::as_process(Engine::Postgres, |deployment| {
        let service = deployment.serve();
        let played = Match::create(service.client(), &seeded(50));
        played.begin();
        let named = || service.log().matches("set --no-group-commit").count();
        deployment.database().run(REFUSE_GROUPS).expect("the owner can");
        (0..9).for_each(|_| played.play_step());
        deployment.database().run("drop rule refused on events").expect("the owner can");
        played.play_step();
        deployment.database().run(REFUSE_GROUPS).expect("the owner can");
        (0..9).for_each(|_| played.play_step());
        assert_eq!(named(), 0, "nine in a row may have another reason: {}", service.log());
        played.play_step();
        assert_eq!(named(), 1, "{}", service.log());
        (0..20).for_each(|_| played.play_step());
        assert_eq!(named(), 1, "{}", service.log());
        played.audits_clean();
    });
}

/// What makes Postgres refuse a rebuild as Citus does, which locks no rows on several machines.
const REFUSE_REBUILDS: &str = "create function refuse() returns trigger language plpgsql as \
    $$ begin raise 'could not run distributed query' using errcode = '0A000'; end $$; \
    create trigger refused before delete on match_list for each statement execute function refuse()";

#[test]
fn a_rebuild_that_an_engine_refuses_names_the_option_to_give() {
    Deployment::as_process(Engine::Postgres, |deployment| {
        let database = deployment.database();
        super::succeeds(&["migrate", "--database", &database.url]);
        database.run(REFUSE_REBUILDS).expect("the owner can");
        let output = run(&["rebuild", "--database", &database.url]);
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{told}");
        assert!(told.contains("could not run distributed query"), "{told}");
        assert!(told.contains("needs --no-group-commit"), "{told}");
    });
}

#[test]
fn a_rebuild_and_a_sweep_of_one_place_take_many_matches_at_once() {
    Deployment::with_own_cluster(|deployment, cluster| {
        let database = deployment.database();
        let service = deployment.serve();
        for _ in 0..3 {
            let played = Match::create(service.client(), &seeded(2));
            played.begin();
            played.posting("/balls", &json!({})).key("ball").send().expect(201);
        }
        service.kill();
        super::server_log::begin(database);
        for command in ["rebuild", "sweep"] {
            super::succeeds(&[command, "--database", &database.url]);
        }
        let transactions = super::server_log::transactions(cluster);
        let beginning = |text: &str| {
            let statements = transactions.iter().flatten();
            let found: Vec<usize> = statements
                .filter(|statement| statement.text.starts_with(text))
                .map(|statement| statement.matches.len())
                .collect();
            found
        };
        assert_eq!(beginning("select seq from heads where match_id in ("), [3], "one transaction");
        assert_eq!(beginning("select match_id, actor, key, ").len(), 2, "all keys, and then the end");
    });
}
