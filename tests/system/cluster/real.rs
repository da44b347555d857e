//! A real Citus cluster, by the recipe of docs/operations.md. Nobody has to have one, so the test is ignored:
//!
//! - `TEST_CITUS_COORDINATOR` is a superuser's address of a database at the coordinator, which is empty or
//!   left by an earlier run, and `TEST_CITUS_WORKERS` has those at the workers, separated by commas.
//! - `TEST_CITUS_STOP` and `TEST_CITUS_START` are shell commands that stop and start a worker. Without them
//!   the test stops none.

use std::cell::Cell;
use std::env::var;
use std::path::Path;
use std::process::Command;

use serde_json::json;
use third_umpire_test_support::service::{
    Database, Deployment, Engine, Match, Process, chained, seeded, until,
};

use super::refused::cannot_change_the_log;
use super::{ROLE, SERVING, printed, spread, succeeds};
use crate::crash::end_in_a_burst;
use crate::production_role::{as_role, make_role, statements};

/// How often the service is killed.
const KILLS: usize = 100;
/// How often a worker is stopped, where the test may.
const STOPS: usize = 20;
/// The balls of each match while a worker stops.
const BALLS: usize = 20;

/// The tables and matches of the version before forms, whose last migration is the fourth.
const EARLIER: &str = include_str!("../../support/stores/form_0.postgres.sql");

/// The address in a variable of the environment.
fn address(name: &str) -> String {
    var(name).unwrap_or_else(|_| panic!("{name} is not set"))
}

/// Fills an empty cluster as an earlier version did, with its tables spread, so that migrations meet shards.
fn begin_at_an_earlier_version(coordinator: &Database) {
    // The dump leaves its session without a search path.
    let filled = Database::at(Engine::Postgres, coordinator.url.clone()).session().run(EARLIER);
    filled.expect("an empty database can be filled");
    let spread_then = printed().replace("editions,store_identity,", "editions,");
    coordinator.run(&spread_then).expect("the tables can be spread");
}

/// Makes the role, or gives it its rights again where it is there.
fn make_role_once(coordinator: &Database) {
    let role = format!("select rolname::text from pg_roles where rolname = '{ROLE}'");
    if coordinator.texts(&role).is_empty() {
        make_role(coordinator, ROLE);
        return;
    }
    let made = statements("create role", ROLE);
    let (_, rights) = made.split_once(';').expect("several statements");
    coordinator.run(rights).expect("the owner can");
}

/// Follows the recipe, and returns the addresses of all nodes for the service's role.
fn follow_the_recipe() -> Vec<String> {
    let coordinator = Database::at(Engine::Postgres, address("TEST_CITUS_COORDINATOR"));
    let tables = "select tablename::text from pg_tables where schemaname = 'public' and tablename = 'heads'";
    if coordinator.texts(tables).is_empty() {
        begin_at_an_earlier_version(&coordinator);
    }
    succeeds(&["migrate", "--database", &coordinator.url]);
    spread(&coordinator).expect("the tables can be spread");
    make_role_once(&coordinator);
    coordinator.run(&statements("alter role", ROLE)).expect("the owner can");
    let workers = address("TEST_CITUS_WORKERS");
    [coordinator.url.as_str()].into_iter().chain(workers.split(',')).map(|url| as_role(url, ROLE)).collect()
}

/// Rebuilds and sweeps at a worker, and reads the list there.
fn maintain_at_a_worker(served_at: &str, folder: &Path) {
    let workers = address("TEST_CITUS_WORKERS");
    let worker = workers.split(',').next().expect("there is one");
    let on_the_worker = |command: &str| succeeds(&[command, "--no-group-commit", "--database", worker]);
    let rebuilt = on_the_worker("rebuild");
    assert!(rebuilt.ends_with("left unchanged: 0\n"), "{rebuilt}");
    assert!(on_the_worker("sweep").ends_with("idempotency keys older than 30 days\n"));
    let service = Process::start(served_at, folder, SERVING);
    for order in ["created", "changed"] {
        let listed = service.client().get(&format!("/v1/matches?order={order}")).expect(200);
        assert!(!listed["matches"].as_array().expect("a list").is_empty(), "{order}: {listed}");
    }
}

/// Runs a shell command that stops or starts a worker.
fn shell(command: &str) {
    let exited = Command::new("sh").args(["-c", command]).status().expect("there is a shell");
    assert!(exited.success(), "{command}");
}

/// Bowls balls by key, each until it is answered with 201.
fn bowl_through_outages(played: &Match) {
    for ball in 0..BALLS {
        let key = format!("ball-{ball}");
        let bowl = || played.posting("/balls", &json!({})).key(&key).send().status == 201;
        until("the ball is stored", bowl);
    }
}

/// Stops and starts a worker while matches are played.
fn stop_a_worker(url: &str, folder: &Path, stop: &str, start: &str) {
    let service = Process::start(url, folder, SERVING);
    let played: Vec<Match> = (0..4).map(|_| Match::create(service.client(), &seeded(50))).collect();
    for one in &played {
        one.begin();
    }
    std::thread::scope(|scope| {
        played.iter().for_each(|one| drop(scope.spawn(move || bowl_through_outages(one))));
        shell(stop);
        shell(start);
    });
    for one in &played {
        let events = one.events();
        chained(&events);
        assert_eq!(events.iter().filter(|event| event["kind"] == "ball").count(), BALLS);
        one.audits_clean();
    }
}

#[test]
#[ignore = "it needs a Citus cluster: TEST_CITUS_COORDINATOR and TEST_CITUS_WORKERS"]
fn a_real_cluster_keeps_every_ball_once() {
    let nodes = follow_the_recipe();
    Deployment::as_process(Engine::Sqlite, |deployment| {
        let folder = deployment.folder();
        maintain_at_a_worker(&nodes[1], folder);
        let next = Cell::new(0);
        let serve = || {
            let url = &nodes[next.replace(next.get() + 1) % nodes.len()];
            let service = Process::start(url, folder, SERVING);
            service.client().get("/readyz").expect(200);
            service
        };
        (0..KILLS).for_each(|_| end_in_a_burst(&serve, Process::kill));
        nodes.iter().for_each(|url| cannot_change_the_log(url, &["events"], "permission denied"));
        maintain_at_a_worker(&nodes[1], folder);
        if let (Ok(stop), Ok(start)) = (var("TEST_CITUS_STOP"), var("TEST_CITUS_START")) {
            (0..STOPS).for_each(|_| stop_a_worker(&nodes[0], folder, &stop, &start));
        }
    });
}
