//! The report of a simulation as text, 80 columns wide, with a bar chart of the runs.

use std::fmt::{self, Formatter, Write};

use serde_json::Value;

use super::estimate::{Estimate, EstimatedDifference, EstimatedShare, Rate};
use super::report::{
    Differences, Histogram, InningsReport, Policies, Results, ResultsDifferences, RunsReport,
    SimulationReport, Summary,
};
use crate::scorebook::WicketKind;

/// The length of the longest bar of a histogram.
const BAR: u64 = 50;

/// The report as text, 80 columns wide.
impl fmt::Display for SimulationReport {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let plural = if self.matches == 1 { "" } else { "es" };
        writeln!(
            f,
            "{} match{plural} of {}, figures with their 95 % intervals",
            grouped(self.matches),
            self.game
        )?;
        writeln!(f, "seed  {}", self.seed)?;
        if let Some(edition) = &self.edition {
            writeln!(f, "edition  {}", edition.sha256)?;
        }
        if let Some(Policies { home, away }) = self.policies {
            writeln!(f, "play  home {home}, away {away}")?;
        }
        write_summary(f, &self.summary)?;
        if let Some(compare) = &self.compare {
            writeln!(f, "\nThe same matches under other rules")?;
            write_summary(f, &compare.summary)?;
            write_differences(f, &compare.differences)?;
        }
        Ok(())
    }
}

fn write_summary(f: &mut Formatter<'_>, summary: &Summary) -> fmt::Result {
    let rules: Vec<String> =
        summary.rules.iter().map(|(name, value)| format!("{name} {}", value_text(value))).collect();
    for (at, line) in wrapped(&rules).iter().enumerate() {
        writeln!(f, "{}{line}", if at == 0 { "rules " } else { "      " })?;
    }
    summary.innings.iter().try_for_each(|innings| write_innings(f, innings))?;
    write_results(f, &summary.results)
}

/// The value of an option as text: without JSON's quotes, and only the length of a long table.
fn value_text(option: &Value) -> String {
    match option {
        Value::Array(rows) => format!("a table of {}", rows.len()),
        Value::Object(members) => {
            let members = members.iter().map(|(name, value)| format!("{name} {}", value_text(value)));
            members.collect::<Vec<_>>().join(" and ")
        }
        Value::String(word) => word.clone(),
        Value::Null => "unlimited".to_owned(),
        Value::Bool(_) | Value::Number(_) => option.to_string(),
    }
}

/// Joins parts with commas, on as many lines as they need.
fn wrapped(parts: &[String]) -> Vec<String> {
    const WIDTH: usize = 74;
    let mut lines = vec![String::new()];
    for (at, part) in parts.iter().enumerate() {
        let part = if at + 1 < parts.len() { format!("{part},") } else { part.clone() };
        match lines.last_mut() {
            Some(line) if line.is_empty() => line.push_str(&part),
            Some(line) if line.len() + part.len() < WIDTH => *line += &format!(" {part}"),
            _ => lines.push(part),
        }
    }
    lines
}

fn write_innings(f: &mut Formatter<'_>, innings: &InningsReport) -> fmt::Result {
    writeln!(f, "\nInnings {}, played in {} of them", innings.number, grouped(innings.matches))?;
    write_runs(f, &innings.runs)?;
    row(f, "all out", &percent(&innings.all_out))?;
    row(f, "wickets", &estimate(&innings.wickets))?;
    row(f, "overs", &estimate(&innings.overs))?;
    if let Some(rate) = &innings.run_rate {
        row(f, "run rate", &per_over(rate))?;
    }
    let extras = &innings.extras;
    row(f, "extras", &estimate(&extras.total))?;
    for (name, figure) in [
        ("  wides", extras.wides),
        ("  no-balls", extras.no_balls),
        ("  byes", extras.byes),
        ("  leg byes", extras.leg_byes),
        ("  penalty runs", extras.penalty),
    ] {
        if figure.mean > 0.0 {
            row(f, name, &estimate(&figure))?;
        }
    }
    writeln!(f, "  out")?;
    for dismissal in &innings.dismissals {
        let share = dismissal.of_wickets.map_or_else(String::new, |share| percent(&share));
        row(f, &format!("  {}", word(dismissal.kind)), &share)?;
    }
    write_histogram(f, &innings.runs.histogram)
}

fn write_runs(f: &mut Formatter<'_>, runs: &RunsReport) -> fmt::Result {
    row(f, "runs", &estimate(&runs.estimate))?;
    let mut line = format!("{} to {}", runs.min, runs.max);
    for quantile in &runs.quantiles {
        match quantile.percent {
            50 => write!(line, ", median {}", quantile.value)?,
            percent => write!(line, ", {percent} % {}", quantile.value)?,
        }
    }
    row(f, "", &line)
}

fn write_histogram(f: &mut Formatter<'_>, histogram: &Histogram) -> fmt::Result {
    let most = histogram.counts.iter().copied().max().unwrap_or(0).max(1);
    writeln!(f, "  runs       innings")?;
    for (bin, count) in (0..).zip(&histogram.counts) {
        let from = histogram.from + bin * histogram.width;
        let bin = match histogram.width {
            1 => from.to_string(),
            width => format!("{from}-{}", from + width - 1),
        };
        // Rounded up, so that even a single innings shows a bar.
        let bar = "#".repeat((count * BAR).div_ceil(most) as usize);
        writeln!(f, "{}", format!("  {bin:<9}{:>9}  {bar}", grouped(*count)).trim_end())?;
    }
    Ok(())
}

fn write_results(f: &mut Formatter<'_>, results: &Results) -> fmt::Result {
    writeln!(f, "\nResults")?;
    for (name, share) in [
        ("batting first", results.batting_first),
        ("batting second", results.batting_second),
        ("ties", results.ties),
    ] {
        row(f, name, &share.map_or_else(String::new, |share| percent(&share)))?;
    }
    Ok(())
}

fn write_differences(f: &mut Formatter<'_>, differences: &Differences) -> fmt::Result {
    writeln!(f, "\nDifferences, match by match; * where the interval leaves out 0")?;
    for innings in &differences.innings {
        writeln!(f, "  innings {}", innings.number)?;
        row(f, "  runs", &difference(&innings.runs, 1.0, ""))?;
        row(f, "  wickets", &difference(&innings.wickets, 1.0, ""))?;
        row(f, "  overs", &difference(&innings.overs, 1.0, ""))?;
        row(f, "  extras", &difference(&innings.extras, 1.0, ""))?;
        row(f, "  all out", &difference(&innings.all_out, 100.0, " %"))?;
    }
    writeln!(f, "  results")?;
    let ResultsDifferences { batting_first, batting_second, ties } = &differences.results;
    row(f, "  batting first", &difference(batting_first, 100.0, " %"))?;
    row(f, "  batting second", &difference(batting_second, 100.0, " %"))?;
    row(f, "  ties", &difference(ties, 100.0, " %"))
}

fn row(f: &mut Formatter<'_>, name: &str, figures: &str) -> fmt::Result {
    writeln!(f, "{}", format!("  {name:<18}{figures}").trim_end())
}

/// The bounds of an interval, to this number of decimals; empty where there are none.
fn around(low: Option<f64>, high: Option<f64>, decimals: usize) -> String {
    low.zip(high).map_or_else(String::new, |(low, high)| format!("   {low:.decimals$} to {high:.decimals$}"))
}

fn estimate(figure: &Estimate) -> String {
    let sd = figure.sd.map_or_else(String::new, |sd| format!("sd {sd:.2}"));
    format!("{:>8.2}  {:<23}{sd}", figure.mean, around(figure.low, figure.high, 2))
}

fn per_over(figure: &Rate) -> String {
    format!("{:>8.2}  {}", figure.rate, around(figure.low, figure.high, 2))
}

fn percent(share: &EstimatedShare) -> String {
    let around = format!("   {:.2} to {:.2}", share.low * 100.0, share.high * 100.0);
    format!("{:>8.2} %{around:<23}{}", share.share * 100.0, grouped(share.count))
}

fn difference(figure: &EstimatedDifference, unit: f64, sign: &str) -> String {
    let around = around(figure.low.map(|low| low * unit), figure.high.map(|high| high * unit), 3);
    let mark = if figure.excludes_zero { "*" } else { "" };
    format!("{:>+8.3}{sign:<2}{around:<23}{mark}", figure.mean * unit)
}

fn word(kind: WicketKind) -> &'static str {
    match kind {
        WicketKind::Bowled => "bowled",
        WicketKind::Caught => "caught",
        WicketKind::CaughtAndBowled => "caught and bowled",
        WicketKind::Lbw => "lbw",
        WicketKind::Stumped => "stumped",
        WicketKind::RunOut => "run out",
    }
}

/// A number with its thousands separated.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}
