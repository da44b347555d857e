//! Corrections: the events that follow when a delivery is voided or amended.
//!
//! Void events stay in the log. An amended delivery is decided again, and so is everything after it, with the
//! choices and dice it had. The results are new events, after the correction.

mod redecide;

use self::redecide::Redecide;
pub use self::redecide::UnfinishedBall;
use crate::dice::ServerSeed;
use crate::log::{
    Actor, Amendment, Cascade, Correction, CorrectionConsented, CorrectionProposed, Event, EventData,
    InvalidEvent, LiveEvents, NotLive,
};
use crate::matches::{History, Match, PermissionQuestion, Permissions, Preview, RequestKind, StepRequest};
use crate::rules::{Place, Refusal, RefusalKind};
use crate::scorebook::Side;

/// A request for a correction.
#[derive(Debug, Clone, PartialEq)]
pub struct CorrectionRequest {
    /// The part of the match to correct.
    pub target: CorrectionTarget,
    /// The reason, of 1 to 1,000 characters.
    pub reason: String,
}

/// The part of a match that a correction is about.
#[derive(Debug, Clone, PartialEq)]
pub enum CorrectionTarget {
    /// Everything from this delivery on becomes void.
    FromDelivery(u32),
    /// Everything from this event on becomes void.
    FromEvent(u64),
    /// A delivery is amended; with the values of its dice, when they are entered.
    Amend(Amendment, Option<Vec<i64>>),
}

/// The consent to a correction that needs both sides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Consent {
    /// The sides have not consented yet.
    Needed,
    /// Both sides have consented.
    Given,
    /// The correction is tried out as if both sides had consented.
    Assumed,
}

/// The decision on a correction.
#[derive(Debug)]
pub struct CorrectionDecided {
    /// The events in order, each with its author.
    pub events: Vec<(EventData, Actor)>,
    /// Whether the events show a die that is not in the log yet and that no open seed gives.
    pub shows_new_dice: bool,
}

/// The refusal of a correction.
pub struct CorrectionRefused {
    /// Why the rules or the log do not allow it.
    pub refusal: Box<Refusal>,
    /// The amended ball whose body misses a die or a choice, where that is the reason.
    pub unfinished: Option<Box<UnfinishedBall>>,
}

impl From<Refusal> for CorrectionRefused {
    fn from(refusal: Refusal) -> CorrectionRefused {
        CorrectionRefused { refusal: Box::new(refusal), unfinished: None }
    }
}

impl CorrectionRefused {
    /// What is asked next for the amended ball, and the match before it, where it misses a die or a choice.
    pub fn preview(&self, correction: &CorrectionRequest) -> Option<(Match, Preview)> {
        let UnfinishedBall { before, choices, dice } = self.unfinished.as_deref()?;
        let CorrectionTarget::Amend(amendment, _) = &correction.target else { return None };
        let title = format!("Amend delivery {}", amendment.amends);
        let request = StepRequest::new(title, RequestKind::Amendment)
            .with("amends", amendment.amends)
            .with("reason", correction.reason.as_str())
            // The first choice that is given replaces all recorded ones, so the body has those that stand.
            .with("choices", choices.clone());
        let request = match &amendment.over {
            Some(over) => request.with("over", over.clone()),
            None => request,
        };
        let request = match amendment.cascade {
            Cascade::VoidRest => request.with("cascade", "void_rest"),
            Cascade::Refuse => request,
        };
        let preview = Preview::of_amended_ball(before, request, (choices, dice));
        Some((before.clone(), preview))
    }
}

/// Decides a correction of the log of a match. In remote play it is only proposed, until both sides have
/// consented.
pub fn decide(
    current: &Match,
    log: &[Event],
    request: &CorrectionRequest,
    actor: Actor,
    seed: Option<&ServerSeed>,
    consent: Consent,
) -> Result<CorrectionDecided, CorrectionRefused> {
    let invalid =
        |invalid: InvalidEvent| Refusal::new(RefusalKind::OutOfTurn, Place::Input, invalid.to_string());
    let mut history: History<Match> = History::new(current.play().info().editions.clone());
    for event in log {
        history.follow(event.clone()).map_err(invalid)?;
    }
    let (the_match, live) = (history.state().unwrap_or(current), history.live());
    the_match
        .adjudication()
        .check_correctable(&request.reason, matches!(request.target, CorrectionTarget::Amend(..)))?;
    let from = begins_at(live, &request.target)?;
    let (voids_from, amends) = match &request.target {
        CorrectionTarget::FromDelivery(delivery) => (Some(*delivery), None),
        CorrectionTarget::FromEvent(_) => (None, None),
        CorrectionTarget::Amend(amendment, _) => (None, Some(amendment.amends)),
    };
    let dice_seen = live.shows_from(from);
    let reason = request.reason.clone();
    let correction = Correction { voids_from_seq: from, voids_from, amends, reason, dice_seen };
    let proposed = (the_match.play().info().created.remote && consent != Consent::Given)
        .then(|| (propose(the_match, request, actor.side(), &correction), actor));
    let correction_event = EventData::Correction(correction.clone());
    let event = proposed.as_ref().map_or(&correction_event, |(proposal, _)| proposal);
    Permissions::of(the_match).permit_adjudication(actor, event, PermissionQuestion::Now)?;
    let redecided = match &request.target {
        CorrectionTarget::Amend(amendment, dice) => {
            let mut redecided = Redecide::new(the_match, seed);
            let before = history.state_after(live.before(from)).map_err(invalid)?;
            let corrected = the_match.clone().corrected(before, &correction);
            let amended = redecided.amend(corrected, live.from(from), (amendment, dice.as_deref()), actor);
            if let Err(refusal) = amended {
                return Err(CorrectionRefused {
                    refusal: Box::new(refusal),
                    unfinished: redecided.unfinished,
                });
            }
            redecided
        }
        CorrectionTarget::FromDelivery(_) | CorrectionTarget::FromEvent(_) => Redecide::new(the_match, seed),
    };
    let mut events: Vec<(EventData, Actor)> = proposed.into_iter().collect();
    if consent == Consent::Assumed {
        events.extend(missing_consents(&events, actor));
    }
    if events.is_empty() || consent == Consent::Assumed {
        events.push((correction_event, actor));
        events.extend(redecided.events);
    }
    Ok(CorrectionDecided { events, shows_new_dice: redecided.new_die })
}

/// The consents that a proposal still needs.
fn missing_consents(said: &[(EventData, Actor)], actor: Actor) -> Vec<(EventData, Actor)> {
    let Some((EventData::CorrectionProposed(proposed), _)) = said.first() else { return Vec::new() };
    let number = proposed.number;
    let missing = [Side::Home, Side::Away].into_iter().filter(|side| Actor::from(*side) != actor);
    let consent =
        |side| (EventData::CorrectionConsented(CorrectionConsented { number, side }), Actor::from(side));
    missing.map(consent).collect()
}

/// The request behind a correction that both sides have consented to.
pub fn as_requested(proposed: &CorrectionProposed) -> CorrectionRequest {
    let target = match (&proposed.amendment, proposed.voids_from) {
        (Some(amendment), _) => CorrectionTarget::Amend(amendment.clone(), None),
        (None, Some(delivery)) => CorrectionTarget::FromDelivery(delivery),
        (None, None) => CorrectionTarget::FromEvent(proposed.voids_from_seq),
    };
    CorrectionRequest { target, reason: proposed.reason.clone() }
}

fn propose(
    the_match: &Match,
    request: &CorrectionRequest,
    by: Option<Side>,
    correction: &Correction,
) -> EventData {
    let amendment = match &request.target {
        CorrectionTarget::Amend(amendment, _) => Some(amendment.clone()),
        CorrectionTarget::FromDelivery(_) | CorrectionTarget::FromEvent(_) => None,
    };
    EventData::CorrectionProposed(CorrectionProposed {
        number: the_match.adjudication().corrections() + 1,
        by,
        voids_from_seq: correction.voids_from_seq,
        voids_from: correction.voids_from,
        amendment,
        reason: request.reason.clone(),
    })
}

/// The sequence number of the first void event.
fn begins_at(live: &LiveEvents<Event>, target: &CorrectionTarget) -> Result<u64, Refusal> {
    let at = |name: &str| {
        let place = Place::Field(name.to_owned());
        move |fault: NotLive| Refusal { place, ..Refusal::from(fault) }
    };
    match target {
        CorrectionTarget::FromDelivery(delivery) => live.from_delivery(*delivery).map_err(at("voids_from")),
        CorrectionTarget::FromEvent(seq) => live.from_seq(*seq).map_err(at("voids_from_seq")),
        CorrectionTarget::Amend(amendment, _) => {
            let ball = live.begin_of(amendment.amends).map_err(at("amends"))?;
            if amendment.over.is_none() {
                return Ok(ball);
            }
            let message = "the choices of an over are amended with its first ball: amend that ball";
            live.over_of_first(amendment.amends).ok_or_else(|| {
                Refusal::new(RefusalKind::IllegalInput, Place::Field("over".to_owned()), message)
            })
        }
    }
}
