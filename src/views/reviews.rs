//! The reviews of a match, as a view: each with the decision before and after, and the number that each side
//! has left.

use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::{ListWindow, page_of};
use crate::log::Head;
use crate::projection::{LoadedMatch, ReviewEntry};
use crate::scorebook::BySide;

/// The reviews of a match as of an event.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct Reviews {
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
    /// The reviews of the page in order, without decisions that were accepted.
    pub reviews: Vec<ReviewEntry>,
    /// The `after` of the next page; null on the last page.
    pub next_after: Option<u64>,
    /// The reviews that each side has left, for each innings that has begun; empty in a game without reviews.
    pub left: Vec<ReviewsLeft>,
}

/// The reviews that the sides have left in an innings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
pub struct ReviewsLeft {
    /// The number of the innings.
    pub innings: u16,
    /// The reviews that the home side has left.
    pub home: u8,
    /// The reviews that the away side has left.
    pub away: u8,
}

impl Reviews {
    /// The first page of the reviews of a folded match.
    pub fn of(loaded: &LoadedMatch) -> Reviews {
        Reviews::page(loaded, ListWindow::FIRST)
    }

    /// A page of the reviews of a folded match.
    pub fn page(loaded: &LoadedMatch, window: ListWindow) -> Reviews {
        let (reviews, next_after) = page_of(loaded.projection().reviews(), window);
        Reviews {
            match_id: loaded.match_id(),
            at_seq: loaded.head().seq,
            head: loaded.head().clone(),
            as_known_at: loaded.known_at(),
            reviews,
            next_after,
            left: left(loaded),
        }
    }
}

fn left(loaded: &LoadedMatch) -> Vec<ReviewsLeft> {
    let Some(card) = loaded.the_match().reviews().card() else { return Vec::new() };
    let left_in = |number: u16| {
        let mut left = BySide { home: card.reviews, away: card.reviews };
        for review in
            loaded.projection().reviews().iter().filter(|review| review.innings == number && !review.retained)
        {
            left[review.by] = left[review.by].saturating_sub(1);
        }
        ReviewsLeft { innings: number, home: left.home, away: left.away }
    };
    loaded.projection().innings().iter().map(|innings| left_in(innings.number)).collect()
}
