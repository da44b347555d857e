//! third-umpire: a replay-log scoring service for tabletop cricket.
//!
//! Games decide, the scorebook counts, projections fold, the store stores, HTTP translates. A simulation lets games decide
//! many matches and only counts.
#![warn(missing_docs)]
#![forbid(unsafe_code)]

pub mod audit;
pub mod cli;
pub mod corrections;
pub mod dice;
pub mod diff;
pub mod games;
pub mod http;
pub mod log;
pub mod metrics;
pub mod play;
pub mod projections;
pub mod scorebook;
pub mod simulate;
pub mod store;
