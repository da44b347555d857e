//! The rules of the games and the dice they are played with, as tables, stories and properties: a folder a
//! game.

mod cricket_the_game;
mod cuberoots;
mod dice;
mod howzat;
mod scorebook;
mod tables;
