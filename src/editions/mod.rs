//! The games and editions with which logs are read: the registry of games, the built-in edition of each game
//! that has editions, and the editions handed in.
//!
//! Code that reads a log is handed this, and looks nothing up anywhere else.

mod match_log;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, LazyLock};

use serde_json::Value;

pub use self::match_log::{EditionMismatch, MatchLog};
use crate::games;
use crate::log::{EditionRecord, EventData, MOST_VALUES_OF_EDITION, NotPlain, plain_json};
use crate::rules::{Edition, EditionFault, Game, Registry};

/// The member of an edition that names its game.
const GAME: &str = "game";

/// The game whose editions named no game when it was the only one with editions.
const FIRST_WITH_EDITIONS: &str = "cricket-the-game";

/// The game that an edition is made for.
fn game_of(edition: &Value, registry: Registry) -> Result<&'static Game, String> {
    let with_editions = || registry.games().iter().filter(|game| game.editions.is_some());
    let known = || with_editions().map(|game| game.info.id).collect::<Vec<_>>().join(", ");
    let named = match edition.get(GAME) {
        None => Some(FIRST_WITH_EDITIONS),
        Some(named) => named.as_str(),
    };
    let Some(id) = named else { return Err(format!("is the id of a game with editions: {}", known())) };
    with_editions().find(|game| game.info.id == id).ok_or_else(|| {
        format!("{id:?} is not a game with editions; the games with editions are: {}", known())
    })
}

/// A built-in edition that its own game cannot read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the built-in edition of {game} cannot be read: {}", .faults.first().map(ToString::to_string).unwrap_or_default())]
pub struct BrokenBuiltIn {
    /// The id of the game.
    pub game: &'static str,
    /// The faults of the edition.
    pub faults: Vec<EditionFault>,
}

/// The games and editions with which logs may be read.
#[derive(Debug, Clone)]
pub struct Editions {
    registry: Registry,
    /// The built-in editions, one for each game with editions.
    built_in: Arc<[Arc<Edition>]>,
    handed_in: BTreeMap<String, Arc<Edition>>,
}

impl Default for Editions {
    /// The built-in games, and their built-in editions.
    fn default() -> Editions {
        static BUILT_IN: LazyLock<Editions> = LazyLock::new(|| Editions {
            registry: games::BUILT_IN,
            built_in: built_in_of(games::BUILT_IN).filter_map(Result::ok).collect(),
            handed_in: BTreeMap::new(),
        });
        BUILT_IN.clone()
    }
}

impl Editions {
    /// The games of a registry, no two with one id, and their built-in editions, all of which have to be
    /// readable. A program makes this once, when it starts.
    pub fn of(registry: Registry) -> Result<Editions, BrokenBuiltIn> {
        let mut ids = BTreeSet::new();
        if let Some(twice) = registry.games().iter().find(|game| !ids.insert(game.info.id)) {
            let faults = vec![EditionFault::new(GAME, "two games of the registry have this id")];
            return Err(BrokenBuiltIn { game: twice.info.id, faults });
        }
        let built_in = built_in_of(registry).collect::<Result<_, _>>()?;
        Ok(Editions { registry, built_in, handed_in: BTreeMap::new() })
    }

    /// The registry of games.
    pub fn registry(&self) -> Registry {
        self.registry
    }

    /// The built-in editions.
    pub fn built_in(&self) -> &[Arc<Edition>] {
        &self.built_in
    }

    /// The built-in edition of a game, if the game has editions.
    pub fn built_in_for(&self, game: &Game) -> Option<Arc<Edition>> {
        self.built_in.iter().find(|edition| edition.game == game.info.id).cloned()
    }

    /// Whether an edition is a built-in one.
    pub fn is_built_in(&self, edition: &Edition) -> bool {
        self.built_in.iter().any(|built_in| built_in.sha256 == edition.sha256)
    }

    /// Reads an edition from its text, JSON in any form, by the reader of the game that the edition names.
    pub fn read(&self, text: &[u8]) -> Result<Edition, Vec<EditionFault>> {
        read_with(self.registry, text)
    }

    /// Reads an edition from its JSON value, by the reader of the game that the edition names.
    pub fn read_value(&self, value: Value) -> Result<Edition, Vec<EditionFault>> {
        read_value_with(self.registry, value)
    }

    /// Adds an edition.
    pub fn insert(&mut self, edition: Arc<Edition>) {
        self.handed_in.insert(edition.sha256.clone(), edition);
    }

    /// The games and built-in editions, and of those handed in only this one, if there is one.
    pub fn only(&self, edition: Option<&Arc<Edition>>) -> Editions {
        let handed_in = edition.map(|edition| (edition.sha256.clone(), Arc::clone(edition)));
        let built_in = Arc::clone(&self.built_in);
        Editions { registry: self.registry, built_in, handed_in: handed_in.into_iter().collect() }
    }

    /// The edition with this hash.
    pub fn find(&self, sha256: &str) -> Option<Arc<Edition>> {
        let built_in = self.built_in.iter().find(|edition| edition.sha256 == sha256);
        built_in.or_else(|| self.handed_in.get(sha256)).cloned()
    }

    /// Adds the editions of another set.
    pub fn add(&mut self, other: &Editions) {
        self.extend(other.handed_in.values().cloned());
    }

    /// The edition that the first event of a match names, in a game with editions.
    pub fn named_in<'a>(&self, first: &'a EventData) -> Option<&'a EditionRecord> {
        let EventData::MatchCreated(created) = first else { return None };
        let game = self.registry.find(&created.game);
        created.edition.as_ref().filter(|_| game.is_some_and(|game| game.editions.is_some()))
    }
}

impl Extend<Arc<Edition>> for Editions {
    fn extend<T: IntoIterator<Item = Arc<Edition>>>(&mut self, editions: T) {
        editions.into_iter().for_each(|edition| self.insert(edition));
    }
}

fn read_with(registry: Registry, text: &[u8]) -> Result<Edition, Vec<EditionFault>> {
    let fault = |fault: NotPlain| vec![EditionFault::new("", fault.to_string())];
    plain_json(text, MOST_VALUES_OF_EDITION).map_err(fault)?;
    read_value_with(registry, serde_json::from_slice(text).map_err(|error| fault(error.into()))?)
}

fn read_value_with(registry: Registry, value: Value) -> Result<Edition, Vec<EditionFault>> {
    let game = game_of(&value, registry).map_err(|reason| vec![EditionFault::new(GAME, reason)])?;
    game.edition(value)
}

fn built_in_of(registry: Registry) -> impl Iterator<Item = Result<Arc<Edition>, BrokenBuiltIn>> {
    registry
        .games()
        .iter()
        .filter_map(|game| game.editions.map(|editions| (game.info.id, editions.built_in)))
        .map(move |(game, text)| {
            let edition =
                read_with(registry, text.as_bytes()).map_err(|faults| BrokenBuiltIn { game, faults })?;
            if edition.game == game {
                return Ok(Arc::new(edition));
            }
            let faults = vec![EditionFault::new(GAME, format!("is {:?}, not {game:?}", edition.game))];
            Err(BrokenBuiltIn { game, faults })
        })
}

#[cfg(test)]
mod tests;
