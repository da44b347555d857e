//! What all tests of the command line share: matches to record, a forger, and the program itself.

mod apart;
mod audited;
mod binary;
mod board;
mod bold;
mod corrected;
mod forger;
mod maker;
mod prepared;
mod tally;
mod wides;

use serde_json::Value;

pub use apart::from_afar;
pub use audited::{Audited, NOTHING, audit, audit_piped, audit_with};
pub use binary::{Ran, Scratch, command, fed, run};
pub use board::{over_the_board, put_in_for_silent};
pub use bold::{board, with_edition};
pub use corrected::{amends, corrected_from_afar, put_right, settled_at_the_table, stands};
pub use forger::{Forged, Forger};
use maker::object;
pub use maker::{Maker, SEED, Setting, scripted};
pub use prepared::HOUSE;
pub use tally::Tally;
pub use wides::Wides;

/// A log that is kept for ever, by its name.
pub fn stored(name: &str) -> Log {
    let file = format!("{}/tests/cli/logs/v1/{name}.ndjson", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&file).unwrap_or_else(|error| panic!("{file}: {error}"));
    Log::of_lines(text.lines().map(str::to_owned).collect())
}

/// A match log: its lines, without their ends.
#[derive(Clone, Debug, PartialEq)]
pub struct Log {
    pub lines: Vec<String>,
}

impl Log {
    pub fn of_lines(lines: Vec<String>) -> Log {
        Log { lines }
    }

    /// The file's text.
    pub fn text(&self) -> String {
        self.lines.iter().map(|line| format!("{line}\n")).collect()
    }

    /// The events, read as plain JSON; a line with the edition is none.
    pub fn events(&self) -> Vec<Value> {
        let lines = self.lines.iter().map(|line| serde_json::from_str(line).unwrap());
        lines.filter(|line: &Value| line.get("edition").is_none()).collect()
    }

    /// How many events there are.
    pub fn len(&self) -> u64 {
        self.lines.len() as u64
    }

    /// The hash of the last event.
    pub fn head(&self) -> String {
        self.events().last().unwrap()["hash"].as_str().unwrap().to_owned()
    }

    /// The first so many events.
    pub fn first(&self, events: u64) -> Log {
        Log::of_lines(self.lines[..events as usize].to_vec())
    }

    /// Hands it to the forger.
    pub fn forge(&self) -> Forger {
        Forger(self.events())
    }

    /// The seq of the first event that a test is looking for.
    pub fn seq_of(&self, wanted: impl Fn(&Value) -> bool) -> u64 {
        let events = self.events();
        events.iter().find(|event| wanted(event)).expect("such an event")["seq"].as_u64().unwrap()
    }
}

/// Numbers that look random and are the same in every run (Knuth's MMIX generator).
pub struct Lcg(pub u64);

impl Lcg {
    /// A number below `n`.
    pub fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n
    }
}
