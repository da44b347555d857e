use std::io::{BufRead, BufReader};

use serde_json::Value;
use ureq::BodyReader;

use super::contract::CONTRACT;

/// A stream of server-sent events.
pub struct EventStream {
    lines: BufReader<BodyReader<'static>>,
}

impl EventStream {
    pub fn new(lines: BufReader<BodyReader<'static>>) -> EventStream {
        EventStream { lines }
    }

    /// So many events.
    #[track_caller]
    pub fn take(&mut self, count: usize) -> Vec<Value> {
        (0..count).map(|_| self.next().expect("the stream goes on")).collect()
    }

    /// The next event; `None` when the stream ends. Signs of life are passed over.
    #[track_caller]
    pub fn next(&mut self) -> Option<Value> {
        let (mut id, mut data) = (None, None);
        loop {
            let mut line = String::new();
            if self.lines.read_line(&mut line).expect("the stream can be read") == 0 {
                return None;
            }
            match line.trim_end_matches('\n').split_once(':') {
                Some(("", _comment)) => {}
                Some(("id", seq)) => id = Some(seq.trim().to_owned()),
                Some(("data", text)) => data = Some(text.trim().to_owned()),
                Some((field, _)) => panic!("{field:?} is not a field of this stream"),
                None if data.is_some() => break,
                None => {}
            }
        }
        let event: Value = serde_json::from_str(&data?).expect("an event is JSON");
        CONTRACT.check_event(&event);
        assert_eq!(id, Some(event["seq"].to_string()), "the id of an event is its seq");
        Some(event)
    }
}
