//! A game chosen at run time: what its rules say of it, with the types taken out.

use std::any::Any;
use std::sync::Arc;

use serde_json::Value;

use super::{Choices, Edition, EditionFault, GameState, Refusal, Rules, erased};
use crate::log::{MatchCreated, Played, SetUp};
use crate::scorebook::{BySide, Ruling};

/// A rule system, chosen at run time.
#[derive(Debug)]
pub struct Game {
    /// Its id on the wire.
    pub id: &'static str,
    /// Its name for people.
    pub title: &'static str,
    /// Every ruling and refusal it can cite.
    pub rulings: fn() -> &'static [&'static Ruling],
    pub(crate) ruling: fn(&str) -> Option<&'static Ruling>,
    /// Players in a side of the game's own making, as in a simulation.
    pub players: u8,
    /// Wickets with which a side is all out.
    pub wickets: u8,
    /// Whether a side may come without names of players.
    pub nameless: bool,
    /// Whether the sides can play it from afar.
    pub remote: bool,
    /// How a side may choose in a simulation; the first is what it does where nothing is said.
    pub policies: &'static [&'static str],
    /// What the game has to add to an event of play that is told.
    pub remark: fn(Played<'_>) -> Option<String>,
    /// The edition that comes with the game, as JSON, where the game is played with editions.
    pub built_in: Option<&'static str>,
    pub(super) edition: ReadEdition,
    /// The players on the sheets who take no part after the set-up.
    pub left_out: fn(&SetUp) -> BySide<Vec<String>>,
    pub(crate) options: fn(&Choices) -> Result<Choices, Refusal>,
    pub(crate) open: Open,
}

type ReadEdition = fn(&Value) -> Result<Arc<dyn Any + Send + Sync>, Vec<EditionFault>>;
type Open = fn(&Arc<MatchCreated>, Option<&Edition>) -> Result<Box<dyn GameState>, Refusal>;

impl Game {
    /// The game of these rules.
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
            remark: R::remark,
            built_in: R::BUILT_IN,
            edition: R::edition,
            left_out: R::left_out,
            options: R::options,
            open: erased::open::<R>,
        }
    }
}
