//! Whole matches over HTTP, with everything said about them worked out again from the events.

pub mod book;
mod secrecy;
mod twenty20;
mod umpire;
