//! A score, added up from outcomes in another way than the program does; and a situation without its members
//! on the log.

use serde_json::Value;
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

/// Takes away from a situation its members on the log, which differ after a correction: `seq` and `at`.
pub fn situation_off_the_log(situation: &mut Value) {
    let take_away = |of: &mut Value| {
        for member in ["seq", "at"] {
            of.as_object_mut().into_iter().for_each(|members| drop(members.remove(member)));
        }
    };
    situation.pointer_mut("/last").into_iter().for_each(take_away);
    let cells = situation.pointer_mut("/over/deliveries").and_then(Value::as_array_mut);
    cells.into_iter().flatten().for_each(take_away);
}
