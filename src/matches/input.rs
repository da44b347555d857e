use crate::log::{AgreedOutcome, CoinFace, TossChoice};
use crate::rules::{Choices, Play};
use crate::scorebook::Side;

/// An input of a match: what a person or the service wants to do at the table. Its dice come beside it.
#[derive(Debug, Clone, PartialEq)]
pub enum Input {
    /// The toss: the call, and the coin.
    Toss {
        /// The side that calls.
        caller: Side,
        /// The face that is called.
        call: CoinFace,
    },
    /// A toss that the sides have made by themselves. Only a match with table dice has one.
    ReportedToss {
        /// The side that has won it.
        winner: Side,
    },
    /// The choice of the winner of the toss.
    TossDecision {
        /// To bat or to bowl.
        to: TossChoice,
    },
    /// Play of the game.
    Play(Play),
    /// A ball with an agreed outcome, against the rules.
    Agreed(Choices, AgreedOutcome),
    /// A review of the decision on the last ball.
    Review {
        /// The side.
        by: Side,
    },
    /// The acceptance of the decision on the last ball.
    Accept {
        /// The side.
        by: Side,
    },
    /// The abandonment of the match.
    Abandon {
        /// The reason, for the log.
        reason: String,
    },
}
