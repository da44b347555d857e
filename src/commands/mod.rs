//! What can be asked of a match, and what is decided on it.

mod secrets;
mod sides;
mod submission;

pub use self::secrets::{Pass, Secrets, TokenRow};
pub use self::sides::{NewPlayers, NewSide, TeamNamed};
pub use self::submission::{Asked, Decided, Entered, Key, Submission, Until};
