//! Disputes: how a delivery is disputed, and how a dispute is ruled on.

use super::{Adjudication, Disputed, field, refuse};
use crate::log::{AdjudicationEvent, Dispute, DisputeFinding, DisputeRuled, EventData, InvalidEvent};
use crate::rules::reading::check_reason;
use crate::rules::{Disagreement, Place, Refusal, RefusalKind};
use crate::scorebook::Side;

impl Adjudication<'_> {
    /// Decides the dispute of a delivery by a side, with its claim.
    pub fn dispute(&self, delivery: u32, claim: &str, by: Side) -> Result<EventData, Refusal> {
        check_reason("claim", claim)?;
        self.check_bowled(delivery)?;
        let number = self.state.disputes.len() as u32 + 1;
        Ok(EventData::Dispute(Dispute { number, delivery, claim: claim.to_owned(), by }))
    }

    /// Decides the ruling on a dispute.
    pub fn rule(&self, ruled: &DisputeRuled) -> Result<EventData, Refusal> {
        self.check_ruling(ruled)?;
        Ok(EventData::DisputeRuled(ruled.clone()))
    }

    fn check_bowled(&self, delivery: u32) -> Result<(), Refusal> {
        if (1..=self.play.deliveries()).contains(&delivery) {
            return Ok(());
        }
        let last = self.play.deliveries();
        let message =
            format!("there is no live delivery {delivery}; deliveries count from 1, and the last is {last}");
        refuse(RefusalKind::IllegalInput, field("delivery"), message)
    }

    fn check_ruling(&self, ruled: &DisputeRuled) -> Result<(), Refusal> {
        check_reason("ruling", &ruled.ruling)?;
        let number = ruled.number;
        let dispute = (number as usize).checked_sub(1).and_then(|at| self.state.disputes.get(at));
        let Some(dispute) = dispute else {
            return refuse(RefusalKind::NoSuchDispute, Place::Input, format!("there is no dispute {number}"));
        };
        let Disputed { delivery, corrected, cascaded, ruled: is_ruled, .. } = dispute;
        if *is_ruled {
            return refuse(RefusalKind::Settled, Place::Input, format!("dispute {number} has been ruled on"));
        }
        let is_there = self.state.is_about(dispute, *delivery);
        let has_agreed_outcome = is_there && self.state.agreed_deliveries.contains(delivery);
        let changed = *corrected || *cascaded;
        let (is_true, problem) = match ruled.finding {
            DisputeFinding::Stands => (
                !corrected && is_there && *delivery <= self.play.deliveries(),
                "it has been voided or amended since it was disputed",
            ),
            DisputeFinding::Amended => {
                (changed && !has_agreed_outcome, "it has not been voided or amended since it was disputed")
            }
            DisputeFinding::AsStood => {
                (has_agreed_outcome, "it has no agreed outcome: amend it with as_stood first")
            }
        };
        if is_true {
            return Ok(());
        }
        let finding = ruled.finding.as_str();
        let message = format!("the finding cannot be {finding:?}: of delivery {delivery}, {problem}");
        refuse(RefusalKind::IllegalInput, field("finding"), message)
    }

    /// Checks that a recorded event of adjudication could happen now. A correction needs the live events too:
    /// see [`check_correction`](Self::check_correction).
    pub(in crate::matches) fn check(&self, recorded: AdjudicationEvent<'_>) -> Result<(), Disagreement> {
        let checked = match recorded {
            AdjudicationEvent::Dispute(recorded) => {
                let decided = self.dispute(recorded.delivery, &recorded.claim, recorded.by);
                decided.map(|decided| (decided, EventData::Dispute(recorded.clone())))
            }
            AdjudicationEvent::DisputeRuled(ruled) => {
                return self.rule(ruled).map(drop).map_err(Disagreement::impossible);
            }
            AdjudicationEvent::CorrectionProposed(proposed) => {
                return self.check_proposal(proposed).map_err(Disagreement::impossible);
            }
            AdjudicationEvent::CorrectionConsented(consented) => {
                return self
                    .consent(consented.number, consented.side)
                    .map(drop)
                    .map_err(Disagreement::impossible);
            }
            AdjudicationEvent::Correction(_) | AdjudicationEvent::Restoration(_) => {
                let reason = "a correction is checked with the live events that it names";
                return Err(Disagreement::Impossible(InvalidEvent::new("kind", reason)));
            }
        };
        match checked.map_err(Disagreement::impossible)? {
            (decided, recorded) if decided == recorded => Ok(()),
            (decided, _) => Err(Disagreement::Otherwise(Box::new(decided))),
        }
    }
}
