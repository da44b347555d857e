//! Remote play: each side has its own token, adds to the seed, and chooses in secret.

mod board_game;
mod claims;
mod eyes;
mod instances;
mod listed;
mod orders;
mod rotation;
mod seals;
mod seeds;
mod timeouts;
mod turns;
mod whole_match;
