//! The games: each in its own folder, by the contract of [`Rules`](crate::rules::Rules). The registry
//! [`BUILT_IN`] is the only place that names them all.

pub mod cricket_the_game;
pub mod cuberoots;
pub mod howzat;

use crate::rules::{Game, Registry};

/// The built-in games, by which this program creates, plays and audits matches.
pub const BUILT_IN: Registry = Registry::of(&[
    Game::of::<howzat::Howzat>(),
    Game::of::<cuberoots::CubeRoots>(),
    Game::of::<cricket_the_game::CricketTheGame>().with_editions::<cricket_the_game::CricketTheGame>(),
]);
