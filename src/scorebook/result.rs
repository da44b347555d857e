use std::fmt;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::Side;

/// How a match was settled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Method {
    /// The side that batted last fell short.
    Runs,
    /// The side that batted last got there with wickets in hand.
    Wickets,
    /// The winner did not need its last innings.
    Innings,
    /// Level scores.
    Tie,
    /// Level scores, which the game gives to the side that batted first.
    LevelFirstSide,
}

/// By how much a match was won; empty for a tie.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Margin {
    /// Runs ahead.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub runs: Option<u32>,
    /// Wickets in hand.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wickets: Option<u32>,
}

/// The result of a completed match.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct MatchResult {
    /// The winner; null for a tie.
    pub winner: Option<Side>,
    /// How it was settled.
    pub method: Method,
    /// By how much.
    pub margin: Margin,
}

impl MatchResult {
    /// Won by the side defending, so many runs ahead.
    pub const fn by_runs(winner: Side, runs: u32) -> MatchResult {
        MatchResult {
            winner: Some(winner),
            method: Method::Runs,
            margin: Margin { runs: Some(runs), wickets: None },
        }
    }

    /// Won by the side chasing, with so many wickets in hand.
    pub const fn by_wickets(winner: Side, wickets: u32) -> MatchResult {
        MatchResult {
            winner: Some(winner),
            method: Method::Wickets,
            margin: Margin { runs: None, wickets: Some(wickets) },
        }
    }

    /// Won so many runs ahead by a side that did not need its last innings.
    pub const fn by_innings(winner: Side, runs: u32) -> MatchResult {
        MatchResult {
            winner: Some(winner),
            method: Method::Innings,
            margin: Margin { runs: Some(runs), wickets: None },
        }
    }

    /// Level scores, which the game gives to the side that batted first.
    pub const fn level_first_side(winner: Side) -> MatchResult {
        let margin = Margin { runs: None, wickets: None };
        MatchResult { winner: Some(winner), method: Method::LevelFirstSide, margin }
    }

    /// Level scores.
    pub const fn tie() -> MatchResult {
        MatchResult { winner: None, method: Method::Tie, margin: Margin { runs: None, wickets: None } }
    }
}

impl fmt::Display for Margin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plural = |n: u32| if n == 1 { "" } else { "s" };
        match (self.runs, self.wickets) {
            (Some(runs), _) => write!(f, "{runs} run{}", plural(runs)),
            (None, Some(wickets)) => write!(f, "{wickets} wicket{}", plural(wickets)),
            (None, None) => Ok(()),
        }
    }
}
