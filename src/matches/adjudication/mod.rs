//! Adjudication: claimed sides, proposed corrections and disputes. These are beside play, and no correction
//! voids them.

mod correcting;
mod disputing;

pub(super) use correcting::compare_first;

use std::collections::BTreeSet;
use std::sync::{Arc, LazyLock};

use super::{Match, Phase};
use crate::log::{
    Correction, CorrectionConsented, CorrectionProposed, DiceMode, DisputeRuled, EventData, NotLive, Role,
};
use crate::rules::{Place, Refusal, RefusalKind};
use crate::scorebook::{BySide, Side};

/// The adjudication of a match, folded from its events.
#[derive(Debug, Clone, Default)]
pub(super) struct Adjudication {
    pub(super) claimed: BySide<bool>,
    /// Whether a token for an umpire has been issued.
    pub(super) has_umpire: bool,
    /// The number of corrections, made or only proposed.
    corrections: u32,
    /// The proposed correction, until play goes on.
    proposed: Option<Proposed>,
    disputes: Vec<Disputed>,
    /// The deliveries with an agreed outcome.
    agreed_deliveries: BTreeSet<u32>,
}

#[derive(Debug, Clone)]
struct Proposed {
    correction: CorrectionProposed,
    consents: BySide<bool>,
}

#[derive(Debug, Clone)]
struct Disputed {
    delivery: u32,
    /// Whether the delivery itself was voided or amended since.
    corrected: bool,
    /// Whether the delivery was decided again since, after an amendment of an earlier one.
    cascaded: bool,
    ruled: bool,
}

/// A command about a dispute.
#[derive(Debug, Clone, PartialEq)]
pub enum DisputeCommand {
    /// The dispute of a delivery.
    Dispute {
        /// The number of the delivery in the match.
        delivery: u32,
        /// The claim, in the words of the side.
        claim: String,
        /// The side that disputes the delivery.
        by: Side,
    },
    /// The ruling on a dispute.
    Rule(DisputeRuled),
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
            NotLive::NoDelivery(..) | NotLive::NoSuchEvent(_) => RefusalKind::IllegalInput,
        };
        let place = match fault {
            NotLive::NoSuchEvent(_) | NotLive::VoidEvent(_) => field("voids_from_seq"),
            NotLive::NoDelivery(..) | NotLive::VoidDelivery(_) => Place::Input,
        };
        Refusal::new(why, place, fault.to_string())
    }
}

impl Adjudication {
    /// Whether an event changes the adjudication.
    pub(super) fn is_changed_by(&self, event: &EventData) -> bool {
        match event.subject() {
            Some(_) => {
                self.proposed.is_some() || matches!(event, EventData::Ball(ball) if ball.as_stood.is_some())
            }
            None => true,
        }
    }

    /// Applies an event.
    pub(super) fn evolve(&mut self, event: &EventData) {
        match event {
            EventData::SideClaimed(claimed) => self.claimed[claimed.side] = true,
            EventData::TokenRotated(rotated) => self.has_umpire |= rotated.role == Role::Umpire,
            EventData::CorrectionProposed(correction) => {
                self.corrections = correction.number;
                let mut consents = BySide::default();
                if let Some(side) = correction.by {
                    consents[side] = true;
                }
                self.proposed = Some(Proposed { correction: correction.clone(), consents });
            }
            EventData::CorrectionConsented(CorrectionConsented { side, .. }) => {
                if let Some(proposed) = &mut self.proposed {
                    proposed.consents[*side] = true;
                }
            }
            EventData::Dispute(dispute) => {
                self.disputes.push(Disputed {
                    delivery: dispute.delivery,
                    corrected: false,
                    cascaded: false,
                    ruled: false,
                });
            }
            EventData::DisputeRuled(ruled) => {
                let at = (ruled.number as usize).checked_sub(1);
                if let Some(dispute) = at.and_then(|at| self.disputes.get_mut(at)) {
                    dispute.ruled = true;
                }
            }
            EventData::Correction(_) => {
                // A correction that was proposed has its number already.
                if self.proposed.take().is_none() {
                    self.corrections += 1;
                }
            }
            EventData::Ball(ball) => {
                self.proposed = None;
                if ball.as_stood.is_some() {
                    self.agreed_deliveries.insert(ball.delivery);
                }
            }
            EventData::SetUp(_)
            | EventData::Toss(_)
            | EventData::TossDecided(_)
            | EventData::Over(_)
            | EventData::Roll(_)
            | EventData::Review(_)
            | EventData::Choice(_)
            | EventData::ChoiceOpened(_)
            | EventData::ChoiceCalled(_)
            | EventData::MatchCompleted(_)
            | EventData::MatchAbandoned(_) => self.proposed = None,
            EventData::MatchCreated(_) | EventData::SeedCommitted(_) | EventData::SeedContributed(_) => {}
        }
    }
}

impl Match {
    /// The number of live deliveries.
    pub fn deliveries(&self) -> u32 {
        self.deliveries
    }

    /// The number of corrections, made or only proposed.
    pub fn corrections(&self) -> u32 {
        self.adjudication.corrections
    }

    /// The proposed correction, and the sides that have consented to it.
    pub fn proposed(&self) -> Option<(&CorrectionProposed, BySide<bool>)> {
        self.adjudication.proposed.as_ref().map(|proposed| (&proposed.correction, proposed.consents))
    }

    /// Whether the match had finished before its last correction, and has not finished again. Its seeds are
    /// open, so it must not stay so.
    pub fn is_reopened(&self) -> bool {
        self.reopened
    }

    fn seeds_are_open(&self) -> bool {
        let finished = matches!(self.phase, Phase::Completed(_) | Phase::Abandoned);
        self.created.dice == DiceMode::Seeded && (finished || self.reopened)
    }

    /// The match after a correction: `before`, the match before the first void event, with the adjudication
    /// of this one.
    pub fn corrected(self, before: Match, correction: &Correction) -> Match {
        let reopened = self.seeds_are_open();
        let mut adjudication = self.adjudication;
        let changed = Arc::make_mut(&mut adjudication);
        changed.agreed_deliveries.split_off(&(before.deliveries + 1));
        for dispute in changed.disputes.iter_mut().filter(|dispute| dispute.delivery > before.deliveries) {
            match correction.amends {
                Some(amends) if amends != dispute.delivery => dispute.cascaded = true,
                _ => dispute.corrected = true,
            }
        }
        changed.evolve(&EventData::Correction(correction.clone()));
        Match { adjudication, reopened, ..before }
    }

    /// The match without its adjudication, to be kept for [`corrected`](Self::corrected) or to be played
    /// again. Both sides count as claimed, and an umpire's token as issued.
    pub fn without_adjudication(&self) -> Match {
        static BARE: LazyLock<Arc<Adjudication>> = LazyLock::new(|| {
            let claimed = BySide { home: true, away: true };
            Arc::new(Adjudication { claimed, has_umpire: true, ..Adjudication::default() })
        });
        Match { adjudication: Arc::clone(&BARE), ..self.clone() }
    }
}
