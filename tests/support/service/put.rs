//! Puts a log into a database, for scenarios whose match would take long to play through the service.

use serde_json::Value;

use super::client::Client;
use super::database::Database;
use super::play::Match;
use super::rebuild::Rebuilder;
use super::shared::Service;
use crate::logs::{Log, canonical, sha256, without_hash};

/// The rows of one statement.
const AT_ONCE: usize = 100;
/// The scorer's token of a match that was put into a database.
const TOKEN: &str = "tu_the-scorer-of-a-match-that-was-put-here";

/// Puts a log into the database of a service, with a token of its scorer, and returns its match.
pub fn put_log(service: &Service, database: &Database, log: &Log) -> Match {
    put_log_for(service.client(), database, log)
}

/// Puts a log into the database of the service that this client asks.
pub fn put_log_for(client: &Client, database: &Database, log: &Log) -> Match {
    let events = log.events();
    let match_id = events[0]["match"].as_str().expect("an id").to_owned();
    let id = database.id(&match_id);
    let text = |event: &Value, member: &str| event[member].as_str().expect("a text").replace('\'', "''");
    let row = |event: &Value| {
        let (seq, body) = (&event["seq"], canonical(&without_hash(event)).replace('\'', "''"));
        let [kind, at, hash] = ["kind", "at", "hash"].map(|member| text(event, member));
        format!("({id}, {seq}, '{kind}', '{at}', '{body}', '{hash}')")
    };
    let mut session = database.session();
    for some in events.chunks(AT_ONCE) {
        let rows = some.iter().map(row).collect::<Vec<_>>().join(", ");
        let sql = format!("insert into events (match_id, seq, kind, at, body, hash) values {rows}");
        session.run(&sql).expect("events can be added");
    }
    let head =
        format!("insert into heads (match_id, seq, hash) values ({id}, {}, '{}')", log.len(), log.head());
    session.run(&head).expect("the match is new");
    let token = format!(
        "insert into tokens (match_id, role, purpose, hash) values ({id}, 'scorer', 'token', '{}')",
        sha256(TOKEN)
    );
    session.run(&token).expect("the match has no token");
    Rebuilder::open(&database.url).rebuild(&match_id);
    Match { client: client.clone(), id: match_id, token: TOKEN.to_owned() }
}
