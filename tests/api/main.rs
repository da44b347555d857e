//! Scenarios of the API, each on SQLite and on Postgres. A route has a folder or a file; a scenario that goes
//! through many routes is in a folder by its subject. Most scenarios share one service for each engine; those
//! that read or change more than their own matches have one of their own.

mod about;
mod audits;
mod bad_input;
mod board;
mod codes;
mod concurrency;
mod cricket_the_game;
mod editions;
mod fourth_game;
mod games;
mod idempotency;
mod matches;
mod next;
mod openapi;
mod other_pages;
mod pages;
mod rebuild;
mod remote;
mod representations;
mod service;
mod simulations;
mod tampering;
mod time_travel;
mod upgrade;
mod whole_matches;
