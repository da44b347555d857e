use smallvec::SmallVec;

use super::{Delivery, Extras, MatchResult, Side, WicketKind};

/// What an innings came to, in numbers alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct InningsTally {
    /// The side's total.
    pub runs: u32,
    /// Wickets that fell.
    pub wickets: u32,
    /// Legal balls.
    pub balls: u32,
    /// Runs that were not the batters', kind by kind as in [`EXTRAS`](Self::EXTRAS).
    pub extras: [u32; 5],
    /// Wickets, kind by kind as in [`WicketKind::ALL`].
    pub dismissals: [u32; 6],
}

impl InningsTally {
    /// The kinds of extras, as they are written in the log.
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
}

/// What a match came to, in numbers alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MatchTally {
    /// The side that batted first.
    pub bats_first: Side,
    /// The innings, in the order played.
    pub innings: SmallVec<[InningsTally; 4]>,
    /// The result.
    pub result: MatchResult,
}
