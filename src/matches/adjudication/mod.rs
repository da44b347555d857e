//! What is said about a match, beside its play: claimed sides, corrections that are proposed, disputes. No correction takes
//! it back.

mod correcting;
mod disputing;

pub(super) use correcting::comes_to;

use std::collections::BTreeSet;
use std::sync::{Arc, LazyLock};

use super::{Fixture, Phase};
use crate::log::{
    Correction, CorrectionConsented, CorrectionProposed, DiceMode, DisputeRuled, EventData, NotStanding, Role,
};
use crate::rules::{Place, Refusal, Why};
use crate::scorebook::{BySide, Side};

/// What is said about a match.
#[derive(Debug, Clone, Default)]
pub(super) struct Proceedings {
    pub(super) claimed: BySide<bool>,
    /// Whether a token for an umpire has been given.
    pub(super) has_umpire: bool,
    /// How many corrections there are, be they made or only proposed.
    corrections: u32,
    /// The correction that is proposed, until play goes on.
    proposed: Option<Proposed>,
    disputes: Vec<Disputed>,
    /// The deliveries that stand as the table agreed.
    agreed_on: BTreeSet<u32>,
}

#[derive(Debug, Clone)]
struct Proposed {
    correction: CorrectionProposed,
    consents: BySide<bool>,
}

#[derive(Debug, Clone)]
struct Disputed {
    delivery: u32,
    /// Whether the delivery itself was taken back or put right since.
    touched: bool,
    /// Whether it was decided again since, on top of one that was put right.
    decided_again: bool,
    ruled: bool,
}

/// What would be done with a dispute, or a correction that is proposed.
#[derive(Debug, Clone, PartialEq)]
pub enum Word {
    /// A delivery is disputed.
    Dispute {
        /// The delivery.
        delivery: u32,
        /// What is claimed.
        claim: String,
        /// By whom.
        by: Side,
    },
    /// A dispute is ruled on.
    Rule(DisputeRuled),
}

fn refuse<T>(why: Why, place: Place, message: impl Into<String>) -> Result<T, Refusal> {
    Err(Refusal::new(why, place, message))
}

fn field(name: &str) -> Place {
    Place::Field(name.to_owned())
}

impl From<NotStanding> for Refusal {
    fn from(fault: NotStanding) -> Refusal {
        let why = match fault {
            NotStanding::VoidDelivery(_) | NotStanding::VoidEvent(_) => Why::Settled,
            NotStanding::NoDelivery(..) | NotStanding::NoSuchEvent(_) => Why::IllegalInput,
        };
        let place = match fault {
            NotStanding::NoSuchEvent(_) | NotStanding::VoidEvent(_) => field("voids_from_seq"),
            NotStanding::NoDelivery(..) | NotStanding::VoidDelivery(_) => Place::Input,
        };
        Refusal::new(why, place, fault.to_string())
    }
}

impl Proceedings {
    /// Whether an event changes anything here.
    pub(super) fn hears(&self, event: &EventData) -> bool {
        match event.moment() {
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
                    touched: false,
                    decided_again: false,
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
                // One that was proposed has its number already.
                if self.proposed.take().is_none() {
                    self.corrections += 1;
                }
            }
            EventData::Ball(ball) => {
                self.proposed = None;
                if ball.as_stood.is_some() {
                    self.agreed_on.insert(ball.delivery);
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

impl Fixture {
    /// How many deliveries stand.
    pub fn deliveries(&self) -> u32 {
        self.deliveries
    }

    /// How many corrections there are, be they made or only proposed.
    pub fn corrections(&self) -> u32 {
        self.proceedings.corrections
    }

    /// The correction that is proposed, and who has consented to it.
    pub fn proposed(&self) -> Option<(&CorrectionProposed, BySide<bool>)> {
        self.proceedings.proposed.as_ref().map(|proposed| (&proposed.correction, proposed.consents))
    }

    /// Whether the match was over before its last correction, and is not yet again. Its seeds are open, so it may not stay so.
    pub fn is_reopened(&self) -> bool {
        self.reopened
    }

    fn seeds_are_open(&self) -> bool {
        let over = matches!(self.phase, Phase::Completed(_) | Phase::Abandoned);
        self.created.dice == DiceMode::Seeded && (over || self.reopened)
    }

    /// The match after a correction: as it was before what is void, but for what is said about it. `before` is the match as
    /// it was then.
    pub fn corrected(self, before: Fixture, correction: &Correction) -> Fixture {
        let reopened = self.seeds_are_open();
        let mut proceedings = self.proceedings;
        let said = Arc::make_mut(&mut proceedings);
        said.agreed_on.split_off(&(before.deliveries + 1));
        for dispute in said.disputes.iter_mut().filter(|dispute| dispute.delivery > before.deliveries) {
            match correction.amends {
                Some(amends) if amends != dispute.delivery => dispute.decided_again = true,
                _ => dispute.touched = true,
            }
        }
        said.evolve(&EventData::Correction(correction.clone()));
        Fixture { proceedings, reopened, ..before }
    }

    /// The match without what is said about it, to be kept as it was for [`corrected`](Self::corrected), or to be played
    /// again: both sides then count as claimed, and an umpire's token as given.
    pub fn bare(&self) -> Fixture {
        static BARE: LazyLock<Arc<Proceedings>> = LazyLock::new(|| {
            let claimed = BySide { home: true, away: true };
            Arc::new(Proceedings { claimed, has_umpire: true, ..Proceedings::default() })
        });
        Fixture { proceedings: Arc::clone(&BARE), ..self.clone() }
    }
}
