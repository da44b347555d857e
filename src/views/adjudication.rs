use serde::Serialize;
use utoipa::ToSchema;

use super::changed_choices::{ChangedChoice, Rethought};
use crate::log::{Actor, Amendment, DisputeFinding, Event, EventData, Moment};
use crate::scorebook::Side;

/// A correction of a match, be it made or only proposed.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct CorrectionEntry {
    /// Its number in the match, from 1.
    pub number: u32,
    /// `made`, `proposed`, or `lapsed`: play went on before both sides had consented.
    pub status: CorrectionStatus,
    /// The event that made it, or proposed it.
    pub seq: u64,
    /// On whose word.
    pub actor: Actor,
    /// The first event that is void, or would be.
    pub voids_from_seq: u64,
    /// The delivery that was taken back, where one was named.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub voids_from: Option<u32>,
    /// The delivery that is put right, where one is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub amends: Option<u32>,
    /// The first delivery after it that did not come again as it was; told by an audit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub void_from: Option<u32>,
    /// How it would be put right; of one that was proposed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub amendment: Option<Amendment>,
    /// Why.
    pub reason: String,
    /// Whether a coin, a ball or secret choices are void that had been seen; once it is made.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dice_seen: Option<bool>,
    /// How many events are void by it; once it is made.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub voided: Option<usize>,
    /// The sides that have consented, where it takes both.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub consents: Vec<Side>,
}

/// How far a correction has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum CorrectionStatus {
    /// It has taken effect.
    Made,
    /// It waits for consent.
    Proposed,
    /// Play went on before both sides had consented.
    Lapsed,
}

/// A dispute.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct DisputeEntry {
    /// Its number in the match, from 1.
    pub number: u32,
    /// The event that raised it.
    pub seq: u64,
    /// The delivery in dispute.
    pub delivery: u32,
    /// What is claimed.
    pub claim: String,
    /// The side that claims it.
    pub by: Side,
    /// What was ruled; left out while it is open.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ruled: Option<RulingGiven>,
}

/// A ruling on a dispute.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct RulingGiven {
    /// The event.
    pub seq: u64,
    /// Who ruled: the scorer or an umpire.
    pub by: Actor,
    /// The ruling in words.
    pub ruling: String,
    /// What it comes to.
    pub finding: DisputeFinding,
}

/// A ball of which stands what the table agreed on, and not what the rules come to.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct Exception {
    /// The ball.
    pub delivery: u32,
    /// Its event.
    pub seq: u64,
    /// Why.
    pub reason: String,
}

/// What was settled in a match, and what is to be: it is not taken back with play.
#[derive(Debug, Clone, Default)]
pub struct Settled {
    corrections: Vec<CorrectionEntry>,
    disputes: Vec<DisputeEntry>,
    exceptions: Vec<Exception>,
    rethought: Rethought,
}

impl Settled {
    /// Corrections in the order of their numbers.
    pub fn corrections(&self) -> &[CorrectionEntry] {
        &self.corrections
    }

    /// Disputes in the order of their numbers.
    pub fn disputes(&self) -> &[DisputeEntry] {
        &self.disputes
    }

    /// The balls that stand as the table agreed, in order.
    pub fn exceptions(&self) -> &[Exception] {
        &self.exceptions
    }

    /// After the last amendment this delivery, and those after it, did not come again as they were.
    pub fn cut(&mut self, delivery: Option<u32>) {
        let last =
            self.corrections.iter_mut().rfind(|correction| correction.status == CorrectionStatus::Made);
        if let (Some(delivery), Some(last)) = (delivery, last) {
            last.void_from = Some(delivery);
        }
    }

    /// The same as it was known of disputes after an event.
    pub fn about(&self, seq: u64) -> Settled {
        let mut about = self.clone();
        about.disputes.retain(|dispute| dispute.seq <= seq);
        for dispute in &mut about.disputes {
            dispute.ruled.take_if(|ruled| ruled.seq > seq);
        }
        about
    }

    /// Those not ruled on yet.
    pub fn open_disputes(&self) -> Vec<DisputeEntry> {
        self.disputes.iter().filter(|dispute| dispute.ruled.is_none()).cloned().collect()
    }

    /// The correction that waits for the consent of both sides.
    pub fn proposed(&self) -> Option<&CorrectionEntry> {
        self.corrections.last().filter(|last| last.status == CorrectionStatus::Proposed)
    }

    /// Choices that were made otherwise when what had followed from them was known.
    pub fn changed_choices(&self) -> &[ChangedChoice] {
        self.rethought.changed()
    }

    /// Whether an event says anything here.
    pub fn hears(&self, data: &EventData) -> bool {
        let agreed = matches!(data, EventData::Ball(ball) if ball.as_stood.is_some());
        agreed || data.moment().is_none() || self.rethought.is_waiting() || self.proposed().is_some()
    }

    /// Applies an event that is no correction.
    pub fn apply(&mut self, event: &Event) {
        match &event.data {
            EventData::CorrectionProposed(proposed) => {
                self.lapse();
                self.corrections.push(CorrectionEntry {
                    number: proposed.number,
                    status: CorrectionStatus::Proposed,
                    seq: event.seq,
                    actor: event.actor,
                    voids_from_seq: proposed.voids_from_seq,
                    voids_from: proposed.voids_from,
                    amends: proposed.amendment.as_ref().map(|amendment| amendment.amends),
                    void_from: None,
                    amendment: proposed.amendment.clone(),
                    reason: proposed.reason.clone(),
                    dice_seen: None,
                    voided: None,
                    consents: proposed.by.into_iter().collect(),
                });
            }
            EventData::CorrectionConsented(consented) => {
                if let Some(correction) = self.corrections.last_mut() {
                    correction.consents.push(consented.side);
                }
            }
            EventData::Dispute(dispute) => self.disputes.push(DisputeEntry {
                number: dispute.number,
                seq: event.seq,
                delivery: dispute.delivery,
                claim: dispute.claim.clone(),
                by: dispute.by,
                ruled: None,
            }),
            EventData::DisputeRuled(ruled) => {
                let open = self.disputes.iter_mut().find(|dispute| dispute.number == ruled.number);
                if let Some(dispute) = open {
                    dispute.ruled = Some(RulingGiven {
                        seq: event.seq,
                        by: event.actor,
                        ruling: ruled.ruling.clone(),
                        finding: ruled.finding,
                    });
                }
            }
            EventData::SetUp(_)
            | EventData::Toss(_)
            | EventData::TossDecided(_)
            | EventData::Over(_)
            | EventData::Roll(_)
            | EventData::Ball(_)
            | EventData::Review(_)
            | EventData::Choice(_)
            | EventData::ChoiceOpened(_)
            | EventData::ChoiceCalled(_)
            | EventData::MatchCompleted(_)
            | EventData::MatchAbandoned(_) => {
                self.lapse();
                self.rethought.note(event.seq, &event.data);
                self.exceptions.extend(exception(event));
            }
            EventData::MatchCreated(_)
            | EventData::SideClaimed(_)
            | EventData::TokenRotated(_)
            | EventData::SeedCommitted(_)
            | EventData::SeedContributed(_)
            | EventData::Correction(_) => {}
        }
    }

    fn lapse(&mut self) {
        if let Some(last) =
            self.corrections.last_mut().filter(|last| last.status == CorrectionStatus::Proposed)
        {
            last.status = CorrectionStatus::Lapsed;
        }
    }

    /// Applies a correction that takes these events back: what each is about, whether it showed anything, and what was
    /// chosen in it.
    pub fn correct<'a>(
        &mut self,
        event: &Event,
        voided: impl DoubleEndedIterator<Item = (Moment, bool, serde_json::Map<String, serde_json::Value>)>
        + ExactSizeIterator
        + 'a,
    ) {
        let EventData::Correction(correction) = &event.data else { return };
        let proposed = self.corrections.pop_if(|last| last.status == CorrectionStatus::Proposed).unwrap_or(
            CorrectionEntry {
                number: self.corrections.len() as u32 + 1,
                status: CorrectionStatus::Proposed,
                seq: event.seq,
                actor: event.actor,
                voids_from_seq: correction.voids_from_seq,
                voids_from: correction.voids_from,
                amends: correction.amends,
                void_from: None,
                amendment: None,
                reason: correction.reason.clone(),
                dice_seen: None,
                voided: None,
                consents: Vec::new(),
            },
        );
        let made = CorrectionEntry {
            status: CorrectionStatus::Made,
            seq: event.seq,
            dice_seen: Some(correction.dice_seen),
            voided: Some(voided.len()),
            ..proposed
        };
        self.exceptions.retain(|exception| exception.seq < made.voids_from_seq);
        self.rethought.void(made.number, voided);
        self.corrections.push(made);
    }
}

/// The ball of which stands what the table agreed on, where it is one.
fn exception(event: &Event) -> Option<Exception> {
    let EventData::Ball(ball) = &event.data else { return None };
    let as_stood = ball.as_stood.as_ref()?;
    Some(Exception { delivery: ball.delivery, seq: event.seq, reason: as_stood.reason.clone() })
}
