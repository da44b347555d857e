//! What is said about a match, beside its play: claimed sides, corrections that are proposed, disputes. No correction takes
//! it back.

use std::collections::BTreeSet;
use std::sync::{Arc, LazyLock};

use super::fixture::check_reason;
use super::{Choices, Disagreement, Fixture, Phase, Place, Play, Refusal, Why};
use crate::dice::RecordedDice;
use crate::log::{
    Actor, Amendment, Ball, Broken, Correction, CorrectionConsented, CorrectionProposed, DiceMode, Dispute,
    DisputeFinding, DisputeRuled, EventData, NotStanding, Over, Standing,
};
use crate::scorebook::{BySide, Side};

/// What is said about a match.
#[derive(Debug, Clone, Default)]
pub(super) struct Proceedings {
    pub(super) claimed: BySide<bool>,
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
            EventData::Toss(_)
            | EventData::TossDecided(_)
            | EventData::Over(_)
            | EventData::Choice(_)
            | EventData::ChoiceOpened(_)
            | EventData::ChoiceCalled(_)
            | EventData::MatchCompleted(_)
            | EventData::MatchAbandoned(_) => self.proposed = None,
            EventData::MatchCreated(_)
            | EventData::TokenRotated(_)
            | EventData::SeedCommitted(_)
            | EventData::SeedContributed(_) => {}
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

    /// The same without what is said about it, to be kept as it was for [`corrected`](Self::corrected), or to be played
    /// again: both sides then count as claimed.
    pub fn bare(&self) -> Fixture {
        static BARE: LazyLock<Arc<Proceedings>> = LazyLock::new(|| {
            let claimed = BySide { home: true, away: true };
            Arc::new(Proceedings { claimed, ..Proceedings::default() })
        });
        Fixture { proceedings: Arc::clone(&BARE), ..self.clone() }
    }

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
        let mut dice = RecordedDice::new(&recorded.dice);
        let decided = match &amendment.as_stood {
            None => self.game.decide(Play::Ball(choices), &mut dice),
            Some(agreed) => self.game.decide_as_stood(choices, agreed, &mut dice),
        };
        match decided.map_err(Disagreement::Refused)?.events.into_iter().next() {
            Some(EventData::Ball(agreed)) if agreed != *recorded => {
                Err(Disagreement::Otherwise(Box::new(EventData::Ball(agreed))))
            }
            _ => Ok(()),
        }
    }

    /// Makes sure that an over is what these choices come to.
    pub fn check_over(&self, recorded: &Over, choices: &Choices) -> Result<(), Disagreement> {
        let mut dice = RecordedDice::dealing(&recorded.dice, self.game.dealt(recorded));
        let decided = self.game.decide(Play::Over(choices.clone()), &mut dice);
        match decided.map_err(Disagreement::Refused)?.events.into_iter().next() {
            Some(again) if again != EventData::Over(recorded.clone()) => {
                Err(Disagreement::Otherwise(Box::new(again)))
            }
            _ => Ok(()),
        }
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
                .ball(*delivery)
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
    pub(super) fn check_word(&self, recorded: &EventData) -> Result<(), Disagreement> {
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

    fn check_proposal(&self, proposed: &CorrectionProposed) -> Result<(), Refusal> {
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

    /// Refuses what is said about the match on the word of somebody who has none in it.
    pub fn permit_word(&self, actor: Actor, said: &EventData) -> Result<(), Refusal> {
        let own = |side: Side| actor == Actor::from(side);
        let records = actor == Actor::Scorer;
        let (permitted, who) = match said {
            EventData::Correction(_) => {
                let sides = self.created.remote && matches!(actor, Actor::Home | Actor::Away);
                (
                    sides || (records && !self.created.remote),
                    "a correction is for the scorer to make; from afar, for both sides",
                )
            }
            EventData::CorrectionProposed(proposed) => {
                (proposed.by.map_or(records, own), "a correction is for a side or the scorer to propose")
            }
            EventData::CorrectionConsented(consented) => {
                (own(consented.side), "a side consents for itself, with its own token")
            }
            EventData::Dispute(dispute) => (
                records || actor == Actor::Umpire || own(dispute.by),
                "a side disputes for itself, and the scorer or an umpire for either",
            ),
            EventData::DisputeRuled(_) => {
                (records || actor == Actor::Umpire, "disputes are ruled on by the scorer or an umpire")
            }
            _ => return Ok(()),
        };
        if permitted { Ok(()) } else { refuse(Why::NotYours, Place::Input, who) }
    }
}
