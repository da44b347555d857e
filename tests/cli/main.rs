//! The program: its commands, their arguments and output, and how it ends.
#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used)]

mod adjudication;
mod audit;
mod commands;
mod cricket_the_game;
mod diff;
mod edition;
mod memory;
mod reader;
mod replay;
mod scorecard;
mod serve;
mod simulate;
mod table;
mod tally;
mod width;
