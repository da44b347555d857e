//! Spread tables refuse to change the log, and one machine that hangs stops its own matches only.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::json;
use third_umpire::store::BY_MATCH;
use third_umpire_test_support::service::{Client, Database, EventStream, Match, Process, Session, seeded};

use super::{ROLE, on_a_stand_in, serve};
use crate::crash::end_in_a_burst;
use crate::starting::refuses_a_later_version;

/// The table `events`, and its partitions.
const LOGS: [&str; 5] = ["events", "events_0", "events_1", "events_2", "events_3"];

/// Asserts that whoever has this address cannot change the log in any of these tables.
#[track_caller]
pub fn cannot_change_the_log(url: &str, logs: &[&str], refusal: &str) {
    let mut session = Session::open(url).expect("the database answers");
    for log in logs {
        for sql in
            [format!("update {log} set body = 'x'"), format!("delete from {log}"), format!("truncate {log}")]
        {
            let error = session.run(&sql).expect_err(&sql).to_string();
            assert!(error.contains(refusal), "{sql}: {error}");
        }
    }
}

#[test]
fn the_log_cannot_be_changed_at_the_table_or_at_a_partition() {
    on_a_stand_in(|deployment, _, url| {
        let database = deployment.database();
        let rows = "insert into events select gen_random_uuid(), 1, 'x', now(), 'x', 'x' from generate_series(1, 100)";
        database.run(rows).expect("the owner can");
        let count = |log: &str| database.texts(&format!("select count(*)::text from {log}"));
        assert!(LOGS.iter().all(|log| count(log) != ["0"]), "each partition has rows");
        let before = database.everything();
        cannot_change_the_log(&database.url, &LOGS, "events are append-only");
        cannot_change_the_log(url, &LOGS, "permission denied");
        let mut role = Session::open(url).expect("the role may connect");
        for sql in ["alter table events_1 disable trigger all", "drop table events_2", "delete from heads"] {
            let error = role.run(sql).expect_err(sql).to_string();
            assert!(error.contains("must be owner") || error.contains("permission denied"), "{sql}: {error}");
        }
        assert_eq!(database.everything(), before);
    });
}

#[test]
fn every_command_refuses_spread_tables_of_a_later_version() {
    on_a_stand_in(|deployment, _, url| refuses_a_later_version(deployment.database(), url));
}

/// The writers of an instance, and its connections.
const WRITERS: usize = 8;
const CONNECTIONS: usize = 16;

/// The number of the partition that has a match.
fn place(database: &Database, table: &str, match_id: &str) -> String {
    let sql = format!("select right(tableoid::regclass::text, 1) from {table} where match_id = '{match_id}'");
    database.texts(&sql).remove(0)
}

/// New matches in play, one in each place.
fn one_in_each_place(database: &Database, client: &Client) -> BTreeMap<String, Match> {
    let mut found = BTreeMap::new();
    while found.len() < 4 {
        let played = Match::create(client, &seeded(2));
        found.entry(place(database, "heads", &played.id)).or_insert(played);
    }
    for played in found.values() {
        played.begin();
    }
    found
}

/// New matches in play in one place.
fn more_at(database: &Database, client: &Client, wanted: &str, count: usize) -> Vec<Match> {
    let created = std::iter::repeat_with(|| Match::create(client, &seeded(2)));
    let found = created.filter(|played| place(database, "heads", &played.id) == wanted).take(count);
    found.inspect(|played| _ = played.begin()).collect()
}

/// Asserts that a stream goes on to the last event of a match.
#[track_caller]
fn shows_the_end_of(stream: &mut EventStream, played: &Match) {
    let last = played.head().seq;
    while stream.next_event().expect("the stream goes on")["seq"] != last {}
}

#[test]
fn a_machine_that_hangs_stops_its_own_matches_and_the_list() {
    on_a_stand_in(|deployment, _, url| {
        let database = deployment.database();
        // A plan for any match would lock all partitions, which machines do not do.
        let setting = format!("alter role {ROLE} set plan_cache_mode = 'force_custom_plan'");
        database.run(&setting).expect("the owner can");
        let (service, other): (Process, Process) = (serve(deployment, url), serve(deployment, url));
        let client = service.client();
        client.get("/readyz").expect(200);
        let mut matches = one_in_each_place(database, client);
        // The row of /readyz belongs to a machine, too.
        matches.remove(&place(database, "views", "00000000-0000-0000-0000-000000000000"));
        let (hanging, stuck) = matches.pop_first().expect("there are three");
        let all_stuck = more_at(database, client, &hanging, 5);
        let followed = |played: &Match| {
            let path = played.path("/events/stream?after=0");
            let mut stream = other.client().request("GET", &path).follow();
            stream.take(played.events().len());
            stream
        };
        let mut stuck_stream = followed(&stuck);
        let mut streams: Vec<EventStream> = matches.values().map(followed).collect();
        let partitions = BY_MATCH.map(|table| format!("{table}_{hanging}")).join(", ");
        let mut machine = database.session();
        machine
            .run(&format!("begin; lock table {partitions} in access exclusive mode"))
            .expect("the owner can");
        let is_over = AtomicBool::new(false);
        std::thread::scope(|scope| {
            let late = scope.spawn(|| stuck.post("/balls", &json!({})));
            // More balls than writers, and more reads than connections: each again as soon as it is refused.
            for client in 0..WRITERS + CONNECTIONS + 2 {
                let (all_stuck, is_over) = (&all_stuck, &is_over);
                scope.spawn(move || {
                    let stuck = &all_stuck[client % all_stuck.len()];
                    while !is_over.load(Ordering::Relaxed) {
                        let answer = if client < WRITERS + 1 {
                            stuck.post("/balls", &json!({}))
                        } else {
                            stuck.get("/events")
                        };
                        answer.refused(503, "store-unavailable");
                    }
                });
            }
            for played in matches.values() {
                (0..3).for_each(|_| drop(played.ball()));
                played.get("/scorecard").expect(200);
                played.audits_clean();
            }
            let late = late.join().expect("the request is answered");
            late.refused(503, "store-unavailable").says(&["nothing was stored"]);
            is_over.store(true, Ordering::Relaxed);
        });
        for (played, stream) in matches.values().zip(&mut streams) {
            shows_the_end_of(stream, played);
        }
        client.get("/v1/matches").refused(503, "store-unavailable");
        client.get("/readyz").expect(200);
        for (played, stream) in matches.values().zip(&mut streams) {
            played.ball();
            shows_the_end_of(stream, played);
        }
        let said = "cannot look for events of other instances";
        assert_eq!(other.log().matches(said).count(), 1, "{}", other.log());
        machine.run("rollback").expect("the machine answers again");
        stuck.ball();
        shows_the_end_of(&mut stuck_stream, &stuck);
        client.get("/v1/matches").expect(200);
        stuck.audits_clean();
    });
}

#[test]
fn an_instance_that_is_killed_in_a_burst_loses_and_doubles_no_ball() {
    on_a_stand_in(|deployment, _, url| {
        (0..3).for_each(|_| end_in_a_burst(&|| serve(deployment, url), Process::kill));
    });
}
