use std::process::ExitCode;

use clap::Args;

use super::{DIVERGES, Failure, OutputFormat, open, print};
use crate::diff::{Agreement, NotAMatchLog, Scorer, diff_with};
use crate::editions::Editions;

#[derive(Args)]
pub(super) struct DiffArgs {
    /// The first scorer's match log file, or - for standard input
    #[arg(value_name = "A")]
    a: String,
    /// The second scorer's match log file; only one of the two can be standard input
    #[arg(value_name = "B")]
    b: String,
    /// How to print the comparison
    #[arg(long, env = "THIRD_UMPIRE_FORMAT", value_enum, default_value = "text")]
    format: OutputFormat,
}

/// Compares the match logs of two scorers and prints their differences.
pub(super) fn run(DiffArgs { a, b, format }: DiffArgs, known: &Editions) -> Result<ExitCode, Failure> {
    if a == "-" && b == "-" {
        return Err("only one of the two match logs can come from standard input".into());
    }
    let compared = diff_with(open(&a)?, open(&b)?, known).map_err(|NotAMatchLog { scorer, broken }| {
        let file = match scorer {
            Scorer::A => &a,
            Scorer::B => &b,
        };
        format!("{file} is not a match log: {broken}")
    })?;
    print(&match format {
        OutputFormat::Text => compared.to_string(),
        OutputFormat::Json => serde_json::to_string_pretty(&compared)? + "\n",
    })?;
    Ok(match compared.agreement {
        Agreement::Same => ExitCode::SUCCESS,
        Agreement::Beginning | Agreement::Differ | Agreement::AnotherMatch => ExitCode::from(DIVERGES),
    })
}
