//! Scenarios of the service as a whole, on SQLite and on Postgres: how it starts, stops and crashes, outages,
//! machines whose disk, clock or memory fail, several instances on one database, and who may use it.

mod after_commit;
mod clock;
mod cluster;
mod crash;
mod hosts;
mod immutability;
mod instances;
mod journal;
mod list_rows;
mod listening;
mod memory;
mod outages;
mod previews;
mod production_role;
mod readiness;
mod slow_bodies;
mod starting;
mod stopping;
mod sweeping;
mod table;
