//! The events that settle what people disagree about: corrections, and disputes.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;

use crate::scorebook::{Outcome, Side};

/// From an earlier event on nothing of play stands any more. What is void stays in the log; tokens, client seeds and
/// disputes are not of play.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Correction {
    /// The first event that is void.
    pub voids_from_seq: u64,
    /// The delivery that was taken back, where one was named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub voids_from: Option<u32>,
    /// The delivery that is put right, where one is: it and those after it are decided again in the events that follow.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub amends: Option<u32>,
    /// Why: 1 to 1,000 characters.
    pub reason: String,
    /// Whether a coin, a ball or secret choices are void that had been seen.
    pub dice_seen: bool,
}

/// A correction is proposed where it takes both sides to make one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CorrectionProposed {
    /// Its number among the corrections of the match, from 1.
    pub number: u32,
    /// The side that proposes it, and so consents to it; left out where the scorer does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<Side>,
    /// The first event that would be void.
    pub voids_from_seq: u64,
    /// The delivery to take back, where one is named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub voids_from: Option<u32>,
    /// How a delivery is to be put right, where one is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub amendment: Option<Amendment>,
    /// Why: 1 to 1,000 characters.
    pub reason: String,
}

/// How a delivery is put right.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Amendment {
    /// The delivery.
    pub amends: u32,
    /// The choices of its over, where it is an over's first and they are put right too.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    pub over: Option<Map<String, Value>>,
    /// Its choices; as they were if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    pub choices: Option<Map<String, Value>>,
    /// What the table agreed on; what the rules come to if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub as_stood: Option<Agreed>,
    /// What becomes of later deliveries that cannot be as they were.
    #[serde(default)]
    pub cascade: Cascade,
}

/// What becomes of later deliveries that an amendment makes impossible.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Cascade {
    /// The amendment is refused, and the first of them named.
    #[default]
    Refuse,
    /// The first of them and all after it are void.
    VoidRest,
}

/// What a table agreed on, where that is not what the rules come to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Agreed {
    /// What came of the ball: `runs`, `extras`, `legal`, `boundary` and `wicket` as in an outcome; those left out are as the
    /// rules have them. `runs.extras` and `runs.total` follow from the others.
    #[schema(value_type = Object)]
    pub outcome: Map<String, Value>,
    /// Why: 1 to 1,000 characters.
    pub reason: String,
}

/// What the table agreed on stands, and not what the rules come to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AsStood {
    /// Why.
    pub reason: String,
    /// What the rules come to.
    pub by_rules: Outcome,
}

/// A side consents to a correction that was proposed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CorrectionConsented {
    /// The correction's number.
    pub number: u32,
    /// The side.
    pub side: Side,
}

/// A delivery is in dispute.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Dispute {
    /// Its number among the disputes of the match, from 1.
    pub number: u32,
    /// The delivery.
    pub delivery: u32,
    /// What is claimed: 1 to 1,000 characters.
    pub claim: String,
    /// The side that claims it.
    pub by: Side,
}

/// A dispute is ruled on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct DisputeRuled {
    /// The dispute's number.
    pub number: u32,
    /// The ruling in words: 1 to 1,000 characters.
    pub ruling: String,
    /// What it comes to.
    pub finding: DisputeFinding,
}

/// What a ruling on a dispute comes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum DisputeFinding {
    /// The delivery stands as it was recorded.
    Stands,
    /// It was taken back or put right since.
    Amended,
    /// It stands as the table agreed, and not by the rules.
    AsStood,
}

impl DisputeFinding {
    /// The name used on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            DisputeFinding::Stands => "stands",
            DisputeFinding::Amended => "amended",
            DisputeFinding::AsStood => "as_stood",
        }
    }
}
