//! The request bodies of commands: each becomes a command, or a problem that says what is wrong with it.

mod choices;
mod corrections;
mod disputes;
mod play;
mod reviews;

pub use self::choices::{CallBody, ChoiceBody, SeedBody};
pub use self::corrections::{ConsentBody, CorrectionBody};
pub use self::disputes::{DisputeBody, RulingBody};
pub use self::play::{
    AbandonmentBody, AutoplayBody, BallBody, DecisionBody, EnteredDie, OverBody, SetUpBody, TossBody,
};
pub use self::reviews::ReviewBody;
use super::{Problem, ProblemType};
use crate::log::Role;
use crate::scorebook::Side;

/// The side that a request acts for: the side of its token, or with the scorer's token the side that it
/// names.
fn side(role: Role, named: Option<Side>, remote: bool) -> Result<Side, Problem> {
    let refused = |message: &str| Problem::at(ProblemType::TokenRefused, "header.Authorization", message);
    match (role.side(), named) {
        (Some(side), None) => Ok(side),
        (Some(side), Some(named)) if side == named => Ok(side),
        (None, Some(named)) => Ok(named),
        (None, None) if role == Role::Umpire => {
            Err(refused("an umpire rules on disputes and raises none; an umpire acts for neither side"))
        }
        (None, None) if remote => Err(refused("in remote play each side acts with its own token")),
        (None, None) => Err(Problem::at(ProblemType::NeedsInput, "body.side", "name the side: home or away")),
        (Some(side), Some(_)) => {
            let message = format!("this is the {side} side's token, and it cannot act for the other side");
            Err(Problem::at(ProblemType::TokenRefused, "body.side", message))
        }
    }
}
