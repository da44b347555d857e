//! A score, added up from outcomes in another way than the program does.

use third_umpire::scorebook::Outcome;

/// The totals of deliveries.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Score {
    pub runs: u32,
    pub wickets: u32,
    /// The legal balls.
    pub balls: u32,
}

impl Score {
    pub fn count(&mut self, outcome: &Outcome) {
        self.runs += u32::from(outcome.runs.total);
        self.wickets += u32::from(outcome.wicket.is_some());
        self.balls += u32::from(outcome.legal);
    }
}
