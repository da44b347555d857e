//! Disputes: how they are raised and ruled on, and who may do so.

use super::{DisputeCommand, Disputed, field, refuse};
use crate::log::{Actor, Dispute, DisputeFinding, DisputeRuled, EventData, InvalidEvent};
use crate::matches::{Action, Match, PermissionQuestion};
use crate::rules::reading::check_reason;
use crate::rules::{Disagreement, Place, Refusal, RefusalKind};
use crate::scorebook::Side;

impl Match {
    /// Decides a command about a dispute.
    pub fn decide_dispute(&self, command: &DisputeCommand) -> Result<EventData, Refusal> {
        match command {
            DisputeCommand::Dispute { delivery, claim, by } => {
                check_reason("claim", claim)?;
                self.check_bowled(*delivery)?;
                let number = self.adjudication.disputes.len() as u32 + 1;
                let claim = claim.clone();
                Ok(EventData::Dispute(Dispute { number, delivery: *delivery, claim, by: *by }))
            }
            DisputeCommand::Rule(ruled) => {
                self.check_ruling(ruled)?;
                Ok(EventData::DisputeRuled(ruled.clone()))
            }
        }
    }

    fn check_bowled(&self, delivery: u32) -> Result<(), Refusal> {
        if (1..=self.deliveries).contains(&delivery) {
            return Ok(());
        }
        let last = self.deliveries;
        let message =
            format!("there is no live delivery {delivery}; deliveries count from 1, and the last is {last}");
        refuse(RefusalKind::IllegalInput, field("delivery"), message)
    }

    fn check_ruling(&self, ruled: &DisputeRuled) -> Result<(), Refusal> {
        check_reason("ruling", &ruled.ruling)?;
        let number = ruled.number;
        let dispute = (number as usize).checked_sub(1).and_then(|at| self.adjudication.disputes.get(at));
        let Some(Disputed { delivery, corrected, cascaded, ruled: is_ruled }) = dispute else {
            return refuse(RefusalKind::NoSuchDispute, Place::Input, format!("there is no dispute {number}"));
        };
        if *is_ruled {
            return refuse(RefusalKind::Settled, Place::Input, format!("dispute {number} has been ruled on"));
        }
        let has_agreed_outcome = self.adjudication.agreed_deliveries.contains(delivery);
        let changed = *corrected || *cascaded;
        let (is_true, problem) = match ruled.finding {
            DisputeFinding::Stands => (
                !corrected && *delivery <= self.deliveries,
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

    /// Checks that a recorded event of adjudication could happen.
    pub(in crate::matches) fn check_dispute(&self, recorded: &EventData) -> Result<(), Disagreement> {
        let impossible = |reason: String| Disagreement::Impossible(InvalidEvent::new("data", reason));
        let decided = match recorded {
            EventData::Dispute(Dispute { delivery, claim, by, .. }) => {
                self.decide_dispute(&DisputeCommand::Dispute {
                    delivery: *delivery,
                    claim: claim.clone(),
                    by: *by,
                })
            }
            EventData::DisputeRuled(ruled) => self.decide_dispute(&DisputeCommand::Rule(ruled.clone())),
            EventData::CorrectionProposed(proposed) => {
                self.check_proposal(proposed).map(|()| recorded.clone())
            }
            EventData::CorrectionConsented(consented) => self.consent(consented.number, consented.side),
            _ => return Err(Disagreement::Impossible(self.unexpected(recorded))),
        };
        match decided.map_err(|refusal| impossible(refusal.message))? {
            decided if decided == *recorded => Ok(()),
            decided => Err(Disagreement::Otherwise(Box::new(decided))),
        }
    }

    /// Refuses an event of adjudication to an actor to whom it is not permitted.
    pub fn permit_dispute(
        &self,
        actor: Actor,
        event: &EventData,
        asking: PermissionQuestion,
    ) -> Result<(), Refusal> {
        let action = Action::of(event);
        self.permit_action(actor, action, asking)?;
        let is_of = |side: Side| actor == Actor::from(side);
        let permitted = match event {
            EventData::CorrectionProposed(proposed) => proposed.by.map_or(actor == Actor::Scorer, is_of),
            EventData::CorrectionConsented(consented) => is_of(consented.side),
            // A side disputes for itself, the scorer for either. An umpire could do so in earlier versions.
            EventData::Dispute(dispute) => !is_of(dispute.by.other()),
            _ => true,
        };
        if permitted { Ok(()) } else { Err(action.refusal()) }
    }
}
