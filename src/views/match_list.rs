//! The match list: the entry of a match, and its score as figures and in one line.

use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::{MatchSituation, OverNow};
use crate::log::{DiceMode, Head, MatchCreated};
use crate::matches::Phase;
use crate::projection::{InningsScore, LoadedMatch};
use crate::rules::{ResultView, result_line};

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
pub struct MatchTeams<'a> {
    /// The home side's name.
    pub home: &'a str,
    /// The away side's name.
    pub away: &'a str,
}

/// The score of a match and its situation: what the answer to an append and the match's entry in the list
/// share, so that it is made once.
#[derive(Debug, Clone, PartialEq)]
pub struct MatchNow {
    /// The innings so far, and the target.
    pub score: Score,
    /// The situation; none before the toss is decided, and after the end.
    pub situation: Option<MatchSituation>,
}

/// A match in the list.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct MatchSummary<'a> {
    /// The match's id.
    pub id: Uuid,
    /// The game's id.
    pub game: &'a str,
    /// The name of the game, for people.
    pub title: &'static str,
    /// The names of the sides.
    #[serde(flatten)]
    pub teams: MatchTeams<'a>,
    /// The source of the dice.
    pub dice: DiceMode,
    /// The status: `created|in_play|completed|abandoned`.
    pub status: &'static str,
    /// The time of creation: RFC 3339, UTC, milliseconds.
    pub created_at: String,
    /// The time of the last event: RFC 3339, UTC, milliseconds.
    pub last_at: String,
    /// The day on which the match ended, in UTC: `2026-11-24`. Left out until then.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub day: Option<String>,
    /// How the match stands, in one line: `47 off 31 to win`, `Mill Lane won by 2 wickets`, `waits for the
    /// toss`.
    pub line: String,
    /// The over of the next delivery, as cells of the scorebook; left out where no over is in play.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub over: Option<&'a OverNow>,
    /// The score of the innings so far.
    pub score: &'a Score,
    /// The result, once there is one.
    pub result: Option<ResultView>,
    /// The last event and its hash.
    pub head: &'a Head,
}

impl Score {
    /// The score of a folded match.
    pub fn of(loaded: &LoadedMatch) -> Score {
        let created = loaded.created();
        let innings: Vec<InningsScore> =
            loaded.projection().innings().iter().map(|fold| InningsScore::of(fold)).collect();
        let target = loaded.the_match().reviews().target();
        let text = score_line(created, &innings, target, loaded.result());
        Score { innings, target, text }
    }
}

impl MatchNow {
    /// The score and the situation of a folded match.
    pub fn of(loaded: &LoadedMatch) -> MatchNow {
        MatchNow { score: Score::of(loaded), situation: MatchSituation::of(loaded) }
    }
}

impl<'a> MatchSummary<'a> {
    /// The entry of a folded match.
    pub fn of(loaded: &'a LoadedMatch, now: &'a MatchNow) -> MatchSummary<'a> {
        let created = loaded.created();
        let situation = now.situation.as_ref();
        let line = line(loaded, situation);
        MatchSummary {
            id: loaded.match_id(),
            game: &created.game,
            title: loaded.the_match().play().info().game.info.title,
            teams: MatchTeams { home: &created.home.name, away: &created.away.name },
            dice: created.dice,
            status: loaded.the_match().play().status(),
            created_at: crate::log::at_format::write(&loaded.created_at()),
            last_at: crate::log::at_format::write(&loaded.last_at()),
            day: loaded.projection().ended_at().map(|at| at.format("%Y-%m-%d").to_string()),
            line,
            over: situation.map(|situation| &situation.over),
            score: &now.score,
            result: loaded.result(),
            head: loaded.head(),
        }
    }
}

/// How a match stands, in one line.
fn line(loaded: &LoadedMatch, situation: Option<&MatchSituation>) -> String {
    let name = |side| &loaded.created().sheet(side).name;
    match (loaded.the_match().play().phase(), situation) {
        (Phase::SetUp, _) => "waits for the set-up".to_owned(),
        (Phase::Toss, _) => "waits for the toss".to_owned(),
        (Phase::TossDecision(winner), _) => format!("{} won the toss", name(winner)),
        (Phase::Completed(result), _) => result_line(loaded.created(), result),
        (Phase::Abandoned, _) => {
            format!("abandoned: {}", loaded.projection().abandoned_for().unwrap_or_default())
        }
        (Phase::Play, Some(MatchSituation { need: Some(need), .. })) => need.text.clone(),
        (Phase::Play, situation) => match loaded.projection().innings().last() {
            Some(fold) if situation.is_none_or(|situation| situation.innings == fold.number) => {
                let score = InningsScore::of(fold);
                format!("{} {}/{} ({})", name(score.batting), score.runs, score.wickets, score.overs)
            }
            _ => {
                situation.map_or_else(String::new, |situation| format!("{} to bat", name(situation.batting)))
            }
        },
    }
}

fn score_line(
    created: &MatchCreated,
    innings: &[InningsScore],
    target: Option<u32>,
    result: Option<ResultView>,
) -> String {
    let mut parts: Vec<String> = innings
        .iter()
        .map(|one| {
            let name = &created.sheet(one.batting).name;
            format!("{name} {}/{} ({})", one.runs, one.wickets, one.overs)
        })
        .collect();
    match (result, target) {
        (Some(result), _) => parts.push(result.text),
        (None, Some(target)) => parts.push(format!("target {target}")),
        (None, None) if parts.is_empty() => {
            parts.push(format!("{} v {}", created.home.name, created.away.name));
        }
        (None, None) => {}
    }
    parts.join("; ")
}
