//! Scenarios of the API, each on SQLite and on Postgres. A folder or file for each route; what goes through
//! many routes has a folder by its subject. Most scenarios share a service an engine; those that look at more
//! than their own matches, or change more, have one of their own.

mod audits;
mod bad_input;
mod concurrency;
mod cricket_the_game;
mod editions;
mod idempotency;
mod matches;
mod openapi;
mod rebuild;
mod remote;
mod service;
mod simulations;
mod tampering;
mod time_travel;
mod whole_matches;
