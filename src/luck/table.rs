//! The table of chances with which matches are read, and the simulated matches to compare them with.

use super::ball::DiceTree;
use super::reach::{ByOrder, Reach, StateOfPlay};
use super::simulated::Simulated;
use crate::rules::MatchOdds;

/// The number of simulated matches with which a match is compared.
pub const SIMULATED: usize = 10_000;

/// The chances of every state of a match with the same odds, and the figures of simulated matches.
pub struct LuckTable {
    pub(super) ball: DiceTree,
    pub(super) reach: Reach,
    pub(super) simulated: Simulated,
}

impl LuckTable {
    /// The table of a match with these odds, with [`SIMULATED`] matches.
    pub fn of(odds: &MatchOdds) -> LuckTable {
        LuckTable::with_simulated(odds, SIMULATED)
    }

    /// The table of a match with these odds, with this number of simulated matches.
    pub fn with_simulated(odds: &MatchOdds, matches: usize) -> LuckTable {
        let ball = DiceTree::of(&odds.ball);
        let reach = Reach::of(odds, &ball);
        let simulated = Simulated::play(matches, &ball, &reach);
        LuckTable { ball, reach, simulated }
    }

    /// The memory that the table takes, in bytes.
    pub fn size(&self) -> usize {
        self.reach.size() + self.simulated.size()
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
