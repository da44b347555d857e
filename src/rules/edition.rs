//! An edition of a game's components: data for a match, identified by the hash of its canonical form.

use std::any::Any;
use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use serde_json::Value;

use super::reading::name_fault;
use crate::canonical::canonical;
use crate::log::{EditionRecord, PlayerEntry, TeamSheet, hash_of, is_same_name, read_value};

/// The reader of a game's editions.
pub trait EditionReader {
    /// An edition as the game plays with it; a match gets it by [`Edition::read`].
    type Printed: Send + Sync + 'static;
    /// The built-in edition as JSON.
    const BUILT_IN: &'static str;

    /// Checks an edition, and reads it. Every fault is listed.
    fn read_edition(value: &Value) -> Result<Self::Printed, Vec<EditionFault>>;
}

/// The reader of a game's editions, without its type.
pub(super) type ReadEdition = fn(&Value) -> Result<Arc<dyn Any + Send + Sync>, Vec<EditionFault>>;

/// The most bytes of an edition's canonical form: it has to fit in one line of a match log.
pub const LONGEST_EDITION: usize = 1_000_000;

/// A fault of an edition: the place, and the reason.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EditionFault {
    /// The path of the fault, e.g. `over_decks.pace[3].effects[0].then`.
    pub path: String,
    /// The reason: what is wrong, and what is allowed.
    pub reason: String,
}

impl EditionFault {
    /// A fault at a path.
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

/// An edition that has been checked. Its hash identifies its content, wherever it comes from.
#[derive(Debug)]
pub struct Edition {
    /// The id of the game that the edition is made for.
    pub game: &'static str,
    /// The id of the edition.
    pub id: String,
    /// The SHA-256 of the canonical form.
    pub sha256: String,
    /// The canonical form (RFC 8785).
    pub text: String,
    /// The edition as JSON.
    pub value: Value,
    read: Arc<dyn Any + Send + Sync>,
}

impl Edition {
    /// Checks a value as an edition of the game with this id, which has it read by `reader`.
    pub(super) fn checked(
        game: &'static str,
        reader: Option<ReadEdition>,
        value: Value,
    ) -> Result<Edition, Vec<EditionFault>> {
        let fault = |path: &str, reason: String| vec![EditionFault::new(path, reason)];
        let text = canonical(&value).map_err(|error| fault("", error.to_string()))?;
        if text.len() > LONGEST_EDITION {
            let reason = format!("an edition has at most {LONGEST_EDITION} bytes; this has {}", text.len());
            return Err(fault("", reason));
        }
        let no_editions = || fault("", "this game has no editions".to_owned());
        let read = reader.ok_or_else(no_editions)?(&without_game(&value))?;
        let id = value["id"].as_str().unwrap_or_default().to_owned();
        if let Some(reason) = name_fault(&id) {
            return Err(fault("id", reason));
        }
        Ok(Edition { game, id, sha256: hash_of(&text), text, value, read })
    }

    /// The edition in the type into which its game reads editions.
    pub fn read<T: Send + Sync + 'static>(&self) -> Option<Arc<T>> {
        Arc::clone(&self.read).downcast().ok()
    }

    /// The id and the hash of the edition, as the first event of a match has them.
    pub fn record(&self) -> EditionRecord {
        EditionRecord { id: self.id.clone(), sha256: self.sha256.clone() }
    }

    /// The names of the edition's teams.
    pub fn teams(&self) -> Vec<&str> {
        self.listed_teams().iter().filter_map(|team| team["name"].as_str()).collect()
    }

    fn listed_teams(&self) -> &[Value] {
        self.value["teams"].as_array().map(Vec::as_slice).unwrap_or_default()
    }

    /// A team of the edition, as the team sheet of a side. The error lists the teams there are.
    pub fn team(&self, side: &str, team: &str) -> Result<TeamSheet, String> {
        let teams = self.listed_teams();
        let exact = teams.iter().find(|found| found["name"].as_str() == Some(team));
        let Some(found) = exact.or_else(|| teams.iter().find(|found| is_named(found, team))) else {
            let names = self.teams().iter().map(|team| format!("{team:?}")).collect::<Vec<_>>().join(", ");
            return Err(format!("edition {:?} has no team {team:?}; it has {names}", self.id));
        };
        let players: Vec<PlayerEntry> =
            read_value(&found["players"]).map_err(|fault| fault.message("the list of players"))?;
        let (players, cards) = PlayerEntry::squad(players).map_err(|fault| fault.to_string())?;
        Ok(TeamSheet { name: side.to_owned(), players, cards })
    }
}

/// Whether a team has this name, in whichever form of Unicode.
fn is_named(team: &Value, name: &str) -> bool {
    team["name"].as_str().is_some_and(|known| is_same_name(known, name))
}

/// The edition as its game reads it, without the member that names the game.
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
