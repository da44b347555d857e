//! Adjudication: claimed sides, proposed corrections and disputes. These are beside play, and no correction
//! voids them.

mod correcting;
mod disputing;
mod numbers;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

pub use self::numbers::DeliveryNumbers;
use super::GameInPlay;
use crate::log::{
    AdjudicationEvent, Ball, Cascade, CorrectionConsented, CorrectionProposed, EventData, EventFamily,
    NotLive, PlayChange, PlayEvent, RemoteEvent, Reversal, Role,
};
use crate::rules::{Place, Refusal, RefusalKind};
use crate::scorebook::BySide;

/// The state of adjudication in a match, folded from its events.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct AdjudicationState {
    /// The sides that have been claimed.
    pub(super) claimed: BySide<bool>,
    /// Whether a token for an umpire has been issued.
    has_umpire: bool,
    /// The number of corrections, made or only proposed.
    corrections: u32,
    /// The proposed correction, until play goes on.
    proposed: Option<Proposed>,
    disputes: Vec<Disputed>,
    /// The deliveries with an agreed outcome.
    agreed_deliveries: BTreeSet<u32>,
    numbers: DeliveryNumbers,
}

#[derive(Debug, Clone, PartialEq)]
struct Proposed {
    correction: CorrectionProposed,
    consents: BySide<bool>,
}

#[derive(Debug, Clone, PartialEq)]
struct Disputed {
    /// The number that the delivery has now, or had when it was void.
    delivery: u32,
    key: u32,
    /// Whether the delivery itself was voided or amended since.
    corrected: bool,
    /// Whether the delivery was decided again since, after an amendment of an earlier one.
    cascaded: bool,
    ruled: bool,
}

fn refuse<T>(why: RefusalKind, place: Place, message: impl Into<String>) -> Result<T, Refusal> {
    Err(Refusal::new(why, place, message))
}

fn field(name: &str) -> Place {
    Place::Field(name.to_owned())
}

impl From<NotLive> for Refusal {
    fn from(fault: NotLive) -> Refusal {
        let why = match fault {
            NotLive::VoidDelivery(_) | NotLive::VoidEvent(_) => RefusalKind::Settled,
            NotLive::NoDelivery(..) | NotLive::NoSuchEvent(_) | NotLive::NoStep(_) => {
                RefusalKind::IllegalInput
            }
        };
        let place = match fault {
            NotLive::NoSuchEvent(_) | NotLive::VoidEvent(_) => field("voids_from_seq"),
            NotLive::NoDelivery(..) | NotLive::VoidDelivery(_) | NotLive::NoStep(_) => Place::Input,
        };
        Refusal::new(why, place, fault.to_string())
    }
}

impl AdjudicationState {
    /// The adjudication of a match that is kept without its own: both sides count as claimed, and an umpire's
    /// token as issued.
    pub fn bare() -> AdjudicationState {
        let claimed = BySide { home: true, away: true };
        let numbers = DeliveryNumbers::standing_still();
        AdjudicationState { claimed, has_umpire: true, numbers, ..AdjudicationState::default() }
    }

    /// Applies a correction that leaves this many deliveries live, of those that there were. A refit at a
    /// table may move numbers; those of a seed belong to its draws.
    pub fn correct(&mut self, reversal: Reversal<'_>, deliveries: u32, last: u32, is_table: bool) {
        let refits = reversal.cascade() == Some(Cascade::Refit) && is_table;
        match reversal.restores() {
            Some(_) => self.numbers.restore(deliveries, last),
            None => self.numbers.correct(reversal.change().filter(|_| refits), deliveries, last),
        }
        self.agreed_deliveries.split_off(&(deliveries + 1));
        for dispute in self.disputes.iter_mut().filter(|dispute| dispute.delivery > deliveries) {
            let changes = |change: PlayChange| match change {
                PlayChange::Amends(delivery) | PlayChange::Removes(delivery) => delivery == dispute.delivery,
                PlayChange::Inserts(_) | PlayChange::Anew(_) => false,
            };
            match reversal.change().is_none_or(changes) {
                false => dispute.cascaded = true,
                true => dispute.corrected = true,
            }
        }
        // A correction that was proposed has its number already.
        if self.proposed.take().is_none() {
            self.corrections += 1;
        }
    }

    /// Whether an event changes the adjudication.
    pub fn is_changed_by(&self, event: &EventData) -> bool {
        match event.subject() {
            Some(_) => {
                let is_changed =
                    |ball: &Ball| ball.as_stood.is_some() || self.numbers.are_changed_by(ball.innings);
                self.proposed.is_some() || matches!(event, EventData::Ball(ball) if is_changed(ball))
            }
            None => true,
        }
    }

    /// Applies an event other than a correction: see [`correct`](Self::correct). A proposed correction is
    /// dropped when play goes on.
    pub fn apply(&mut self, event: &EventData) {
        if event.subject().is_some() {
            self.proposed = None;
        }
        match event.family() {
            // A call for a seed is no play, and it ends a proposal all the same.
            EventFamily::Remote(RemoteEvent::ChoiceCalled(_)) => self.proposed = None,
            EventFamily::Remote(RemoteEvent::SideClaimed(claimed)) => self.claimed[claimed.side] = true,
            EventFamily::Remote(RemoteEvent::TokenRotated(rotated)) => {
                self.has_umpire |= rotated.role == Role::Umpire;
            }
            EventFamily::Play(PlayEvent::Ball(ball)) => self.bowl(ball),
            EventFamily::Adjudication(event) => self.apply_adjudication(event),
            EventFamily::Lifecycle(_)
            | EventFamily::Play(_)
            | EventFamily::Remote(_)
            | EventFamily::Review(_) => {}
        }
    }

    /// Whether a dispute is about the delivery that has this number now: the one that had it may have been
    /// taken out.
    fn is_about(&self, dispute: &Disputed, delivery: u32) -> bool {
        dispute.delivery == delivery && self.numbers.key(delivery) == dispute.key
    }

    fn bowl(&mut self, ball: &Ball) {
        if ball.as_stood.is_some() {
            self.agreed_deliveries.insert(ball.delivery);
        }
        let had_moved = self.numbers.have_moved();
        self.numbers.bowl(ball.innings, ball.delivery);
        if had_moved || self.numbers.have_moved() {
            let key = self.numbers.key(ball.delivery);
            let moved = self.disputes.iter_mut().filter(|dispute| dispute.key == key);
            moved.for_each(|dispute| dispute.delivery = ball.delivery);
        }
    }

    fn apply_adjudication(&mut self, event: AdjudicationEvent<'_>) {
        match event {
            AdjudicationEvent::CorrectionProposed(correction) => {
                self.corrections = correction.number;
                let mut consents = BySide::default();
                if let Some(side) = correction.by {
                    consents[side] = true;
                }
                self.proposed = Some(Proposed { correction: correction.clone(), consents });
            }
            AdjudicationEvent::CorrectionConsented(CorrectionConsented { side, .. }) => {
                if let Some(proposed) = &mut self.proposed {
                    proposed.consents[*side] = true;
                }
            }
            AdjudicationEvent::Dispute(dispute) => {
                self.disputes.push(Disputed {
                    delivery: dispute.delivery,
                    key: self.numbers.key(dispute.delivery),
                    corrected: false,
                    cascaded: false,
                    ruled: false,
                });
            }
            AdjudicationEvent::DisputeRuled(ruled) => {
                let at = (ruled.number as usize).checked_sub(1);
                if let Some(dispute) = at.and_then(|at| self.disputes.get_mut(at)) {
                    dispute.ruled = true;
                }
            }
            AdjudicationEvent::Correction(_) | AdjudicationEvent::Restoration(_) => {}
        }
    }
}

/// The adjudication of a match: the state of its corrections and disputes, on top of play.
#[derive(Clone, Copy)]
pub struct Adjudication<'a> {
    play: &'a GameInPlay,
    state: &'a AdjudicationState,
}

impl<'a> Adjudication<'a> {
    pub(super) fn new(play: &'a GameInPlay, state: &'a AdjudicationState) -> Adjudication<'a> {
        Adjudication { play, state }
    }

    /// The number of corrections, made or only proposed.
    pub fn corrections(&self) -> u32 {
        self.state.corrections
    }

    /// The proposed correction, and the sides that have consented to it.
    pub fn proposed(&self) -> Option<(&'a CorrectionProposed, BySide<bool>)> {
        self.state.proposed.as_ref().map(|proposed| (&proposed.correction, proposed.consents))
    }

    /// The numbers of the deliveries through the corrections.
    pub fn numbers(&self) -> &'a DeliveryNumbers {
        &self.state.numbers
    }

    /// The number that the delivery of a dispute has now.
    pub fn disputed_now(&self, number: u32) -> Option<u32> {
        let dispute = self.state.disputes.get((number as usize).checked_sub(1)?)?;
        Some(dispute.delivery)
    }

    /// Whether a dispute is about the delivery that has this number now.
    pub fn is_disputed(&self, number: u32, delivery: u32) -> bool {
        let dispute = (number as usize).checked_sub(1).and_then(|at| self.state.disputes.get(at));
        dispute.is_some_and(|dispute| self.state.is_about(dispute, delivery))
    }

    /// Whether a token for an umpire has been issued.
    pub(super) fn has_umpire(&self) -> bool {
        self.state.has_umpire
    }
}
