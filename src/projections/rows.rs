use serde::Serialize;

use super::book::Book;
use super::telling::CommentaryLine;
use super::{FallOfWickets, MatchSummary, Scorecard};

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
    /// The other views of the match, by name, as JSON.
    pub views: [(&'static str, String); 2],
    /// The commentary of the new events: seq and line, as JSON.
    pub commentary: Vec<(u64, String)>,
}

/// The view with the scorecard.
pub const SCORECARD: &str = "scorecard";
/// The view with the fall of wickets.
pub const FALL_OF_WICKETS: &str = "fall_of_wickets";

impl Rows {
    /// What the store keeps of a folded match, with the commentary of the events that are new.
    pub fn of(book: &Book, new_lines: &[CommentaryLine]) -> Rows {
        let created = book.created();
        Rows {
            game: created.game.clone(),
            home: created.home.name.clone(),
            away: created.away.name.clone(),
            status: book.fixture().status(),
            summary: json(&MatchSummary::of(book)),
            views: [
                (SCORECARD, json(&Scorecard::of(book))),
                (FALL_OF_WICKETS, json(&FallOfWickets::of(book))),
            ],
            commentary: new_lines.iter().map(|line| (line.seq, json(line))).collect(),
        }
    }
}

fn json(view: &impl Serialize) -> String {
    match serde_json::to_string(view) {
        Ok(text) => text,
        Err(error) => unreachable!("a view is plain data: {error}"),
    }
}
