//! What can be asked of a match, and what is decided on it.

mod request;
mod secrets;
mod sides;

pub use self::request::{Command, CommandDecided, CommandRequest, EnteredDice, IdempotencyKey, Until};
pub use self::secrets::{Secrets, TokenRow, VerifiedToken};
pub use self::sides::{NewPlayers, NewSide, TeamNamed};
