//! The match log as a file: its chain of hashes, its one way to write an event, and what is no log.

mod chain;
mod reader;
