//! Scorecards over HTTP, against a handler of the same framework that answers the same bytes from memory.

use std::net::TcpListener;
use std::time::Duration;

use actix_web::{App, HttpResponse, HttpServer, web};

use super::report::{Reach, Row};
use super::scorer::Scorer;
use super::stage::Stage;
use super::turns::{Done, Scale, in_turn};
use super::wire::{Crowd, Wire};
use third_umpire_test_support::service::Engine;

const CLIENTS: usize = 32;

pub fn rows(scale: Scale) -> Vec<Row> {
    [Engine::Sqlite, Engine::Postgres].into_iter().filter_map(|engine| row(scale, engine)).collect()
}

fn row(scale: Scale, engine: Engine) -> Option<Row> {
    let stage = Stage::set(engine)?;
    let service = stage.serve();
    let mut scorers = Crowd::gather(1, async |number| Scorer::connect(&service.address, number).await);
    let path = scorers.first(async |scorer| format!("{}/scorecard", scorer.enter_match(100).await));
    let card =
        scorers.first(async |scorer| scorer.wire().request("GET", &path, "", "", 200).await.to_owned());
    let (memory, handler) = from_memory(card);
    let lasting = scale.pick(Duration::from_secs(2), Duration::from_millis(50));
    let readers = |address: &str, path: &str| {
        let mut crowd = Crowd::gather(CLIENTS, async |_| Wire::connect(address).await);
        let load = crowd.busy(lasting, async |wire| {
            wire.request("GET", path, "", "", 200).await;
        });
        Done { units: load.latencies.len() as u64, taken: load.taken }
    };
    let compared =
        in_turn(scale.pick(7, 1), || readers(&service.address, &path), || readers(&memory, "/scorecard"));
    drop(handler);
    let work = format!("GET scorecard of a match in play, {engine:?}, {CLIENTS} clients");
    Some(Row::rates(&work, "a handler that answers the same from memory", "", compared, Reach::AtLeast(0.6)))
}

/// Serves one text from memory, until this process ends.
fn from_memory(card: Vec<u8>) -> (String, std::thread::JoinHandle<()>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("there is a port");
    let address = listener.local_addr().expect("the listener has an address").to_string();
    let serving = std::thread::spawn(move || {
        let card = web::Bytes::from(card);
        let app = move || {
            let card = card.clone();
            App::new().route(
                "/scorecard",
                web::get().to(move || {
                    let card = card.clone();
                    async move { HttpResponse::Ok().content_type("application/json").body(card) }
                }),
            )
        };
        let server =
            HttpServer::new(app).disable_signals().listen(listener).expect("the server listens").run();
        actix_web::rt::System::new().block_on(server).expect("the server runs");
    });
    (address, serving)
}
