use std::io::Read;
use std::process::ExitCode;

use clap::Subcommand;

use super::{FAILED, Failure, open, print};
use crate::editions::Editions;
use crate::log::printable;
use crate::rules::{Edition, EditionFault};

/// The longest edition file, in bytes: the limit of a body over HTTP.
const LONGEST_FILE: u64 = 1 << 20;

#[derive(Subcommand)]
pub(super) enum EditionCommand {
    /// Check an edition, and print its name and hash, or every fault in it (exit 0: the edition is valid; 2:
    /// it is not)
    Check {
        /// The edition, as JSON, or - for standard input
        file: String,
    },
}

/// Runs the command `edition`, and prints each fault of the edition on a line.
pub(super) fn run(command: &EditionCommand, known: &Editions) -> Result<ExitCode, Failure> {
    let EditionCommand::Check { file } = command;
    match checked(file, known)? {
        Ok(Edition { game, id, sha256, .. }) => {
            print(&format!("edition {} of {game}\n{sha256}\n", printable(&id)))
        }
        Err(faults) => {
            for fault in faults {
                eprintln!("third-umpire: {file}: {}", printable(&fault.to_string()));
            }
            Ok(ExitCode::from(FAILED))
        }
    }
}

/// Reads a valid edition from a file.
pub(super) fn read(file: &str, known: &Editions) -> Result<Edition, Failure> {
    checked(file, known)?.map_err(|faults| {
        let first = faults.first().map(ToString::to_string).unwrap_or_default();
        format!("{file} is not a valid edition: {first}; `edition check` lists every fault").into()
    })
}

fn checked(file: &str, known: &Editions) -> Result<Result<Edition, Vec<EditionFault>>, Failure> {
    let mut text = Vec::new();
    let mut source = open(file)?.take(LONGEST_FILE + 1);
    source.read_to_end(&mut text).map_err(|error| format!("{file} cannot be read: {error}"))?;
    if text.len() as u64 > LONGEST_FILE {
        return Err(
            format!("{file} is longer than {LONGEST_FILE} bytes, the most that an edition may have").into()
        );
    }
    Ok(known.read(&text))
}
