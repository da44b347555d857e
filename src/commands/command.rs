//! The commands to a match: one flat enum, which request bodies turn into.

use serde::Deserialize;
use utoipa::ToSchema;

use super::{CorrectionCommand, DeliveryNamed};
use crate::log::{AgreedOutcome, CoinFace, DisputeRuled, Role, TossChoice};
use crate::matches::ClaimedChoice;
use crate::rules::Choices;
use crate::scorebook::Side;

/// A command to a match. A command may hold a secret choice, so it cannot be printed.
#[derive(Clone)]
pub enum Command {
    /// The set-up before the toss.
    SetUp {
        /// The choices; one that is left out takes its default.
        choices: Choices,
    },
    /// The call at the toss, with the coin where it was tossed at the table.
    Toss {
        /// The side that calls.
        caller: Side,
        /// The face that is called.
        call: CoinFace,
        /// The face that the coin showed; only with table dice.
        coin: Option<CoinFace>,
    },
    /// A toss that the sides have made by themselves; only with table dice.
    ReportToss {
        /// The side that has won it.
        winner: Side,
        /// What the winner has chosen, where that is known already.
        to: Option<TossChoice>,
    },
    /// The choice of the winner of the toss.
    DecideToss {
        /// To bat or to bowl.
        to: TossChoice,
    },
    /// The start of an over.
    BeginOver {
        /// The choices; one that is left out takes its default.
        choices: Choices,
        /// Whether the decision on the ball before is accepted first, where it can be reviewed.
        accept: bool,
    },
    /// A ball, and its over if none has begun.
    Bowl {
        /// The choices; one that is left out takes its default.
        choices: Choices,
        /// The dice; only with table dice.
        dice: Vec<i64>,
        /// The outcome that the table agrees on, against the rules.
        as_stood: Option<AgreedOutcome>,
        /// Whether the decision on the ball before is accepted first, where it can be reviewed.
        accept: bool,
    },
    /// A review of the decision on the last ball.
    Review {
        /// The side that has the ball reviewed.
        by: Side,
        /// The review die; only with table dice.
        dice: Vec<i64>,
    },
    /// The acceptance of the decision on the last ball.
    Accept {
        /// The side that could have had the ball reviewed.
        by: Side,
    },
    /// The abandonment of the match.
    Abandon {
        /// The reason, for the log.
        reason: String,
    },
    /// Autoplay with default choices and seeded dice, until a point is reached.
    Autoplay {
        /// The point at which it stops.
        until: Until,
    },
    /// The claim of a side.
    Claim {
        /// The side that is claimed.
        side: Side,
        /// The hash of its new token.
        token: String,
    },
    /// The replacement of a token.
    RotateToken {
        /// The role of the token.
        role: Role,
        /// The hash of the new token.
        token: String,
    },
    /// The commitment of a side to its client seed.
    CommitSeed {
        /// The side whose seed it is.
        side: Side,
        /// The hash that commits to the seed.
        hash: String,
    },
    /// The reveal of a side's client seed.
    RevealSeed {
        /// The side whose seed it is.
        side: Side,
        /// The seed: 64 lower-case hexadecimal digits.
        client_seed: String,
    },
    /// A choice that a side makes in the open, or has the service seal.
    Choose {
        /// The side that chooses.
        side: Side,
        /// The choice that the side claims is pending.
        claimed: ClaimedChoice,
        /// The salt for a seal: 64 random lower-case hexadecimal digits.
        salt: String,
        /// The choice in the terms of the game.
        choice: Choices,
    },
    /// A choice that a side has sealed itself.
    Seal {
        /// The side that chooses.
        side: Side,
        /// The choice that the side claims is pending.
        claimed: ClaimedChoice,
        /// The seal of the choice.
        sealed: String,
    },
    /// The opening of a choice that a side has sealed itself.
    Open {
        /// The side that has chosen.
        side: Side,
        /// The choice that the side claims is pending.
        claimed: ClaimedChoice,
        /// The salt of the seal.
        salt: String,
        /// The choice in the terms of the game, which has to fit the seal.
        choice: Choices,
    },
    /// A call on the other side to do what the match waits for.
    Call {
        /// The side that calls.
        side: Side,
    },
    /// A correction.
    Correct(CorrectionCommand),
    /// A side's consent to a proposed correction.
    Consent {
        /// The number of the correction.
        number: u32,
    },
    /// The dispute of a delivery.
    Dispute {
        /// The delivery, as the request names it.
        delivery: DeliveryNamed,
        /// The claim, in the words of the side.
        claim: String,
        /// The side that disputes the delivery.
        by: Side,
    },
    /// The ruling on a dispute.
    Rule(DisputeRuled),
}

impl Command {
    /// Whether the command may reveal secret choices, and so needs those that the service keeps.
    pub fn needs_openings(&self) -> bool {
        matches!(self, Command::Choose { .. } | Command::Open { .. } | Command::Call { .. })
    }

    /// The hash of the token that the command issues, if it issues one.
    pub fn new_token(&self) -> Option<&str> {
        match self {
            Command::Claim { token, .. } | Command::RotateToken { token, .. } => Some(token),
            _ => None,
        }
    }

    /// Whether the command may be decided again on a later head. A correction is meant for the match that its
    /// author has seen.
    pub fn is_for_any_head(&self) -> bool {
        !matches!(self, Command::Correct(_))
    }

    /// Whether the command is about the last delivery, whichever that is.
    pub fn is_about_last_delivery(&self) -> bool {
        let named = match self {
            Command::Correct(correction) => correction.delivery(),
            Command::Dispute { delivery, .. } => Some(*delivery),
            _ => None,
        };
        named == Some(DeliveryNamed::Last)
    }

    /// Whether the command may come to very many events without the log, so that its decision takes long.
    pub fn is_over_many_events(&self) -> bool {
        matches!(self, Command::Autoplay { .. })
    }

    /// Whether the answer shows the changes of the scorecard.
    pub fn tells_difference(&self) -> bool {
        matches!(self, Command::Correct(_) | Command::Consent { .. })
    }
}

/// The goal of autoplay.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Until {
    /// The next ball.
    Ball,
    /// The end of the over.
    Over,
    /// The end of the innings.
    Innings,
    /// The end of the match.
    Match,
}
