//! The match list: the entry of a match, and its score as figures and in one line.

use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::log::{DiceMode, Head, MatchCreated};
use crate::projection::{InningsScore, LoadedMatch, result_line};
use crate::scorebook::MatchResult;

/// The score of a match.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct Score {
    /// The innings that have begun, in order.
    pub innings: Vec<InningsScore>,
    /// The total that the side batting last needs to win.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target: Option<u32>,
    /// The score in one line, e.g. `Wanderers 152/6 (20.0); Rovers 80/3 (9.2), target 153`.
    pub text: String,
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
    /// The match's id.
    pub id: Uuid,
    /// The game's id.
    pub game: String,
    /// The names of the sides.
    #[serde(flatten)]
    pub teams: MatchTeams,
    /// The source of the dice.
    pub dice: DiceMode,
    /// The status: `created|in_play|completed|abandoned`.
    pub status: &'static str,
    /// The time of creation: RFC 3339, UTC, milliseconds.
    pub created_at: String,
    /// The score of the innings so far.
    pub score: Score,
    /// The result, once there is one.
    pub result: Option<MatchResult>,
    /// The last event and its hash.
    pub head: Head,
}

impl Score {
    /// The score of a folded match.
    pub fn of(loaded: &LoadedMatch) -> Score {
        let created = loaded.created();
        let innings: Vec<InningsScore> =
            loaded.projection().innings().iter().map(|fold| InningsScore::of(fold)).collect();
        let target = loaded.the_match().reviews().target();
        let text = score_line(created, &innings, target, loaded.the_match().play().result());
        Score { innings, target, text }
    }
}

impl MatchSummary {
    /// The entry of a folded match.
    pub fn of(loaded: &LoadedMatch) -> MatchSummary {
        let created = loaded.created();
        MatchSummary {
            id: loaded.match_id(),
            game: created.game.clone(),
            teams: MatchTeams { home: created.home.name.clone(), away: created.away.name.clone() },
            dice: created.dice,
            status: loaded.the_match().play().status(),
            created_at: crate::log::at_format::write(&loaded.created_at()),
            score: Score::of(loaded),
            result: loaded.the_match().play().result(),
            head: loaded.head().clone(),
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
