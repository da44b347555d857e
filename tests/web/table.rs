//! A service on the table: the program as a process, at the name of an address that is no secure context.
//! Or the service in the process of the tests, for the games that are theirs alone.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use third_umpire_test_support::coin_cricket::every_game;
use third_umpire_test_support::logs::Log;
use third_umpire_test_support::program::Scratch;
use third_umpire_test_support::service::{
    Client, Database, Engine, InProcess, Match, Process, Serving, put_log_for,
};

use crate::liar::{Liar, Trace};
use crate::port::free_port;
use crate::proxy::Proxy;

/// The file of its store, and of the copy of that.
const STORE: &str = "table.db";
const COPY: &str = "copy.db";
/// The name of the service for the phones on its network, and all of its names.
const PHONES: &str = "table.test";
const NAMES: &str = "table.test,pavilion.test";

/// A service that can be stopped and started again at its address.
pub struct Table {
    process: Option<Process>,
    port: u16,
    client: Client,
    /// The service of the tests' own games, which cannot be stopped.
    within: Option<InProcess>,
    folder: Scratch,
    /// The key that whoever creates a match has to know.
    key: Option<&'static str>,
    /// Whether it serves the network around.
    serves_around: bool,
    /// How much the service logs.
    log: &'static str,
    /// What the processes that have ended had printed and logged.
    told: String,
}

impl Table {
    pub fn laid() -> Table {
        Table::of(None, false, "warn")
    }

    /// A service whose matches are created with a key.
    pub fn with_key(key: &'static str) -> Table {
        Table::of(Some(key), false, "warn")
    }

    /// A service of the network around (`--table`), with this key of its own.
    pub fn around(key: &'static str) -> Table {
        Table::of(Some(key), true, "warn")
    }

    /// A service whose matches are created with a key, and that logs what it does.
    pub fn talkative(key: &'static str) -> Table {
        Table::of(Some(key), false, "debug")
    }

    fn of(key: Option<&'static str>, serves_around: bool, log: &'static str) -> Table {
        let port = free_port();
        let client = Client::new(&format!("http://127.0.0.1:{port}"));
        let (folder, told) = (Scratch::new(), String::new());
        let within = None;
        let mut table = Table { process: None, port, client, within, folder, key, serves_around, log, told };
        table.starts();
        table
    }

    /// A service in the process of the tests, for the games of the tests as well.
    pub fn with_test_games() -> Table {
        let folder = Scratch::new();
        let database = format!("sqlite://{}", folder.file(STORE));
        let within = InProcess::named(&database, every_game(), PHONES);
        let authority = within.client().authority().to_owned();
        let port = authority.rsplit(':').next().and_then(|port| port.parse().ok()).expect("a port");
        let client = Client::new(&format!("http://{authority}"));
        Table {
            process: None,
            port,
            client,
            within: Some(within),
            folder,
            key: None,
            serves_around: false,
            log: "error",
            told: String::new(),
        }
    }

    pub fn starts(&mut self) {
        let listen = format!("{}:{}", if self.serves_around { "0.0.0.0" } else { "127.0.0.1" }, self.port);
        let database = format!("sqlite://{}", self.folder.file(STORE));
        let key = self.key.map(|key| ["--admin-token", key]);
        let around: &[&str] = if self.serves_around { &["--table"] } else { &[] };
        let key: &[&str] = key.as_ref().map_or(&[], |key| key);
        let arguments = [&["--host", NAMES][..], key, around].concat();
        let serving = Serving { listen: &listen, arguments: &arguments, log: self.log, ..Serving::default() };
        self.process = Some(Process::start(&database, self.folder.path(), serving));
    }

    pub fn stops(&mut self) {
        self.told += &self.process.take().expect("the service runs").kill();
    }

    /// Copies the store of a service that is stopped.
    pub fn copies_store(&self) {
        self.moves_store(STORE, COPY);
    }

    /// Puts the store of a service that is stopped back to its copy.
    pub fn puts_store_back(&self) {
        self.moves_store(COPY, STORE);
    }

    fn moves_store(&self, from: &str, to: &str) {
        for file in ["", "-wal"] {
            let (from, to) =
                (self.folder.file(&format!("{from}{file}")), self.folder.file(&format!("{to}{file}")));
            let _ = fs::remove_file(&to);
            if Path::new(&from).exists() {
                fs::copy(from, to).expect("the store is copied");
            }
        }
        // It is an index of the file beside it, which is made anew.
        let _ = fs::remove_file(self.folder.file(&format!("{to}-shm")));
    }

    /// All that the service has printed and logged, on which it stops.
    pub fn tells_all(&mut self) -> String {
        self.stops();
        std::mem::take(&mut self.told)
    }

    pub fn client(&self) -> &Client {
        &self.client
    }

    /// The address of the pages as a phone on the same network has it: no secure context.
    pub fn address(&self) -> String {
        format!("http://{PHONES}:{}", self.port)
    }

    /// A wire to the service, and the address of the pages through it.
    pub fn wired(&self) -> (Proxy, String) {
        let proxy = Proxy::to(self.port);
        let address = format!("http://table.test:{}", proxy.port);
        (proxy, address)
    }

    /// A wire to the service that lies, and the address of the pages through it.
    pub fn lied_about(&self, seed: u64, trace: &Trace) -> (Liar, String) {
        let liar = Liar::to(self.port, seed, trace);
        let address = format!("http://table.test:{}", liar.port);
        (liar, address)
    }

    /// The address of the pages on the machine itself: a secure context.
    pub fn loopback(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// Puts a log into the store, and returns its match.
    pub fn keeps(&self, log: &Log) -> Match {
        let store = Database::at(Engine::Sqlite, format!("sqlite://{}", self.folder.file(STORE)));
        put_log_for(self.client(), &store, log)
    }

    /// A match whose first ball is due.
    pub fn begun(&self, request: &Value) -> Match {
        let played = Match::create(self.client(), request);
        played.begin();
        played
    }
}

/// The path of a match's pad, with the token of its scorer.
pub fn pad_of(played: &Match) -> String {
    format!("/m/{}/score#scorer={}", played.id, played.token)
}

/// The events of a match from the first ball on, without what differs from match to match.
pub fn play_of(played: &Match) -> Vec<Value> {
    let events = played.events();
    let begun =
        events.iter().filter(|event| !["match_created", "toss", "toss_decided"].contains(&kind(event)));
    begun
        .map(|event| json!({"kind": event["kind"], "actor": event["actor"], "data": event["data"]}))
        .collect()
}

fn kind(event: &Value) -> &str {
    event["kind"].as_str().unwrap_or_default()
}

/// How many balls a match has.
pub fn balls_of(played: &Match) -> usize {
    played.events().iter().filter(|event| kind(event) == "ball").count()
}

impl Drop for Table {
    fn drop(&mut self) {
        // The service would wait for open connections, so they go first.
        self.client = Client::new("");
        drop(self.within.take());
    }
}
