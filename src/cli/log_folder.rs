//! The folder into which `simulate --log-dir` writes the log of each match.

use std::error::Error;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use rustix::fs::statvfs;
use rustix::io::Errno;

use crate::dice::SeedSeries;
use crate::simulate::{LogSink, Simulation, Unfinished, match_log};

/// The failure to make or write the log of a match.
#[derive(Debug, thiserror::Error)]
pub enum LogFailure {
    /// The folder is not empty, or is not a folder.
    #[error("{} is not an empty folder; logs need a folder of their own", .0.display())]
    NotEmpty(PathBuf),
    /// The folder cannot be used.
    #[error("{} cannot be used: {error}", .folder.display())]
    Folder {
        /// The folder that `--log-dir` names.
        folder: PathBuf,
        /// The error of the operating system.
        error: io::Error,
    },
    /// The disk is too small.
    #[error(
        "{} has room for {free} bytes, and {matches} logs like the first need about {needed}",
        .folder.display()
    )]
    NoRoom {
        /// The folder that `--log-dir` names.
        folder: PathBuf,
        /// The number of logs to write.
        matches: u64,
        /// The number of free bytes.
        free: u128,
        /// The number of bytes that are needed.
        needed: u128,
    },
    /// A log could not be written.
    #[error("{} cannot be written: {error}", .file.display())]
    Write {
        /// The file of the log.
        file: PathBuf,
        /// The error of the operating system.
        error: io::Error,
    },
    /// The first match, by which the others are measured, could not be recorded.
    #[error(transparent)]
    Unfinished(#[from] Unfinished),
}

/// The folder for the logs of a simulation, `<k>.ndjson` for match k.
#[derive(Debug, Clone)]
pub struct LogFolder(PathBuf);

impl LogFolder {
    /// Creates the folder, or accepts an empty one. A disk is refused that has no room for as many logs as
    /// there are matches, each as large as the first.
    pub fn open(folder: &Path, simulation: &Simulation) -> Result<LogFolder, LogFailure> {
        let fault = |error| LogFailure::Folder { folder: folder.to_owned(), error };
        let made = !folder.exists();
        if made {
            fs::create_dir_all(folder).map_err(fault)?;
        } else if !folder.is_dir() || fs::read_dir(folder).map_err(fault)?.next().is_some() {
            return Err(LogFailure::NotEmpty(folder.to_owned()));
        }
        let checked = check_room(folder, simulation);
        if made && checked.is_err() {
            // The folder was created only to measure its disk.
            let _ = fs::remove_dir(folder);
        }
        checked.map(|()| LogFolder(folder.to_owned()))
    }

    /// Writes the log of match `k`. The file gets its name only when it is complete.
    fn write(&self, k: u64, log: &str) -> Result<(), LogFailure> {
        let file = self.0.join(format!("{k}.ndjson"));
        let part = self.0.join(format!("{k}.ndjson.part"));
        let fault = |error| LogFailure::Write { file: file.clone(), error };
        // A file that exists already belongs to somebody else.
        let mut begun = File::create_new(&part).map_err(fault)?;
        let written = begun.write_all(log.as_bytes()).and_then(|()| fs::rename(&part, &file));
        written.map_err(|error| {
            // An incomplete log is removed; if that fails too, its name still shows that it is a part.
            let _ = fs::remove_file(&part);
            fault(error)
        })
    }
}

impl LogSink for LogFolder {
    fn keep(&self, k: u64, log: &str) -> Result<(), Box<dyn Error + Send + Sync>> {
        Ok(self.write(k, log)?)
    }
}

/// Checks that the disk has room for all logs, each as large as the first, in whole blocks.
fn check_room(folder: &Path, simulation: &Simulation) -> Result<(), LogFailure> {
    let fault = |error: Errno| LogFailure::Folder { folder: folder.to_owned(), error: error.into() };
    let disk = statvfs(folder).map_err(fault)?;
    let block = u128::from(disk.f_frsize.max(1));
    let seed = SeedSeries::new(simulation.seed()).server_seed(1);
    let log = match_log(simulation, 1, &seed)?;
    let matches = simulation.matches();
    let needed = u128::from(matches) * (log.len() as u128).next_multiple_of(block);
    let free = u128::from(disk.f_bavail) * block;
    if needed > free {
        return Err(LogFailure::NoRoom { folder: folder.to_owned(), matches, free, needed });
    }
    Ok(())
}
