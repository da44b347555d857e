//! What can be asked of a match: request bodies, the commands that they become, how each command is decided,
//! and problems, as which a refusal is told.

mod autoplay;
pub mod bodies;
mod command;
mod correction;
mod delivery_named;
mod handler;
mod problem;
mod request;
mod secrets;
mod sides;

pub use self::command::{Command, Until};
pub use self::correction::{CorrectionCommand, NamedAmendment, NamedInsertion, NamedTarget};
pub use self::delivery_named::DeliveryNamed;
pub use self::handler::{CommandDecided, CommandHandler};
pub use self::problem::{Problem, ProblemBody, ProblemError, ProblemType};
pub use self::request::{CommandRequest, IdempotencyKey};
pub use self::secrets::{Secrets, TokenHash, TokenPurpose, TokenRow, VerifiedToken};
pub use self::sides::{NewPlayers, NewSide, TeamNamed, team_sheets};
