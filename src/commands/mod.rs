//! The commands to a match, and how each is decided.

mod request;
mod secrets;
mod sides;

pub use self::request::{Command, CommandDecided, CommandRequest, EnteredDice, IdempotencyKey, Until};
pub use self::secrets::{Secrets, TokenRow, VerifiedToken};
pub use self::sides::{NewPlayers, NewSide, TeamNamed};
