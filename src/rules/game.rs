//! A game chosen at run time: the facts and functions of its rules, without their types; and the registry of
//! games with which a program creates, plays and audits matches.

use std::any::Any;
use std::sync::Arc;

use serde_json::{Value, json};

use super::describe::{DEFAULT_DEPENDS, SheetRule};
use super::edition::ReadEdition;
use super::{
    Asking, Choices, Describe, DynGame, Edition, EditionFault, EditionReader, GameInfo, Refusal, Simulate,
    erased,
};
use crate::log::{MatchCreated, Over, RecordedPlay, SetUp};
use crate::scorebook::{BySide, Outcome, Ruling};

/// A game, chosen at run time.
#[derive(Debug, Clone, Copy)]
pub struct Game {
    /// The facts about the game.
    pub info: GameInfo,
    /// The policies of a side in a simulation; the first is the default.
    pub policies: &'static [&'static str],
    /// The editions of the game, if it has any; its players then have cards.
    pub editions: Option<GameEditions>,
    /// See [`Describe::note`].
    pub note: fn(RecordedPlay<'_>) -> Option<String>,
    /// See [`Describe::openers`].
    pub openers: fn(&Over) -> Option<[&str; 2]>,
    /// See [`Describe::keeper`].
    pub keeper: fn(&Over) -> Option<&str>,
    /// See [`Describe::bowler`].
    pub bowler: fn(&Over) -> Option<&str>,
    /// See [`Describe::zone`].
    pub zone: fn(&Outcome) -> Option<&str>,
    /// See [`Describe::dropped`].
    pub dropped: fn(&SetUp) -> BySide<Vec<String>>,
    /// See [`Describe::sheet`].
    pub sheet: fn() -> SheetRule,
    options: fn() -> Value,
    pub(crate) resolve_options: fn(&Choices) -> Result<Choices, Refusal>,
    pub(crate) open: Open,
}

/// The editions of a game: the built-in one, and the reader of all.
#[derive(Debug, Clone, Copy)]
pub struct GameEditions {
    /// The built-in edition as JSON.
    pub built_in: &'static str,
    read: ReadEdition,
}

type Open = fn(&Arc<MatchCreated>, Option<&Edition>) -> Result<Box<dyn DynGame>, Refusal>;

impl Game {
    /// The game with these rules.
    pub const fn of<R: Simulate + Describe + Asking>() -> Game {
        Game {
            info: R::INFO,
            policies: R::POLICIES,
            editions: None,
            note: R::note,
            openers: R::openers,
            keeper: R::keeper,
            bowler: R::bowler,
            zone: R::zone,
            dropped: R::dropped,
            sheet: R::sheet,
            options: R::options,
            resolve_options: R::resolve_options,
            open: erased::open::<R>,
        }
    }

    /// The game with the editions that this reader reads.
    pub const fn with_editions<R: EditionReader>(self) -> Game {
        fn read<R: EditionReader>(value: &Value) -> Result<Arc<dyn Any + Send + Sync>, Vec<EditionFault>> {
            Ok(Arc::new(R::read_edition(value)?))
        }
        Game { editions: Some(GameEditions { built_in: R::BUILT_IN, read: read::<R> }), ..self }
    }

    /// Checks a value as an edition of the game.
    pub fn edition(&self, value: Value) -> Result<Edition, Vec<EditionFault>> {
        Edition::checked(self.info.id, self.editions.map(|editions| editions.read), value)
    }

    /// The options of a match as JSON Schema, with their defaults. An option whose default depends on another
    /// has none, and says so.
    pub fn options(&self) -> Value {
        let mut options = (self.options)();
        for (name, default) in (self.resolve_options)(&Choices::new()).unwrap_or_default() {
            match options.get_mut(&name) {
                Some(option) if option.get(DEFAULT_DEPENDS).is_none() => option["default"] = default,
                Some(_) | None => {}
            }
        }
        json!({"type": "object", "properties": options, "additionalProperties": false})
    }

    /// The ruling or refusal with this id: of the game, or of every game.
    pub fn ruling(&self, id: &str) -> Option<&'static Ruling> {
        let own = self.info.rulings.iter().copied().find(|ruling| ruling.id == id);
        own.or_else(|| Ruling::find_shared(id))
    }
}

/// The registry of games: those that a program knows.
#[derive(Debug, Clone, Copy)]
pub struct Registry(&'static [Game]);

impl Registry {
    /// A registry of these games.
    pub const fn of(games: &'static [Game]) -> Registry {
        Registry(games)
    }

    /// The games, in the order in which they are listed.
    pub fn games(self) -> &'static [Game] {
        self.0
    }

    /// The game with this id.
    pub fn find(self, id: &str) -> Option<&'static Game> {
        self.0.iter().find(|game| game.info.id == id)
    }

    /// The ids of the games.
    pub fn ids(self) -> Vec<&'static str> {
        self.0.iter().map(|game| game.info.id).collect()
    }

    /// The ruling or refusal with this id, in any game.
    pub fn ruling(self, id: &str) -> Option<&'static Ruling> {
        self.0.iter().find_map(|game| game.ruling(id))
    }
}
