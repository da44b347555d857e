//! The result of a match for readers: as the log has it, and in words.

use serde::Serialize;
use utoipa::ToSchema;

use crate::log::MatchCreated;
use crate::scorebook::{Margin, MatchResult, Method, Side};

/// The result of a completed match, with its words.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct ResultView {
    /// The winner; null for a tie.
    pub winner: Option<Side>,
    /// The method by which the match was won or tied.
    pub method: Method,
    /// The margin of the win.
    pub margin: Margin,
    /// The result in words: `Mill Lane won by 2 wickets`.
    pub text: String,
}

impl ResultView {
    /// The result of a match with these sides.
    pub fn of(created: &MatchCreated, result: MatchResult) -> ResultView {
        let MatchResult { winner, method, margin } = result;
        ResultView { winner, method, margin, text: result_line(created, result) }
    }
}

/// The result in words: `Wanderers won by 12 runs`.
pub(crate) fn result_line(created: &MatchCreated, result: MatchResult) -> String {
    let MatchResult { winner, method, margin } = result;
    let Some(winner) = winner else { return "Match tied".to_owned() };
    let name = &created.sheet(winner).name;
    match method {
        Method::Innings => format!("{name} won by an innings and {margin}"),
        Method::LevelFirstSide => format!("{name} won: the scores were level, and they batted first"),
        Method::Runs | Method::Wickets | Method::Tie => format!("{name} won by {margin}"),
    }
}
