//! The bodies of corrections: what is taken back or amended, and the answers to what a refit asks.

use serde::Deserialize;
use serde_json::{Map, Value};
use utoipa::ToSchema;

use super::play::{is_missing, winner_alone};
use super::{CommandBody, CommandContext, EnteredDice};
use crate::commands::{
    Command, CorrectionCommand, DeliveryNamed, NamedAmendment, NamedInsertion, NamedTarget, Problem,
    ProblemType,
};
use crate::log::{AgreedOutcome, Cascade, CoinFace, StepAnew, TossChoice};
use crate::matches::corrections::{
    BallAnswer, DecidedAnew, LaterAnswer, MissingBall, MissingKnown, RefitAnswers, TossAnew,
};
use crate::scorebook::Side;

/// A correction: one of `voids_from`, `voids_from_seq`, `amends`, `inserts`, `removes`, `anew` and
/// `restores`, with the reason.
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
    /// Decide the set-up, the toss or its decision anew, with the members of that request; all balls follow
    /// as with `cascade` `refit`. Not in remote play.
    anew: Option<StepAnew>,
    /// Bring back what this correction or restoration made void, in the place of what it brought. It is the
    /// last one, and nothing was played since.
    restores: Option<u64>,
    /// With `amends`: the ball's choices; unchanged if left out. With `anew` `set_up`: the choices of the
    /// set-up.
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
    /// With `anew` `toss`: the side that calls.
    caller: Option<Side>,
    /// With `anew` `toss`: the face that is called.
    call: Option<CoinFace>,
    /// With `anew` `toss`, only with table dice: the face that the coin showed.
    coin: Option<CoinFace>,
    /// With `anew` `toss`, only with table dice: the winner of a toss of which no call and no coin is told.
    winner: Option<Side>,
    /// With `anew` `toss_decided`: whether the winner bats or bowls first. With `anew` `toss` it stays as it
    /// was if left out.
    to: Option<TossChoice>,
    /// With `amends`: what happens to later deliveries that are not legal any more; `refuse` if left out.
    /// With `inserts`, `removes` and `anew` it is `refit`, or left out.
    cascade: Option<Cascade>,
    /// With `cascade` `refit`: the answers to what is asked anew of later deliveries, at most 100.
    later: Option<Vec<LaterBody>>,
    /// With `cascade` `refit`: the balls that innings miss which go on past their last ball, in order; at
    /// most 100, together with `later`.
    missing: Option<Vec<MissingBody>>,
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

/// A ball that an innings misses which goes on past its last ball: its `dice` and choices; or `unknown`, or
/// `ended`.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = MissingBall)]
pub struct MissingBody {
    /// The number of the innings, from 1.
    innings: u16,
    /// The choices that are asked for the over which the ball begins.
    #[schema(value_type = Option<Object>)]
    over: Option<Map<String, Value>>,
    /// The choices of the ball.
    #[schema(value_type = Option<Object>)]
    choices: Option<Map<String, Value>>,
    /// What the dice showed, in the order rolled.
    #[schema(value_type = Option<Vec<i64>>)]
    dice: Option<EnteredDice>,
    /// With `true`: nobody knows the ball any more. It counts as a legal ball without a run.
    unknown: Option<bool>,
    /// With `true`: it was none, since the innings ended before it, by agreement.
    ended: Option<bool>,
}

impl MissingBody {
    fn read(self, at: usize) -> Result<MissingBall, Problem> {
        let MissingBody { innings, over, choices, dice, unknown, ended } = self;
        let is_known = over.is_some() || choices.is_some() || dice.is_some();
        let known = match (unknown.unwrap_or_default(), ended.unwrap_or_default()) {
            (false, false) => MissingKnown::Bowled(answer_of(over, choices, dice)),
            (true, false) if !is_known => MissingKnown::Unknown,
            (false, true) if !is_known => MissingKnown::Ended,
            _ => {
                let message = "a ball has over, choices and dice, or unknown, or ended: only one of these";
                return Err(Problem::at(ProblemType::IllegalInput, format!("body.missing[{at}]"), message));
            }
        };
        Ok(MissingBall { innings, known })
    }
}

impl From<LaterBody> for LaterAnswer {
    fn from(LaterBody { delivery, over, choices, dice }: LaterBody) -> LaterAnswer {
        LaterAnswer { delivery, ball: answer_of(over, choices, dice) }
    }
}

/// What a body says of a ball; what is left out is empty.
fn answer_of(
    over: Option<Map<String, Value>>,
    choices: Option<Map<String, Value>>,
    dice: Option<EnteredDice>,
) -> BallAnswer {
    let dice = dice.map(Vec::from).unwrap_or_default();
    BallAnswer { over: over.unwrap_or_default(), choices: choices.unwrap_or_default(), dice }
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
    fn into_correction(mut self) -> Result<CorrectionCommand, Problem> {
        let needs = |message: &str| Err(Problem::at(ProblemType::NeedsInput, "body", message));
        let cascade = self.cascade;
        let anew = self.decided_anew()?;
        let of_ball =
            self.choices.is_some() || self.over.is_some() || self.dice.is_some() || self.as_stood.is_some();
        let of_later = cascade.is_some() || self.later.is_some() || self.missing.is_some();
        let later = self.later.into_iter().flatten().map(LaterAnswer::from).collect();
        let missing = self.missing.into_iter().flatten().enumerate();
        let missing = missing.map(|(at, ball)| ball.read(at)).collect::<Result<_, _>>()?;
        let answers = RefitAnswers { later, missing };
        let named = (
            (self.voids_from, self.voids_from_seq, self.restores),
            (self.amends, self.inserts, self.removes, anew),
        );
        let target = match named {
            ((Some(delivery), None, None), (None, None, None, None)) => NamedTarget::FromDelivery(delivery),
            ((None, Some(seq), None), (None, None, None, None)) => NamedTarget::FromEvent(seq),
            ((None, None, Some(seq)), (None, None, None, None)) => NamedTarget::Restore(seq),
            ((None, None, None), (Some(delivery), None, None, None)) => {
                let dice = self.dice.map(Vec::from);
                let (over, choices, as_stood) = (self.over, self.choices, self.as_stood);
                let cascade = cascade.unwrap_or_default();
                let changes = NamedAmendment { over, choices, dice, as_stood, cascade, answers };
                NamedTarget::Amend(delivery, Box::new(changes))
            }
            ((None, None, None), (None, Some(ball), None, None)) => {
                let InsertedBody { before, over, choices, dice } = ball;
                let (choices, dice) = (choices.unwrap_or_default(), dice.map(Vec::from).unwrap_or_default());
                NamedTarget::Insert(before, Box::new(NamedInsertion { over, choices, dice }), answers)
            }
            ((None, None, None), (None, None, Some(delivery), None)) => {
                NamedTarget::Remove(delivery, answers)
            }
            ((None, None, None), (None, None, None, Some(anew))) => NamedTarget::Anew(anew, answers),
            _ => {
                return needs(
                    "send one of voids_from, voids_from_seq, amends, inserts, removes, anew and restores",
                );
            }
        };
        let is_refit =
            matches!(target, NamedTarget::Insert(..) | NamedTarget::Remove(..) | NamedTarget::Anew(..));
        if !matches!(target, NamedTarget::Amend(..)) && (of_ball || of_later && !is_refit) {
            return needs(
                "choices, over, dice and as_stood go with amends, and cascade, later and missing with amends, inserts, removes and anew",
            );
        }
        if is_refit && cascade.is_some_and(|cascade| cascade != Cascade::Refit) {
            let message = "with inserts, removes and anew later balls are kept wherever they can: cascade is refit, or left out";
            return Err(Problem::at(ProblemType::IllegalInput, "body.cascade", message));
        }
        Ok(CorrectionCommand { target, reason: self.reason })
    }

    /// The step before the play that the body decides anew. Takes its choices, where it has some.
    fn decided_anew(&mut self) -> Result<Option<DecidedAnew>, Problem> {
        let CorrectionBody { caller, call, coin, winner, to, .. } = *self;
        let is_of_toss = caller.is_some() || call.is_some() || coin.is_some() || winner.is_some();
        let illegal = |message: &str| Err(Problem::at(ProblemType::IllegalInput, "body", message));
        if is_of_toss && self.anew != Some(StepAnew::Toss) {
            return illegal("caller, call, coin and winner go with \"anew\": \"toss\"");
        }
        if to.is_some() && !matches!(self.anew, Some(StepAnew::Toss | StepAnew::TossDecided)) {
            return illegal("to goes with \"anew\": \"toss\" or \"toss_decided\"");
        }
        Ok(Some(match self.anew {
            None => return Ok(None),
            Some(StepAnew::SetUp) => DecidedAnew::SetUp(self.choices.take().unwrap_or_default()),
            Some(StepAnew::TossDecided) => DecidedAnew::TossDecided(to.ok_or_else(|| is_missing("to"))?),
            Some(StepAnew::Toss) => {
                let toss = match winner {
                    Some(_) if caller.is_some() || call.is_some() || coin.is_some() => {
                        return Err(winner_alone());
                    }
                    Some(winner) => TossAnew::Reported(winner),
                    None => TossAnew::Called {
                        caller: caller.ok_or_else(|| is_missing("caller"))?,
                        call: call.ok_or_else(|| is_missing("call"))?,
                        coin,
                    },
                };
                DecidedAnew::Toss(toss, to)
            }
        }))
    }
}

impl ConsentBody {
    /// The command that consents to the correction with this number.
    pub fn into_command(self, number: u32) -> Command {
        Command::Consent { number }
    }
}
