//! The kit of all tests and benches: makers of matches, a forger of logs, the program, stores, and a client
//! of the service.

pub mod coin_cricket;
pub mod files;
pub mod logs;
pub mod net_practice;
pub mod program;
pub mod random;
pub mod score;
pub mod service;
mod two_innings;
pub mod words;
