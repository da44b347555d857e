//! The bodies of play: the set-up, the toss, overs, balls and their dice, the abandonment of a match, and
//! autoplay.

use serde::{Deserialize, Deserializer, de};
use serde_json::{Map, Value};
use utoipa::ToSchema;

use super::{CommandBody, CommandContext, PreviewedBody};
use crate::commands::{Command, Problem, ProblemType, Until};
use crate::log::{AgreedOutcome, CoinFace, TossChoice};
use crate::matches::PreviewRequest;
use crate::scorebook::Side;

/// The toss: `caller` and `call`, and with table dice the coin. Sides at a table who have tossed by
/// themselves send the `winner` instead, with what the winner has chosen where that is known.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TossBody {
    /// The side that calls.
    pub caller: Option<Side>,
    /// The face that is called.
    pub call: Option<CoinFace>,
    /// The face that the coin showed; only with table dice.
    pub coin: Option<CoinFace>,
    /// The side that has won a toss of which no call and no coin is told; only with table dice.
    pub winner: Option<Side>,
    /// With `winner`: whether the winner bats or bowls first. Without it the decision is the next step.
    pub to: Option<TossChoice>,
}

/// The decision of the winner of the toss.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct DecisionBody {
    /// Whether to bat or to bowl first.
    pub to: TossChoice,
}

/// The choices of an over; a choice that is left out takes its default. The game defines its choices, and its
/// page in docs/rules/ lists them. With `accept: true` the decision on the ball before, which could be
/// reviewed, is accepted first.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(transparent)]
#[schema(value_type = Object, example = json!({"bowler": "Ada Marsh", "keeper": "Gus Hale"}))]
pub struct OverBody(Map<String, Value>);

/// The choices before the toss; a choice that is left out takes its default. The game defines its choices, if
/// it has any, and its page in docs/rules/ lists them.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(transparent)]
#[schema(value_type = Object, example = json!({"drop": {"home": "Ada Marsh", "away": "Ned Voss"}}))]
pub struct SetUpBody(Map<String, Value>);

/// A ball: its choices, and with table dice what the dice showed.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct BallBody {
    /// The choices of the ball. The game defines its choices, and its page in docs/rules/ lists them.
    #[serde(default)]
    #[schema(value_type = Object)]
    pub choices: Map<String, Value>,
    /// What the dice showed, in the order rolled; only with table dice.
    #[schema(value_type = Option<Vec<i64>>)]
    pub dice: Option<EnteredDice>,
    /// The outcome that the table agrees on, where it is not the outcome by the rules; only with table dice.
    /// A seeded ball is bowled first, and then amended.
    pub as_stood: Option<AgreedOutcome>,
    /// Whether the decision on the ball before, which could be reviewed, is accepted first.
    #[serde(default)]
    pub accept: bool,
}

/// A ball of which a preview is asked: its body as far as it is filled in, and what the over before it would
/// choose, where the over is not begun yet.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct BallPreviewBody {
    /// The choices of the ball so far.
    #[serde(default)]
    #[schema(value_type = Object)]
    pub choices: Map<String, Value>,
    /// What the dice showed so far, in the order rolled.
    #[schema(value_type = Option<Vec<i64>>)]
    pub dice: Option<EnteredDice>,
    /// Whether the decision on the ball before, which could be reviewed, is accepted first.
    #[serde(default)]
    pub accept: bool,
    /// The body of the over that would be begun before the ball. An over that begins by itself takes its
    /// defaults.
    pub over: Option<OverBody>,
}

/// The values of dice as entered, in the order rolled. Each is a whole number, and the rules check whether
/// the die has such a face.
#[derive(Debug)]
pub struct EnteredDice(Vec<i64>);

impl<'de> Deserialize<'de> for EnteredDice {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<EnteredDice, D::Error> {
        let dice = Vec::<EnteredDie>::deserialize(deserializer)?;
        Ok(EnteredDice(dice.into_iter().map(|EnteredDie(value)| value).collect()))
    }
}

struct EnteredDie(i64);

impl<'de> Deserialize<'de> for EnteredDie {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<EnteredDie, D::Error> {
        let value = Value::deserialize(deserializer)?;
        let whole = value.as_i64().map(EnteredDie);
        whole.ok_or_else(|| de::Error::custom(format!("a die shows a whole number, not {value}")))
    }
}

impl From<EnteredDice> for Vec<i64> {
    fn from(EnteredDice(values): EnteredDice) -> Vec<i64> {
        values
    }
}

/// The reason for abandoning a match.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AbandonmentBody {
    /// The reason: 1 to 1,000 characters.
    pub reason: String,
}

/// The goal of autoplay.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AutoplayBody {
    /// How far to play: the next ball, or the end of the over, the innings or the match.
    pub until: Until,
}

impl OverBody {
    /// The choices of the over, and whether a decision is accepted first.
    fn read(self) -> Result<(Map<String, Value>, bool), Problem> {
        let OverBody(mut choices) = self;
        match choices.remove("accept") {
            None => Ok((choices, false)),
            Some(Value::Bool(accept)) => Ok((choices, accept)),
            Some(other) => {
                let message = format!("accept is true or false, not {other}");
                Err(Problem::at(ProblemType::IllegalInput, "body.accept", message))
            }
        }
    }
}

impl CommandBody for SetUpBody {
    fn command(self, _: &CommandContext) -> Result<Command, Problem> {
        let SetUpBody(choices) = self;
        Ok(Command::SetUp { choices })
    }
}

impl CommandBody for TossBody {
    fn command(self, _: &CommandContext) -> Result<Command, Problem> {
        match self {
            TossBody { winner: Some(winner), to, caller: None, call: None, coin: None } => {
                Ok(Command::ReportToss { winner, to })
            }
            TossBody { winner: Some(_), .. } => Err(winner_alone()),
            TossBody { winner: None, to: Some(_), .. } => {
                let message =
                    "to goes with winner; the winner of a called toss decides after it, at /toss/decision";
                Err(Problem::at(ProblemType::IllegalInput, "body.to", message))
            }
            TossBody { winner: None, to: None, caller, call, coin } => {
                let caller = caller.ok_or_else(|| is_missing("caller"))?;
                Ok(Command::Toss { caller, call: call.ok_or_else(|| is_missing("call"))?, coin })
            }
        }
    }
}

/// The problem of a toss that has both a winner that is told, and a call.
pub(super) fn winner_alone() -> Problem {
    let message =
        "winner tells a toss without its call and its coin: send either winner, or caller, call and coin";
    Problem::at(ProblemType::IllegalInput, "body.winner", message)
}

pub(super) fn is_missing(member: &str) -> Problem {
    Problem::at(ProblemType::NeedsInput, format!("body.{member}"), format!("{member} is missing"))
}

impl CommandBody for DecisionBody {
    fn command(self, _: &CommandContext) -> Result<Command, Problem> {
        let DecisionBody { to } = self;
        Ok(Command::DecideToss { to })
    }
}

impl CommandBody for OverBody {
    fn command(self, _: &CommandContext) -> Result<Command, Problem> {
        let (choices, accept) = self.read()?;
        Ok(Command::BeginOver { choices, accept })
    }
}

impl CommandBody for BallBody {
    const CHOICES_AT: &'static str = "body.choices";

    fn command(self, _: &CommandContext) -> Result<Command, Problem> {
        let BallBody { choices, dice, as_stood, accept } = self;
        Ok(Command::Bowl { choices, dice: dice.map_or_else(Vec::new, Vec::from), as_stood, accept })
    }
}

impl PreviewedBody for OverBody {
    fn preview(self) -> Result<PreviewRequest, Problem> {
        let (choices, accept) = self.read()?;
        Ok(PreviewRequest::Over { choices, accept })
    }
}

impl PreviewedBody for BallPreviewBody {
    const CHOICES_AT: &'static str = "body.choices";

    fn preview(self) -> Result<PreviewRequest, Problem> {
        let BallPreviewBody { choices, dice, accept, over } = self;
        let over = over.map(OverBody::read).transpose()?;
        let accept = accept || matches!(over, Some((_, true)));
        let over = over.map(|(choices, _)| choices);
        Ok(PreviewRequest::Ball { choices, dice: dice.map_or_else(Vec::new, Vec::from), accept, over })
    }
}

impl CommandBody for AbandonmentBody {
    fn command(self, _: &CommandContext) -> Result<Command, Problem> {
        let AbandonmentBody { reason } = self;
        Ok(Command::Abandon { reason })
    }
}

impl CommandBody for AutoplayBody {
    fn command(self, _: &CommandContext) -> Result<Command, Problem> {
        let AutoplayBody { until } = self;
        Ok(Command::Autoplay { until })
    }
}
