use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::log::Head;
use crate::projection::{FallenWicket, LoadedMatch, Partnership};
use crate::scorebook::Side;

/// The fall of wickets as of an event, with the partnerships.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct FallOfWickets {
    /// The match's id.
    #[serde(rename = "match")]
    pub match_id: Uuid,
    /// The seq of the event as of which it is true.
    pub at_seq: u64,
    /// The seq of that event, and its hash.
    pub head: Head,
    /// The last correction that counts here, where it came after `at_seq`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub as_known_at: Option<u64>,
    /// The innings that have begun, in order.
    pub innings: Vec<InningsWickets>,
}

/// The wickets of one innings.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct InningsWickets {
    /// The number of the innings, from 1.
    pub number: u16,
    /// The side batting.
    pub batting: Side,
    /// The wickets, in the order they fell.
    pub fall_of_wickets: Vec<FallenWicket>,
    /// The partnerships in order; the last may be unbroken.
    pub partnerships: Vec<Partnership>,
}

impl FallOfWickets {
    /// The wickets of a folded match.
    pub fn of(loaded: &LoadedMatch) -> FallOfWickets {
        let innings = loaded.projection().innings().iter().map(|fold| InningsWickets {
            number: fold.number,
            batting: fold.batting,
            fall_of_wickets: fold.fall_of_wickets.clone(),
            partnerships: fold.partnerships.clone(),
        });
        FallOfWickets {
            match_id: loaded.match_id(),
            at_seq: loaded.head().seq,
            head: loaded.head().clone(),
            as_known_at: loaded.known_at(),
            innings: innings.collect(),
        }
    }
}
