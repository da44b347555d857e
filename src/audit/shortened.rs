//! A report that fits into an answer: its lists hold their first entries, and it says how many it leaves out.

use serde::Serialize;

use super::report::{AuditReport, LeftOut};
use crate::views::fitting;

impl AuditReport {
    /// The report with at most these bytes of each list, as JSON.
    pub fn shortened(mut self, most_bytes: usize) -> AuditReport {
        let left_out = LeftOut {
            exceptions: shorten(&mut self.exceptions, most_bytes),
            corrections: shorten(&mut self.corrections, most_bytes),
            changed_choices: shorten(&mut self.changed_choices, most_bytes),
            read_anew: shorten(&mut self.read_anew, most_bytes),
            disputes: shorten(&mut self.disputes, most_bytes),
        };
        let is_whole = left_out.counts().iter().all(|(count, _)| *count == 0);
        AuditReport { left_out: (!is_whole).then_some(left_out), ..self }
    }
}

/// Leaves the entries of a list out that come after the first of these bytes, and counts them.
fn shorten<T: Serialize>(list: &mut Vec<T>, most_bytes: usize) -> usize {
    let kept = fitting(list, most_bytes);
    list.split_off(kept).len()
}
