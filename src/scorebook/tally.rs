//! Tallies of innings and matches: numbers alone, for simulations.

use smallvec::SmallVec;

use super::{Delivery, Extras, ExtrasRecord, MatchResult, Outcome, Side, WicketKind};

/// The tally of an innings: its numbers alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct InningsTally {
    /// The side's total.
    pub runs: u32,
    /// The number of wickets that fell.
    pub wickets: u32,
    /// The number of legal balls.
    pub balls: u32,
    /// The extras, by kind as in [`EXTRAS`](Self::EXTRAS).
    pub extras: [u32; 5],
    /// The wickets, by kind as in [`WicketKind::ALL`].
    pub dismissals: [u32; 6],
}

impl InningsTally {
    /// The kinds of extras, by their names in the log.
    pub const EXTRAS: [&'static str; 5] = ["wides", "no_balls", "byes", "leg_byes", "penalty"];

    /// Counts a ball.
    #[inline]
    pub fn count<D>(&mut self, delivery: &Delivery<D>) {
        self.runs += u32::from(delivery.total());
        self.balls += u32::from(delivery.legal);
        if delivery.extras != Extras::default() {
            let Extras { wides, no_balls, byes, leg_byes, penalty } = delivery.extras;
            for (sum, runs) in self.extras.iter_mut().zip([wides, no_balls, byes, leg_byes, penalty]) {
                *sum += u32::from(runs);
            }
        }
        if let Some(dismissal) = delivery.dismissal {
            self.wickets += 1;
            self.dismissals[WicketKind::from(dismissal) as usize] += 1;
        }
    }

    /// Counts a ball by its recorded outcome.
    pub fn count_recorded(&mut self, outcome: &Outcome) {
        self.runs += u32::from(outcome.runs.total);
        self.balls += u32::from(outcome.legal);
        let ExtrasRecord { wides, no_balls, byes, leg_byes, penalty } = outcome.extras;
        for (sum, runs) in self.extras.iter_mut().zip([wides, no_balls, byes, leg_byes, penalty]) {
            *sum += u32::from(runs);
        }
        if let Some(wicket) = &outcome.wicket {
            self.wickets += 1;
            self.dismissals[wicket.kind as usize] += 1;
        }
    }
}

/// The tally of a match: its numbers alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MatchTally {
    /// The side that batted first.
    pub bats_first: Side,
    /// The innings, in the order played.
    pub innings: SmallVec<[InningsTally; 4]>,
    /// The result: who won, how, and by how much.
    pub result: MatchResult,
}
