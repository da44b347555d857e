//! The log of a match as it grows, one sealed event after the other.

use chrono::{DateTime, Utc};
use third_umpire::log::{Actor, Event, EventData, Head, MatchId};

use super::Log;

const MATCH_ID: &str = "019b8c2e-7a00-7c3d-9e4f-5a6b7c8d9e0f";
/// The time of the first event, 2026-01-31T14:00:00.000Z; the others follow seven seconds apart.
const FIRST_EVENT: i64 = 1_769_868_000;
const SECONDS_APART: i64 = 7;

/// The id of every match of the kit.
pub fn match_id() -> MatchId {
    MatchId::try_parse(MATCH_ID).unwrap()
}

/// The sealed events of a match so far.
#[derive(Clone, Debug, Default)]
pub struct SealedLog {
    pub head: Head,
    pub events: Vec<Event>,
    pub lines: Vec<String>,
}

impl SealedLog {
    /// The log of these events, all by the scorer.
    pub fn of(events: &[EventData]) -> SealedLog {
        let mut sealed = SealedLog::default();
        for event in events {
            sealed.append(sealed.next_time(), Actor::Scorer, event.clone());
        }
        sealed
    }

    /// The time of the next event, where a test sets none.
    pub fn next_time(&self) -> DateTime<Utc> {
        DateTime::from_timestamp(FIRST_EVENT + SECONDS_APART * self.head.seq as i64, 0).unwrap()
    }

    /// Seals an event. The actor of the event that completes a match is always the service.
    pub fn append(&mut self, at: DateTime<Utc>, actor: Actor, data: EventData) -> &Event {
        let actor = if matches!(data, EventData::MatchCompleted(_)) { Actor::Service } else { actor };
        let (event, entry) =
            Event::seal(match_id(), &self.head, at, actor, data).expect("the event can be written");
        self.head = event.head();
        self.lines.push(entry.line());
        self.events.push(event);
        &self.events[self.events.len() - 1]
    }

    pub fn log(&self) -> Log {
        Log::of_lines(self.lines.clone())
    }
}
