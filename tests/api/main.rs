//! API scenarios: the real program as a process of its own, a database a test, on SQLite and on Postgres. Paths of
//! tests mirror the routes.

mod after_commit;
mod audits;
mod bad_input;
mod clock;
mod concurrency;
mod corrections;
mod crash;
mod cricket_the_game;
mod disputes;
mod editions;
mod hosts;
mod idempotency;
mod immutability;
mod instances;
mod journal;
mod listening;
mod matches;
mod memory;
mod openapi;
mod outages;
mod production_role;
mod readiness;
mod rebuild;
mod remote;
mod reviews;
mod service;
mod simulations;
mod slow_bodies;
mod starting;
mod tampering;
mod time_travel;
mod whole_matches;
