use std::io::{BufRead, Read};

use serde::Deserialize;
use serde_json::Value;

use super::{Entry, EventData, RawEvent, canonical, plain_json, printable};

/// A line that is not an event in canonical form.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {reason}")]
pub struct BrokenLine {
    /// The line, from 1.
    pub line: u64,
    /// What is wrong with it.
    pub reason: String,
}

/// The longest line a match log may have, in bytes.
const LONGEST_LINE: u64 = 1 << 20;

/// Reads a match log file line by line, in memory for one line. It checks that each line is an event in canonical
/// form; what the event says and whether the chain holds is for others to judge.
pub struct LogReader<R> {
    source: R,
    line: u64,
    done: bool,
    /// The line, as it stands in the file.
    bytes: Vec<u8>,
}

impl<R: BufRead> LogReader<R> {
    /// Reads from `source`.
    pub fn new(source: R) -> LogReader<R> {
        LogReader { source, line: 0, done: false, bytes: Vec::new() }
    }

    fn next_line(&mut self) -> Result<Option<(RawEvent, Entry)>, String> {
        let LogReader { source, bytes, .. } = self;
        bytes.clear();
        let mut limited = source.by_ref().take(LONGEST_LINE + 1);
        limited.read_until(b'\n', bytes).map_err(|error| format!("cannot be read: {error}"))?;
        if bytes.is_empty() {
            return if self.line == 1 { Err("there is no event in this file".to_owned()) } else { Ok(None) };
        }
        if bytes.pop() != Some(b'\n') {
            return Err(if bytes.len() as u64 >= LONGEST_LINE {
                format!("is longer than {LONGEST_LINE} bytes")
            } else {
                "does not end in a line feed: the file was cut off".to_owned()
            });
        }
        let line = std::str::from_utf8(bytes).map_err(|error| format!("is not UTF-8: {error}"))?;
        let event = RawEvent::of_line(line).map_or_else(|| read_by_members(line), Ok)?;
        let entry = Entry::of_line(line, &event);
        Ok(Some((event, entry)))
    }
}

/// Reads a line a step at a time: this is the reading that says what is wrong with it.
pub(super) fn read_by_members(line: &str) -> Result<RawEvent, String> {
    if line.starts_with('\u{feff}') {
        return Err("begins with a byte order mark; a match log has none".to_owned());
    }
    if line.ends_with('\r') {
        return Err("ends in a carriage return; lines of a match log end in a line feed alone".to_owned());
    }
    plain_json(line.as_bytes()).map_err(|error| format!("is not JSON: {error}"))?;
    let value: Value = serde_json::from_str(line).map_err(|error| format!("is not JSON: {error}"))?;
    let form = canonical(&value).map_err(|error| error.to_string())?;
    if form != line {
        let at = form.bytes().zip(line.bytes()).take_while(|(a, b)| a == b).count();
        return Err(format!("is not in canonical form (RFC 8785): it departs from it at byte {}", at + 1));
    }
    let event: RawEvent =
        RawEvent::deserialize(&value).map_err(|error| format!("is not an event: {error}"))?;
    EventData::known(&event.kind, event.v)
        .map_err(|broken| format!("is not an event this program knows: {}", broken.reason))?;
    Ok(event)
}

/// A reason may repeat what the file says; not raw, and not at length.
fn brief(reason: &str) -> String {
    const LONGEST_REASON: usize = 300;
    const KEPT_AT_AN_END: usize = 140;
    let letters: Vec<char> = reason.chars().collect();
    if letters.len() <= LONGEST_REASON {
        return printable(reason).into_owned();
    }
    let beginning: String = letters[..KEPT_AT_AN_END].iter().collect();
    let end: String = letters[letters.len() - KEPT_AT_AN_END..].iter().collect();
    format!("{} ... {}", printable(&beginning), printable(&end))
}

impl<R: BufRead> Iterator for LogReader<R> {
    type Item = Result<(RawEvent, Entry), BrokenLine>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.done {
            return None;
        }
        self.line += 1;
        let read = self.next_line().map_err(|reason| BrokenLine { line: self.line, reason: brief(&reason) });
        self.done = !matches!(read, Ok(Some(_)));
        read.transpose()
    }
}
