//! The bodies of corrections: what is taken back or amended, and the answers to what a refit asks.

use serde::Deserialize;
use serde_json::{Map, Value};
use utoipa::ToSchema;

use super::{CommandBody, CommandContext, EnteredDice};
use crate::commands::{
    Command, CorrectionCommand, DeliveryNamed, NamedAmendment, NamedInsertion, NamedTarget, Problem,
    ProblemType,
};
use crate::log::{AgreedOutcome, Cascade};
use crate::matches::corrections::LaterAnswer;

/// A correction: one of `voids_from`, `voids_from_seq`, `amends`, `inserts`, `removes` and `restores`, with
/// the reason.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CorrectionBody {
    /// Void all play from this delivery on; an over is void with its first ball.
    voids_from: Option<DeliveryNamed>,
    /// Void all play from this event on: the set-up, the toss, its decision, an over, a choice of a side, a
    /// review, the dice of a ball that is not complete, or the abandonment of a match with table dice.
    voids_from_seq: Option<u64>,
    /// Amend this delivery, and decide all later ones again on top of it.
    amends: Option<DeliveryNamed>,
    /// Put in a ball that was missed, only with table dice; later balls follow as with `cascade` `refit`.
    inserts: Option<InsertedBody>,
    /// Take out this delivery, which was never bowled, only with table dice; later balls follow as with
    /// `cascade` `refit`.
    removes: Option<DeliveryNamed>,
    /// Bring back what this correction or restoration made void, in the place of what it brought. It is the
    /// last one, and nothing was played since.
    restores: Option<u64>,
    /// With `amends`: the ball's choices; unchanged if left out.
    #[schema(value_type = Option<Object>)]
    choices: Option<Map<String, Value>>,
    /// With `amends`, for the first ball of an over: the choices of the over.
    #[schema(value_type = Option<Object>)]
    over: Option<Map<String, Value>>,
    /// With `amends`, only with table dice: what the dice showed, in the order rolled; unchanged if left out.
    #[schema(value_type = Option<Vec<i64>>)]
    dice: Option<EnteredDice>,
    /// With `amends`: the outcome that the table agrees on, where it is not the outcome by the rules.
    as_stood: Option<AgreedOutcome>,
    /// With `amends`: what happens to later deliveries that are not legal any more; `refuse` if left out.
    /// With `inserts` and `removes` it is `refit`, or left out.
    cascade: Option<Cascade>,
    /// With `cascade` `refit`: the answers to what is asked anew of later deliveries, at most 100.
    later: Option<Vec<LaterBody>>,
    /// The reason for the correction: 1 to 1,000 characters.
    reason: String,
}

/// A ball that was missed.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = InsertedBall)]
pub struct InsertedBody {
    /// The delivery in whose place the ball comes.
    before: DeliveryNamed,
    /// For the first ball of an over: the choices of the over; unchanged if left out.
    #[schema(value_type = Option<Object>)]
    over: Option<Map<String, Value>>,
    /// The choices of the ball.
    #[schema(value_type = Option<Object>)]
    choices: Option<Map<String, Value>>,
    /// What the dice showed, in the order rolled.
    #[schema(value_type = Option<Vec<i64>>)]
    dice: Option<EnteredDice>,
}

/// The answer to what a refit asks anew of a later delivery.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = LaterAnswer)]
pub struct LaterBody {
    /// The number of the delivery before the correction.
    delivery: u32,
    /// The choices that are asked for the over which the delivery begins.
    #[schema(value_type = Option<Object>)]
    over: Option<Map<String, Value>>,
    /// The choices that are asked for the delivery.
    #[schema(value_type = Option<Object>)]
    choices: Option<Map<String, Value>>,
    /// The dice that are asked for the delivery, after those that it keeps; only with table dice.
    #[schema(value_type = Option<Vec<i64>>)]
    dice: Option<EnteredDice>,
}

impl From<LaterBody> for LaterAnswer {
    fn from(LaterBody { delivery, over, choices, dice }: LaterBody) -> LaterAnswer {
        LaterAnswer {
            delivery,
            over: over.unwrap_or_default(),
            choices: choices.unwrap_or_default(),
            dice: dice.map(Vec::from).unwrap_or_default(),
        }
    }
}

/// A side's consent to a correction, whose number is in the path: a body without members.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ConsentBody {}

impl CommandBody for CorrectionBody {
    const CHOICES_AT: &'static str = "body.choices";

    fn command(self, _: &CommandContext) -> Result<Command, Problem> {
        self.into_correction().map(Command::Correct)
    }
}

impl CorrectionBody {
    fn into_correction(self) -> Result<CorrectionCommand, Problem> {
        let needs = |message: &str| Err(Problem::at(ProblemType::NeedsInput, "body", message));
        let of_ball =
            self.choices.is_some() || self.over.is_some() || self.dice.is_some() || self.as_stood.is_some();
        let cascade = self.cascade;
        let of_later = cascade.is_some() || self.later.is_some();
        let later: Vec<LaterAnswer> = self.later.into_iter().flatten().map(LaterAnswer::from).collect();
        let mut targets = Vec::new();
        targets.extend(self.voids_from.map(NamedTarget::FromDelivery));
        targets.extend(self.voids_from_seq.map(NamedTarget::FromEvent));
        targets.extend(self.restores.map(NamedTarget::Restore));
        let keeps_nothing = !targets.is_empty();
        targets.extend(self.inserts.map(|InsertedBody { before, over, choices, dice }| {
            let (choices, dice) = (choices.unwrap_or_default(), dice.map(Vec::from).unwrap_or_default());
            NamedTarget::Insert(before, Box::new(NamedInsertion { over, choices, dice }), later.clone())
        }));
        targets.extend(self.removes.map(|named| NamedTarget::Remove(named, later.clone())));
        let is_amendment = targets.is_empty();
        targets.extend(self.amends.map(|amends| {
            let dice = self.dice.map(Vec::from);
            let (over, choices, as_stood) = (self.over, self.choices, self.as_stood);
            let cascade = cascade.unwrap_or_default();
            NamedTarget::Amend(
                amends,
                Box::new(NamedAmendment { over, choices, dice, as_stood, cascade, later }),
            )
        }));
        let (Some(target), true) = (targets.pop(), targets.is_empty()) else {
            return needs("send one of voids_from, voids_from_seq, amends, inserts, removes and restores");
        };
        if !is_amendment && (of_ball || keeps_nothing && of_later) {
            return needs("choices, over, dice, as_stood, cascade and later go with amends");
        }
        if !is_amendment && cascade.is_some_and(|cascade| cascade != Cascade::Refit) {
            let message = "with inserts and removes later balls are kept wherever they can: cascade is refit, or left out";
            return Err(Problem::at(ProblemType::IllegalInput, "body.cascade", message));
        }
        Ok(CorrectionCommand { target, reason: self.reason })
    }
}

impl ConsentBody {
    /// The command that consents to the correction with this number.
    pub fn into_command(self, number: u32) -> Command {
        Command::Consent { number }
    }
}
