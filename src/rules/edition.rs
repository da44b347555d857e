//! An edition of a game's components: data that a match is played with, named by the hash of its canonical form.

use std::any::Any;
use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use serde_json::Value;

use super::Game;
use super::reading::name_fault;
use crate::log::{EditionRecord, PlayerEntry, TeamSheet, canonical, hash_of};

/// The longest canonical form an edition may have, in bytes: it has to find room in one line of a match log.
pub const LONGEST_EDITION: usize = 1_000_000;

/// What is wrong with an edition: where, and what would be right.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EditionFault {
    /// The place, e.g. `over_decks.pace[3].effects[0].then`.
    pub path: String,
    /// What is wrong, and what is allowed.
    pub reason: String,
}

impl EditionFault {
    /// What is wrong at a place.
    pub fn new(path: impl Into<String>, reason: impl Into<String>) -> EditionFault {
        EditionFault { path: path.into(), reason: reason.into() }
    }
}

impl fmt::Display for EditionFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.path.as_str() {
            "" => f.write_str(&self.reason),
            path => write!(f, "{path}: {}", self.reason),
        }
    }
}

/// An edition that has been checked. It is what its hash says and nothing else, wherever it comes from.
#[derive(Debug)]
pub struct Edition {
    /// The id of the game it is made for.
    pub game: &'static str,
    /// Its name.
    pub id: String,
    /// The SHA-256 of its canonical form.
    pub sha256: String,
    /// Its canonical form (RFC 8785).
    pub text: String,
    /// The same as JSON.
    pub value: Value,
    read: Arc<dyn Any + Send + Sync>,
}

impl Edition {
    /// Checks a value as an edition of this game.
    pub fn for_game(game: &Game, value: Value) -> Result<Edition, Vec<EditionFault>> {
        let fault = |path: &str, reason: String| vec![EditionFault::new(path, reason)];
        let text = canonical(&value).map_err(|error| fault("", error.to_string()))?;
        if text.len() > LONGEST_EDITION {
            let reason = format!("an edition has at most {LONGEST_EDITION} bytes; this has {}", text.len());
            return Err(fault("", reason));
        }
        let read = (game.edition)(&without_game(&value))?;
        let id = value["id"].as_str().unwrap_or_default().to_owned();
        if let Some(reason) = name_fault(&id) {
            return Err(fault("id", reason));
        }
        Ok(Edition { game: game.id, id, sha256: hash_of(&text), text, value, read })
    }

    /// What the game read in it, as the type it reads editions into.
    pub fn read<T: Send + Sync + 'static>(&self) -> Option<Arc<T>> {
        Arc::clone(&self.read).downcast().ok()
    }

    /// Its name and hash, as the first event of a match has them.
    pub fn record(&self) -> EditionRecord {
        EditionRecord { id: self.id.clone(), sha256: self.sha256.clone() }
    }

    /// The names of its teams.
    pub fn teams(&self) -> Vec<&str> {
        self.listed_teams().iter().filter_map(|team| team["name"].as_str()).collect()
    }

    fn listed_teams(&self) -> &[Value] {
        self.value["teams"].as_array().map(Vec::as_slice).unwrap_or_default()
    }

    /// One of its teams, as a side's sheet; names those there are where there is no such team.
    pub fn team(&self, side: &str, team: &str) -> Result<TeamSheet, String> {
        let Some(found) = self.listed_teams().iter().find(|found| found["name"] == team) else {
            let names = self.teams().iter().map(|team| format!("{team:?}")).collect::<Vec<_>>().join(", ");
            return Err(format!("edition {:?} has no team {team:?}; it has {names}", self.id));
        };
        let players = serde_json::from_value::<Vec<PlayerEntry>>(found["players"].clone());
        let players = players.map_err(|error| error.to_string())?;
        let (players, cards) = PlayerEntry::squad(players).map_err(|fault| fault.to_string())?;
        Ok(TeamSheet { name: side.to_owned(), players, cards })
    }
}

/// The edition as its game reads it: which game that is has been settled.
fn without_game(value: &Value) -> Cow<'_, Value> {
    match value {
        Value::Object(members) if members.contains_key("game") => {
            let mut members = members.clone();
            members.remove("game");
            Cow::Owned(Value::Object(members))
        }
        value => Cow::Borrowed(value),
    }
}

#[cfg(test)]
mod tests;
