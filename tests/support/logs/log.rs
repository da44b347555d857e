//! The log of a match as a file: its lines and its events.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::Value;
use third_umpire::log::SCHEMA_VERSION;

use super::Forger;

/// The lines of a match log, without their line ends.
#[derive(Clone, Debug, PartialEq)]
pub struct Log {
    pub lines: Vec<String>,
}

/// The folder of the stored logs of a schema version, which never change.
pub fn stored_folder(version: u32) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("support/stored_logs/v{version}"))
}

/// The file with the heads of a version's logs: a line for each log, with hash and file name.
pub const HEADS: &str = "heads.txt";

/// The stored logs of a version, by file name.
pub fn stored_logs(version: u32) -> BTreeMap<String, Log> {
    let folder = stored_folder(version);
    let files = std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let names = files.map(|file| file.unwrap().file_name().into_string().unwrap());
    names.filter(|name| name != HEADS).map(|name| (name.clone(), Log::read(folder.join(name)))).collect()
}

/// Every stored log of every version, by file name.
pub fn every_stored_log() -> BTreeMap<String, Log> {
    (1..=SCHEMA_VERSION).flat_map(stored_logs).collect()
}

/// The head hashes of a version's stored logs, by file name.
pub fn stored_heads(version: u32) -> BTreeMap<String, String> {
    let text = std::fs::read_to_string(stored_folder(version).join(HEADS)).unwrap();
    let line =
        |line: &str| line.split_once("  ").map(|(hash, name)| (name.to_owned(), hash.to_owned())).unwrap();
    text.lines().map(line).collect()
}

/// A stored log of version 1, by its name without the extension.
pub fn stored(name: &str) -> Log {
    Log::read(stored_folder(1).join(format!("{name}.ndjson")))
}

impl Log {
    pub fn of_lines(lines: Vec<String>) -> Log {
        Log { lines }
    }

    pub fn of_text(text: &str) -> Log {
        Log::of_lines(text.lines().map(str::to_owned).collect())
    }

    /// Reads the log in a file.
    pub fn read(file: impl AsRef<Path>) -> Log {
        let file = file.as_ref();
        let text =
            std::fs::read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        Log::of_text(&text)
    }

    /// The text of the log's file.
    pub fn text(&self) -> String {
        self.lines.iter().map(|line| format!("{line}\n")).collect()
    }

    /// The lines with events, without a line that has the edition.
    pub fn event_lines(&self) -> impl Iterator<Item = &str> {
        self.lines.iter().map(String::as_str).filter(|line| !line.starts_with("{\"edition\":"))
    }

    /// The events, read as plain JSON.
    pub fn events(&self) -> Vec<Value> {
        self.event_lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    /// The number of lines, which is the number of events where no edition comes first.
    #[expect(clippy::len_without_is_empty, reason = "no log is empty")]
    pub fn len(&self) -> u64 {
        self.lines.len() as u64
    }

    /// The hash of the last event.
    pub fn head(&self) -> String {
        self.events().last().unwrap()["hash"].as_str().unwrap().to_owned()
    }

    /// The log's first lines, as many as this number of events.
    pub fn first(&self, events: u64) -> Log {
        Log::of_lines(self.lines[..events as usize].to_vec())
    }

    /// Hands the log to a forger.
    pub fn forge(&self) -> Forger {
        Forger::of(self)
    }

    /// The seq of the first event that fits.
    pub fn seq_of(&self, wanted: impl Fn(&Value) -> bool) -> u64 {
        let events = self.events();
        events.iter().find(|event| wanted(event)).expect("a fitting event")["seq"].as_u64().unwrap()
    }
}
