//! Idempotency keys are kept for 30 days: `third-umpire sweep` removes older ones, and so does a service
//! whose role may.

use chrono::{DateTime, SecondsFormat, TimeDelta, Utc};
use serde_json::{Value, json};
use third_umpire_test_support::on_own_processes;
use third_umpire_test_support::service::{Client, Database, Deployment, Match, Serving, run, seeded, until};

/// A match with two balls that have keys, and the answers to them.
struct Keyed {
    played: Match,
    answers: [Value; 2],
}

impl Keyed {
    fn play(client: &Client) -> Keyed {
        let played = Match::create(client, &seeded(5));
        played.begin();
        let answers = ["first", "second"].map(|key| bowl(&played, key));
        Keyed { played, answers }
    }

    /// The seq of the event that a ball ends with.
    fn last_seq(&self, ball: usize) -> u64 {
        self.answers[ball]["head"]["seq"].as_u64().expect("a seq")
    }

    /// Sends the balls again.
    fn again(&self, client: &Client) -> [Value; 2] {
        let played = self.played.through(client);
        ["first", "second"].map(|key| bowl(&played, key))
    }
}

fn bowl(played: &Match, key: &str) -> Value {
    played.posting("/balls", &json!({})).key(key).send().expect(201)
}

/// Plays matches on a service that ends then, so that it sweeps none of their keys.
fn played_before<const COUNT: usize>(deployment: &Deployment) -> [Keyed; COUNT] {
    let service = deployment.serve();
    let played = [(); COUNT].map(|()| Keyed::play(service.client()));
    service.terminate();
    assert_eq!(service.ended(), Some(0));
    deployment.database().drop_triggers();
    played
}

/// Makes the events of a match up to this one as old as this, as if they had been played then.
fn age(database: &Database, keyed: &Keyed, up_to: u64, days: i64) {
    let then: DateTime<Utc> = DateTime::from(std::time::SystemTime::now()) - TimeDelta::days(days);
    let then = then.to_rfc3339_opts(SecondsFormat::Millis, false);
    let id = database.id(&keyed.played.id);
    let sql = format!("update events set at = '{then}' where match_id = {id} and seq <= {up_to}");
    database.run(&sql).expect("the triggers are dropped");
}

/// The number of keys that a database keeps.
fn keys(database: &Database) -> usize {
    database.texts("select key from idempotency").len()
}

/// Runs `third-umpire sweep`, and returns what it prints.
#[track_caller]
fn sweep(database: &Database) -> String {
    let output = run(&["sweep", "--database", &database.url]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("the output is text")
}

on_own_processes!(keys_older_than_30_days_are_removed_and_nothing_else_is, |deployment| {
    let database = deployment.database();
    let [old, young, both] = played_before(deployment);
    age(database, &old, old.last_seq(1), 31);
    age(database, &young, young.last_seq(1), 29);
    age(database, &both, both.last_seq(0), 31);
    let mut before = database.everything();
    assert_eq!(sweep(database), "removed 3 idempotency keys older than 30 days\n");
    assert_eq!(sweep(database), "removed 0 idempotency keys older than 30 days\n");
    let mut after = database.everything();
    let kept = after.remove("idempotency").map(|rows| rows.len());
    assert_eq!((before.remove("idempotency").map(|rows| rows.len()), kept), (Some(6), Some(3)));
    assert_eq!(after, before, "only keys are removed");
    let client = deployment.client();
    assert_eq!(young.again(client), young.answers, "a younger key gets its answer again");
    let [first, second] = both.again(client);
    assert_eq!(first["head"]["seq"], both.last_seq(1) + 1, "a request whose key is gone is a new one");
    assert_eq!(second, both.answers[1], "a younger key of the same match gets its answer again");
    for keyed in [old, both] {
        keyed.played.through(client).audits_clean();
    }
});

/// Stores keys of a match by the thousand: half of its first ball, half of its second.
fn store_keys(database: &Database, keyed: &Keyed, count: usize) {
    let (id, first, second) = (database.id(&keyed.played.id), keyed.last_seq(0), keyed.last_seq(1));
    let sql = format!(
        "insert into idempotency with recursive counted (n) as \
         (select 1 union all select n + 1 from counted where n < {count}) \
         select {id}, 'scorer', 'many-' || n, 'x', 1, case n % 2 when 1 then {first} else {second} end from counted"
    );
    database.run(&sql).expect("the owner can");
}

on_own_processes!(sweeps_at_once_remove_many_keys_once_while_a_match_goes_on, |deployment| {
    const MANY: usize = 5_000;
    let database = deployment.database();
    let [old] = played_before(deployment);
    age(database, &old, old.last_seq(0), 31);
    store_keys(database, &old, MANY);
    // The service sweeps as well.
    let played = old.played.through(deployment.client());
    let removed: usize = std::thread::scope(|scope| {
        let sweeps = [(); 2].map(|()| scope.spawn(|| sweep(database)));
        (0..10).for_each(|_| drop(played.ball()));
        let printed = sweeps.map(|sweep| sweep.join().expect("the sweep ends"));
        let count = |text: &String| text.split(' ').nth(1).and_then(|count| count.parse::<usize>().ok());
        printed.iter().map(|text| count(text).expect("a number")).sum()
    });
    assert!(removed <= MANY / 2 + 1, "{removed} keys: each counts where it was removed");
    assert_eq!(keys(database), MANY / 2 + 1, "the keys of the second ball are left");
    assert_eq!(sweep(database), "removed 0 idempotency keys older than 30 days\n");
    played.audits_clean();
});

on_own_processes!(a_service_sweeps_when_it_starts, |deployment| {
    let database = deployment.database();
    let [old] = played_before(deployment);
    age(database, &old, old.last_seq(0), 31);
    let service = deployment.serve_as(Serving { log: "info", ..Serving::default() });
    until("the old key is removed", || keys(database) == 1);
    let said = "idempotency keys older than 30 days are removed removed=1";
    until("the service says so", || service.log().contains(said));
    old.played.through(service.client()).play_step();
});

on_own_processes!(a_sweep_of_tables_that_were_not_migrated_says_what_to_do, |deployment| {
    let database = deployment.database();
    database.run("drop table _sqlx_migrations").expect("the owner can");
    let output = run(&["sweep", "--database", &database.url]);
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{told}");
    assert!(told.contains("run `third-umpire migrate` first"), "{told}");
});
