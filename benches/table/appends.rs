//! Balls recorded over HTTP, each append with everything that belongs to it (hash, head, match list,
//! idempotency key), against a bare insert of a row of equal length, with the same number of connections.

use std::path::PathBuf;
use std::process::Stdio;
use std::time::{Duration, Instant};

use rusqlite::{Connection, params};

use super::report::{Reach, Row};
use super::scorer::Preferred::{self, Minimal, Nothing, Representation};
use super::scorer::Scorer;
use super::stage::Stage;
use super::turns::{Done, Scale, in_turn, median};
use super::wire::Crowd;
use third_umpire_test_support::service::{Engine, Session};
use third_umpire_test_support::service::{as_user, programs, server_user};

/// The length of a ball's event as text, roughly.
const BODY: usize = 900;

/// A number of clients, what they prefer to be answered with, and the ratio to reach.
type Clients = (usize, Preferred, f64);

const POSTGRES: &[Clients] = &[
    (1, Nothing, 0.45),
    (8, Nothing, 0.55),
    (32, Nothing, 0.8),
    (32, Minimal, 0.8),
    (32, Representation, 0.7),
    (64, Nothing, 0.8),
];
const SQLITE: &[Clients] = &[
    (1, Nothing, 0.35),
    (8, Nothing, 0.6),
    (32, Nothing, 1.3),
    (32, Minimal, 1.3),
    (32, Representation, 1.1),
    (64, Nothing, 1.6),
];

pub fn on_postgres(scale: Scale) -> Vec<Row> {
    let Some(stage) = Stage::set(Engine::Postgres) else { return Vec::new() };
    let mut session = Session::open(&stage.url).expect("the cluster answers");
    session.run(BARE_TABLE).expect("tables can be made");
    rows(scale, &stage, POSTGRES, |clients| pgbench(&stage, clients, lasting(scale)))
}

pub fn on_sqlite(scale: Scale) -> Vec<Row> {
    let Some(stage) = Stage::set(Engine::Sqlite) else { return Vec::new() };
    rows(scale, &stage, SQLITE, |_| bare_sqlite(&stage, lasting(scale)))
}

const BARE_TABLE: &str = "create table bare (match_id uuid not null, seq bigint not null, kind text not null, \
     at timestamptz not null, body text not null, hash text not null, primary key (match_id, seq))";

fn lasting(scale: Scale) -> Duration {
    scale.pick(Duration::from_secs(3), Duration::from_millis(50))
}

fn rows(scale: Scale, stage: &Stage, reach: &[Clients], bare: impl Fn(usize) -> Done) -> Vec<Row> {
    let service = stage.serve();
    let engine = match stage.engine {
        Engine::Postgres => "Postgres",
        Engine::Sqlite => "SQLite",
    };
    let against = match stage.engine {
        Engine::Postgres => "pgbench, bare insert, as many connections",
        Engine::Sqlite => "bare insert by direct calls, one thread",
    };
    let mut rows = Vec::new();
    for &(clients, preferred, reach) in reach {
        let mut crowd = Crowd::gather(clients, async |number| {
            let scorer = Scorer::connect(&service.address, clients * 1_000 + number).await;
            scorer.preferring(preferred)
        });
        let (mut p50, mut p99) = (Vec::new(), Vec::new());
        let compared = in_turn(
            scale.pick(5, 1),
            || {
                crowd.each(async |scorer| {
                    scorer.reconnect().await;
                    for _ in 0..scale.pick(4 + 20 / clients, 1) {
                        scorer.begin_match().await;
                    }
                });
                let mut load = crowd.busy(lasting(scale), Scorer::bowl);
                p50.push(load.percentile(50).as_secs_f64());
                p99.push(load.percentile(99).as_secs_f64());
                Done { units: load.latencies.len() as u64, taken: load.taken }
            },
            || bare(clients),
        );
        let plural = if clients == 1 { "" } else { "s" };
        let answered = match preferred {
            Nothing => "",
            Minimal => ", each answered with head and score",
            Representation => ", each answered with the view of the match",
        };
        let work = format!("appends over HTTP, {engine}, {clients} client{plural}{answered}");
        rows.push(Row::rates(&work, against, "", compared, Reach::AtLeast(reach)));
        if clients == 32 && preferred == Nothing && stage.engine == Engine::Postgres {
            let (p50, p99) = (median(p50.into_iter()), median(p99.into_iter()));
            let figure = format!("p50 {:.2} ms, p99 {:.2} ms", p50 * 1e3, p99 * 1e3);
            rows.push(Row::alone(
                "p99 to p50 of appends, Postgres, 32 clients",
                p99 / p50,
                figure,
                Reach::AtMost(4.0),
            ));
        }
    }
    rows
}

/// Measures transactions of one bare insert, by pgbench.
fn pgbench(stage: &Stage, clients: usize, lasting: Duration) -> Done {
    let script = stage.folder.join("insert.sql");
    let insert = format!(
        "insert into bare (match_id, seq, kind, at, body, hash) \
         values (gen_random_uuid(), 1, 'ball', now(), repeat('x', {BODY}), repeat('a', 64));\n"
    );
    std::fs::write(&script, insert).expect("the folder is ours");
    let socket = stage.socket().expect("Postgres has a socket");
    let seconds = lasting.as_secs().max(1).to_string();
    let output = as_user(&pgbench_program(), server_user(), socket)
        .args([
            "-n",
            "-M",
            "prepared",
            "-U",
            "umpire",
            "-T",
            &seconds,
            "-c",
            &clients.to_string(),
            "-j",
            "2",
            "-h",
        ])
        .arg(socket)
        .arg("-f")
        .arg(&script)
        .arg("postgres")
        .stderr(Stdio::inherit())
        .output()
        .expect("pgbench is installed with Postgres");
    let text = String::from_utf8_lossy(&output.stdout);
    let rate = text.lines().find_map(|line| line.strip_prefix("tps = ")).expect("pgbench says how many");
    let rate: f64 = rate.split(' ').next().and_then(|rate| rate.parse().ok()).expect("a number");
    Done { units: rate as u64, taken: Duration::from_secs(1) }
}

/// The path of pgbench: beside the server, whose programs may be linked to from elsewhere.
fn pgbench_program() -> PathBuf {
    let initdb = programs().and_then(|folder| folder.join("initdb").canonicalize().ok());
    let beside = initdb.map(|initdb| initdb.with_file_name("pgbench"));
    beside.filter(|program| program.exists()).unwrap_or_else(|| PathBuf::from("pgbench"))
}

/// Measures commits of one bare row by direct calls of SQLite on this thread.
fn bare_sqlite(stage: &Stage, lasting: Duration) -> Done {
    let on = Connection::open(stage.folder.join("bare.db")).expect("the folder is ours");
    on.execute_batch(
        "pragma journal_mode = wal; pragma synchronous = full; \
         create table if not exists bare (match_id blob not null, seq integer not null, kind text not null, \
         at text not null, body text not null, hash text not null, primary key (match_id, seq)) without rowid",
    )
    .expect("tables can be made");
    let mut insert = on
        .prepare("insert into bare (match_id, seq, kind, at, body, hash) values (?, ?, ?, ?, ?, ?)")
        .expect("the table is there");
    let (body, hash) = ("x".repeat(BODY), "a".repeat(64));
    let (begun, mut units) = (Instant::now(), 0);
    while begun.elapsed() < lasting {
        let id = uuid::Uuid::now_v7();
        insert
            .execute(params![id.as_bytes(), 1_i64, "ball", "2026-01-31T09:30:00.000Z", body, hash])
            .expect("rows can be inserted");
        units += 1;
    }
    Done { units, taken: begun.elapsed() }
}
