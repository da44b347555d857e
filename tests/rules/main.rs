//! The rules of the games, and their dice, as tables, stories and properties: a folder for each game.

mod cricket_the_game;
mod cuberoots;
mod dice;
mod howzat;
mod scorebook;
mod tables;
