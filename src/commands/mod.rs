//! What can be asked of a match: request bodies, the commands that they become, how each command is decided,
//! and problems, as which a refusal is told.

pub mod bodies;
mod problem;
mod request;
mod secrets;
mod sides;

pub use self::problem::{Problem, ProblemBody, ProblemError, ProblemType};
pub use self::request::{Command, CommandDecided, CommandRequest, EnteredDice, IdempotencyKey, Until};
pub use self::secrets::{Secrets, TokenRow, VerifiedToken};
pub use self::sides::{NewPlayers, NewSide, TeamNamed};
