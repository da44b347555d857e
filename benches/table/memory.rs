//! The memory of the service.

use super::report::{Reach, Row};
use super::scorer::Scorer;
use super::stage::{Service, Stage};
use super::turns::Scale;
use super::wire::{Crowd, EventStream};
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
    crowd.first(async |scorer| {
        scorer.begin_match().await;
        let before = service.memory();
        let mut streams = EventStream::many(count, &service.address, scorer.path()).await;
        scorer.reconnect().await;
        scorer.bowl().await;
        for stream in &mut streams {
            stream.read_until("\"kind\":\"ball\"").await;
        }
        service.memory().saturating_sub(before) as f64 / count as f64
    })
}
