//! The cost of a ball and of a card in a store with few matches and with many.

use std::time::Duration;

use super::report::{Reach, Row, grouped};
use super::scorer::Scorer;
use super::stage::{Service, Stage};
use super::turns::{Scale, median};
use super::wire::Crowd;
use third_umpire_test_support::service::{Engine, Session};

pub fn rows(scale: Scale) -> Vec<Row> {
    [Engine::Sqlite, Engine::Postgres].into_iter().flat_map(|engine| rows_on(scale, engine)).collect()
}

fn rows_on(scale: Scale, engine: Engine) -> Vec<Row> {
    let sizes = scale.pick([10, 10_000, 200_000], [10, 20, 40]);
    let stages: Vec<Stage> = sizes.iter().filter_map(|size| filled(engine, *size)).collect();
    if stages.len() < sizes.len() {
        return Vec::new();
    }
    let services: Vec<Service> = stages.iter().map(Stage::serve).collect();
    let mut figures = vec![(Vec::new(), Vec::new()); sizes.len()];
    for _ in 0..scale.pick(5, 1) {
        for (service, (balls, cards)) in services.iter().zip(&mut figures) {
            let (ball, card) = measured(scale, service);
            balls.push(ball);
            cards.push(card);
        }
    }
    let medians: Vec<(f64, f64)> = figures
        .into_iter()
        .map(|(balls, cards)| (median(balls.into_iter()), median(cards.into_iter())))
        .collect();
    let row = |work: &str, of: fn(&(f64, f64)) -> f64, size: usize| {
        let (small, large) = (of(&medians[0]), of(&medians[size]));
        let work = format!("{work} with {} matches in the store, {engine:?}", grouped(sizes[size] as f64));
        let mut row = Row::alone(&work, small / large, format!("{} /s", grouped(large)), Reach::AtMost(1.15));
        row.against = format!("the same with {}", sizes[0]);
        row.theirs = format!("{} /s", grouped(small));
        row
    };
    (1..sizes.len())
        .flat_map(|size| [row("append", |pair| pair.0, size), row("cold card", |pair| pair.1, size)])
        .collect()
}

/// A store with this many matches: ten of one over were played, the others are copies under other ids.
fn filled(engine: Engine, matches: u32) -> Option<Stage> {
    let stage = Stage::set(engine)?;
    {
        let service = stage.serve();
        let mut scorers = Crowd::gather(1, async |number| Scorer::connect(&service.address, number).await);
        scorers.first(async |scorer| {
            for _ in 0..10 {
                scorer.play_match(1).await;
            }
        });
    }
    let mut session = Session::open(&stage.url).expect("the database answers");
    for statement in copies(engine, matches.saturating_sub(10) / 10) {
        session.run(&statement).expect("rows can be copied");
    }
    Some(stage)
}

/// The statements that copy every match this many times.
fn copies(engine: Engine, times: u32) -> Vec<String> {
    let (other_id, numbers, settle) = match engine {
        Engine::Postgres => (
            "overlay(match_id::text placing lpad(to_hex(n), 8, '0') from 29)::uuid",
            format!("generate_series(1, {times}) as numbers (n)"),
            "vacuum analyze",
        ),
        Engine::Sqlite => (
            "substr(match_id, 1, 12) || unhex(printf('%08x', n))",
            format!(
                "(with recursive numbers (n) as (select 1 where {times} > 0 union all select n + 1 from numbers where n < {times}) select n from numbers)"
            ),
            "analyze",
        ),
    };
    let tables = [
        ("events", "seq, kind, at, body, hash"),
        ("heads", "seq, hash"),
        ("secrets", "server_seed"),
        ("tokens", "role, purpose, hash"),
        ("match_list", "game, home, away, status, body"),
        ("views", "name, hash, body"),
    ];
    let copy = |(table, columns): (&str, &str)| {
        format!(
            "insert into {table} (match_id, {columns}) select {other_id}, {columns} from {table}, {numbers}"
        )
    };
    tables.into_iter().map(copy).chain([settle.to_owned()]).collect()
}

/// Balls and cards a second; the cards are of completed matches that nobody has read before.
fn measured(scale: Scale, service: &Service) -> (f64, f64) {
    let lasting = scale.pick(Duration::from_secs(2), Duration::from_millis(50));
    let mut crowd = Crowd::gather(8, async |number| Scorer::connect(&service.address, number).await);
    crowd.each(Scorer::begin_match);
    let balls = crowd.busy(lasting, Scorer::bowl);
    let cards = listed(service);
    let mut readers = Crowd::gather(8, async |number| {
        let scorer = Scorer::connect(&service.address, number).await;
        (scorer, cards.clone(), number)
    });
    let read = readers.busy(lasting, async |(scorer, cards, count)| {
        *count += 1;
        let path = &cards[*count % cards.len()];
        scorer.wire().request("GET", path, "", "", 200).await;
    });
    let rate = |load: super::wire::Load| load.latencies.len() as f64 / load.taken.as_secs_f64();
    (rate(balls), rate(read))
}

/// The paths of scorecards of completed matches.
fn listed(service: &Service) -> Vec<String> {
    let mut readers = Crowd::gather(1, async |number| Scorer::connect(&service.address, number).await);
    readers.first(async |scorer| {
        let list = "/v1/matches?status=completed&limit=100";
        let page = scorer.wire().request("GET", list, "", "", 200).await;
        let page: serde_json::Value = serde_json::from_slice(page).expect("answers are JSON");
        let matches = page["matches"].as_array().expect("a page has matches");
        let path =
            |one: &serde_json::Value| one["id"].as_str().map(|id| format!("/v1/matches/{id}/scorecard"));
        matches.iter().filter_map(path).collect()
    })
}
