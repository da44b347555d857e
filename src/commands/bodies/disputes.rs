use serde::Deserialize;
use utoipa::ToSchema;

use super::{CommandBody, CommandContext};
use crate::commands::{Command, DeliveryNamed, Problem};
use crate::log::{DisputeFinding, DisputeRuled};
use crate::scorebook::Side;

/// A dispute about a delivery.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct DisputeBody {
    /// The delivery that is disputed.
    delivery: DeliveryNamed,
    /// The claim: 1 to 1,000 characters.
    claim: String,
    /// The side that disputes; left out with a side's own token.
    by: Option<Side>,
}

/// The ruling on a dispute.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RulingBody {
    /// The ruling in words: 1 to 1,000 characters.
    ruling: String,
    /// The finding, which has to be true of the log. With `stands` no correction has voided or amended the
    /// delivery since the dispute. With `amended` a correction has voided or amended it, or it was decided
    /// again after the amendment of an earlier delivery. With `as_stood` it has an agreed outcome.
    finding: DisputeFinding,
}

impl CommandBody for DisputeBody {
    fn command(self, context: &CommandContext) -> Result<Command, Problem> {
        let DisputeBody { delivery, claim, by } = self;
        let by = context.side(by).map_err(|problem| problem.instead("body.side", "body.by"))?;
        Ok(Command::Dispute { delivery, claim, by })
    }
}

impl RulingBody {
    /// The command that rules on the dispute with this number.
    pub fn into_command(self, number: u32) -> Command {
        let RulingBody { ruling, finding } = self;
        Command::Rule(DisputeRuled { number, ruling, finding })
    }
}
