//! The corrections, disputes and agreed outcomes of a match, as a view. Voiding play does not take them back.

use chrono::{DateTime, Utc};
use serde::Serialize;
use utoipa::ToSchema;

use super::MatchProjection;
use super::changed_choices::{ChangedChoice, ChoiceChanges};
use super::correction_difference::{BallInWords, CorrectionDifference};
use super::places::DeliveryPlaces;
use crate::log::{
    Actor, Amendment, CorrectionProposed, DeliveryPlace, DisputeFinding, EndedInnings, Event, EventData,
    LiveEvent, StepAnew, Subject, at_format,
};
use crate::matches::{Adjudication, DeliveryNumbers, MadeChoices, Match};
use crate::scorebook::Side;

/// A correction of a match, made or only proposed.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct CorrectionEntry {
    /// The number of the correction in the match, from 1.
    pub number: u32,
    /// The status: `made`, `proposed`, or `lapsed`, when play went on before both sides had consented.
    pub status: CorrectionStatus,
    /// The event that made the correction, or proposed it.
    pub seq: u64,
    /// The time of that event: RFC 3339, UTC, milliseconds; left out in an audit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<String>,
    /// The author of that event.
    pub actor: Actor,
    /// The first event that the correction voids.
    pub voids_from_seq: u64,
    /// The delivery from which on play is void, where the correction names one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub voids_from: Option<u32>,
    /// The amended delivery, where the correction is an amendment.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub amends: Option<u32>,
    /// The delivery in whose place a ball was put that had been missed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub inserts: Option<u32>,
    /// The delivery that was taken out, since it was never bowled.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub removes: Option<u32>,
    /// The step before the play that was decided anew: `set_up`, `toss` or `toss_decided`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub anew: Option<StepAnew>,
    /// The correction or restoration whose void events come back, for a restoration.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub restores: Option<u64>,
    /// The innings that ended by agreement in what follows the correction, though the rules let them go on.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub ended: Vec<EndedInnings>,
    /// The place of the delivery that the correction names, as it was before the correction.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<DeliveryPlace>,
    /// The first later delivery that did not repeat after the amendment; only in an audit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub void_from: Option<u32>,
    /// The place of that later delivery, as it was before the correction.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub void_from_place: Option<DeliveryPlace>,
    /// The amendment that was proposed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub amendment: Option<Amendment>,
    /// The reason for the correction.
    pub reason: String,
    /// What the correction has changed, in a sentence: `4.2: Quinn out, caught, becomes dropped by Brody.
    /// 75/2 becomes 75/1.` Scores are those of the innings; left out until the correction is made, and in an
    /// audit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub difference: Option<String>,
    /// Whether the correction voids a coin, a ball or secret choices that had been seen; left out until it is
    /// made.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dice_seen: Option<bool>,
    /// The number of events that the correction voids; left out until it is made.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub voided: Option<usize>,
    /// The sides that have consented, where both have to.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub consents: Vec<Side>,
}

/// The status of a correction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum CorrectionStatus {
    /// The correction has taken effect.
    Made,
    /// The correction waits for consent.
    Proposed,
    /// Play went on before both sides had consented.
    Lapsed,
}

/// A dispute about a delivery, with its ruling.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct DisputeEntry {
    /// The number of the dispute in the match, from 1.
    pub number: u32,
    /// The event that raised it.
    pub seq: u64,
    /// The delivery in dispute.
    pub delivery: u32,
    /// The place of that delivery, as it was when it was disputed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<DeliveryPlace>,
    /// The number that the delivery has now, where a correction has moved it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub now: Option<u32>,
    /// The claim of the side.
    pub claim: String,
    /// The side that disputes.
    pub by: Side,
    /// The ruling; left out while the dispute is open.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ruled: Option<RulingGiven>,
}

/// A ruling on a dispute.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct RulingGiven {
    /// The event of the ruling.
    pub seq: u64,
    /// The author of the ruling: the scorer or an umpire.
    pub by: Actor,
    /// The text of the ruling.
    pub ruling: String,
    /// The finding of the ruling.
    pub finding: DisputeFinding,
}

/// A ball with an outcome that the table agreed on, and not by the rules.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
#[schema(as = Exception)]
pub struct AgreedException {
    /// The number of the delivery in the match.
    pub delivery: u32,
    /// The place of the delivery.
    pub place: DeliveryPlace,
    /// The event of the ball.
    pub seq: u64,
    /// The reason that the table gave.
    pub reason: String,
}

/// The adjudication of a match: its corrections, disputes and agreed outcomes, decided or open.
#[derive(Debug, Clone, Default)]
pub struct AdjudicationRecord {
    corrections: Vec<CorrectionEntry>,
    disputes: Vec<DisputeEntry>,
    exceptions: Vec<AgreedException>,
    choice_changes: ChoiceChanges,
    /// What the last correction changes.
    difference: Option<CorrectionDifference>,
    /// The places of the deliveries before the last correction.
    places_before: DeliveryPlaces,
}

/// The choices of an event that are compared with void ones.
#[derive(Debug)]
pub struct Compared {
    /// The subject of the event, with the key of its delivery.
    key: Subject,
    choices: MadeChoices,
    /// Whether the event follows a refit by its rule, so that nobody has changed his mind.
    follows_refit: bool,
}

impl CorrectionEntry {
    /// The entry that an event begins with a correction, before it names what that changes.
    fn begun_by(event: &Event, number: u32, voids_from_seq: u64, reason: &str) -> CorrectionEntry {
        CorrectionEntry {
            number,
            status: CorrectionStatus::Proposed,
            seq: event.seq,
            at: None,
            actor: event.actor,
            voids_from_seq,
            voids_from: None,
            amends: None,
            inserts: None,
            removes: None,
            anew: None,
            restores: None,
            ended: Vec::new(),
            place: None,
            void_from: None,
            void_from_place: None,
            amendment: None,
            reason: reason.to_owned(),
            difference: None,
            dice_seen: None,
            voided: None,
            consents: Vec::new(),
        }
    }

    /// The entry with the place of the delivery that it names, which is among these.
    fn placed(self, places: &DeliveryPlaces) -> CorrectionEntry {
        let place = self.delivery().and_then(|delivery| places.place_of(delivery));
        CorrectionEntry { place, ..self }
    }

    /// The delivery that the correction names.
    pub fn delivery(&self) -> Option<u32> {
        self.amends.or(self.inserts).or(self.removes).or(self.voids_from)
    }
}

impl DisputeEntry {
    /// The number that the delivery has now, where it is another one.
    fn moved_to(&self, adjudication: Adjudication<'_>) -> Option<u32> {
        adjudication.disputed_now(self.number).filter(|now| *now != self.delivery)
    }
}

impl AdjudicationRecord {
    /// The corrections, in the order of their numbers.
    pub fn corrections(&self) -> &[CorrectionEntry] {
        &self.corrections
    }

    /// The disputes, in the order of their numbers.
    pub fn disputes(&self) -> &[DisputeEntry] {
        &self.disputes
    }

    /// The balls with an agreed outcome, in order.
    pub fn exceptions(&self) -> &[AgreedException] {
        &self.exceptions
    }

    /// The corrections that have taken effect, in the order of their numbers.
    pub fn made(&self) -> impl Iterator<Item = &CorrectionEntry> {
        self.corrections.iter().filter(|correction| correction.status == CorrectionStatus::Made)
    }

    /// Records the first delivery that did not repeat after the last amendment.
    pub fn cut(&mut self, delivery: Option<u32>) {
        let last =
            self.corrections.iter_mut().rfind(|correction| correction.status == CorrectionStatus::Made);
        if let (Some(delivery), Some(last)) = (delivery, last) {
            last.void_from = Some(delivery);
            last.void_from_place = self.places_before.place_of(delivery);
        }
    }

    /// The adjudication with its disputes as of an event.
    pub fn as_of(&self, seq: u64) -> AdjudicationRecord {
        let mut record = self.clone();
        record.disputes.retain(|dispute| dispute.seq <= seq);
        for dispute in &mut record.disputes {
            dispute.ruled.take_if(|ruled| ruled.seq > seq);
        }
        record
    }

    /// The disputes without a ruling.
    pub fn open_disputes(&self) -> impl Iterator<Item = &DisputeEntry> {
        self.disputes.iter().filter(|dispute| dispute.ruled.is_none())
    }

    /// The correction that waits for the consent of both sides.
    pub fn proposed(&self) -> Option<&CorrectionEntry> {
        self.corrections.last().filter(|last| last.status == CorrectionStatus::Proposed)
    }

    /// The choices that a correction changed when the outcome of the earlier ones was known.
    pub fn changed_choices(&self) -> &[ChangedChoice] {
        self.choice_changes.changed()
    }

    /// The values that were read off the table anew after a correction, like dice, and differ.
    pub fn read_anew(&self) -> &[ChangedChoice] {
        self.choice_changes.read_anew()
    }

    /// The choices of the event that comes next on this match, where they are compared with void ones whose
    /// outcome is known.
    pub fn compared(&self, before: &Match, data: &EventData) -> Option<Compared> {
        let subject = data.subject()?;
        let numbers = before.adjudication().numbers();
        let key = match data {
            EventData::Ball(ball) => {
                Subject::Ball { delivery: numbers.next_key(ball.innings, ball.delivery) }
            }
            _ => numbers.keyed(subject),
        };
        self.choice_changes.has_seen(key).then(|| {
            let is_step = matches!(subject, Subject::SetUp | Subject::Toss | Subject::TossDecided);
            let follows_refit = !is_step && numbers.follow_refit(before.play().next_over().0);
            let choices = MadeChoices::of(before, subject, data.chosen(), data.faces());
            Compared { key, choices, follows_refit }
        })
    }

    /// Whether no choices are compared with void ones.
    pub fn compares_nothing(&self) -> bool {
        self.choice_changes.is_empty()
    }

    /// Whether an event may change the adjudication, though its choices are not compared. Most balls do not,
    /// and need not be applied.
    pub fn concerns(&self, data: &EventData) -> bool {
        let agreed = matches!(data, EventData::Ball(ball) if ball.as_stood.is_some());
        agreed || data.subject().is_none() || self.proposed().is_some()
    }

    /// Applies an event that is no correction, with its choices where they are [`compared`](Self::compared).
    /// `places` are those after the event.
    pub fn apply(&mut self, event: &Event, compared: Option<Compared>, places: &DeliveryPlaces) {
        match &event.data {
            EventData::CorrectionProposed(proposed) => {
                self.lapse();
                let CorrectionProposed { number, by, voids_from_seq, voids_from, .. } = proposed;
                let entry = CorrectionEntry {
                    voids_from: *voids_from,
                    amends: proposed.amendment.as_ref().map(|amendment| amendment.amends),
                    restores: proposed.restores,
                    amendment: proposed.amendment.clone(),
                    consents: by.iter().copied().collect(),
                    ..CorrectionEntry::begun_by(event, *number, *voids_from_seq, &proposed.reason)
                };
                self.corrections.push(entry.placed(places));
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
                place: places.place_of(dispute.delivery),
                now: None,
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
                match (event.data.subject(), compared) {
                    (Some(_), Some(Compared { key, choices, follows_refit: true })) => {
                        self.choice_changes.keep(key, choices);
                    }
                    (Some(subject), Some(Compared { key, choices, .. })) => {
                        self.choice_changes.note((event.seq, subject), key, choices, places);
                    }
                    (_, None) | (None, _) => {}
                }
                self.exceptions.extend(exception(event));
            }
            EventData::MatchCreated(_)
            | EventData::SideClaimed(_)
            | EventData::TokenRotated(_)
            | EventData::SeedCommitted(_)
            | EventData::SeedContributed(_)
            | EventData::Correction(_)
            | EventData::Restoration(_) => {}
        }
    }

    /// Whether a disputed delivery has another number than the record says.
    pub fn moves_with(&self, adjudication: Adjudication<'_>) -> bool {
        self.disputes.iter().any(|dispute| dispute.now != dispute.moved_to(adjudication))
    }

    /// Follows the disputed deliveries that a correction moves.
    pub fn renumber(&mut self, adjudication: Adjudication<'_>) {
        for dispute in &mut self.disputes {
            dispute.now = dispute.moved_to(adjudication);
        }
    }

    /// Records the time of the event that was applied, if it proposes a correction.
    pub(super) fn date(&mut self, event: &Event) {
        if let (EventData::CorrectionProposed(_), Some(last)) = (&event.data, self.corrections.last_mut()) {
            last.at = Some(at_format::write(&event.at));
        }
    }

    /// Records the time of the last correction, and what it changes; `projection` is that of the match that
    /// it goes back to.
    pub(super) fn differ(
        &mut self,
        at: DateTime<Utc>,
        difference: CorrectionDifference,
        projection: &MatchProjection,
    ) {
        if let Some(last) = self.corrections.last_mut() {
            last.at = Some(at_format::write(&at));
            last.difference = difference.sentence(projection);
        }
        self.difference = Some(difference);
    }

    /// Whether an event may follow from the last correction, so that it tells more of what that changes.
    pub(super) fn differs_with(&self, event: &Event) -> bool {
        self.difference.as_ref().is_some_and(|difference| difference.goes_on_with(event))
    }

    /// The words for an event on the match before it, where it is the ball in the place of an amended one.
    pub(super) fn in_place_of_amended(&self, before: &Match, event: &Event) -> Option<BallInWords> {
        self.difference.as_ref()?.in_its_place(before, event)
    }

    /// Tells what the last correction changes after an event that may follow from it; `ball` is the event in
    /// words, where it is the ball in the place of the amended one.
    pub(super) fn go_on_differing(
        &mut self,
        event: &Event,
        ball: Option<BallInWords>,
        projection: &MatchProjection,
    ) {
        let Some(difference) = &mut self.difference else { return };
        difference.take(event);
        if let Some(ball) = ball {
            difference.go_on(event, ball);
        }
        let sentence = difference.sentence(projection);
        if let Some(made) = self.corrections.iter_mut().rfind(|one| one.status == CorrectionStatus::Made) {
            made.difference = sentence;
        }
    }

    fn lapse(&mut self) {
        if let Some(last) =
            self.corrections.last_mut().filter(|last| last.status == CorrectionStatus::Proposed)
        {
            last.status = CorrectionStatus::Lapsed;
        }
    }

    /// Applies a correction that voids these events, each with its choices. `places` and `numbers` are those
    /// before the correction.
    pub fn correct(
        &mut self,
        event: &Event,
        mut voided: Vec<LiveEvent<MadeChoices>>,
        (places, numbers): (&DeliveryPlaces, &DeliveryNumbers),
    ) {
        let Some(reversal) = event.data.reversal() else { return };
        for live in &mut voided {
            live.subject = numbers.keyed(live.subject);
        }
        let next = self.corrections.len() as u32 + 1;
        let entry = || {
            let correction = reversal.correction();
            let entry = CorrectionEntry {
                voids_from: reversal.voids_from(),
                amends: reversal.amends(),
                inserts: correction.and_then(|correction| correction.inserts),
                removes: correction.and_then(|correction| correction.removes),
                anew: correction.and_then(|correction| correction.anew),
                restores: reversal.restores(),
                ..CorrectionEntry::begun_by(event, next, reversal.voids_from_seq(), reversal.reason())
            };
            entry.placed(places)
        };
        let proposed = self.corrections.pop_if(|last| last.status == CorrectionStatus::Proposed);
        let proposed = proposed.unwrap_or_else(entry);
        let made = CorrectionEntry {
            status: CorrectionStatus::Made,
            seq: event.seq,
            dice_seen: Some(reversal.dice_seen()),
            voided: Some(voided.len()),
            ended: reversal.ended().to_vec(),
            ..proposed
        };
        self.exceptions.retain(|exception| exception.seq < made.voids_from_seq);
        self.choice_changes.void(made.number, voided);
        self.places_before = places.clone();
        self.corrections.push(made);
    }
}

/// The agreed outcome of an event, if it is a ball with one.
fn exception(event: &Event) -> Option<AgreedException> {
    let EventData::Ball(ball) = &event.data else { return None };
    let as_stood = ball.as_stood.as_ref()?;
    let place = DeliveryPlace::of(ball);
    Some(AgreedException { delivery: ball.delivery, place, seq: event.seq, reason: as_stood.reason.clone() })
}
