//! Matches that are spread over the machines of a cluster. A plain Postgres stands in for Citus: it shows
//! which tables are spread, that a transaction writes to one match, and which reads ask every machine. It
//! cannot show that the planner of Citus takes a statement; for that `real` has a test that needs a real
//! cluster.

mod catalogue;
mod options;
mod plays;
mod printed;
mod real;
mod refused;
mod restoring;
mod server_log;

use third_umpire_test_support::service::{Cluster, Database, Deployment, Process, Serving, run};

use crate::production_role::{as_role, make_role};

/// What turns a database into one that stands in for a cluster.
const STAND_IN: &str = include_str!("stand_in.sql");
/// The name of the service's role in a cluster of the test's own.
const ROLE: &str = "third_umpire_service";
/// The options of an instance that serves a cluster.
const SERVING: Serving<'static> = Serving {
    listen: "127.0.0.1:0",
    log: "warn",
    arguments: &["--no-migrate", "--no-group-commit"],
    through: &[],
};

/// Runs the program, which has to succeed, and returns what it prints.
#[track_caller]
fn succeeds(arguments: &[&str]) -> String {
    let output = run(arguments);
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("the output is text")
}

/// The SQL that spreads the tables over the machines of a cluster.
#[track_caller]
fn printed() -> String {
    succeeds(&["migrate", "--print", "citus"])
}

/// Runs the printed SQL, and returns the error where it fails.
fn spread(database: &Database) -> Result<(), String> {
    database.run(&printed()).map(drop).map_err(|error| error.to_string())
}

/// Migrates a database, and makes it one that stands in for a cluster.
#[track_caller]
fn stand_in(database: &Database) {
    succeeds(&["migrate", "--database", &database.url]);
    database.run(STAND_IN).expect("a superuser can");
}

/// Plays a scenario on a Postgres of its own whose tables are spread, with the address of the service's role.
fn on_a_stand_in(scenario: impl FnOnce(&Deployment, &Cluster, &str)) {
    Deployment::with_own_cluster(|deployment, cluster| {
        let database = deployment.database();
        stand_in(database);
        spread(database).expect("the tables can be spread");
        make_role(database, ROLE);
        scenario(deployment, cluster, &as_role(&database.url, ROLE));
    });
}

/// Starts an instance as the role does.
fn serve(deployment: &Deployment, url: &str) -> Process {
    Process::start(url, deployment.folder(), SERVING)
}
