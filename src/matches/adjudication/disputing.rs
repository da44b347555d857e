//! Disputes, and who may say what about a match.

use super::{Disputed, Word, field, refuse};
use crate::log::{Actor, Broken, Dispute, DisputeFinding, DisputeRuled, EventData};
use crate::matches::{Asking, Deed, Fixture};
use crate::rules::reading::check_reason;
use crate::rules::{Disagreement, Place, Refusal, Why};
use crate::scorebook::Side;

impl Fixture {
    /// Decides what is said of a dispute.
    pub fn say(&self, word: &Word) -> Result<EventData, Refusal> {
        match word {
            Word::Dispute { delivery, claim, by } => {
                check_reason("claim", claim)?;
                self.check_bowled(*delivery)?;
                let number = self.proceedings.disputes.len() as u32 + 1;
                let claim = claim.clone();
                Ok(EventData::Dispute(Dispute { number, delivery: *delivery, claim, by: *by }))
            }
            Word::Rule(ruled) => {
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
        let message = format!(
            "there is no delivery {delivery} that stands; deliveries count from 1, and the last is {last}"
        );
        refuse(Why::IllegalInput, field("delivery"), message)
    }

    fn check_ruling(&self, ruled: &DisputeRuled) -> Result<(), Refusal> {
        check_reason("ruling", &ruled.ruling)?;
        let number = ruled.number;
        let dispute = (number as usize).checked_sub(1).and_then(|at| self.proceedings.disputes.get(at));
        let Some(Disputed { delivery, touched, decided_again, ruled: settled }) = dispute else {
            return refuse(Why::NoSuchDispute, Place::Input, format!("there is no dispute {number}"));
        };
        if *settled {
            return refuse(Why::Settled, Place::Input, format!("dispute {number} has been ruled on"));
        }
        let as_stood = self.proceedings.agreed_on.contains(delivery);
        let changed = *touched || *decided_again;
        let (holds, what_is) = match ruled.finding {
            DisputeFinding::Stands => (
                !touched && *delivery <= self.deliveries,
                "it has been taken back or amended since it was disputed",
            ),
            DisputeFinding::Amended => {
                (changed && !as_stood, "it has not been taken back or amended since it was disputed")
            }
            DisputeFinding::AsStood => (as_stood, "it stands by the rules: amend it with as_stood first"),
        };
        if holds {
            return Ok(());
        }
        let finding = ruled.finding.as_str();
        let message = format!("the finding cannot be {finding:?}: of delivery {delivery}, {what_is}");
        refuse(Why::IllegalInput, field("finding"), message)
    }

    /// Makes sure that a recorded word about the match could be said.
    pub(in crate::matches) fn check_word(&self, recorded: &EventData) -> Result<(), Disagreement> {
        let impossible = |reason: String| Disagreement::Impossible(Broken::new("data", reason));
        let again = match recorded {
            EventData::Dispute(Dispute { delivery, claim, by, .. }) => {
                self.say(&Word::Dispute { delivery: *delivery, claim: claim.clone(), by: *by })
            }
            EventData::DisputeRuled(ruled) => self.say(&Word::Rule(ruled.clone())),
            EventData::CorrectionProposed(proposed) => {
                self.check_proposal(proposed).map(|()| recorded.clone())
            }
            EventData::CorrectionConsented(consented) => self.consent(consented.number, consented.side),
            _ => return Err(Disagreement::Impossible(self.not_due(recorded))),
        };
        match again.map_err(|refusal| impossible(refusal.message))? {
            again if again == *recorded => Ok(()),
            again => Err(Disagreement::Otherwise(Box::new(again))),
        }
    }

    /// Refuses what is said about the match to an actor who does not say it.
    pub fn permit_word(&self, actor: Actor, said: &EventData, asking: Asking) -> Result<(), Refusal> {
        let deed = Deed::of(said);
        self.permit_deed(actor, deed, asking)?;
        let own = |side: Side| actor == Actor::from(side);
        let permitted = match said {
            EventData::CorrectionProposed(proposed) => proposed.by.map_or(actor == Actor::Scorer, own),
            EventData::CorrectionConsented(consented) => own(consented.side),
            // A side disputes for itself; the scorer, and once an umpire, for either.
            EventData::Dispute(dispute) => !own(dispute.by.other()),
            _ => true,
        };
        if permitted { Ok(()) } else { Err(deed.refusal()) }
    }
}
