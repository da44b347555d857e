//! The logs of simulated matches: how a log is made, and the folder into which a simulation writes them.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use chrono::DateTime;
use rustix::fs::statvfs;
use rustix::io::Errno;
use uuid::Builder;

use super::Simulation;
use crate::dice::{SeedSeries, SeededDice, ServerSeed};
use crate::editions::{Editions, is_built_in};
use crate::log::{
    Actor, Event, EventData, Head, InvalidEvent, MatchId, NotCanonical, SeedSource, edition_line,
};
use crate::matches::{Match, MatchSettings, new_match_with};
use crate::rules::Refusal;

/// The failure to make or write the log of a match.
#[derive(Debug, thiserror::Error)]
pub enum LogFailure {
    /// The folder is not empty, or is not a folder.
    #[error("{} is not an empty folder; logs need a folder of their own", .0.display())]
    NotEmpty(PathBuf),
    /// The folder cannot be used.
    #[error("{} cannot be used: {error}", .folder.display())]
    Folder {
        /// The folder.
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
        /// The folder.
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
    /// A match could not be played for its log.
    #[error("match {k} cannot be recorded: {reason}")]
    Unplayed {
        /// The number of the match.
        k: u64,
        /// The reason.
        reason: String,
    },
}

/// The log file of a simulated match, played event by event with default inputs or by the sides' policies.
///
/// Every run gives the same bytes: the match's id follows from its seed, and every event is of the first
/// second of 1970.
pub fn match_log(simulation: &Simulation, seed: &ServerSeed) -> Result<String, String> {
    let told = |refusal: Refusal| refusal.message;
    let base = &simulation.base;
    let given = Some((seed, SeedSource::Creator));
    let edition = simulation.edition();
    let created = new_match_with(
        edition,
        simulation.game,
        &base.rules,
        base.home.clone(),
        base.away.clone(),
        given,
        MatchSettings::default(),
    );
    let mut events = vec![EventData::MatchCreated(created.map_err(told)?)];
    let editions = Editions::from(simulation.edition.as_ref());
    let mut the_match = Match::from_log(id_of(seed), &events[0], &editions)
        .map_err(|broken: InvalidEvent| broken.to_string())?;
    let mut dice = SeededDice::new(&seed.match_seed(&[]));
    while the_match.result().is_none() {
        let input = the_match.input_by(simulation.policies);
        let decision = the_match.decide(input, &mut dice, Some(seed)).map_err(told)?;
        events.extend(decision.events);
        the_match = decision.after;
    }
    let text = sealed(id_of(seed), events).map_err(|fault| fault.to_string())?;
    // A built-in edition is known to every reader, so the file does not hold it.
    Ok(match edition.filter(|edition| !is_built_in(edition)) {
        Some(edition) => format!("{}\n{text}", edition_line(&edition.text)),
        None => text,
    })
}

fn sealed(match_id: MatchId, events: Vec<EventData>) -> Result<String, NotCanonical> {
    let mut text = String::new();
    let mut head = Head::default();
    for data in events {
        let actor = match &data {
            // The author of an acceptance is the side that could have reviewed.
            EventData::Review(review) => Actor::from(review.by()),
            _ => Actor::Service,
        };
        let (event, entry) = Event::seal(match_id, &head, DateTime::UNIX_EPOCH, actor, data)?;
        head = event.head();
        text.push_str(&entry.line());
        text.push('\n');
    }
    Ok(text)
}

/// The id of a simulated match: a UUID of version 8 with the first bytes of the seed's commitment.
fn id_of(seed: &ServerSeed) -> MatchId {
    let mut bytes = [0; 16];
    let commitment = seed.commitment();
    match hex::decode_to_slice(&commitment[..32], &mut bytes) {
        Ok(()) => Builder::from_custom_bytes(bytes).into_uuid(),
        Err(_) => unreachable!("a commitment is 64 hexadecimal digits"),
    }
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
    pub(super) fn write(&self, simulation: &Simulation, k: u64, seed: &ServerSeed) -> Result<(), LogFailure> {
        let log = match_log(simulation, seed).map_err(|reason| LogFailure::Unplayed { k, reason })?;
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

/// Checks that the disk has room for all logs, each as large as the first, in whole blocks.
fn check_room(folder: &Path, simulation: &Simulation) -> Result<(), LogFailure> {
    let fault = |error: Errno| LogFailure::Folder { folder: folder.to_owned(), error: error.into() };
    let disk = statvfs(folder).map_err(fault)?;
    let block = u128::from(disk.f_frsize.max(1));
    let seed = SeedSeries::new(&simulation.seed).server_seed(1);
    let log = match_log(simulation, &seed).map_err(|reason| LogFailure::Unplayed { k: 1, reason })?;
    let matches = simulation.matches;
    let needed = u128::from(matches) * (log.len() as u128).next_multiple_of(block);
    let free = u128::from(disk.f_bavail) * block;
    if needed > free {
        return Err(LogFailure::NoRoom { folder: folder.to_owned(), matches, free, needed });
    }
    Ok(())
}
