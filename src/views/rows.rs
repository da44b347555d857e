use serde::Serialize;

use super::book::Book;
use super::{FallOfWickets, MatchSummary, Reviews, Scorecard};
use crate::matches::Phase;

/// What the store keeps of the projections of one match.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rows {
    /// The game, the sides' names and the status, to select by.
    pub game: String,
    /// The home side's name.
    pub home: String,
    /// The away side's name.
    pub away: String,
    /// `created|in_play|completed|abandoned`.
    pub status: &'static str,
    /// The entry of the match list, as JSON.
    pub summary: String,
    /// The pages of a match that is over, as JSON; of one in play none are kept.
    pub pages: Vec<(Page, String)>,
}

/// What there is to read about a match as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Page {
    /// The scorecard.
    Scorecard,
    /// The fall of wickets, with partnerships.
    FallOfWickets,
    /// The reviews.
    Reviews,
}

impl Page {
    /// All of them.
    pub const ALL: [Page; 3] = [Page::Scorecard, Page::FallOfWickets, Page::Reviews];

    /// The name it is stored under.
    pub const fn name(self) -> &'static str {
        match self {
            Page::Scorecard => "scorecard",
            Page::FallOfWickets => "fall_of_wickets",
            Page::Reviews => "reviews",
        }
    }

    /// The page of a folded match, as JSON.
    pub fn of(self, book: &Book) -> String {
        match self {
            Page::Scorecard => json(&Scorecard::of(book)),
            Page::FallOfWickets => json(&FallOfWickets::of(book)),
            Page::Reviews => json(&Reviews::of(book)),
        }
    }
}

impl Rows {
    /// What the store keeps of a folded match.
    pub fn of(book: &Book) -> Rows {
        let created = book.created();
        let over = matches!(book.fixture().phase(), Phase::Completed(_) | Phase::Abandoned);
        let pages: &[Page] = if over { &Page::ALL } else { &[] };
        Rows {
            game: created.game.clone(),
            home: created.home.name.clone(),
            away: created.away.name.clone(),
            status: book.fixture().status(),
            summary: json(&MatchSummary::of(book)),
            pages: pages.iter().map(|page| (*page, page.of(book))).collect(),
        }
    }
}

fn json(view: &impl Serialize) -> String {
    match serde_json::to_string(view) {
        Ok(text) => text,
        Err(error) => unreachable!("a view is plain data: {error}"),
    }
}
