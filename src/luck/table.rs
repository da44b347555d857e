//! The table of chances with which matches are read.

use super::ball::DiceTree;
use super::reach::{ByOrder, Reach, StateOfPlay};
use crate::rules::MatchOdds;

/// The chances of every state of a match with the same odds.
pub struct LuckTable {
    pub(super) ball: DiceTree,
    pub(super) reach: Reach,
}

impl LuckTable {
    /// The table of a match with these odds.
    pub fn of(odds: &MatchOdds) -> LuckTable {
        let ball = DiceTree::of(&odds.ball);
        let reach = Reach::of(odds, &ball);
        LuckTable { ball, reach }
    }

    /// The memory that the table takes, in bytes.
    pub fn size(&self) -> usize {
        self.reach.size()
    }

    /// The chances of a match in this state.
    pub fn chances(&self, standing: StateOfPlay) -> ByOrder {
        self.reach.chances(standing)
    }

    /// The mean total of an innings that nothing but its balls and wickets ends.
    pub fn mean_total(&self) -> f64 {
        let Reach { balls, wickets, most, .. } = self.reach;
        (1..=most).map(|runs| self.reach.at_least(balls, wickets, runs as i64)).sum()
    }
}
