//! The event of a review: a decision that was reviewed, or one that its side accepted.

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use super::super::read_value;
use super::DrawRecord;
use crate::canonical::{Canonical, Cursor, NotCanonical, canonical_form};
use crate::dice::{Die, Draw};
use crate::scorebook::{Outcome, Side};

/// The answer of a side to a decision that it can have reviewed.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
#[serde(untagged)]
pub enum Review {
    /// The side accepts the decision.
    Accepted(ReviewAccepted),
    /// The side has the decision reviewed.
    Made(Box<Reviewed>),
}

canonical_form! {
    /// The acceptance of a decision that the side could have had reviewed.
    #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
    #[serde(deny_unknown_fields)]
    pub struct ReviewAccepted {
        /// Always true.
        #[serde(deserialize_with = "only_true")]
        pub accepted: bool,
        /// The number of the ball in the match.
        pub delivery: u32,
        /// The side that accepts.
        pub by: Side,
    }
}

canonical_form! {
    /// The review of a decision.
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
    #[serde(deny_unknown_fields)]
    pub struct Reviewed {
        /// The number of the ball in the match.
        pub delivery: u32,
        /// The side that asked for the review.
        pub by: Side,
        /// The draw of the dice; null with table dice.
        pub seed: Option<DrawRecord>,
        /// The dice, in the order rolled.
        pub dice: Vec<Die>,
        /// The verdict of the review.
        pub verdict: ReviewVerdict,
        /// Whether the decision stands by the umpire's call.
        pub umpires_call: bool,
        /// Whether the side still has the review.
        pub retained: bool,
        /// The ids of the rulings behind the verdict.
        pub rulings: Vec<String>,
        /// The outcome of the ball after the review.
        pub outcome: Outcome,
    }
}

canonical_form! {
    /// The verdict of a review.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
    pub enum ReviewVerdict {
        /// The decision is reversed.
        #[serde(rename = "upheld")]
        Upheld,
        /// The decision stands.
        #[serde(rename = "struck_down")]
        StruckDown,
    }
}

impl Review {
    /// The number of the ball in the match.
    pub fn delivery(&self) -> u32 {
        match self {
            Review::Accepted(accepted) => accepted.delivery,
            Review::Made(reviewed) => reviewed.delivery,
        }
    }

    /// The side that reviews or accepts.
    pub fn by(&self) -> Side {
        match self {
            Review::Accepted(accepted) => accepted.by,
            Review::Made(reviewed) => reviewed.by,
        }
    }

    /// The review, unless the decision was accepted.
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
    /// The draw of the review of a ball in a seeded match.
    pub fn draw(delivery: u32) -> DrawRecord {
        Draw::review(delivery).into()
    }

    /// Whether the decision was reversed.
    pub fn is_upheld(&self) -> bool {
        self.verdict == ReviewVerdict::Upheld
    }
}

impl Canonical for Review {
    fn write(&self, out: &mut String) -> Result<(), NotCanonical> {
        match self {
            Review::Accepted(accepted) => accepted.write(out),
            Review::Made(reviewed) => reviewed.write(out),
        }
    }

    fn read(text: &mut Cursor<'_>) -> Option<Review> {
        if text.rest().starts_with("{\"accepted\":") {
            return ReviewAccepted::read(text).filter(|review| review.accepted).map(Review::Accepted);
        }
        Canonical::read(text).map(Review::Made)
    }
}

/// A review with the member `accepted` is an acceptance, any other a review that was made.
impl<'de> Deserialize<'de> for Review {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Review, D::Error> {
        let review = Value::deserialize(deserializer)?;
        if review.get("accepted").is_some() {
            return read_value(&review).map(Review::Accepted).map_err(D::Error::custom);
        }
        let made = read_value(&review).map_err(D::Error::custom)?;
        Ok(Review::Made(Box::new(made)))
    }
}

fn only_true<'de, D: Deserializer<'de>>(deserializer: D) -> Result<bool, D::Error> {
    match bool::deserialize(deserializer)? {
        true => Ok(true),
        false => Err(D::Error::custom("accepted is true, or left out with what the review came to")),
    }
}
