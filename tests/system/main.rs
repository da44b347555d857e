//! Scenarios of the service as a whole, on SQLite and on Postgres: how it starts, stops and crashes, what it
//! makes of outages and of machines whose disk, clock or memory fail, several instances on one database, and
//! whom it answers.

mod after_commit;
mod clock;
mod crash;
mod hosts;
mod immutability;
mod instances;
mod journal;
mod listening;
mod memory;
mod outages;
mod production_role;
mod readiness;
mod slow_bodies;
mod starting;
