//! What the store keeps of a match for readers: its entry in the list, and its pages once it is over.

use serde::Serialize;

use super::bounded::json_up_to;
use super::{FallOfWickets, MatchNow, MatchSummary, Reviews, Scorecard};
use crate::projection::LoadedMatch;

/// The form of the documents that the store keeps: of each [`Page`], and of a match's entry in the list.
///
/// It is stored with each document, and one of another form counts as missing. So it is raised whenever a
/// change gives any of them other bytes, and a store of an earlier version needs no rebuild. The entity tags
/// of all reads of a match have it, too. It is raised as well when another answer of an unchanged match gets
/// other bytes: otherwise a client that has the earlier answer would be told that it is unchanged.
pub const FORM: i32 = 8;

/// The rows that the store keeps for the views of one match.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rows {
    /// The game's id; like the names and the status, a column that the match list is filtered by.
    pub game: String,
    /// The home side's name.
    pub home: String,
    /// The away side's name.
    pub away: String,
    /// The status: `created|in_play|completed|abandoned`.
    pub status: &'static str,
    /// The time of the last event in milliseconds, by which the match list can be ordered.
    pub last_at: i64,
    /// The entry of the match list, as JSON.
    pub summary: String,
    /// The pages of a finished match, as JSON; none for a match in play, whose pages change with every ball.
    pub pages: Vec<(Page, String)>,
}

/// A page about a match as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Page {
    /// The scorecard of each innings.
    Scorecard,
    /// The fall of wickets, with partnerships.
    FallOfWickets,
    /// The reviews of umpires' decisions.
    Reviews,
}

impl Page {
    /// All pages.
    pub const ALL: [Page; 3] = [Page::Scorecard, Page::FallOfWickets, Page::Reviews];

    /// The name under which the page is stored.
    pub const fn name(self) -> &'static str {
        match self {
            Page::Scorecard => "scorecard",
            Page::FallOfWickets => "fall_of_wickets",
            Page::Reviews => "reviews",
        }
    }

    /// The page of a folded match, as JSON.
    pub fn of(self, loaded: &LoadedMatch) -> String {
        match self.up_to(loaded, usize::MAX) {
            Some(text) => text,
            None => unreachable!("no text has more bytes than can be counted"),
        }
    }

    /// The page of a folded match, as JSON; none where it has more than `most` bytes.
    pub fn up_to(self, loaded: &LoadedMatch, most: usize) -> Option<String> {
        match self {
            Page::Scorecard => json_up_to(&Scorecard::short(loaded), most),
            Page::FallOfWickets => json_up_to(&FallOfWickets::of(loaded), most),
            Page::Reviews => json_up_to(&Reviews::of(loaded), most),
        }
    }
}

impl Rows {
    /// Whether the store keeps pages of this match: it is over.
    pub fn have_pages(loaded: &LoadedMatch) -> bool {
        loaded.the_match().play().has_finished()
    }

    /// The rows of a folded match.
    pub fn of(loaded: &LoadedMatch, now: &MatchNow) -> Rows {
        let created = loaded.created();
        let pages: &[Page] = if Rows::have_pages(loaded) { &Page::ALL } else { &[] };
        Rows {
            game: created.game.clone(),
            home: created.home.name.clone(),
            away: created.away.name.clone(),
            status: loaded.the_match().play().status(),
            last_at: loaded.last_at().timestamp_millis(),
            summary: json(&MatchSummary::of(loaded, now)),
            pages: pages.iter().map(|page| (*page, page.of(loaded))).collect(),
        }
    }
}

fn json(view: &impl Serialize) -> String {
    match serde_json::to_string(view) {
        Ok(text) => text,
        Err(error) => unreachable!("a view is plain data: {error}"),
    }
}
