//! The games: each in its own folder, by the contract of [`Rules`](crate::rules::Rules). The table [`GAMES`]
//! is the only place that names them all.

pub mod cricket_the_game;
pub mod cuberoots;
pub mod howzat;

use crate::rules::Game;
use crate::scorebook::{AS_STOOD, Ruling};

/// The built-in games, by which this program creates, plays and audits matches.
pub static GAMES: &[Game] = &[
    Game::of::<howzat::Howzat>(),
    Game::of::<cuberoots::CubeRoots>(),
    Game::of::<cricket_the_game::CricketTheGame>(),
];

/// The built-in game with this id.
pub fn find(id: &str) -> Option<&'static Game> {
    GAMES.iter().find(|game| game.id == id)
}

/// The ruling or refusal with this id, in any game.
pub fn ruling(id: &str) -> Option<&'static Ruling> {
    let agreed = || (id == AS_STOOD.id).then_some(&AS_STOOD);
    GAMES.iter().find_map(|game| (game.ruling)(id)).or_else(agreed)
}
