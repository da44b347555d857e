//! Editions of games: their reader, the built-in ones, and the set of editions with which a log is read.
//!
//! Code that reads a log is handed the editions it may use. Only the built-in ones are known everywhere.

mod match_log;

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

use serde_json::Value;

pub use self::match_log::{EditionMismatch, MatchLog};
use crate::games;
use crate::games::GAMES;
use crate::log::{EditionRecord, EventData, MOST_VALUES_OF_EDITION, NotPlain, plain_json};
use crate::rules::{Edition, EditionFault, Game};

/// The member of an edition that names its game.
const GAME: &str = "game";

/// Reads an edition from its text: JSON in any form.
pub fn read(text: &[u8]) -> Result<Edition, Vec<EditionFault>> {
    let fault = |fault: NotPlain| vec![EditionFault::new("", fault.to_string())];
    plain_json(text, MOST_VALUES_OF_EDITION).map_err(fault)?;
    read_value(serde_json::from_slice(text).map_err(|error| fault(error.into()))?)
}

/// Reads an edition from its JSON value, by the reader of the game that the edition names.
pub fn read_value(value: Value) -> Result<Edition, Vec<EditionFault>> {
    let game = game_of(&value, GAMES).map_err(|reason| vec![EditionFault::new(GAME, reason)])?;
    Edition::for_game(game, value)
}

/// The game whose editions named no game when it was the only one with editions.
const FIRST_WITH_EDITIONS: &str = "cricket-the-game";

/// The game that an edition is made for.
fn game_of<'a>(edition: &Value, games: &'a [Game]) -> Result<&'a Game, String> {
    let with_editions = || games.iter().filter(|game| game.built_in.is_some());
    let known = || with_editions().map(|game| game.id).collect::<Vec<_>>().join(", ");
    let named = match edition.get(GAME) {
        None => Some(FIRST_WITH_EDITIONS),
        Some(named) => named.as_str(),
    };
    let Some(id) = named else { return Err(format!("is the id of a game with editions: {}", known())) };
    with_editions().find(|game| game.id == id).ok_or_else(|| {
        format!("{id:?} is not a game with editions; the games with editions are: {}", known())
    })
}

/// The built-in editions, one for each game with editions, read once.
static BUILT_IN: LazyLock<Vec<Arc<Edition>>> =
    LazyLock::new(|| built_in_of(GAMES).filter_map(Result::ok).collect());

fn built_in_of(games: &[Game]) -> impl Iterator<Item = Result<Arc<Edition>, BrokenBuiltIn>> {
    games.iter().filter_map(|game| game.built_in.map(|text| (game, text))).map(|(game, text)| {
        let edition = read(text.as_bytes()).map_err(|faults| BrokenBuiltIn { game: game.id, faults })?;
        if edition.game == game.id {
            return Ok(Arc::new(edition));
        }
        let faults = vec![EditionFault::new(GAME, format!("is {:?}, not {:?}", edition.game, game.id))];
        Err(BrokenBuiltIn { game: game.id, faults })
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

/// Checks that every built-in edition can be read. A program calls this once, when it starts.
pub fn check_built_in() -> Result<(), BrokenBuiltIn> {
    check(GAMES)
}

fn check(games: &[Game]) -> Result<(), BrokenBuiltIn> {
    built_in_of(games).try_for_each(|edition| edition.map(drop))
}

/// The built-in editions.
pub fn built_in() -> &'static [Arc<Edition>] {
    &BUILT_IN
}

/// The built-in edition of a game, if the game has editions.
pub fn built_in_for(game: &Game) -> Option<Arc<Edition>> {
    BUILT_IN.iter().find(|edition| edition.game == game.id).cloned()
}

/// Whether an edition is a built-in one.
pub fn is_built_in(edition: &Edition) -> bool {
    BUILT_IN.iter().any(|built_in| built_in.sha256 == edition.sha256)
}

/// The editions with which a log may be read: the built-in ones, and those handed in.
#[derive(Debug, Clone, Default)]
pub struct Editions {
    handed_in: BTreeMap<String, Arc<Edition>>,
}

impl Editions {
    /// Adds an edition.
    pub fn insert(&mut self, edition: Arc<Edition>) {
        self.handed_in.insert(edition.sha256.clone(), edition);
    }

    /// The edition with this hash.
    pub fn find(&self, sha256: &str) -> Option<Arc<Edition>> {
        let built_in = BUILT_IN.iter().find(|edition| edition.sha256 == sha256);
        built_in.or_else(|| self.handed_in.get(sha256)).cloned()
    }

    /// Adds the editions of another set.
    pub fn add(&mut self, other: &Editions) {
        self.extend(other.handed_in.values().cloned());
    }
}

impl Extend<Arc<Edition>> for Editions {
    fn extend<T: IntoIterator<Item = Arc<Edition>>>(&mut self, editions: T) {
        editions.into_iter().for_each(|edition| self.insert(edition));
    }
}

impl FromIterator<Arc<Edition>> for Editions {
    fn from_iter<T: IntoIterator<Item = Arc<Edition>>>(editions: T) -> Editions {
        let mut all = Editions::default();
        all.extend(editions);
        all
    }
}

impl From<Option<&Arc<Edition>>> for Editions {
    fn from(edition: Option<&Arc<Edition>>) -> Editions {
        edition.cloned().into_iter().collect()
    }
}

/// The edition that the first event of a match names, in a game with editions.
pub fn named_in(first: &EventData) -> Option<&EditionRecord> {
    let EventData::MatchCreated(created) = first else { return None };
    let has_editions = games::find(&created.game).is_some_and(|game| game.built_in.is_some());
    created.edition.as_ref().filter(|_| has_editions)
}

#[cfg(test)]
mod tests;
