//! The request bodies of commands: each becomes a command, or a problem that says what is wrong with it.

mod choices;
mod corrections;
mod disputes;
mod play;
mod reviews;

use serde::de::DeserializeOwned;

pub use self::choices::{CallBody, ChoiceBody, SeedBody};
pub use self::corrections::{ConsentBody, CorrectionBody};
pub use self::disputes::{DisputeBody, RulingBody};
pub use self::play::{
    AbandonmentBody, AutoplayBody, BallBody, BallPreviewBody, DecisionBody, EnteredDice, OverBody, SetUpBody,
    TossBody,
};
pub use self::reviews::ReviewBody;
use super::{Command, Problem, ProblemType};
use crate::log::Role;
use crate::matches::PreviewRequest;
use crate::scorebook::Side;

/// A request body that becomes a command.
pub trait CommandBody: DeserializeOwned {
    /// The place of the choices in the body, which the refusal of a choice names.
    const CHOICES_AT: &'static str = "body";
    /// Whether the command depends on [`CommandContext::remote`], so that the match is looked up first.
    const DEPENDS_ON_REMOTE: bool = false;

    /// The command that the body asks for, in its context.
    fn command(self, context: &CommandContext) -> Result<Command, Problem>;
}

/// A request body of which a preview can be asked.
pub trait PreviewedBody: DeserializeOwned {
    /// The place of the choices in the body, which the refusal of a choice names.
    const CHOICES_AT: &'static str = "body";

    /// The preview that the body asks for.
    fn preview(self) -> Result<PreviewRequest, Problem>;
}

/// The context of a body: all that its command depends on beside the body.
#[derive(Debug, Clone, Copy)]
pub struct CommandContext {
    /// The role of the request's token.
    pub role: Role,
    /// Whether the match is remote play; false for a body that does not depend on this.
    pub remote: bool,
    /// The source of salt for a choice that the service seals: 64 random hexadecimal digits a call.
    pub random_hex: fn() -> Result<String, Problem>,
}

impl CommandContext {
    /// The side that a body acts for: the side of the token, or with the scorer's token the side that the
    /// body names.
    fn side(&self, named: Option<Side>) -> Result<Side, Problem> {
        let refused = |message: &str| Problem::at(ProblemType::TokenRefused, "header.Authorization", message);
        match (self.role.side(), named) {
            (Some(side), None) => Ok(side),
            (Some(side), Some(named)) if side == named => Ok(side),
            (None, Some(named)) => Ok(named),
            (None, None) if self.role == Role::Umpire => {
                Err(refused("an umpire rules on disputes and raises none; an umpire acts for neither side"))
            }
            (None, None) if self.remote => Err(refused("in remote play each side acts with its own token")),
            (None, None) => {
                Err(Problem::at(ProblemType::NeedsInput, "body.side", "name the side: home or away"))
            }
            (Some(side), Some(_)) => {
                let message =
                    format!("this is the {side} side's token, and it cannot act for the other side");
                Err(Problem::at(ProblemType::TokenRefused, "body.side", message))
            }
        }
    }
}
