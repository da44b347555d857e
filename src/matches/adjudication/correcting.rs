//! Corrections: who can make them, and what has to follow from them.

use super::{field, refuse};
use crate::dice::RecordedDice;
use crate::log::{
    AgreedOutcome, Amendment, Ball, Correction, CorrectionConsented, CorrectionProposed, EventData,
    InvalidEvent, LiveEvents, Over, RecordedPlay, Roll,
};
use crate::matches::Match;
use crate::rules::reading::check_reason;
use crate::rules::{Choices, Disagreement, GameDecided, Place, Play, Refusal, RefusalKind};
use crate::scorebook::Side;

impl Match {
    /// Refuses a correction that cannot be made or, in remote play, proposed.
    pub fn check_correctable(&self, reason: &str, amends: bool) -> Result<(), Refusal> {
        check_reason("reason", reason)?;
        if self.seeds_are_open() && !amends {
            let message = "the seeds are open, so nothing new can be bowled with them: an ended match can only be amended";
            return refuse(RefusalKind::SeedOpen, Place::Input, message);
        }
        if self.reopened {
            return refuse(RefusalKind::SeedOpen, Place::Input, "the last amendment is not complete");
        }
        Ok(())
    }

    /// Refuses a correction in remote play unless both sides have consented to exactly this one.
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
        let message =
            "in remote play a correction is proposed first, and made after both sides have consented";
        refuse(RefusalKind::AwaitingChoice, Place::Input, message)
    }

    /// Whether both sides have consented to the proposed correction, which is then made at once.
    pub fn is_agreed(&self) -> bool {
        self.proposed().is_some_and(|(_, consents)| consents.home && consents.away)
    }

    /// Checks that a recorded proposal could be made.
    pub fn check_proposed<T>(
        &self,
        proposed: &CorrectionProposed,
        live: &LiveEvents<T>,
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
            dice_seen: live.shows_from(*seq),
        };
        self.check_target(&correction, live)
    }

    /// Checks that a delivery is amended as both sides agreed; `original` has the choices it was bowled with
    /// before.
    pub fn check_amended(
        &self,
        amendment: &Amendment,
        recorded: &Ball,
        original: &Choices,
    ) -> Result<(), Disagreement> {
        let choices = amendment.choices.as_ref().unwrap_or(original).clone();
        self.check_ball(recorded, choices, amendment.as_stood.as_ref())
    }

    /// Checks that a recorded ball follows from these choices, and from the agreed outcome if there is one.
    pub(in crate::matches) fn check_ball(
        &self,
        recorded: &Ball,
        choices: Choices,
        agreed: Option<&AgreedOutcome>,
    ) -> Result<(), Disagreement> {
        let mut dice = RecordedDice::dealing(&recorded.dice, self.game.dealt(RecordedPlay::Ball(recorded)));
        let decided = match agreed {
            None => self.game.decide(Play::Ball(choices), &mut dice),
            Some(agreed) => self.game.decide_agreed(choices, agreed, &mut dice),
        };
        compare_first(decided, &EventData::Ball(recorded.clone()))
    }

    /// Checks that a recorded over follows from these choices.
    pub fn check_over(&self, recorded: &Over, choices: &Choices) -> Result<(), Disagreement> {
        let mut dice = RecordedDice::dealing(&recorded.dice, self.game.dealt(RecordedPlay::Over(recorded)));
        let decided = self.game.decide(Play::Over(choices.clone()), &mut dice);
        compare_first(decided, &EventData::Over(recorded.clone()))
    }

    /// Checks that recorded dice on the way to a ball follow from these choices.
    pub fn check_roll(&self, recorded: &Roll, choices: &Choices) -> Result<(), Disagreement> {
        let mut dice = RecordedDice::dealing(&recorded.dice, self.game.dealt(RecordedPlay::Roll(recorded)));
        let decided = self.game.decide(Play::Ball(choices.clone()), &mut dice);
        compare_first(decided, &EventData::Roll(recorded.clone()))
    }

    /// Checks that a recorded correction could be made.
    pub fn check_correction<T>(
        &self,
        correction: &Correction,
        live: &LiveEvents<T>,
    ) -> Result<(), Disagreement> {
        self.check_correctable(&correction.reason, correction.amends.is_some())
            .map_err(Disagreement::Refused)?;
        self.check_consent(correction).map_err(Disagreement::Refused)?;
        self.check_target(correction, live)
    }

    /// Checks that a correction names live events, and the event from which they are void.
    fn check_target<T>(&self, correction: &Correction, live: &LiveEvents<T>) -> Result<(), Disagreement> {
        let Correction { voids_from_seq: seq, voids_from, amends, dice_seen, .. } = correction;
        let impossible = |field: &str, reason: String| {
            Disagreement::Impossible(InvalidEvent::new(format!("data.{field}"), reason))
        };
        let named = match (voids_from, amends) {
            (Some(_), Some(_)) => {
                return Err(impossible("amends", "cannot be combined with voids_from".to_owned()));
            }
            (Some(delivery), None) => live.from_delivery(*delivery).map(|from| from == *seq),
            (None, Some(delivery)) => live
                .begin_of(*delivery)
                .map(|ball| ball == *seq || live.over_of_first(*delivery) == Some(*seq)),
            (None, None) => live.from_seq(*seq).map(|from| from == *seq),
        };
        if !named.map_err(|fault| impossible("voids_from_seq", fault.to_string()))? {
            let reason = "is not the first event that this correction voids".to_owned();
            return Err(impossible("voids_from_seq", reason));
        }
        if live.shows_from(*seq) != *dice_seen {
            let reason =
                format!("is {}: it says whether a coin, a ball or secret choices are void", !dice_seen);
            return Err(impossible("dice_seen", reason));
        }
        Ok(())
    }

    pub(super) fn check_proposal(&self, proposed: &CorrectionProposed) -> Result<(), Refusal> {
        self.check_correctable(&proposed.reason, proposed.amendment.is_some())?;
        if !self.created.remote {
            return refuse(
                RefusalKind::OutOfTurn,
                Place::Input,
                "at one table a correction is made at once, not proposed",
            );
        }
        if proposed.number != self.adjudication.corrections + 1 {
            let message = format!("the next correction is number {}", self.adjudication.corrections + 1);
            return refuse(RefusalKind::IllegalInput, field("number"), message);
        }
        Ok(())
    }

    /// Decides the consent of a side to a proposed correction.
    pub fn consent(&self, number: u32, side: Side) -> Result<EventData, Refusal> {
        match self.proposed() {
            Some((proposed, consents)) if proposed.number == number => {
                if consents[side] {
                    let message = format!("the {side} side has consented to correction {number}");
                    return refuse(RefusalKind::Settled, Place::Input, message);
                }
                Ok(EventData::CorrectionConsented(CorrectionConsented { number, side }))
            }
            _ if (1..=self.adjudication.corrections).contains(&number) => {
                let message =
                    format!("correction {number} has been made, or play has gone on since it was proposed");
                refuse(RefusalKind::Settled, Place::Input, message)
            }
            _ => refuse(
                RefusalKind::NoSuchCorrection,
                Place::Input,
                format!("there is no correction {number}"),
            ),
        }
    }
}

/// Checks that a decision begins with the recorded event.
pub(in crate::matches) fn compare_first(
    decided: Result<GameDecided, Refusal>,
    recorded: &EventData,
) -> Result<(), Disagreement> {
    match decided.map_err(Disagreement::Refused)?.events.into_iter().next() {
        Some(decided) if decided != *recorded => Err(Disagreement::Otherwise(Box::new(decided))),
        _ => Ok(()),
    }
}
