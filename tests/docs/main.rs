//! The documents: README.md and every page in docs/. Their commands print what they say, their links lead
//! somewhere, and what they name exists.
#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used)]

mod commands;
mod dice;
mod glossary;
mod links;
mod named;
mod not_run;
mod pages;
mod programs;
mod readme;
mod requests;
mod rulings;
mod shell;
