//! The event of a review: of a decision that was made, or of nothing where the side accepts it.

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use super::DrawRecord;
use crate::dice::{Die, Draw};
use crate::scorebook::{Outcome, Side};

/// What a side says to a ball whose decision it may have reviewed.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
#[serde(untagged)]
pub enum Review {
    /// It accepts the decision.
    Accepted(ReviewAccepted),
    /// It has it reviewed.
    Made(Box<Reviewed>),
}

/// A side accepts a decision that it might have had reviewed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ReviewAccepted {
    /// True.
    #[serde(deserialize_with = "only_true")]
    pub accepted: bool,
    /// The ball.
    pub delivery: u32,
    /// The side.
    pub by: Side,
}

/// A decision was reviewed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Reviewed {
    /// The ball.
    pub delivery: u32,
    /// The side that asked for it.
    pub by: Side,
    /// The draw its dice come from; null with table dice.
    pub seed: Option<DrawRecord>,
    /// The dice, in the order rolled.
    pub dice: Vec<Die>,
    /// What it came to.
    pub verdict: ReviewVerdict,
    /// Whether the decision stands by the umpire's call.
    pub umpires_call: bool,
    /// Whether the side still has the review.
    pub retained: bool,
    /// The rules it follows from.
    pub rulings: Vec<String>,
    /// What comes of the ball now.
    pub outcome: Outcome,
}

/// What a review comes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ReviewVerdict {
    /// The decision is turned round.
    Upheld,
    /// The decision stands.
    StruckDown,
}

impl ReviewVerdict {
    /// The name used on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            ReviewVerdict::Upheld => "upheld",
            ReviewVerdict::StruckDown => "struck_down",
        }
    }
}

impl Review {
    /// The ball.
    pub fn delivery(&self) -> u32 {
        match self {
            Review::Accepted(accepted) => accepted.delivery,
            Review::Made(reviewed) => reviewed.delivery,
        }
    }

    /// The side.
    pub fn by(&self) -> Side {
        match self {
            Review::Accepted(accepted) => accepted.by,
            Review::Made(reviewed) => reviewed.by,
        }
    }

    /// The review, where it is more than a word.
    pub fn made(&self) -> Option<&Reviewed> {
        match self {
            Review::Accepted(_) => None,
            Review::Made(reviewed) => Some(reviewed),
        }
    }

    /// The side accepts the decision.
    pub fn accepted(delivery: u32, by: Side) -> Review {
        Review::Accepted(ReviewAccepted { accepted: true, delivery, by })
    }
}

impl Reviewed {
    /// The draw the review of a ball is made with in a seeded match.
    pub fn draw(delivery: u32) -> DrawRecord {
        Draw::review(delivery).into()
    }

    /// Whether the decision was turned round.
    pub fn is_upheld(&self) -> bool {
        self.verdict == ReviewVerdict::Upheld
    }
}

/// It is the one where `accepted` is there, and the other where it is not.
impl<'de> Deserialize<'de> for Review {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Review, D::Error> {
        let review = Value::deserialize(deserializer)?;
        if review.get("accepted").is_some() {
            return ReviewAccepted::deserialize(review).map(Review::Accepted).map_err(D::Error::custom);
        }
        let made = Reviewed::deserialize(review).map_err(D::Error::custom)?;
        Ok(Review::Made(Box::new(made)))
    }
}

fn only_true<'de, D: Deserializer<'de>>(deserializer: D) -> Result<bool, D::Error> {
    match bool::deserialize(deserializer)? {
        true => Ok(true),
        false => Err(D::Error::custom("accepted is true, or left out with what the review came to")),
    }
}
