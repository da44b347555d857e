use std::io::{BufRead, BufReader};

use serde_json::{Value, json};
use ureq::BodyReader;

use super::contract::CONTRACT;
use super::play::Head;

/// A stream of server-sent events.
pub struct EventStream {
    lines: BufReader<BodyReader<'static>>,
}

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

    /// The next event; `None` when the stream ends. Keep-alive comments are skipped.
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

    /// Waits for a comment that keeps the stream alive.
    #[track_caller]
    pub fn is_kept_alive(&mut self) {
        let mut line = String::new();
        self.lines.read_line(&mut line).expect("the stream can be read");
        assert!(line.starts_with(':'), "{line:?} is no comment");
        line.clear();
        self.lines.read_line(&mut line).expect("the stream can be read");
        assert_eq!(line, "\n", "a comment ends with an empty line");
    }

    /// The next message of the stream.
    #[track_caller]
    fn message(&mut self) -> Option<Message> {
        let (mut id, mut name, mut data) = (None, None, None);
        let mut signs_of_life = 0;
        loop {
            let mut line = String::new();
            if self.lines.read_line(&mut line).expect("the stream can be read") == 0 {
                return None;
            }
            match line.trim_end_matches('\n').split_once(':') {
                Some(("", _comment)) => {
                    signs_of_life += 1;
                    assert!(signs_of_life < 8, "the stream is alive and says nothing");
                }
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
