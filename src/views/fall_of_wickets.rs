use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::book::Book;
use super::innings::{FallenWicket, Partnership};
use crate::log::Head;
use crate::scorebook::Side;

/// The fall of wickets after an event, with the partnerships they ended.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct FallOfWickets {
    /// The match.
    #[serde(rename = "match")]
    pub match_id: Uuid,
    /// The event after which it is true.
    pub at_seq: u64,
    /// That event and its hash.
    pub head: Head,
    /// The last correction that was taken into account, where it came after `at_seq`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub as_known_at: Option<u64>,
    /// The innings that have begun, in order.
    pub innings: Vec<InningsWickets>,
}

/// The wickets of one innings.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct InningsWickets {
    /// From 1.
    pub number: u16,
    /// The side batting.
    pub batting: Side,
    /// Wickets in the order they fell.
    pub fall_of_wickets: Vec<FallenWicket>,
    /// Stands in order; the last may be unbroken.
    pub partnerships: Vec<Partnership>,
}

impl FallOfWickets {
    /// The wickets of a folded match.
    pub fn of(book: &Book) -> FallOfWickets {
        let innings = book.innings().iter().map(|fold| InningsWickets {
            number: fold.number,
            batting: fold.batting,
            fall_of_wickets: fold.fall_of_wickets.clone(),
            partnerships: fold.partnerships.clone(),
        });
        FallOfWickets {
            match_id: book.match_id(),
            at_seq: book.head().seq,
            head: book.head().clone(),
            as_known_at: book.known_at(),
            innings: innings.collect(),
        }
    }
}
