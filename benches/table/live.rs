//! Those who watch: how soon the last of a thousand has a ball, how soon a second phone has the score, and a
//! first visit of twenty phones at once.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use futures_util::future::{join, join_all};
use serde_json::Value;
use tokio::runtime::Builder;

use super::report::{Reach, Row};
use super::scorer::{Preferred, Scorer};
use super::stage::Stage;
use super::turns::{Scale, median};
use super::wire::{Crowd, EventStream, Wire};
use third_umpire_test_support::service::Engine;

pub fn rows(scale: Scale) -> Vec<Row> {
    let stages: Vec<Stage> = [Engine::Sqlite, Engine::Postgres].into_iter().filter_map(Stage::set).collect();
    let watched = stages.iter().map(|stage| last_of_all(scale, stage));
    let beside = stages.iter().map(|stage| second_phone(scale, stage));
    watched.chain(beside).chain(stages.iter().take(1).map(|stage| first_visits(scale, stage))).collect()
}

fn milliseconds(work: &str, times: &[Duration], most: f64) -> Row {
    let of = |time: &Duration| time.as_secs_f64() * 1e3;
    let middle = median(times.iter().map(of));
    let (low, high) = (times.iter().min().map_or(0.0, of), times.iter().max().map_or(0.0, of));
    let mut row = Row::alone(work, middle, format!("{middle:.1} ms"), Reach::AtMost(most));
    row.spread = Some((low, high));
    row
}

/// The time from the request of a ball until the last subscriber has it. They share the processors with the
/// service.
fn last_of_all(scale: Scale, stage: &Stage) -> Row {
    let count = scale.pick(1_000, 10);
    let service = stage.serve();
    let runtime = Builder::new_current_thread().enable_all().build().expect("a runtime can be built");
    let times: Vec<Duration> = runtime.block_on(async {
        let mut scorer = Scorer::connect(&service.address, 0).await;
        scorer.begin_table_match().await;
        let mut streams = EventStream::many(count, &service.address, scorer.path()).await;
        let mut times = Vec::new();
        for _ in 0..scale.pick(101, 2) {
            let sent = Instant::now();
            let all = join_all(streams.iter_mut().map(|stream| stream.read_until("\"kind\":\"ball\"")));
            join(scorer.bowl(), all).await;
            times.push(sent.elapsed());
        }
        times
    });
    let engine = stage.engine;
    milliseconds(
        &format!("from a ball's request until the last of {count} subscribers has it, {engine:?} (ms)"),
        &times,
        30.0,
    )
}

/// The time from the request with a ball's last die until a second phone has the score: it follows the match,
/// and reads it once the ball is told, as a page does.
fn second_phone(scale: Scale, stage: &Stage) -> Row {
    let service = stage.serve();
    let runtime = Builder::new_current_thread().enable_all().build().expect("a runtime can be built");
    let times: Vec<Duration> = runtime.block_on(async {
        let mut scorer = Scorer::connect(&service.address, 0).await.preferring(Preferred::Representation);
        scorer.begin_table_match().await;
        let path = scorer.path().to_owned();
        let mut streams = EventStream::many(1, &service.address, &path).await;
        let mut wire = Wire::connect(&service.address).await;
        let mut times = Vec::new();
        for ball in 1..=scale.pick(101, 2) {
            let sent = Instant::now();
            let second = async {
                streams[0].read_until("\"kind\":\"ball\"").await;
                let view: Value = serde_json::from_slice(wire.request("GET", &path, "", "", 200).await)
                    .expect("a view is JSON");
                assert_eq!(view["situation"]["last"]["delivery"], ball, "the view has the ball");
                sent.elapsed()
            };
            let ((), took) = join(scorer.bowl(), second).await;
            times.push(took);
        }
        times
    });
    let engine = stage.engine;
    milliseconds(
        &format!(
            "from the request with a ball's last die until a second phone has the score, {engine:?} (ms)"
        ),
        &times,
        30.0,
    )
}

/// The time until the last of twenty phones has all that a first visit of the list of matches loads.
fn first_visits(scale: Scale, stage: &Stage) -> Row {
    const PHONES: usize = 20;
    let service = stage.serve();
    let mut scorers = Crowd::gather(1, async |number| Scorer::connect(&service.address, number).await);
    scorers.each(async |scorer| {
        for _ in 0..scale.pick(50, 2) {
            scorer.begin_match().await;
        }
    });
    let runtime = Builder::new_current_thread().enable_all().build().expect("a runtime can be built");
    let visit = || async {
        let mut wire = Wire::connect(&service.address).await;
        let page = wire.request("GET", "/", "Accept: text/html\r\n", "", 200).await;
        for file in files_of(&String::from_utf8_lossy(page)) {
            wire.request("GET", &file, "Accept-Encoding: gzip\r\n", "", 200).await;
        }
        for read in ["/v1/games", "/v1/matches?limit=20"] {
            wire.request("GET", read, "", "", 200).await;
        }
    };
    let times: Vec<Duration> = (0..scale.pick(31, 2))
        .map(|_| {
            let begun = Instant::now();
            runtime.block_on(join_all((0..PHONES).map(|_| visit())));
            begun.elapsed()
        })
        .collect();
    milliseconds("a first visit of 20 phones at once, until the last has all (ms)", &times, 100.0)
}

/// The files that a page names.
fn files_of(page: &str) -> BTreeSet<String> {
    let named = page.split("=\"").skip(1).filter_map(|rest| rest.split('"').next());
    let files: BTreeSet<String> =
        named.filter(|value| value.starts_with('/') && value.contains('.')).map(str::to_owned).collect();
    assert!(files.len() >= 4, "a page has a sheet, words, a script and an icon: {files:?}");
    files
}
