//! Events and their envelope: match, sequence number, time, actor, and the hashes that chain them.

use std::borrow::Cow;

use chrono::{DateTime, Utc};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;
use uuid::Uuid;

use super::{Actor, EventData, Head, InvalidEvent, NotPlain, read_members};

/// The id of a match: a UUID. A service makes them of version 7, so that ids sort by the time of creation.
pub type MatchId = Uuid;

/// An event of the log: its envelope and its data.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct Event {
    /// The id of the match.
    #[serde(rename = "match")]
    #[schema(value_type = Uuid)]
    pub match_id: MatchId,
    /// The place in the match's log, from 1 without gaps.
    pub seq: u64,
    /// The time of the append: RFC 3339, UTC, milliseconds.
    #[serde(with = "at_format")]
    pub at: DateTime<Utc>,
    /// The author of the event.
    pub actor: Actor,
    /// The kind and the data of the event.
    #[serde(flatten)]
    pub data: EventData,
    /// The version of the event's schema.
    pub v: u32,
    /// The hash of the event before; empty for the first.
    pub prev: String,
    /// SHA-256, in lower-case hexadecimal, of the canonical form of all other members.
    pub hash: String,
}

impl Event {
    /// The head of a log that ends with this event.
    pub fn head(&self) -> Head {
        Head { seq: self.seq, hash: self.hash.clone() }
    }
}

/// An event as text: the canonical form that was hashed, and the hash.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The sequence number in the log.
    pub seq: u64,
    /// The canonical form without the hash.
    pub body: String,
    /// The hash of the body.
    pub hash: String,
}

const HASH_KEY: &str = "\"hash\":\"";
pub(super) const KIND_KEY: &str = ",\"kind\":\"";

impl Entry {
    /// The head of a log that ends in this event.
    pub fn head(&self) -> Head {
        Head { seq: self.seq, hash: self.hash.clone() }
    }

    /// The line of the event in a match log file, without the line feed: the canonical form with the hash.
    ///
    /// In canonical order `hash` is between `data` and `kind`, and nothing after `kind` can contain a quoted
    /// key.
    pub fn line(&self) -> String {
        let cut = self.body.rfind(KIND_KEY).map_or(0, |at| at + 1);
        [&self.body[..cut], HASH_KEY, &self.hash, "\",", &self.body[cut..]].concat()
    }

    /// Takes a line in canonical form apart: the inverse of [`line`](Self::line).
    pub fn of_line(line: &str, event: &RawEvent) -> Entry {
        let halves = line.rfind(KIND_KEY).and_then(|kind| {
            let before = line[..kind].strip_suffix('"')?.strip_suffix(&event.hash)?.strip_suffix(HASH_KEY)?;
            Some([before, &line[kind + 1..]].concat())
        });
        Entry { seq: event.seq, body: halves.unwrap_or_else(|| line.to_owned()), hash: event.hash.clone() }
    }

    /// Reads the event step by step; unlike the fast reader, it says what is wrong.
    pub(super) fn read_by_members(&self) -> Result<Event, InvalidEvent> {
        let no_json = |error| InvalidEvent::new("event", NotPlain::from(error).to_string());
        let mut members: Map<String, Value> = serde_json::from_str(&self.body).map_err(no_json)?;
        members.insert("hash".to_owned(), Value::from(self.hash.as_str()));
        read_members::<RawEvent>(&members).map_err(|fault| InvalidEvent::of_value("event", &fault))?.read()
    }
}

/// An event from outside. Its envelope has been read, and its data too if there was no doubt about it.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RawEvent {
    /// The id of the match.
    #[serde(rename = "match", deserialize_with = "match_id")]
    pub match_id: MatchId,
    /// The place in the log.
    pub seq: u64,
    /// The time of the append.
    #[serde(with = "at_format")]
    pub at: DateTime<Utc>,
    /// The author of the event.
    pub actor: Actor,
    /// The kind of the event, known or not.
    pub kind: Cow<'static, str>,
    /// The version of the event's schema.
    pub v: u32,
    /// The data of the event.
    pub data: RawData,
    /// The hash of the event before.
    pub prev: String,
    /// The hash of the event.
    pub hash: String,
}

/// The data of an event from outside.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(from = "Value")]
#[expect(clippy::large_enum_variant, reason = "nearly every event is read whole, and lives for a moment")]
pub enum RawData {
    /// Data that has been read by its kind, with no unknown members.
    Whole(EventData),
    /// Data that has not been read yet.
    Unread(Value),
}

impl From<Value> for RawData {
    fn from(data: Value) -> RawData {
        RawData::Unread(data)
    }
}

impl RawEvent {
    /// Reads the data by its kind.
    pub fn read(self) -> Result<Event, InvalidEvent> {
        let data = match self.data {
            RawData::Whole(data) => data,
            RawData::Unread(data) => EventData::read(&self.kind, self.v, &data)?,
        };
        let RawEvent { match_id, seq, at, actor, v, prev, hash, .. } = self;
        Ok(Event { match_id, seq, at, actor, data, v, prev, hash })
    }
}

fn match_id<'de, D: Deserializer<'de>>(deserializer: D) -> Result<MatchId, D::Error> {
    let text = String::deserialize(deserializer)?;
    read_match_id(&text)
        .ok_or_else(|| D::Error::custom(format!("{text:?} is not a UUID in lower case, with hyphens")))
}

/// Reads a match id in lower case with hyphens, and in no other form of a UUID.
pub(super) fn read_match_id(text: &str) -> Option<MatchId> {
    let id = MatchId::try_parse(text).ok()?;
    (id.hyphenated().encode_lower(&mut Uuid::encode_buffer()) == text).then_some(id)
}

/// The format of `at`: RFC 3339, UTC, milliseconds, `Z`.
pub mod at_format {
    use chrono::{DateTime, NaiveDate, SecondsFormat, Utc};
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    const FORM: &[u8] = b"0000-00-00T00:00:00.000Z";

    /// Writes a time.
    pub fn write(at: &DateTime<Utc>) -> String {
        at.to_rfc3339_opts(SecondsFormat::Millis, true)
    }

    /// Reads a time, if it is written in this format.
    pub fn read(text: &str) -> Option<DateTime<Utc>> {
        let text = text.as_bytes();
        let in_form =
            |(byte, form): (&u8, &u8)| if *form == b'0' { byte.is_ascii_digit() } else { byte == form };
        if text.len() != FORM.len() || !text.iter().zip(FORM).all(in_form) {
            return None;
        }
        let number = |from: usize, to: usize| {
            text[from..to].iter().fold(0, |number, digit| number * 10 + u32::from(digit - b'0'))
        };
        // A leap second, written :60, has 1,000 or more milliseconds.
        let leap = u32::from(number(17, 19) == 60);
        NaiveDate::from_ymd_opt(number(0, 4) as i32, number(5, 7), number(8, 10))?
            .and_hms_milli_opt(
                number(11, 13),
                number(14, 16),
                number(17, 19) - leap,
                number(20, 23) + 1000 * leap,
            )
            .map(|naive| naive.and_utc())
    }

    /// Serializes a time.
    pub fn serialize<S: Serializer>(at: &DateTime<Utc>, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&write(at))
    }

    /// Deserializes a time, and refuses any other format.
    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<DateTime<Utc>, D::Error> {
        let text = String::deserialize(deserializer)?;
        read(&text)
            .ok_or_else(|| D::Error::custom(format!("{text:?} is not a time like 2026-01-31T09:30:00.000Z")))
    }
}

#[cfg(test)]
mod tests {
    use chrono::{DateTime, NaiveDateTime};
    use proptest::prelude::*;

    use super::at_format;

    const FORMAT: &str = "%Y-%m-%dT%H:%M:%S%.3fZ";

    /// Texts close to a time: digits where digits belong, and now and then something else.
    fn near_a_time() -> impl Strategy<Value = String> {
        "[0-9]{4}-[01][0-9]-[0-3][0-9]T[0-2][0-9]:[0-6][0-9]:[0-6][0-9]\\.[0-9]{3}Z|[0-9+]{4,5}-0[1-9]-1[0-9]T.{12,14}"
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2_000))]

        #[test]
        fn times_are_read_back_as_they_were_written(at in -62_167_219_200_000..253_402_300_800_000i64) {
            let at = DateTime::from_timestamp_millis(at).unwrap();
            prop_assert_eq!(at_format::read(&at_format::write(&at)), Some(at));
        }

        #[test]
        fn only_a_time_that_chrono_reads_and_writes_back_is_a_time(text in near_a_time()) {
            let naive = NaiveDateTime::parse_from_str(&text, FORMAT).ok().map(|naive| naive.and_utc());
            let by_chrono = naive.filter(|at| text.len() == 24 && at_format::write(at) == text);
            prop_assert_eq!(at_format::read(&text), by_chrono);
        }
    }
}
