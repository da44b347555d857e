use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::book::Book;
use super::describe::result_line;
use super::innings::InningsFold;
use crate::log::{DiceMode, Head, MatchCreated};
use crate::scorebook::{MatchResult, Side};

/// The score of a match.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct Score {
    /// The innings that have begun, in order.
    pub innings: Vec<InningsScore>,
    /// What the side batting last needs to win.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target: Option<u32>,
    /// The same in one line, e.g. `Wanderers 152/6 (20.0); Rovers 80/3 (9.2), target 153`.
    pub text: String,
}

/// The score of one innings.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct InningsScore {
    /// From 1.
    pub number: u16,
    /// The side batting.
    pub batting: Side,
    /// Runs.
    pub runs: u32,
    /// Wickets lost.
    pub wickets: u32,
    /// Legal balls as overs.
    pub overs: String,
}

/// The names of the sides.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct MatchTeams {
    /// The home side's name.
    pub home: String,
    /// The away side's name.
    pub away: String,
}

/// A match in the list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct MatchSummary {
    /// Its id.
    pub id: Uuid,
    /// The game's id.
    pub game: String,
    /// The sides.
    #[serde(flatten)]
    pub teams: MatchTeams,
    /// Where the dice come from.
    pub dice: DiceMode,
    /// `created|in_play|completed|abandoned`.
    pub status: &'static str,
    /// When it was created: RFC 3339, UTC, milliseconds.
    pub created_at: String,
    /// The score.
    pub score: Score,
    /// The result, once there is one.
    pub result: Option<MatchResult>,
    /// The last event and its hash.
    pub head: Head,
}

impl InningsScore {
    /// The score of an innings as it is folded.
    pub(super) fn of(fold: &InningsFold) -> InningsScore {
        InningsScore {
            number: fold.number,
            batting: fold.batting,
            runs: fold.runs,
            wickets: fold.wickets,
            overs: fold.overs().to_string(),
        }
    }
}

impl Score {
    /// The score of a folded match.
    pub fn of(book: &Book) -> Score {
        let created = book.created();
        let innings: Vec<InningsScore> = book.innings().iter().map(|fold| InningsScore::of(fold)).collect();
        let target = book.fixture().target();
        let text = score_line(created, &innings, target, book.fixture().result());
        Score { innings, target, text }
    }
}

impl MatchSummary {
    /// The list's entry of a folded match.
    pub fn of(book: &Book) -> MatchSummary {
        let created = book.created();
        MatchSummary {
            id: book.match_id(),
            game: created.game.clone(),
            teams: MatchTeams { home: created.home.name.clone(), away: created.away.name.clone() },
            dice: created.dice,
            status: book.fixture().status(),
            created_at: crate::log::at_format::write(&book.created_at()),
            score: Score::of(book),
            result: book.fixture().result(),
            head: book.head().clone(),
        }
    }
}

fn score_line(
    created: &MatchCreated,
    innings: &[InningsScore],
    target: Option<u32>,
    result: Option<MatchResult>,
) -> String {
    let mut parts: Vec<String> = innings
        .iter()
        .map(|one| {
            let name = &created.sheet(one.batting).name;
            format!("{name} {}/{} ({})", one.runs, one.wickets, one.overs)
        })
        .collect();
    match (result, target) {
        (Some(result), _) => parts.push(result_line(created, result)),
        (None, Some(target)) => parts.push(format!("target {target}")),
        (None, None) if parts.is_empty() => {
            parts.push(format!("{} v {}", created.home.name, created.away.name));
        }
        (None, None) => {}
    }
    parts.join("; ")
}
