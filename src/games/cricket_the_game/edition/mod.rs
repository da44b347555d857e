//! Editions: everything printed on a component of the game, as data.

pub mod effect;
pub mod model;
mod read;
mod terms;

pub use read::read;

/// The built-in edition, as JSON: written for this project, complete and playable.
pub const BUILT_IN: &str = include_str!("house.json");
