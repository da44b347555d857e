//! A match that never ends.

use super::{Log, sha256};

/// The lines of a match without end: no rule stops a bowler from bowling wides.
pub struct Wides {
    events: u64,
    prev: String,
    body: String,
}

impl Wides {
    /// Continues after the one ball of this log.
    pub fn of(log: &Log) -> Wides {
        let mut last = log.events().pop().unwrap();
        last.as_object_mut().unwrap().remove("hash");
        Wides { events: log.len(), prev: log.head(), body: serde_json::to_string(&last).unwrap() }
    }
}

impl Iterator for Wides {
    type Item = String;

    fn next(&mut self) -> Option<String> {
        self.events += 1;
        let ball = self.events - 4;
        let (data, envelope) = self.body.split_once(",\"kind\"").unwrap();
        let count = |data: String, number: &str| {
            data.replacen(&format!("\"{number}\":1"), &format!("\"{number}\":{ball}"), 1)
        };
        let data = ["ball", "delivery", "ordinal"].into_iter().fold(data.to_owned(), count);
        let prev = envelope.find("\"prev\":\"").unwrap() + 8;
        let envelope =
            format!("\"kind\"{}{}\",\"seq\":{},\"v\":1}}", &envelope[..prev], self.prev, self.events);
        self.prev = sha256(format!("{data},{envelope}"));
        Some(format!("{data},\"hash\":\"{}\",{envelope}", self.prev))
    }
}
