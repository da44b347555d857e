//! Editions of a game's components: data that a match is played with, named by the hash of its canonical form.

mod file;
mod squad;

use std::any::Any;
use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError, Weak};

use serde_json::Value;

pub use self::file::{MatchLog, Misfit};
pub use self::squad::{NewPlayers, NewSide, TeamNamed};
use super::reading::name_fault;
use super::{GAMES, Game};
use crate::log::{
    EditionRecord, EventData, MOST_VALUES_OF_EDITION, NotPlain, PlayerEntry, TeamSheet, canonical, hash_of,
    plain_json,
};

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
    /// Checks a text: JSON in any form, an edition of the game that has editions.
    pub fn of_text(text: &[u8]) -> Result<Edition, Vec<EditionFault>> {
        let fault = |fault: NotPlain| vec![EditionFault::new("", fault.to_string())];
        plain_json(text, MOST_VALUES_OF_EDITION).map_err(fault)?;
        Edition::of_value(serde_json::from_slice(text).map_err(|error| fault(error.into()))?)
    }

    /// Checks a value: an edition of the game that has editions.
    pub fn of_value(value: Value) -> Result<Edition, Vec<EditionFault>> {
        let fault = |path: &str, reason: String| vec![EditionFault::new(path, reason)];
        let text = canonical(&value).map_err(|error| fault("", error.to_string()))?;
        if text.len() > LONGEST_EDITION {
            let reason = format!("an edition has at most {LONGEST_EDITION} bytes; this has {}", text.len());
            return Err(fault("", reason));
        }
        let Some(game) = GAMES.iter().find(|game| game.house.is_some()) else {
            return Err(fault("", "no game has editions".to_owned()));
        };
        let read = (game.edition)(&value)?;
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

    /// Whether a game brings it along.
    pub fn is_house(&self) -> bool {
        own(&self.sha256).is_some()
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

/// The editions the games bring along.
static HOUSES: LazyLock<Vec<Arc<Edition>>> = LazyLock::new(|| {
    let houses = GAMES.iter().filter_map(|game| game.house);
    houses.filter_map(|text| Edition::of_text(text.as_bytes()).ok()).map(Arc::new).collect()
});

/// The other editions somebody holds, by hash.
static SHELF: LazyLock<Mutex<HashMap<String, Weak<Edition>>>> = LazyLock::new(Mutex::default);

fn shelf() -> MutexGuard<'static, HashMap<String, Weak<Edition>>> {
    SHELF.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The editions the games bring along.
pub fn houses() -> &'static [Arc<Edition>] {
    &HOUSES
}

/// The edition a game brings along, if it has editions.
pub fn house(game: &Game) -> Option<Arc<Edition>> {
    HOUSES.iter().find(|edition| edition.game == game.id).cloned()
}

/// The edition of this hash, if a game brings it along.
pub fn own(sha256: &str) -> Option<Arc<Edition>> {
    HOUSES.iter().find(|house| house.sha256 == sha256).cloned()
}

/// The edition of this hash: one that a game brings along, or one that somebody holds.
pub fn find(sha256: &str) -> Option<Arc<Edition>> {
    own(sha256).or_else(|| shelf().get(sha256).and_then(Weak::upgrade))
}

/// Puts an edition where [`find`] finds it for as long as somebody holds what is given back.
pub fn keep(edition: Edition) -> Arc<Edition> {
    if let Some(own) = own(&edition.sha256) {
        return own;
    }
    let mut shelf = shelf();
    if let Some(known) = shelf.get(&edition.sha256).and_then(Weak::upgrade) {
        return known;
    }
    let edition = Arc::new(edition);
    shelf.retain(|_, held| held.strong_count() > 0);
    shelf.insert(edition.sha256.clone(), Arc::downgrade(&edition));
    edition
}

/// The edition that the first event of a match names, where its game has editions.
pub fn named_in(first: &EventData) -> Option<&EditionRecord> {
    let EventData::MatchCreated(created) = first else { return None };
    let has_editions = Game::find(&created.game).is_some_and(|game| game.house.is_some());
    created.edition.as_ref().filter(|_| has_editions)
}

/// Why a match of this game cannot be played with this edition.
pub(super) fn record_fault(game: &Game, record: Option<&EditionRecord>) -> Option<String> {
    let Some(record) = record else {
        let reason = || format!("{} is played with an edition: its id and sha256", game.id);
        return game.house.is_some().then(reason);
    };
    if game.house.is_none() {
        return Some(format!("{} has no editions: it is null", game.id));
    }
    match find(&record.sha256) {
        None => Some(unknown(&record.sha256)),
        Some(edition) if edition.game != game.id => {
            Some(format!("edition {:?} is made for {}, not for {}", edition.id, edition.game, game.id))
        }
        Some(edition) if edition.id != record.id => {
            Some(format!("the edition of this hash is {:?}, not {:?}", edition.id, record.id))
        }
        Some(_) => None,
    }
}

fn unknown(sha256: &str) -> String {
    format!("edition {sha256} is not known here, and a match can be read only with its edition")
}

/// Why a side's cards are not what this game needs.
pub(super) fn cards_fault(game: &Game, sheet: &TeamSheet) -> Option<(String, String)> {
    let whole = |reason: String| Some(("players".to_owned(), reason));
    if game.house.is_none() {
        let reason = || format!("{} has no player cards: players are names", game.id);
        return if sheet.cards.is_empty() { None } else { whole(reason()) };
    }
    if !sheet.cards.is_empty() && sheet.cards.len() != sheet.players.len() {
        return whole("every player comes with his card, or none does".to_owned());
    }
    sheet.cards.iter().enumerate().find_map(|(place, card)| {
        let fault = canonical(&Value::Object(card.clone())).err()?;
        Some((format!("players[{place}]"), fault.to_string()))
    })
}

#[cfg(test)]
mod tests;
