//! The reader of match log files, in NDJSON: one event a line, in canonical form, with bounds on the size of
//! lines.

use std::io::{BufRead, Read};

use serde_json::Value;

use super::{Entry, EventData, NotPlain, RawEvent, plain_json, printable, read_value, values_at_most};
use crate::canonical::canonical;

/// A line that is not an event in canonical form.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {reason}")]
pub struct BrokenLine {
    /// The number of the line, from 1.
    pub line: u64,
    /// The reason: what is wrong with the line.
    pub reason: String,
}

impl BrokenLine {
    /// A fault of a line, with a reason that may quote the line.
    pub fn new(line: u64, reason: &str) -> BrokenLine {
        BrokenLine { line, reason: brief(reason) }
    }
}

/// The most bytes of a line in a match log.
const LONGEST_LINE: u64 = 1 << 20;

/// The most JSON values of an event, checked before the line is parsed.
///
/// The largest event today creates a match of CubeRoots cricket with a bag of its own: 210 cubes of six
/// numbers are 1,470 values, and such a `match_created` has 1,526. A ball of Cricket: The Game has about a
/// hundred. The bound is three times the largest, rounded up.
pub const MOST_VALUES_OF_EVENT: usize = 5_000;

/// The most JSON values of an edition.
///
/// The built-in edition has 1,368. An edition as large as its reader allows (16 bowls a style, eight effects
/// a card with every condition written out, 32 teams) has some 34,000. The bound is that, with half as much
/// again.
pub const MOST_VALUES_OF_EDITION: usize = 50_000;

/// A reader of a match log file, line by line, with one line in memory. It checks that each line is an event
/// in canonical form; it judges neither the event nor the hash chain.
///
/// Before the first event there may be a line with the edition of the match, `{"edition":...}`, in canonical
/// form too. It is no event, and [`edition`](Self::edition) returns it.
pub struct LogReader<R> {
    source: R,
    line: u64,
    done: bool,
    edition: Option<String>,
    /// The bytes of the line.
    bytes: Vec<u8>,
}

impl<R: BufRead> LogReader<R> {
    /// A reader of `source`.
    pub fn new(source: R) -> LogReader<R> {
        LogReader { source, line: 0, done: false, edition: None, bytes: Vec::new() }
    }

    /// The canonical form of the edition in the log, known once its first event has been read.
    pub fn edition(&self) -> Option<&str> {
        self.edition.as_deref()
    }

    fn next_event(&mut self) -> Result<Option<(RawEvent, Entry)>, String> {
        self.line += 1;
        let Some(line) = next_line(&mut self.source, &mut self.bytes)? else {
            let first = if self.edition.is_some() { 2 } else { 1 };
            return if self.line == first {
                Err("there is no event in this file".to_owned())
            } else {
                Ok(None)
            };
        };
        if line.starts_with(EDITION) {
            if self.line > 1 {
                return Err("is an edition, which may only be on the first line of a log".to_owned());
            }
            self.edition = Some(read_edition(line)?);
            return self.next_event();
        }
        let event = read_at_once(line).map_or_else(|| read_by_members(line), Ok)?;
        let entry = Entry::of_line(line, &event);
        Ok(Some((event, entry)))
    }
}

/// The next line of a file, without its line feed; `None` at its end.
fn next_line<'a>(source: &mut impl BufRead, bytes: &'a mut Vec<u8>) -> Result<Option<&'a str>, String> {
    bytes.clear();
    let mut limited = source.by_ref().take(LONGEST_LINE + 1);
    limited.read_until(b'\n', bytes).map_err(|error| format!("cannot be read: {error}"))?;
    if bytes.is_empty() {
        return Ok(None);
    }
    if bytes.pop() != Some(b'\n') {
        return Err(if bytes.len() as u64 >= LONGEST_LINE {
            format!("is longer than {LONGEST_LINE} bytes")
        } else {
            "does not end in a line feed: the file was cut off".to_owned()
        });
    }
    std::str::from_utf8(bytes).map(Some).map_err(|error| format!("is not UTF-8: {error}"))
}

/// The beginning of the line of an edition; no event begins with it.
const EDITION: &str = "{\"edition\":";

/// The line of a log file that has an edition, given in canonical form; without the line feed.
pub fn edition_line(canonical: &str) -> String {
    format!("{EDITION}{canonical}}}")
}

fn read_edition(line: &str) -> Result<String, String> {
    // The object around the edition is a value, too.
    match canonical_value(line, MOST_VALUES_OF_EDITION + 1, "edition")? {
        Value::Object(members) if members.len() == 1 => Ok(line[EDITION.len()..line.len() - 1].to_owned()),
        _ => Err("has more than an edition; the line of one has the member \"edition\" alone".to_owned()),
    }
}

/// Reads a line that is an event in canonical form beyond doubt, and has no more values than an event may
/// have. Only a line long enough to exceed that is counted.
fn read_at_once(line: &str) -> Option<RawEvent> {
    let few = line.len() <= MOST_VALUES_OF_EVENT || values_at_most(line.as_bytes()) <= MOST_VALUES_OF_EVENT;
    if few { RawEvent::of_line(line) } else { None }
}

/// Reads a line step by step; unlike the fast reader, it says what is wrong.
pub(super) fn read_by_members(line: &str) -> Result<RawEvent, String> {
    if line.starts_with('\u{feff}') {
        return Err("begins with a byte order mark; a match log has none".to_owned());
    }
    let value = canonical_value(line, MOST_VALUES_OF_EVENT, "event")?;
    let event: RawEvent = read_value(&value).map_err(|fault| format!("is not an event: {fault}"))?;
    EventData::known(&event.kind, event.v)
        .map_err(|invalid| format!("is not an event this program knows: {}", invalid.reason))?;
    Ok(event)
}

/// The value of a line in canonical form. A line with more than `most` values, which no `what` has, is
/// refused before it is parsed.
fn canonical_value(line: &str, most: usize, what: &str) -> Result<Value, String> {
    if line.ends_with('\r') {
        return Err("ends in a carriage return; lines of a match log end in a line feed alone".to_owned());
    }
    plain_json(line.as_bytes(), most).map_err(|fault| match fault {
        NotPlain::TooMany(_) => format!("{fault}, and no {what} has so many"),
        NotPlain::Json(_) | NotPlain::TooDeep => fault.to_string(),
    })?;
    let value: Value = serde_json::from_str(line).map_err(|error| NotPlain::from(error).to_string())?;
    let form = canonical(&value).map_err(|error| error.to_string())?;
    if form != line {
        let at = form.bytes().zip(line.bytes()).take_while(|(a, b)| a == b).count();
        return Err(format!("is not in canonical form (RFC 8785): it differs at byte {}", at + 1));
    }
    Ok(value)
}

/// A reason that may quote the file, made safe to print and cut short.
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
        let read = self.next_event().map_err(|reason| BrokenLine::new(self.line, &reason));
        self.done = !matches!(read, Ok(Some(_)));
        read.transpose()
    }
}
