//! Sides that play from afar, each with its own token: they add to the seed, and choose in secret.

mod board_game;
mod claims;
mod eyes;
mod instances;
mod orders;
mod rotation;
mod seals;
mod seeds;
mod silence;
mod turns;
mod whole_match;
