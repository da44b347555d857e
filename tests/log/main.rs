//! The match log as a file: its chain of hashes, the only way to write an event, and what is refused as no
//! log.

mod chain;
mod reader;
