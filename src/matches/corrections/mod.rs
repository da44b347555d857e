//! Corrections: the events that follow when a delivery is voided or amended.
//!
//! Void events stay in the log. An amended delivery is decided again, and so is everything after it, with the
//! choices and dice it had. The results are new events, after the correction.

mod insertion;
mod later;
mod notes;
mod redecide;
mod refitting;
mod restoring;
mod target;

pub use self::insertion::Insertion;
pub use self::later::{LaterAnswer, MOST_ANSWERS};
pub use self::notes::{RefitLoss, RefitNote};
use serde_json::json;

use self::redecide::Redecide;
pub use self::redecide::{AskedLater, UndecidedDelivery};
use self::refitting::LaterPlay;
use self::restoring::{Restorable, Restored};
pub use self::target::CorrectionTarget;
use self::target::{begins_at, refuse_of_seed, refuse_orders};
use crate::dice::ServerSeed;
use crate::log::{
    Actor, BallChange, Cascade, Correction, CorrectionConsented, CorrectionProposed, Event, EventData,
    InvalidEvent, Reversal,
};
use crate::matches::refit::KeptPlay;
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
    /// What a refit could not keep of later deliveries.
    pub notes: Vec<RefitNote>,
}

/// The refusal of a correction.
pub struct CorrectionRefused {
    /// Why the rules or the log do not allow it.
    pub refusal: Box<Refusal>,
    /// The ball or the over of which a die or a choice is missing, where that is the reason.
    pub unfinished: Option<Box<UndecidedDelivery>>,
    /// The events before that, each with its author, where a later delivery of a refit is asked about.
    pub so_far: Vec<(EventData, Actor)>,
    /// What the refit could not keep before that.
    pub notes: Vec<RefitNote>,
}

impl From<Refusal> for CorrectionRefused {
    fn from(refusal: Refusal) -> CorrectionRefused {
        let (so_far, notes) = (Vec::new(), Vec::new());
        CorrectionRefused { refusal: Box::new(refusal), unfinished: None, so_far, notes }
    }
}

impl CorrectionRefused {
    /// What is asked next, and the match before it, where a die or a choice is missing.
    pub fn preview(&self, correction: &CorrectionRequest) -> Option<(Match, Preview)> {
        let unfinished = self.unfinished.as_deref()?;
        let request = request_of(correction, unfinished)?;
        let within = matches!(correction.target, CorrectionTarget::Insert(..)).then_some("inserts");
        let preview = Preview::of_unfinished(unfinished, request, within);
        Some((unfinished.before.clone(), preview))
    }
}

/// The request that corrects, as far as it is made.
fn request_of(correction: &CorrectionRequest, unfinished: &UndecidedDelivery) -> Option<StepRequest> {
    let reason = correction.reason.as_str();
    let answers = |request: StepRequest, answers: &[LaterAnswer]| match unfinished.later {
        Some(later) => request.with("later", later.among(answers)),
        None => request,
    };
    let (amendment, dice, answered) = match &correction.target {
        CorrectionTarget::Amend(amendment, dice, answered) => (amendment, dice, answered),
        CorrectionTarget::Insert(insertion, answered) => {
            let title = format!("Put a ball in before delivery {}", insertion.before);
            let request = StepRequest::new(title, RequestKind::Amendment)
                .with("inserts", insertion.to_value())
                .with("reason", reason);
            return Some(answers(request, answered));
        }
        CorrectionTarget::Remove(delivery, answered) => {
            let title = format!("Take delivery {delivery} out");
            let request = StepRequest::new(title, RequestKind::Amendment)
                .with("removes", *delivery)
                .with("reason", reason);
            return Some(answers(request, answered));
        }
        _ => return None,
    };
    let title = format!("Amend delivery {}", amendment.amends);
    let request = StepRequest::new(title, RequestKind::Amendment)
        .with("amends", amendment.amends)
        .with("reason", reason);
    let request = match &amendment.over {
        Some(over) => request.with("over", over.clone()),
        None => request,
    };
    let request = match amendment.cascade {
        Cascade::Refuse => request,
        cascade => request.with("cascade", json!(cascade)),
    };
    if unfinished.later.is_none() {
        // The first choice that is given replaces all recorded ones, so the body has those that stand.
        return Some(request.with("choices", unfinished.choices.clone()));
    }
    let given = [
        ("choices", amendment.choices.as_ref().map(|choices| json!(choices))),
        ("dice", dice.as_ref().map(|dice| json!(dice))),
        ("as_stood", amendment.as_stood.as_ref().map(|agreed| json!(agreed))),
    ];
    let request = given.into_iter().fold(request, |request, (name, value)| match value {
        Some(value) => request.with(name, value),
        None => request,
    });
    Some(answers(request, answered))
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
    if let CorrectionTarget::Restore(restores) = request.target {
        let restorable = Restorable::read(history, log).map_err(invalid)?;
        return Ok(restore(&restorable, (restores, request), current, actor, consent)?);
    }
    for event in log {
        history.follow(event.clone()).map_err(invalid)?;
    }
    let (the_match, live) = (history.state().unwrap_or(current), history.live());
    the_match.adjudication().check_correctable(&request.reason, request.target.change().is_some())?;
    refuse_of_seed(the_match, &request.target)?;
    let from = begins_at(live, &request.target)?;
    if let CorrectionTarget::Insert(..) | CorrectionTarget::Remove(..) = &request.target {
        refuse_orders(&history, from)?;
    }
    let change = request.target.change().map(|(change, _)| change);
    let of =
        |wanted: fn(BallChange) -> bool| change.filter(|change| wanted(*change)).map(BallChange::delivery);
    let correction = Correction {
        voids_from_seq: from,
        voids_from: match &request.target {
            CorrectionTarget::FromDelivery(delivery) => Some(*delivery),
            _ => None,
        },
        amends: of(|change| matches!(change, BallChange::Amends(_))),
        inserts: of(|change| matches!(change, BallChange::Inserts(_))),
        removes: of(|change| matches!(change, BallChange::Removes(_))),
        cascade: request.target.cascade().filter(|cascade| *cascade == Cascade::Refit),
        reason: request.reason.clone(),
        dice_seen: live.shows_from(from),
    };
    let proposed = (the_match.play().info().created.remote && consent != Consent::Given)
        .then(|| (propose(the_match, request, actor.side(), Reversal::Correction(&correction)), actor));
    let correction_event = EventData::Correction(correction.clone());
    let event = proposed.as_ref().map_or(&correction_event, |(proposal, _)| proposal);
    Permissions::of(the_match).permit_adjudication(actor, event, PermissionQuestion::Now)?;
    let mut decided = CorrectionDecided { events: Vec::new(), shows_new_dice: false, notes: Vec::new() };
    if let Some((change, answers)) = request.target.change() {
        let mut redecided = Redecide::new(the_match, seed, change);
        let before = history.state_after(live.before(from)).map_err(invalid)?;
        let void = live.from(from);
        let kept = match correction.cascade {
            Some(_) => KeptPlay::of_void(before.clone(), void).map_err(invalid)?,
            None if answers.is_empty() => Vec::new(),
            None => {
                let message = "later answers what \"cascade\": \"refit\" asks; leave it out";
                let place = Place::Field("later".to_owned());
                return Err(Refusal::new(RefusalKind::IllegalInput, place, message).into());
            }
        };
        let corrected = the_match.clone().corrected(before, Reversal::Correction(&correction));
        let changed = match &request.target {
            CorrectionTarget::Amend(amendment, dice, _) => {
                redecided.amend(corrected, void, (amendment, dice.as_deref()), actor)
            }
            CorrectionTarget::Insert(insertion, _) => redecided.insert(corrected, void, insertion, actor),
            _ => Ok(redecided.remove(corrected, void, change.delivery())),
        };
        let followed = changed.and_then(|first| {
            let later = &void[first..];
            match request.target.cascade().unwrap_or_default() {
                Cascade::Refit => {
                    let is_before = |kept: &KeptPlay| later.first().is_none_or(|first| kept.seq < first.seq);
                    let kept = kept.into_iter().skip_while(is_before).collect();
                    redecided.refit(LaterPlay { kept, events: later, answers, actor })?;
                }
                cascade => redecided.redecide_later(later, cascade)?,
            }
            redecided.refuse_reopened()
        });
        if let Err(refusal) = followed {
            let Redecide { unfinished, notes, events, .. } = redecided;
            let is_later = unfinished.as_ref().is_some_and(|unfinished| unfinished.later.is_some());
            let so_far = std::iter::once((correction_event, actor)).chain(events);
            let so_far = so_far.filter(|_| is_later).collect();
            return Err(CorrectionRefused { refusal: Box::new(refusal), unfinished, so_far, notes });
        }
        let Redecide { events, new_die, notes, .. } = redecided;
        decided = CorrectionDecided { events, shows_new_dice: new_die, notes };
    }
    let events = with_consent(proposed, consent, (correction_event, actor), decided.events);
    Ok(CorrectionDecided { events, ..decided })
}

/// Decides a restoration.
fn restore(
    restorable: &Restorable,
    (restores, request): (u64, &CorrectionRequest),
    current: &Match,
    actor: Actor,
    consent: Consent,
) -> Result<CorrectionDecided, Refusal> {
    let the_match = restorable.history.state().unwrap_or(current);
    the_match.adjudication().check_correctable(&request.reason, true)?;
    let Restored { restoration, events } = restorable.restore(restores, &request.reason)?;
    let proposed = (the_match.play().info().created.remote && consent != Consent::Given)
        .then(|| (propose(the_match, request, actor.side(), Reversal::Restoration(&restoration)), actor));
    let event = EventData::Restoration(restoration);
    let said = proposed.as_ref().map_or(&event, |(proposal, _)| proposal);
    Permissions::of(the_match).permit_adjudication(actor, said, PermissionQuestion::Now)?;
    let events = with_consent(proposed, consent, (event, actor), events);
    Ok(CorrectionDecided { events, shows_new_dice: false, notes: Vec::new() })
}

/// The events of a correction: its proposal alone, where that needs consent; or the correction, and what
/// follows.
fn with_consent(
    proposed: Option<(EventData, Actor)>,
    consent: Consent,
    correction: (EventData, Actor),
    follow: Vec<(EventData, Actor)>,
) -> Vec<(EventData, Actor)> {
    let mut events: Vec<(EventData, Actor)> = proposed.into_iter().collect();
    if consent == Consent::Assumed {
        events.extend(missing_consents(&events, correction.1));
    }
    if events.is_empty() || consent == Consent::Assumed {
        events.push(correction);
        events.extend(follow);
    }
    events
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
    let target = match (&proposed.amendment, proposed.voids_from, proposed.restores) {
        (Some(amendment), ..) => CorrectionTarget::Amend(amendment.clone(), None, Vec::new()),
        (None, Some(delivery), _) => CorrectionTarget::FromDelivery(delivery),
        (None, None, Some(restores)) => CorrectionTarget::Restore(restores),
        (None, None, None) => CorrectionTarget::FromEvent(proposed.voids_from_seq),
    };
    CorrectionRequest { target, reason: proposed.reason.clone() }
}

fn propose(
    the_match: &Match,
    request: &CorrectionRequest,
    by: Option<Side>,
    reversal: Reversal<'_>,
) -> EventData {
    let amendment = match &request.target {
        CorrectionTarget::Amend(amendment, ..) => Some(amendment.clone()),
        _ => None,
    };
    EventData::CorrectionProposed(CorrectionProposed {
        number: the_match.adjudication().corrections() + 1,
        by,
        voids_from_seq: reversal.voids_from_seq(),
        voids_from: reversal.voids_from(),
        restores: reversal.restores(),
        amendment,
        reason: request.reason.clone(),
    })
}
