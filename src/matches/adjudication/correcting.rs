//! Corrections: who can make them, and what has to follow from them.

use super::{Adjudication, field, refuse};
use crate::log::{
    Amendment, Cascade, Correction, CorrectionConsented, CorrectionProposed, DiceMode, EventData,
    InvalidEvent, LiveEvents, PlayChange, Restoration, Reversal,
};
use crate::rules::reading::check_reason;
use crate::rules::{Disagreement, Place, Refusal, RefusalKind};
use crate::scorebook::Side;

impl Adjudication<'_> {
    /// Refuses a correction that cannot be made or, in remote play, proposed.
    pub fn check_correctable(&self, reason: &str, plays_anew: bool) -> Result<(), Refusal> {
        check_reason("reason", reason)?;
        if self.play.seeds_are_open() && !plays_anew {
            let message = "the seeds are open, so nothing new can be bowled with them: an ended match can only be amended";
            return refuse(RefusalKind::SeedOpen, Place::Input, message);
        }
        if self.play.is_reopened() {
            return refuse(RefusalKind::SeedOpen, Place::Input, "the last amendment is not complete");
        }
        Ok(())
    }

    /// Refuses a correction in remote play unless both sides have consented to exactly this one.
    fn check_consent(&self, reversal: Reversal<'_>) -> Result<(), Refusal> {
        if !self.play.info().created.remote {
            return Ok(());
        }
        let agreed = self.proposed().is_some_and(|(proposed, consents)| {
            let amends = proposed.amendment.as_ref().map(|amendment| amendment.amends);
            consents.home
                && consents.away
                && proposed.voids_from_seq == reversal.voids_from_seq()
                && proposed.voids_from == reversal.voids_from()
                && proposed.restores == reversal.restores()
                && proposed.reason == reversal.reason()
                && amends == reversal.amends()
                && refit_of(proposed.amendment.as_ref()) == reversal.cascade()
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
        let CorrectionProposed { voids_from_seq: seq, voids_from, restores, amendment, reason, .. } =
            proposed;
        if let Some(agreed) = amendment.as_ref().and_then(|amendment| amendment.as_stood.as_ref()) {
            check_reason("as_stood.reason", &agreed.reason).map_err(Disagreement::Refused)?;
        }
        let amends = amendment.as_ref().map(|amendment| amendment.amends);
        if let Some(restores) = *restores {
            if voids_from.is_some() || amends.is_some() {
                let reason = "cannot be combined with voids_from or amendment";
                return Err(Disagreement::Impossible(InvalidEvent::new("data.restores", reason)));
            }
            return check_voids(restores, *seq);
        }
        let correction = Correction {
            voids_from_seq: *seq,
            voids_from: *voids_from,
            amends,
            inserts: None,
            removes: None,
            anew: None,
            cascade: refit_of(amendment.as_ref()),
            ended: Vec::new(),
            reason: reason.clone(),
            dice_seen: live.shows_from(*seq),
        };
        self.check_target(&correction, live)
    }

    /// Checks that a recorded correction could be made.
    pub fn check_correction<T>(
        &self,
        reversal: Reversal<'_>,
        live: &LiveEvents<T>,
    ) -> Result<(), Disagreement> {
        let plays_anew = reversal.change().is_some() || reversal.restores().is_some();
        self.check_correctable(reversal.reason(), plays_anew).map_err(Disagreement::Refused)?;
        self.check_consent(reversal).map_err(Disagreement::Refused)?;
        match reversal {
            Reversal::Correction(correction) => self.check_target(correction, live),
            Reversal::Restoration(Restoration { restores, voids_from_seq, dice_seen, .. }) => {
                check_voids(*restores, *voids_from_seq)?;
                check_dice_seen(*voids_from_seq, *dice_seen, live)
            }
        }
    }

    /// Checks that a correction names live events, and the event from which they are void.
    fn check_target<T>(&self, correction: &Correction, live: &LiveEvents<T>) -> Result<(), Disagreement> {
        let Correction { voids_from_seq: seq, dice_seen, cascade, .. } = correction;
        let change = Reversal::Correction(correction).change();
        let impossible = |field: &str, reason: String| {
            Disagreement::Impossible(InvalidEvent::new(format!("data.{field}"), reason))
        };
        if cascade.is_some_and(|cascade| cascade != Cascade::Refit || change.is_none()) {
            let reason = "is refit, with amends, inserts, removes or anew, or left out".to_owned();
            return Err(impossible("cascade", reason));
        }
        let is_new = matches!(change, Some(PlayChange::Inserts(_) | PlayChange::Removes(_)));
        if is_new && (cascade.is_none() || self.play.info().created.dice == DiceMode::Seeded) {
            let reason = "goes with inserts and removes, at a table with its own dice".to_owned();
            return Err(impossible("cascade", reason));
        }
        if correction.anew.is_some() && (cascade.is_none() || self.play.info().created.remote) {
            let reason = "goes with cascade, in a match that is not remote".to_owned();
            return Err(impossible("anew", reason));
        }
        let members = [correction.voids_from, correction.amends, correction.inserts, correction.removes];
        if members.into_iter().flatten().count() + usize::from(correction.anew.is_some()) > 1 {
            let reason =
                "cannot be combined with amends, inserts, removes or anew, nor these with each other";
            return Err(impossible("voids_from", reason.to_owned()));
        }
        let named = match (correction.voids_from, change) {
            (Some(delivery), _) => live.from_delivery(delivery).map(|from| from == *seq),
            (
                None,
                Some(
                    PlayChange::Amends(delivery)
                    | PlayChange::Inserts(delivery)
                    | PlayChange::Removes(delivery),
                ),
            ) => {
                live.begin_of(delivery).map(|ball| ball == *seq || live.over_of_first(delivery) == Some(*seq))
            }
            (None, Some(PlayChange::Anew(step))) => live.from_step(step).map(|from| from == *seq),
            (None, None) => live.from_seq(*seq).map(|from| from == *seq),
        };
        if !named.map_err(|fault| impossible("voids_from_seq", fault.to_string()))? {
            let reason = "is not the first event that this correction voids".to_owned();
            return Err(impossible("voids_from_seq", reason));
        }
        self.check_ended(correction, live)?;
        check_dice_seen(*seq, *dice_seen, live)
    }

    /// Checks the innings that end by agreement in the play that follows a correction anew.
    fn check_ended<T>(&self, correction: &Correction, live: &LiveEvents<T>) -> Result<(), Disagreement> {
        let Correction { ended, voids_from_seq, .. } = correction;
        let impossible =
            |reason: &str| Err(Disagreement::Impossible(InvalidEvent::new("data.ended", reason)));
        if ended.is_empty() {
            return Ok(());
        }
        if Reversal::Correction(correction).change().is_none()
            || self.play.info().created.dice == DiceMode::Seeded
        {
            return impossible("goes with amends, inserts, removes or anew, at a table with its own dice");
        }
        let first = live.deliveries_before(*voids_from_seq);
        if ended[0].after < first {
            return impossible("names a delivery before the first event that this correction voids");
        }
        if !ended.is_sorted_by(|one, next| one.innings < next.innings && one.after <= next.after) {
            return impossible("names innings in their order, each with a delivery that is not before");
        }
        Ok(())
    }

    pub(super) fn check_proposal(&self, proposed: &CorrectionProposed) -> Result<(), Refusal> {
        self.check_correctable(
            &proposed.reason,
            proposed.amendment.is_some() || proposed.restores.is_some(),
        )?;
        if !self.play.info().created.remote {
            return refuse(
                RefusalKind::OutOfTurn,
                Place::Input,
                "at one table a correction is made at once, not proposed",
            );
        }
        if proposed.number != self.state.corrections + 1 {
            let message = format!("the next correction is number {}", self.state.corrections + 1);
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
            _ if (1..=self.state.corrections).contains(&number) => {
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

/// Checks the first event that a restoration makes void: the one after what it restores, if there is one.
fn check_voids(restores: u64, voids_from_seq: u64) -> Result<(), Disagreement> {
    if voids_from_seq == restores + 1 {
        return Ok(());
    }
    let reason = format!("is {}, the event after the one that it restores", restores + 1);
    Err(Disagreement::Impossible(InvalidEvent::new("data.voids_from_seq", reason)))
}

/// Checks what a correction says of the events from this one on, which it makes void.
fn check_dice_seen<T>(seq: u64, dice_seen: bool, live: &LiveEvents<T>) -> Result<(), Disagreement> {
    if live.shows_from(seq) == dice_seen {
        return Ok(());
    }
    let reason = format!("is {}: it says whether a coin, a ball or secret choices are void", !dice_seen);
    Err(Disagreement::Impossible(InvalidEvent::new("data.dice_seen", reason)))
}

/// The rule of an amendment that a correction names: a refit.
fn refit_of(amendment: Option<&Amendment>) -> Option<Cascade> {
    amendment.map(|amendment| amendment.cascade).filter(|cascade| *cascade == Cascade::Refit)
}
