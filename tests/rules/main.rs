//! The rules of the games and the dice they are played with, as tables, stories and properties.

mod chosen;
mod corrections;
mod cricket_the_game;
mod cricket_the_game_balance;
mod cuberoots;
mod dice;
mod howzat_captain;
mod howzat_innings;
mod howzat_odds;
mod howzat_refusals;
mod howzat_reviews;
mod howzat_table;
mod log_chain;
mod playthroughs;
mod properties;
mod recorded;
mod simulation;
mod support;
mod tampering;
mod witness;
mod words;
