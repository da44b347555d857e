//! The games: each in a folder of its own, by the contract of [`Rules`](crate::rules::Rules). The table [`GAMES`] is the one place
//! that names them all.

pub mod cricket_the_game;
pub mod cuberoots;
pub mod howzat;

use crate::rules::Game;
use crate::scorebook::{AS_STOOD, Ruling};

/// Every game there is.
pub static GAMES: &[Game] = &[
    Game::of::<howzat::Howzat>(),
    Game::of::<cuberoots::CubeRoots>(),
    Game::of::<cricket_the_game::CricketTheGame>(),
];

/// The game of this id.
pub fn find(id: &str) -> Option<&'static Game> {
    GAMES.iter().find(|game| game.id == id)
}

/// The ruling or refusal of this id, in any game.
pub fn ruling(id: &str) -> Option<&'static Ruling> {
    let agreed = || (id == AS_STOOD.id).then_some(&AS_STOOD);
    GAMES.iter().find_map(|game| (game.ruling)(id)).or_else(agreed)
}
