//! Editions: everything printed on a component of the game, as data.

pub mod effect;
pub mod model;
mod read;
mod terms;

pub use read::read;

/// The edition that comes with the game, as JSON: of this project's own writing, complete and playable.
pub const BUILT_IN: &str = include_str!("house.json");
