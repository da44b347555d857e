//! Corrections: who can make which, and what has to follow.

use super::{field, refuse};
use crate::dice::RecordedDice;
use crate::log::{
    Agreed, Amendment, Ball, Broken, Correction, CorrectionConsented, CorrectionProposed, EventData, Over,
    Played, Roll, Standing,
};
use crate::matches::Fixture;
use crate::rules::reading::check_reason;
use crate::rules::{Choices, Decided, Disagreement, Place, Play, Refusal, Why};
use crate::scorebook::Side;

impl Fixture {
    /// Makes sure that a correction can be made, or be proposed where it takes both sides.
    pub fn check_correctable(&self, reason: &str, amends: bool) -> Result<(), Refusal> {
        check_reason("reason", reason)?;
        if self.seeds_are_open() && !amends {
            let message =
                "the seeds are open, and nothing new can be bowled with them: an ended match is only amended";
            return refuse(Why::SeedOpen, Place::Input, message);
        }
        if self.reopened {
            return refuse(Why::SeedOpen, Place::Input, "the last amendment is not at its end");
        }
        Ok(())
    }

    /// Where something has been proposed: makes sure that both sides have consented to just this.
    fn check_consent(&self, correction: &Correction) -> Result<(), Refusal> {
        if !self.created.remote {
            return Ok(());
        }
        let agreed = self.proposed().is_some_and(|(proposed, consents)| {
            let amends = proposed.amendment.as_ref().map(|amendment| amendment.amends);
            consents.home
                && consents.away
                && proposed.voids_from_seq == correction.voids_from_seq
                && proposed.voids_from == correction.voids_from
                && proposed.reason == correction.reason
                && amends == correction.amends
        });
        if agreed {
            return Ok(());
        }
        let message = "where the sides play from afar a correction is proposed, and made when both have consented to it";
        refuse(Why::AwaitingChoice, Place::Input, message)
    }

    /// Whether both sides have consented to a correction that is proposed, which is then made at once.
    pub fn is_agreed(&self) -> bool {
        self.proposed().is_some_and(|(_, consents)| consents.home && consents.away)
    }

    /// Makes sure that a correction could be proposed.
    pub fn check_proposed<T>(
        &self,
        proposed: &CorrectionProposed,
        standing: &Standing<T>,
    ) -> Result<(), Disagreement> {
        let CorrectionProposed { voids_from_seq: seq, voids_from, amendment, reason, .. } = proposed;
        if let Some(agreed) = amendment.as_ref().and_then(|amendment| amendment.as_stood.as_ref()) {
            check_reason("as_stood.reason", &agreed.reason).map_err(Disagreement::Refused)?;
        }
        let amends = amendment.as_ref().map(|amendment| amendment.amends);
        let correction = Correction {
            voids_from_seq: *seq,
            voids_from: *voids_from,
            amends,
            reason: reason.clone(),
            dice_seen: standing.shows_from(*seq),
        };
        self.check_target(&correction, standing)
    }

    /// Makes sure that a delivery is put right the way both sides have agreed; `was` are the choices it was bowled with.
    pub fn check_amended(
        &self,
        amendment: &Amendment,
        recorded: &Ball,
        was: &Choices,
    ) -> Result<(), Disagreement> {
        let choices = amendment.choices.as_ref().unwrap_or(was).clone();
        self.check_ball(recorded, choices, amendment.as_stood.as_ref())
    }

    /// Makes sure that a ball is what these choices come to, with what was agreed on where it stands so.
    pub(in crate::matches) fn check_ball(
        &self,
        recorded: &Ball,
        choices: Choices,
        agreed: Option<&Agreed>,
    ) -> Result<(), Disagreement> {
        let mut dice = RecordedDice::dealing(&recorded.dice, self.game.dealt(Played::Ball(recorded)));
        let decided = match agreed {
            None => self.game.decide(Play::Ball(choices), &mut dice),
            Some(agreed) => self.game.decide_as_stood(choices, agreed, &mut dice),
        };
        comes_to(decided, &EventData::Ball(recorded.clone()))
    }

    /// Makes sure that an over is what these choices come to.
    pub fn check_over(&self, recorded: &Over, choices: &Choices) -> Result<(), Disagreement> {
        let mut dice = RecordedDice::dealing(&recorded.dice, self.game.dealt(Played::Over(recorded)));
        let decided = self.game.decide(Play::Over(choices.clone()), &mut dice);
        comes_to(decided, &EventData::Over(recorded.clone()))
    }

    /// Makes sure that dice on the way to a ball are what these choices come to.
    pub fn check_roll(&self, recorded: &Roll, choices: &Choices) -> Result<(), Disagreement> {
        let mut dice = RecordedDice::dealing(&recorded.dice, self.game.dealt(Played::Roll(recorded)));
        let decided = self.game.decide(Play::Ball(choices.clone()), &mut dice);
        comes_to(decided, &EventData::Roll(recorded.clone()))
    }

    /// Makes sure that a recorded correction could be made.
    pub fn check_correction<T>(
        &self,
        correction: &Correction,
        standing: &Standing<T>,
    ) -> Result<(), Disagreement> {
        self.check_correctable(&correction.reason, correction.amends.is_some())
            .map_err(Disagreement::Refused)?;
        self.check_consent(correction).map_err(Disagreement::Refused)?;
        self.check_target(correction, standing)
    }

    /// Makes sure that what a correction names stands, and that it says from where on it is void.
    fn check_target<T>(&self, correction: &Correction, standing: &Standing<T>) -> Result<(), Disagreement> {
        let Correction { voids_from_seq: seq, voids_from, amends, dice_seen, .. } = correction;
        let impossible = |field: &str, reason: String| {
            Disagreement::Impossible(Broken::new(format!("data.{field}"), reason))
        };
        let named = match (voids_from, amends) {
            (Some(_), Some(_)) => {
                return Err(impossible("amends", "takes no voids_from beside it".to_owned()));
            }
            (Some(delivery), None) => standing.from_delivery(*delivery).map(|from| from == *seq),
            (None, Some(delivery)) => standing
                .begin_of(*delivery)
                .map(|ball| ball == *seq || standing.over_of_first(*delivery) == Some(*seq)),
            (None, None) => standing.from_seq(*seq).map(|from| from == *seq),
        };
        if !named.map_err(|fault| impossible("voids_from_seq", fault.to_string()))? {
            let reason = "is not the event from which on this is taken back".to_owned();
            return Err(impossible("voids_from_seq", reason));
        }
        if standing.shows_from(*seq) != *dice_seen {
            let reason =
                format!("is {}: it says whether a coin, a ball or secret choices are void", !dice_seen);
            return Err(impossible("dice_seen", reason));
        }
        Ok(())
    }

    pub(super) fn check_proposal(&self, proposed: &CorrectionProposed) -> Result<(), Refusal> {
        self.check_correctable(&proposed.reason, proposed.amendment.is_some())?;
        if !self.created.remote {
            return refuse(Why::OutOfTurn, Place::Input, "at one table a correction is made, not proposed");
        }
        if proposed.number != self.proceedings.corrections + 1 {
            let message = format!("the next correction is number {}", self.proceedings.corrections + 1);
            return refuse(Why::IllegalInput, field("number"), message);
        }
        Ok(())
    }

    /// A side consents to a correction.
    pub fn consent(&self, number: u32, side: Side) -> Result<EventData, Refusal> {
        match self.proposed() {
            Some((proposed, consents)) if proposed.number == number => {
                if consents[side] {
                    let message = format!("the {side} side has consented to correction {number}");
                    return refuse(Why::Settled, Place::Input, message);
                }
                Ok(EventData::CorrectionConsented(CorrectionConsented { number, side }))
            }
            _ if (1..=self.proceedings.corrections).contains(&number) => {
                let message =
                    format!("correction {number} has been made, or play has gone on since it was proposed");
                refuse(Why::Settled, Place::Input, message)
            }
            _ => refuse(Why::NoSuchCorrection, Place::Input, format!("there is no correction {number}")),
        }
    }
}

/// Makes sure that what was decided begins with what is recorded.
pub(in crate::matches) fn comes_to(
    decided: Result<Decided, Refusal>,
    recorded: &EventData,
) -> Result<(), Disagreement> {
    match decided.map_err(Disagreement::Refused)?.events.into_iter().next() {
        Some(again) if again != *recorded => Err(Disagreement::Otherwise(Box::new(again))),
        _ => Ok(()),
    }
}
