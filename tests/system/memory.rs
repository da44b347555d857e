//! Requests of strangers without a token, whatever they send and whatever they leave unread: the service
//! limits its memory, goes on scoring, and frees what it took.
//!
//! Bodies never reach the store, and answers leave it as text, so one engine is enough.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use serde_json::json;
use third_umpire_test_support::service::{Deployment, Engine, Match, Serving, table, until};

const AT_ONCE: usize = 100;
const MEGABYTE: usize = 1 << 20;
/// The limit for the service's memory at any time, in MiB.
const MOST: usize = 300;
/// The limit for its memory once the load is over, in MiB.
const AFTERWARDS: usize = 120;
/// The connections on which nobody reads.
const UNREAD: usize = 600;
/// The limit for the memory once they are closed, in MiB.
const AFTER_UNREAD: usize = 150;
/// The disputes of a match whose log has megabytes.
const DISPUTES: usize = 900;
/// The timeout of a request, long enough for the slowest machine; no test waits for it to pass.
const PATIENCE: Duration = Duration::from_secs(120);

/// A lock that makes the tests run one by one: together they would need more sockets than a process may open.
static IN_TURN: Mutex<()> = Mutex::new(());

/// A mebibyte of objects, each of which is seven bytes of text and hundreds of memory.
fn objects(before: &str, after: &str) -> String {
    let many = (MEGABYTE - before.len() - after.len() - 10) / 7;
    [before, &vec!["{\"\":0}"; many].join(","), after].concat()
}

/// The head of a request with a body of this length.
fn head(authority: &str, path: &str, content_type: &str, length: usize) -> String {
    format!(
        "POST {path} HTTP/1.1\r\nHost: {authority}\r\nContent-Type: {content_type}\r\nContent-Length: {length}\r\n\
         Connection: close\r\n\r\n"
    )
}

fn connect(authority: &str) -> TcpStream {
    let stream = TcpStream::connect(authority).expect("the service listens");
    stream.set_read_timeout(Some(PATIENCE)).expect("a socket has options");
    stream.set_write_timeout(Some(PATIENCE)).expect("a socket has options");
    stream
}

/// The status of the answer; `None` where the service has hung up before.
fn status(stream: &mut TcpStream) -> Option<u16> {
    let mut line = [0; 12];
    stream.read_exact(&mut line).ok()?;
    std::str::from_utf8(&line[9..]).ok()?.parse().ok()
}

/// A match that goes on while the service is under load.
struct Scoring(Match);

impl Scoring {
    fn begin(deployment: &Deployment) -> Scoring {
        let played = deployment.create(&table(20));
        played.begin();
        Scoring(played)
    }

    /// Reads a card and records a ball.
    fn play_step(&self) {
        self.0.get("/scorecard").expect(200);
        self.0.post("/balls", &json!({"dice": [2, 3]})).expect(201);
    }
}

/// Asserts that the service frees its memory down to this many MiB, with only a few readers left.
fn frees_its_memory(deployment: &Deployment, scoring: &Scoring, afterwards: usize) {
    let figure_of = |figure| deployment.process().memory(figure).unwrap_or_default();
    assert!(figure_of("VmHWM") < MOST, "the peak was {} MiB", figure_of("VmHWM"));
    until("the memory is freed", || {
        scoring.0.get("/scorecard").expect(200);
        figure_of("VmRSS") < afterwards
    });
}

/// Sends a body a hundred times at once, and asserts that each is refused with one of these statuses.
fn withstands(path: &'static str, content_type: &'static str, body: &str, refused: &[u16]) {
    let _turn = IN_TURN.lock().unwrap_or_else(PoisonError::into_inner);
    Deployment::as_process(Engine::Sqlite, |deployment| {
        let scoring = Scoring::begin(deployment);
        let authority = deployment.client().authority();
        let request = format!("{}{body}", head(authority, path, content_type, body.len()));
        thread::scope(|scope| {
            let send = || {
                let mut stream = connect(authority);
                // The request may be answered and closed before its end.
                let _ = stream.write_all(request.as_bytes());
                status(&mut stream)
            };
            let senders: Vec<_> = (0..AT_ONCE).map(|_| scope.spawn(send)).collect();
            while !senders.iter().all(|sender| sender.is_finished()) {
                scoring.play_step();
            }
            let statuses: Vec<Option<u16>> =
                senders.into_iter().map(|sender| sender.join().expect("the thread does not panic")).collect();
            let is_expected = |status: &Option<u16>| status.is_none_or(|status| refused.contains(&status));
            assert!(statuses.iter().all(is_expected), "{statuses:?}");
            assert!(statuses.iter().flatten().any(|status| *status != 503), "{statuses:?}");
        });
        scoring.play_step();
        frees_its_memory(deployment, &scoring, AFTERWARDS);
    });
}

#[test]
fn a_hundred_hostile_logs_at_once_are_refused() {
    let event = objects(
        "{\"actor\":\"scorer\",\"at\":\"2026-01-31T14:00:28.000Z\",\"data\":{\"a\":[",
        "]},\"hash\":\"\",\"kind\":\"ball\",\"match\":\"019b8c2e-7a00-7c3d-9e4f-000000000000\",\"prev\":\"\",\"seq\":1,\"v\":1}\n",
    );
    withstands("/v1/audits", "application/x-ndjson", &event, &[422, 503]);
}

#[test]
fn a_hundred_hostile_logs_with_editions_at_once_are_refused() {
    let edition = objects("{\"edition\":{\"a\":[", "]}}\n");
    withstands("/v1/audits", "application/x-ndjson", &edition, &[422, 503]);
}

#[test]
fn a_hundred_hostile_editions_at_once_are_refused() {
    withstands("/v1/editions", "application/json", &objects("{\"id\":\"x\",\"a\":[", "]}"), &[413, 422, 503]);
}

#[test]
fn a_hundred_hostile_matches_at_once_are_refused() {
    let sides = "\"home\":{\"name\":\"a\",\"players\":[]},\"away\":{\"name\":\"b\",\"players\":[]},\"dice\":\"table\"}";
    let body = objects("{\"game\":\"howzat\",\"rules\":{\"a\":[", &format!("]}},{sides}"));
    withstands("/v1/matches", "application/json", &body, &[413, 503]);
}

#[test]
fn a_hundred_bodies_of_as_many_values_as_may_be_are_refused() {
    // The body is as large as allowed, with as many values as allowed.
    let many = vec!["{\"\":0}"; 2_400].join(",");
    let padding = " ".repeat(MEGABYTE - many.len() - 100);
    let body = format!("{{\"game\":\"howzat\",\"rules\":{{\"a\":[{many}]}},{padding}\"dice\":\"table\"}}");
    withstands("/v1/matches", "application/json", &body, &[422, 503]);
}

#[test]
fn a_hundred_bodies_that_do_not_end_hold_little_and_only_as_long_as_they_last() {
    let _turn = IN_TURN.lock().unwrap_or_else(PoisonError::into_inner);
    Deployment::as_process(Engine::Sqlite, |deployment| {
        let scoring = Scoring::begin(deployment);
        let authority = deployment.client().authority();
        let chunk = vec![b'x'; 4 * MEGABYTE];
        let head = head(authority, "/v1/audits", "application/x-ndjson", 16 * MEGABYTE);
        let unfinished = thread::scope(|scope| {
            let send = || {
                let mut stream = connect(authority);
                // A body that finds no room is answered before its end.
                let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(&chunk));
                stream
            };
            let senders: Vec<_> = (0..AT_ONCE).map(|_| scope.spawn(send)).collect();
            while !senders.iter().all(|sender| sender.is_finished()) {
                scoring.play_step();
            }
            senders
                .into_iter()
                .map(|sender| sender.join().expect("the thread does not panic"))
                .collect::<Vec<_>>()
        });
        scoring.play_step();
        drop(unfinished);
        frees_its_memory(deployment, &scoring, AFTERWARDS);
    });
}

/// A match with so many disputes of 4 kB each.
fn disputed(deployment: &Deployment, disputes: usize) -> Match {
    let played = deployment.create(&table(1));
    played.begin().bowl(&[2, 3]);
    let dispute = json!({"delivery": 1, "by": "home", "claim": "🏏".repeat(1_000)});
    (0..disputes).for_each(|_| drop(played.post("/disputes", &dispute).expect(201)));
    played
}

/// A connection that asks for this path of the match.
fn asking(played: &Match, path: &str, headers: &str) -> TcpStream {
    let authority = played.client.authority();
    let mut stream = connect(authority);
    let request = format!("GET {} HTTP/1.1\r\nHost: {authority}\r\n{headers}\r\n", played.path(path));
    stream.write_all(request.as_bytes()).expect("the service reads");
    stream
}

#[test]
fn answers_that_nobody_reads_hold_little_and_only_as_long_as_they_last() {
    let _turn = IN_TURN.lock().unwrap_or_else(PoisonError::into_inner);
    Deployment::as_process(Engine::Sqlite, |deployment| {
        let (scoring, long) = (Scoring::begin(deployment), disputed(deployment, DISPUTES));
        // Audits and compressed answers take a while to make, and are short.
        let ask = |at: usize| match at % 60 {
            0 => asking(&long, "/audit", ""),
            20 => asking(&long, "/log", "Accept-Encoding: br\r\n"),
            40 => asking(&long, "/disputes", "Accept-Encoding: gzip\r\n"),
            _ => asking(&long, ["/log", "/events?limit=1000", "/events/stream", "/disputes"][at % 4], ""),
        };
        let mut unread: Vec<TcpStream> = Vec::new();
        while unread.len() < UNREAD {
            let mut some: Vec<TcpStream> = (unread.len()..unread.len() + AT_ONCE / 4).map(ask).collect();
            // Each answer has begun, or is refused: whole lists find no room beside so many others.
            let statuses: Vec<Option<u16>> = some.iter_mut().map(status).collect();
            let is_expected = |status: &Option<u16>| matches!(status, Some(200 | 503));
            assert!(statuses.iter().all(is_expected), "{statuses:?}");
            unread.append(&mut some);
            scoring.play_step();
        }
        drop(unread);
        frees_its_memory(deployment, &scoring, AFTER_UNREAD);
    });
}

#[test]
fn whole_answers_that_nobody_reads_do_not_shut_out_a_log_or_a_card() {
    let _turn = IN_TURN.lock().unwrap_or_else(PoisonError::into_inner);
    Deployment::as_process(Engine::Sqlite, |deployment| {
        // A commentary of a megabyte, and a log of more.
        let (scoring, long) = (Scoring::begin(deployment), disputed(deployment, DISPUTES / 4));
        let mut unread = Vec::new();
        let is_refused = (0..AT_ONCE).any(|_| {
            unread.push(asking(&long, "/commentary", ""));
            unread.last_mut().and_then(status) == Some(503)
        });
        assert!(is_refused, "{AT_ONCE} commentaries find room");
        for played in [&scoring.0, &long] {
            played.get("/log").has_status(200);
            played.get("/events?limit=1000").has_status(200);
        }
        scoring.play_step();
        drop(unread);
        until("a commentary finds room again", || long.get("/commentary").status == 200);
    });
}

#[test]
fn commentaries_that_nobody_reads_hold_little_and_only_as_long_as_they_last() {
    let _turn = IN_TURN.lock().unwrap_or_else(PoisonError::into_inner);
    Deployment::as_process(Engine::Sqlite, |deployment| {
        let (scoring, long) = (Scoring::begin(deployment), disputed(deployment, DISPUTES / 3));
        let mut unread: Vec<TcpStream> = Vec::new();
        while unread.len() < 2 * AT_ONCE {
            let mut some: Vec<TcpStream> =
                (0..AT_ONCE / 4).map(|_| asking(&long, "/commentary", "")).collect();
            let statuses: Vec<Option<u16>> = some.iter_mut().map(status).collect();
            assert!(statuses.iter().all(|status| matches!(status, Some(200 | 503))), "{statuses:?}");
            unread.append(&mut some);
            scoring.play_step();
        }
        drop(unread);
        frees_its_memory(deployment, &scoring, AFTER_UNREAD);
    });
}

/// Reads an answer in chunks, and hands each to `each`.
fn read_chunks(stream: TcpStream, mut each: impl FnMut(&[u8])) {
    let mut reader = BufReader::new(stream);
    let mut line = String::new();
    while line != "\r\n" {
        line.clear();
        reader.read_line(&mut line).expect("the service answers");
    }
    loop {
        line.clear();
        reader.read_line(&mut line).expect("the answer goes on");
        let length = usize::from_str_radix(line.trim_end(), 16).expect("a chunk begins with its length");
        let mut chunk = vec![0; length + 2];
        reader.read_exact(&mut chunk).expect("the answer goes on");
        if length == 0 {
            return;
        }
        each(&chunk[..length]);
    }
}

#[test]
fn a_slow_reader_gets_the_whole_log() {
    let _turn = IN_TURN.lock().unwrap_or_else(PoisonError::into_inner);
    Deployment::as_process(Engine::Sqlite, |deployment| {
        let (scoring, long) = (Scoring::begin(deployment), disputed(deployment, DISPUTES));
        let (mut log, mut chunks) = (Vec::new(), 0);
        read_chunks(asking(&long, "/log", ""), |chunk| {
            assert!(chunk.len() <= 32 << 10, "a chunk has {} bytes", chunk.len());
            log.extend_from_slice(chunk);
            chunks += 1;
            if chunks % 4 == 0 {
                scoring.play_step();
            }
        });
        assert!(log.len() > 3_900_000, "the log has {} bytes", log.len());
        assert!(log == long.get("/log").body, "the log is another one");
    });
}

#[test]
fn a_client_that_takes_nothing_is_cut_off() {
    let _turn = IN_TURN.lock().unwrap_or_else(PoisonError::into_inner);
    Deployment::as_process(Engine::Sqlite, |deployment| {
        // More than the kernel takes over.
        let long = disputed(deployment, DISPUTES / 3);
        let impatient =
            deployment.serve_as(Serving { arguments: &["--send-timeout", "1"], ..Serving::default() });
        let streams = || {
            let metrics = impatient.client().get("/metrics");
            let mut lines = metrics.text().lines().map(str::to_owned);
            lines.find_map(|line| line.strip_prefix("third_umpire_subscribers ")?.parse::<usize>().ok())
        };
        let unread = asking(&long.through(impatient.client()), "/events/stream", "");
        until("the stream has begun", || streams() == Some(1));
        until("the stream is cut off", || streams() == Some(0));
        drop(unread);
    });
}
