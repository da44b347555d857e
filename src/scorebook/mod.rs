//! The scorebook: cricket as every game here scores it, with sides, deliveries, dismissals, extras, overs,
//! innings and results.
//!
//! Nothing here knows of dice, cards or cubes. A game decides a ball and gives it as a [`Delivery`]; the
//! scorebook counts it.

mod cell;
mod delivery;
mod innings;
mod outcome;
mod overs;
mod result;
mod ruling;
mod side;
mod tally;

pub use cell::cell;
pub use delivery::{Boundary, Delivery, Dismissal, Extras, Player};
pub use innings::Innings;
pub use outcome::{ExtrasRecord, MOST_RUNS, Outcome, OutcomeFault, RunsRecord, WicketKind, WicketRecord};
pub use overs::{Overs, per_hundred, per_over};
pub use result::{Margin, MatchResult, Method};
pub use ruling::{AS_STOOD, NOT_KNOWN, Ruling, Rulings, SHARED_RULINGS, rulings};
pub use side::{BySide, Side};
pub use tally::{InningsTally, MatchTally};
