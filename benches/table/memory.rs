//! The memory of the service.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use super::report::{Reach, Row};
use super::scorer::Scorer;
use super::stage::{Service, Stage};
use super::turns::Scale;
use super::wire::Crowd;
use third_umpire_test_support::service::Engine;

const MIB: f64 = 1024.0 * 1024.0;

pub fn rows(scale: Scale) -> Vec<Row> {
    let Some(stage) = Stage::set(Engine::Sqlite) else { return Vec::new() };
    let service = stage.serve();
    let megabytes = || service.memory() as f64 / MIB;
    let shown = |megabytes: f64| format!("{megabytes:.1} MiB");
    let idle = megabytes();
    play(&service, scale.pick(2_000, 10));
    let some = megabytes();
    play(&service, scale.pick(8_000, 10));
    let many = megabytes();
    let mut flat =
        Row::alone("memory with 10,000 matches played", many / some, shown(many), Reach::AtMost(1.1));
    flat.against = "with 2,000".to_owned();
    flat.theirs = shown(some);
    let each = subscribers(scale, &service) / 1024.0;
    vec![
        Row::alone("memory, idle (MiB)", idle, shown(idle), Reach::AtMost(40.0)),
        flat,
        Row::alone("memory of a subscriber (KiB)", each, format!("{each:.1} KiB"), Reach::AtMost(50.0)),
    ]
}

fn play(service: &Service, matches: usize) {
    const CLIENTS: usize = 4;
    let mut crowd = Crowd::gather(CLIENTS, async |number| Scorer::connect(&service.address, number).await);
    for _ in 0..matches.div_ceil(CLIENTS) {
        crowd.each(async |scorer| scorer.play_match(5).await);
    }
}

/// The bytes for each subscriber to events, after each has been sent a ball.
fn subscribers(scale: Scale, service: &Service) -> f64 {
    let count = scale.pick(1_000, 10);
    let mut crowd = Crowd::gather(1, async |number| Scorer::connect(&service.address, number).await);
    let path = crowd.first(async |scorer| {
        scorer.begin_match().await;
        format!("{}/events/stream", scorer.path())
    });
    let before = service.memory();
    let mut streams: Vec<TcpStream> = (0..count).map(|_| subscribe(&service.address, &path)).collect();
    crowd.first(async |scorer| {
        scorer.reconnect().await;
        scorer.bowl().await;
    });
    for stream in &mut streams {
        read_until(stream, "\"kind\":\"ball\"");
    }
    service.memory().saturating_sub(before) as f64 / count as f64
}

fn subscribe(address: &str, path: &str) -> TcpStream {
    let mut stream = TcpStream::connect(address).expect("the service listens");
    stream.set_read_timeout(Some(Duration::from_secs(20))).expect("a socket has options");
    write!(stream, "GET {path} HTTP/1.1\r\nHost: {address}\r\n\r\n").expect("the service reads");
    read_until(&mut stream, "\"kind\":\"toss_decided\"");
    stream
}

/// Reads a stream until a text has come.
fn read_until(stream: &mut TcpStream, text: &str) {
    let (mut seen, mut some) = (Vec::new(), [0; 4096]);
    while !String::from_utf8_lossy(&seen).contains(text) {
        let read = stream.read(&mut some).expect("events come");
        assert!(read > 0, "the stream ends");
        seen.extend_from_slice(&some[..read]);
    }
}
