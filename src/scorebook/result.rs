//! Results of matches: the winner, the method and the margin.

use std::fmt;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::Side;
use crate::canonical::{canonical_form, is_default};

canonical_form! {
    /// The method by which a match was won or tied.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
    pub enum Method {
        /// A win by runs: the side that batted last fell short.
        #[serde(rename = "runs")]
        Runs,
        /// A win by wickets: the side that batted last reached the target with wickets in hand.
        #[serde(rename = "wickets")]
        Wickets,
        /// A win by an innings: the winner did not need its last innings.
        #[serde(rename = "innings")]
        Innings,
        /// A tie: level scores.
        #[serde(rename = "tie")]
        Tie,
        /// Level scores, which the game counts as a win for the side that batted first.
        #[serde(rename = "level_first_side")]
        LevelFirstSide,
    }
}

canonical_form! {
    /// The margin by which a match was won; empty for a tie.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
    #[serde(deny_unknown_fields)]
    pub struct Margin {
        /// The runs by which the winner was ahead.
        #[serde(default, skip_serializing_if = "is_default")]
        pub runs: Option<u32>,
        /// The wickets that the winner had in hand.
        #[serde(default, skip_serializing_if = "is_default")]
        pub wickets: Option<u32>,
    }
}

canonical_form! {
    /// The result of a completed match.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
    #[serde(deny_unknown_fields)]
    pub struct MatchResult {
        /// The winner; null for a tie.
        pub winner: Option<Side>,
        /// The method by which the match was won or tied.
        pub method: Method,
        /// The margin of the win.
        pub margin: Margin,
    }
}

impl MatchResult {
    /// A win by the defending side, by this many runs.
    pub const fn by_runs(winner: Side, runs: u32) -> MatchResult {
        MatchResult {
            winner: Some(winner),
            method: Method::Runs,
            margin: Margin { runs: Some(runs), wickets: None },
        }
    }

    /// A win by the chasing side, with this many wickets in hand.
    pub const fn by_wickets(winner: Side, wickets: u32) -> MatchResult {
        MatchResult {
            winner: Some(winner),
            method: Method::Wickets,
            margin: Margin { runs: None, wickets: Some(wickets) },
        }
    }

    /// A win by this many runs, by a side that did not need its last innings.
    pub const fn by_innings(winner: Side, runs: u32) -> MatchResult {
        MatchResult {
            winner: Some(winner),
            method: Method::Innings,
            margin: Margin { runs: Some(runs), wickets: None },
        }
    }

    /// A win on level scores, which the game gives to the side that batted first.
    pub const fn level_first_side(winner: Side) -> MatchResult {
        let margin = Margin { runs: None, wickets: None };
        MatchResult { winner: Some(winner), method: Method::LevelFirstSide, margin }
    }

    /// A tie: level scores.
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
