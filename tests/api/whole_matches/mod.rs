//! Whole matches over HTTP, with every page computed again from the events.

pub mod book;
mod secrecy;
mod twenty20;
mod umpire;
