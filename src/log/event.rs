use chrono::{DateTime, SubsecRound, Utc};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;
use uuid::Uuid;

use super::chain::hash_of;
use super::{EventData, Head, NotCanonical, canonical};

/// The id of a match: a UUID of version 7, so that ids sort by the time of creation.
pub type MatchId = Uuid;

/// The version of the event schemas this program writes.
pub const SCHEMA_VERSION: u32 = 1;

/// On whose word an event was appended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Actor {
    /// The holder of the scorer's token.
    Scorer,
    /// The home side.
    Home,
    /// The away side.
    Away,
    /// An umpire.
    Umpire,
    /// The holder of the admin token.
    Admin,
    /// Nobody: the rules asked for it.
    Service,
}

impl Actor {
    /// The name used on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Actor::Scorer => "scorer",
            Actor::Home => "home",
            Actor::Away => "away",
            Actor::Umpire => "umpire",
            Actor::Admin => "admin",
            Actor::Service => "service",
        }
    }
}

/// A recorded event that cannot have happened as it stands: the field, and what is wrong with it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{field}: {reason}")]
pub struct Broken {
    /// The place in the event, e.g. `data.outcome.striker`.
    pub field: String,
    /// What is wrong, and what would be right.
    pub reason: String,
}

impl Broken {
    /// A field and what is wrong with it.
    pub fn new(field: impl Into<String>, reason: impl Into<String>) -> Broken {
        Broken { field: field.into(), reason: reason.into() }
    }
}

/// An event of the log: the envelope and what it says.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct Event {
    /// The match.
    #[serde(rename = "match")]
    #[schema(value_type = Uuid)]
    pub match_id: MatchId,
    /// The place in the match's log, from 1 without gaps.
    pub seq: u64,
    /// When it was appended: RFC 3339, UTC, milliseconds.
    #[serde(with = "at_format")]
    pub at: DateTime<Utc>,
    /// On whose word.
    pub actor: Actor,
    /// Its kind and data.
    #[serde(flatten)]
    pub data: EventData,
    /// The version of its schema.
    pub v: u32,
    /// The hash of the event before; empty for the first.
    pub prev: String,
    /// SHA-256, in lower-case hexadecimal, of the canonical form of all the rest.
    pub hash: String,
}

impl Event {
    /// Makes the event that follows `head`, hashed, with the text that was hashed.
    pub fn seal(
        match_id: MatchId,
        head: &Head,
        at: DateTime<Utc>,
        actor: Actor,
        data: EventData,
    ) -> Result<(Event, Entry), NotCanonical> {
        let seq = head.seq + 1;
        let mut event = Event {
            match_id,
            seq,
            at,
            actor,
            data,
            v: SCHEMA_VERSION,
            prev: head.hash.clone(),
            hash: String::new(),
        };
        let Ok(Value::Object(mut members)) = serde_json::to_value(&event) else {
            unreachable!("an event is a JSON object");
        };
        members.remove("hash");
        let body = canonical(&Value::Object(members))?;
        event.hash = hash_of(&body);
        let entry = Entry { seq, hash: event.hash.clone(), body };
        Ok((event, entry))
    }

    /// The head of a log that ends with this event.
    pub fn head(&self) -> Head {
        Head { seq: self.seq, hash: self.hash.clone() }
    }
}

/// An event as text: what was hashed, and the hash.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Its place in the log.
    pub seq: u64,
    /// The canonical form without the hash.
    pub body: String,
    /// The hash.
    pub hash: String,
}

const HASH_KEY: &str = "\"hash\":\"";
const KIND_KEY: &str = ",\"kind\":\"";

impl Entry {
    /// The event's line in a match log file, without the line end: the canonical form, hash and all.
    ///
    /// In canonical order `hash` stands between `data` and `kind`, and nothing after `kind` can hold a quoted key.
    pub fn line(&self) -> String {
        let cut = self.body.rfind(KIND_KEY).map_or(0, |at| at + 1);
        format!("{}{HASH_KEY}{}\",{}", &self.body[..cut], self.hash, &self.body[cut..])
    }

    /// Takes a line in canonical form apart again.
    pub fn of_line(line: &str, event: &RawEvent) -> Entry {
        let hashed = format!("{HASH_KEY}{}\"", event.hash);
        let halves = line.rfind(KIND_KEY).and_then(|kind| {
            let before = line[..kind].strip_suffix(&hashed)?;
            Some((before, &line[kind + 1..]))
        });
        let body = halves.map_or_else(|| line.to_owned(), |(before, after)| format!("{before}{after}"));
        Entry { seq: event.seq, body, hash: event.hash.clone() }
    }

    /// Reads the event.
    pub fn read(&self) -> Result<Event, Broken> {
        let broken = |error: serde_json::Error| Broken::new("event", error.to_string());
        let mut members: Map<String, Value> = serde_json::from_str(&self.body).map_err(broken)?;
        members.insert("hash".to_owned(), Value::from(self.hash.as_str()));
        RawEvent::deserialize(&Value::Object(members)).map_err(broken)?.read()
    }
}

/// An event from outside, of which only the envelope has been read.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RawEvent {
    /// The match.
    #[serde(rename = "match", deserialize_with = "match_id")]
    pub match_id: MatchId,
    /// The place in the log.
    pub seq: u64,
    /// When.
    #[serde(with = "at_format")]
    pub at: DateTime<Utc>,
    /// On whose word.
    pub actor: Actor,
    /// Its kind, as it stands.
    pub kind: String,
    /// The version of its schema.
    pub v: u32,
    /// Its data, unread.
    pub data: Value,
    /// The hash of the event before.
    pub prev: String,
    /// Its own hash.
    pub hash: String,
}

impl RawEvent {
    /// Reads the data as its kind has it.
    pub fn read(self) -> Result<Event, Broken> {
        let data = EventData::read(&self.kind, self.v, &self.data)?;
        let RawEvent { match_id, seq, at, actor, v, prev, hash, .. } = self;
        Ok(Event { match_id, seq, at, actor, data, v, prev, hash })
    }
}

/// A match id as it is written, and in no other of the forms a UUID has.
fn match_id<'de, D: Deserializer<'de>>(deserializer: D) -> Result<MatchId, D::Error> {
    let text = String::deserialize(deserializer)?;
    MatchId::try_parse(&text)
        .ok()
        .filter(|id| id.to_string() == text)
        .ok_or_else(|| D::Error::custom(format!("{text:?} is not a UUID in lower case, with hyphens")))
}

/// The time now, to the millisecond.
pub fn now() -> DateTime<Utc> {
    Utc::now().trunc_subsecs(3)
}

/// How `at` is written: RFC 3339, UTC, milliseconds, `Z`.
pub mod at_format {
    use chrono::{DateTime, NaiveDateTime, Utc};
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    const FORMAT: &str = "%Y-%m-%dT%H:%M:%S%.3fZ";
    /// Years have four digits.
    const LENGTH: usize = "2026-01-31T09:30:00.000Z".len();

    /// Writes the time.
    pub fn write(at: &DateTime<Utc>) -> String {
        at.format(FORMAT).to_string()
    }

    /// Serializes the time.
    pub fn serialize<S: Serializer>(at: &DateTime<Utc>, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&write(at))
    }

    /// Reads the time, and refuses any other way to write it.
    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<DateTime<Utc>, D::Error> {
        let text = String::deserialize(deserializer)?;
        NaiveDateTime::parse_from_str(&text, FORMAT)
            .ok()
            .map(|naive| naive.and_utc())
            .filter(|at| write(at) == text && text.len() == LENGTH)
            .ok_or_else(|| D::Error::custom(format!("{text:?} is not a time like 2026-01-31T09:30:00.000Z")))
    }
}
