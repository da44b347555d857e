//! Editions: everything printed on a component of the game, as data.

pub mod effect;
pub mod model;
mod read;
mod terms;

pub use read::read;

/// The JSON of the house edition: of this project's own writing, complete and playable.
pub const HOUSE: &str = include_str!("house.json");
