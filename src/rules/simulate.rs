//! Simulation: how a game plays ball by ball by the policies of its sides, and only counts.

use super::{EventData, Play, Refusal, Rules};
use crate::dice::Dice;
use crate::scorebook::{BySide, InningsTally};

/// The simulation of a game. The defaults play by the rules alone, one policy for every side.
pub trait Simulate: Rules {
    /// The policies of a side; the first is the default.
    const POLICIES: &'static [&'static str] = &["default"];
    /// The policy of autoplay, which takes the default of every choice.
    const AUTOPLAY: usize = 0;

    /// Plays the next ball and counts it, in the state and in the tally of its innings; an over begins first
    /// if one has to. After a refusal the state is no longer usable.
    ///
    /// Each side chooses by its policy, an index into [`POLICIES`](Self::POLICIES), as in [`Play::Auto`]. A
    /// game may do the same in a quicker way, without the parts that only the log needs.
    fn simulate_ball<D: Dice>(
        &mut self,
        dice: &mut D,
        policies: BySide<usize>,
        tally: &mut InningsTally,
    ) -> Result<(), Refusal> {
        simulate_by_rules(self, dice, policies, tally)
    }
}

/// Plays the next ball by deciding, recording and applying it, and counts what was recorded.
pub fn simulate_by_rules<R: Rules>(
    state: &mut R,
    dice: &mut dyn Dice,
    policies: BySide<usize>,
    tally: &mut InningsTally,
) -> Result<(), Refusal> {
    for event in state.decide(Play::Auto(policies), dice)? {
        if let EventData::Ball(ball) = state.record(&event) {
            tally.count_recorded(&ball.outcome);
        }
        state.apply(&event);
    }
    Ok(())
}
