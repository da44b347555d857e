//! The rows of the table, printed for readers and written as JSON.

use std::fs;
use std::path::Path;

use serde::Serialize;

use super::turns::Compared;

/// The limit that a row has to reach.
#[derive(Debug, Clone, Copy, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Reach {
    /// A minimum of the figure.
    AtLeast(f64),
    /// A maximum of the figure.
    AtMost(f64),
}

/// A line of the table.
#[derive(Debug, Clone, Serialize)]
pub struct Row {
    /// The measured work.
    pub work: String,
    /// The work it is compared with.
    pub against: String,
    /// Our figure, with its unit.
    pub ours: String,
    /// The figure of the other side, with its unit.
    pub theirs: String,
    /// The number compared with `reach`: the ratio of ours to theirs, or ours alone.
    pub figure: f64,
    /// The lowest and highest ratio, where there were several rounds.
    pub spread: Option<(f64, f64)>,
    /// The limit for the figure.
    pub reach: Reach,
    /// Whether the figure is within the limit.
    pub reached: bool,
}

impl Row {
    /// A row with two rates a second, counted in `unit`.
    pub fn rates(work: &str, against: &str, unit: &str, compared: Compared, reach: Reach) -> Row {
        let rate = |rate: f64| format!("{} {unit}/s", grouped(rate));
        Row {
            work: work.to_owned(),
            against: against.to_owned(),
            ours: rate(compared.ours),
            theirs: rate(compared.theirs),
            figure: compared.ratio,
            spread: Some(compared.spread),
            reach,
            reached: reach.holds(compared.ratio),
        }
    }

    /// A row with one figure, which has only its limit to be compared with.
    pub fn alone(work: &str, figure: f64, ours: String, reach: Reach) -> Row {
        Row {
            work: work.to_owned(),
            against: "-".to_owned(),
            ours,
            theirs: "-".to_owned(),
            figure,
            spread: None,
            reach,
            reached: reach.holds(figure),
        }
    }
}

impl Reach {
    /// Whether a figure is within the limit.
    pub fn holds(self, figure: f64) -> bool {
        match self {
            Reach::AtLeast(least) => figure >= least,
            Reach::AtMost(most) => figure <= most,
        }
    }

    fn written(self) -> String {
        match self {
            Reach::AtLeast(least) => format!(">= {least}"),
            Reach::AtMost(most) => format!("<= {most}"),
        }
    }
}

/// A number with a separator between its thousands.
pub fn grouped(number: f64) -> String {
    let digits = format!("{number:.0}");
    let mut out = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i) % 3 == 0 {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// The rows as docs/benchmarks.md has them.
pub fn table(rows: &[Row]) -> String {
    let mut text =
        String::from("| work | ours | against | theirs | ratio (lowest, highest) | to reach | |\n");
    text.push_str("|---|---|---|---|---|---|---|\n");
    for row in rows {
        let spread = row.spread.map_or(String::new(), |(low, high)| format!(" ({low:.2}, {high:.2})"));
        text.push_str(&format!(
            "| {} | {} | {} | {} | {:.2}{spread} | {} | {} |\n",
            row.work,
            row.ours,
            row.against,
            row.theirs,
            row.figure,
            row.reach.written(),
            if row.reached { "reached" } else { "not reached" }
        ));
    }
    text
}

/// Writes the rows to a file as JSON.
pub fn write_json(rows: &[Row], file: &Path) -> std::io::Result<()> {
    fs::write(file, serde_json::to_string_pretty(rows)? + "\n")
}
