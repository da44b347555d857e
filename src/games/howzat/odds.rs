//! The odds of a match of Howzat without reviews: no choice changes what its dice come to.

use super::state::{Howzat, WICKETS};
use crate::rules::{DiceAlone, MatchOdds, Refusal, Thrower, ball_dice};
use crate::scorebook::Overs;

impl DiceAlone for Howzat {
    fn odds(&self) -> Result<MatchOdds, Refusal> {
        let balls = self.options.overs * Overs::BALLS as u16;
        Ok(MatchOdds { balls, wickets: WICKETS, ball: ball_dice(self, thrower)? })
    }
}

/// The batter rolls what he hits and where it flies; the fielding side rolls the rest.
fn thrower(die: &str) -> Thrower {
    match die {
        "strike" | "fielder" => Thrower::Batting,
        _ => Thrower::Bowling,
    }
}
