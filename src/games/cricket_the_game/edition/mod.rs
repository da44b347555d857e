//! Editions: everything printed on a component of the game, as data.

pub mod effect;
pub mod model;
