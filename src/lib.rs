//! third-umpire: a replay-log scoring service for tabletop cricket.
//!
//! Rooms from the ground up: each uses those before it and none after. The scorebook counts and the dice fall; the log
//! records; rules say what a game is, and games are; editions are read; a match decides; views fold for readers; commands say
//! what can be asked; audit, diff and simulate work on all of that. The store keeps, the service loads, decides and appends,
//! HTTP translates, and the command line starts it.
#![warn(missing_docs)]
#![forbid(unsafe_code)]

pub mod dice;
pub mod scorebook;

pub mod log;

pub mod rules;

pub mod editions;
pub mod games;

pub mod matches;

pub mod views;

pub mod commands;

pub mod audit;
pub mod diff;
pub mod simulate;

#[cfg(feature = "service")]
pub mod metrics;
#[cfg(feature = "service")]
pub mod store;

#[cfg(feature = "service")]
pub mod service;

#[cfg(feature = "service")]
pub mod http;

#[cfg(feature = "service")]
pub mod cli;
