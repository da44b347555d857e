//! A stream of events as a client reads it: messages with events of the log, resets, and signs of life.

use std::io::{BufRead, BufReader};

use serde_json::{Value, json};
use ureq::BodyReader;

use super::contract::CONTRACT;
use super::play::Head;

/// A stream of server-sent events.
pub struct EventStream {
    lines: BufReader<BodyReader<'static>>,
}

/// The name of the event that keeps a quiet stream alive.
const ALIVE: &str = "alive";

/// A message of the stream: its id, its event name, if any, and its data.
struct Message {
    id: Option<String>,
    name: Option<String>,
    data: Value,
}

impl EventStream {
    pub fn new(lines: BufReader<BodyReader<'static>>) -> EventStream {
        EventStream { lines }
    }

    /// The next `count` events.
    #[track_caller]
    pub fn take(&mut self, count: usize) -> Vec<Value> {
        (0..count).map(|_| self.next_event().expect("the stream goes on")).collect()
    }

    /// The next event; `None` when the stream ends. Signs of life are skipped.
    #[track_caller]
    pub fn next_event(&mut self) -> Option<Value> {
        let Message { id, name, data: event } = self.message()?;
        assert_eq!(name, None, "an event of the log has no name here: {event}");
        CONTRACT.check_event(&event);
        assert_eq!(id, Some(event["seq"].to_string()), "the id of an event is its seq");
        Some(event)
    }

    /// The head in a `reset`, which is sent when the log has fewer events than the client.
    #[track_caller]
    pub fn reset(&mut self) -> Head {
        let Message { id, name, data } = self.message().expect("the stream goes on");
        assert_eq!(name.as_deref(), Some("reset"), "{data}");
        let head = Head::of(&json!({"head": data}));
        assert_eq!(
            id,
            Some(head.seq.to_string()),
            "a client that lost the stream now goes on after that head"
        );
        head
    }

    /// Waits for a sign of life, and returns its data.
    #[track_caller]
    pub fn sign_of_life(&mut self) -> Value {
        let Message { id, name, data } = self.any_message().expect("the stream goes on");
        assert_eq!((id, name.as_deref()), (None, Some(ALIVE)), "{data}");
        data
    }

    /// The next message of the stream that is no sign of life.
    #[track_caller]
    fn message(&mut self) -> Option<Message> {
        for _ in 0..8 {
            let message = self.any_message()?;
            if message.name.as_deref() != Some(ALIVE) {
                return Some(message);
            }
        }
        panic!("the stream is alive and says nothing");
    }

    /// The next message of the stream. A stream begins with the time after which a client connects again.
    #[track_caller]
    fn any_message(&mut self) -> Option<Message> {
        let (mut id, mut name, mut data) = (None, None, None);
        loop {
            let mut line = String::new();
            if self.lines.read_line(&mut line).expect("the stream can be read") == 0 {
                return None;
            }
            match line.trim_end_matches('\n').split_once(':') {
                Some(("retry", milliseconds)) => assert_eq!(milliseconds.trim(), "2000"),
                Some(("id", seq)) => id = Some(seq.trim().to_owned()),
                Some(("event", text)) => name = Some(text.trim().to_owned()),
                Some(("data", text)) => data = Some(text.trim().to_owned()),
                Some((field, _)) => panic!("{field:?} is not a field of this stream"),
                None if data.is_some() => break,
                None => {}
            }
        }
        let data = serde_json::from_str(&data?).expect("the data is JSON");
        Some(Message { id, name, data })
    }
}
