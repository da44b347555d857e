//! A game chosen at run time: the constants and functions of its rules, without their types.

use std::any::Any;
use std::sync::Arc;

use serde_json::Value;

use super::{Choices, DynGame, Edition, EditionFault, Refusal, Rules, erased};
use crate::log::{MatchCreated, RecordedPlay, SetUp};
use crate::scorebook::{BySide, Ruling};

/// A game, chosen at run time.
#[derive(Debug)]
pub struct Game {
    /// The id of the game in JSON.
    pub id: &'static str,
    /// The name of the game, for people.
    pub title: &'static str,
    /// Every ruling and refusal that the game can cite.
    pub rulings: fn() -> &'static [&'static Ruling],
    pub(crate) ruling: fn(&str) -> Option<&'static Ruling>,
    /// The number of players in a side that the game makes up itself, as in a simulation.
    pub players: u8,
    /// The number of wickets at which a side is all out.
    pub wickets: u8,
    /// Whether a side may come without names of players.
    pub nameless: bool,
    /// Whether the game has remote play.
    pub remote: bool,
    /// The policies of a side in a simulation; the first is the default.
    pub policies: &'static [&'static str],
    /// The note of the game on an event of play, for the commentary.
    pub commentary_note: fn(RecordedPlay<'_>) -> Option<String>,
    /// The built-in edition as JSON, for a game with editions.
    pub built_in: Option<&'static str>,
    pub(super) edition: ReadEdition,
    /// The players on the team sheets who take no part after the set-up.
    pub dropped_players: fn(&SetUp) -> BySide<Vec<String>>,
    pub(crate) options: fn(&Choices) -> Result<Choices, Refusal>,
    pub(crate) open: Open,
}

type ReadEdition = fn(&Value) -> Result<Arc<dyn Any + Send + Sync>, Vec<EditionFault>>;
type Open = fn(&Arc<MatchCreated>, Option<&Edition>) -> Result<Box<dyn DynGame>, Refusal>;

impl Game {
    /// The game with these rules.
    pub const fn of<R: Rules>() -> Game {
        Game {
            id: R::ID,
            title: R::TITLE,
            rulings: R::rulings,
            ruling: R::ruling,
            players: R::PLAYERS,
            wickets: R::WICKETS,
            nameless: R::NAMELESS,
            remote: R::REMOTE,
            policies: R::POLICIES,
            commentary_note: R::commentary_note,
            built_in: R::BUILT_IN,
            edition: R::edition,
            dropped_players: R::dropped_players,
            options: R::options,
            open: erased::open::<R>,
        }
    }
}
