//! third-umpire: a replay-log scoring service for tabletop cricket.
//!
//! The modules stand in the order of their dependencies: each uses those before it and none after.
//! `canonical` is the form of JSON that is hashed; `scorebook` counts and `dice` rolls; `log` records events;
//! `rules` is the contract of a game, and `games` fulfil it; `editions` have the components of a game as
//! data; `matches` is the aggregate that decides; `projection` folds its events for readers, and `views`
//! shows what was folded; `commands` is what clients send to a match, and the problems that they get back;
//! `audit`, `diff`, `luck` and `simulate` work on all of these. `store` keeps events, `service` loads,
//! decides and appends, `http` translates, and `cli` starts the program.
#![warn(missing_docs)]

pub mod canonical;

pub mod dice;
pub mod scorebook;

pub mod log;

pub mod rules;

pub mod games;

pub mod editions;

pub mod matches;

pub mod projection;

pub mod views;

pub mod commands;

pub mod audit;
pub mod diff;
pub mod luck;
pub mod simulate;

#[cfg(feature = "service")]
pub mod metrics;
#[cfg(feature = "service")]
pub mod store;

#[cfg(feature = "service")]
pub mod service;

#[cfg(feature = "service")]
pub mod web;

#[cfg(feature = "service")]
pub mod http;

#[cfg(feature = "service")]
pub mod cli;
