use serde::Deserialize;
use utoipa::ToSchema;

use super::{CommandBody, CommandContext, EnteredDice, PreviewedBody};
use crate::commands::{Command, Problem, ProblemType};
use crate::matches::PreviewRequest;
use crate::scorebook::Side;

/// A side's review of the decision on the last ball, or its acceptance.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ReviewBody {
    /// The side that reviews or accepts.
    pub by: Side,
    /// The face that the die showed; only with table dice.
    #[schema(value_type = Option<Vec<i64>>)]
    pub dice: Option<EnteredDice>,
    /// Whether the side accepts the decision, without a roll.
    #[serde(default)]
    pub accept: bool,
}

impl CommandBody for ReviewBody {
    fn command(self, _: &CommandContext) -> Result<Command, Problem> {
        let ReviewBody { by, dice, accept } = self;
        match (accept, dice) {
            (true, Some(_)) => Err(no_die_to_accept()),
            (true, None) => Ok(Command::Accept { by }),
            (false, dice) => Ok(Command::Review { by, dice: dice.map_or_else(Vec::new, Vec::from) }),
        }
    }
}

impl PreviewedBody for ReviewBody {
    fn preview(self) -> Result<PreviewRequest, Problem> {
        let ReviewBody { by, dice, accept } = self;
        match (accept, dice) {
            (true, Some(_)) => Err(no_die_to_accept()),
            (true, None) => Ok(PreviewRequest::Accept { by }),
            (false, dice) => Ok(PreviewRequest::Review { by, dice: dice.map_or_else(Vec::new, Vec::from) }),
        }
    }
}

fn no_die_to_accept() -> Problem {
    let message = "no die is rolled when a decision is accepted; leave dice out";
    Problem::at(ProblemType::IllegalInput, "body.dice", message)
}
