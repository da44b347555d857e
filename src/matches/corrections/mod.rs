//! Corrections: the events that follow when a delivery is voided or amended.
//!
//! Void events stay in the log. An amended delivery is decided again, and so is everything after it, with the
//! choices and dice it had. The results are new events, after the correction.

mod anew;
mod answers;
mod ball_answer;
mod dice_source;
mod insertion;
mod later;
mod missing;
mod notes;
mod redecide;
mod refitting;
mod restoring;
mod target;

pub use self::anew::{DecidedAnew, TossAnew};
pub use self::answers::{MOST_ANSWERS, RefitAnswers};
pub use self::ball_answer::BallAnswer;
pub use self::insertion::Insertion;
pub use self::later::LaterAnswer;
pub use self::missing::{AskedMissing, MissingBall, MissingKnown};
pub use self::notes::{RefitLoss, RefitNote};
use serde_json::{Value, json};

use self::insertion::within_inserts;
pub use self::redecide::{AskedBall, AskedLater, UndecidedDelivery};
use self::redecide::{Redecide, refuse_reopened};
use self::refitting::LaterPlay;
use self::restoring::{Restorable, Restored};
pub use self::target::CorrectionTarget;
use self::target::{begins_at, refuse_of_match, refuse_orders};
use crate::dice::ServerSeed;
use crate::log::{
    Actor, Amendment, Cascade, Correction, CorrectionConsented, CorrectionProposed, Event, EventData,
    InvalidEvent, PlayChange, Reversal,
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
        let nothing = MissingKnown::Bowled(BallAnswer::default());
        let request = request_of(correction, unfinished, &nothing)?;
        let within = matches!(correction.target, CorrectionTarget::Insert(..)).then_some("inserts");
        let mut preview = Preview::asking_for(unfinished, request, within);
        let answers = correction.target.change().map_or(0, |(_, answers)| answers.missing.len());
        if let AskedBall::Missing(AskedMissing { at, .. }) = unfinished.asked
            && at == answers
        {
            for (title, known) in OTHER_ANSWERS {
                let request = request_of(correction, unfinished, &known)?;
                preview.requests.push(StepRequest { title: title.to_owned(), ..request });
            }
        }
        Some((unfinished.before.clone(), preview))
    }
}

/// What a ball that an innings misses may be, beside one that is known.
const OTHER_ANSWERS: [(&str, MissingKnown); 2] =
    [("Not known: no run", MissingKnown::Unknown), ("The innings ended there", MissingKnown::Ended)];

/// The request that corrects, as far as it is made; with what is known of a ball that an innings misses.
fn request_of(
    correction: &CorrectionRequest,
    unfinished: &UndecidedDelivery,
    known: &MissingKnown,
) -> Option<StepRequest> {
    let one = |name, value| vec![(name, Some(value))];
    let (title, mut given) = match &correction.target {
        CorrectionTarget::Amend(Amendment { amends, .. }, ..) => {
            (format!("Amend delivery {amends}"), one("amends", json!(amends)))
        }
        CorrectionTarget::Insert(insertion, _) => {
            let title = format!("Put a ball in before delivery {}", insertion.before);
            (title, one("inserts", insertion.to_value()))
        }
        CorrectionTarget::Remove(delivery, _) => {
            (format!("Take delivery {delivery} out"), one("removes", json!(delivery)))
        }
        CorrectionTarget::Anew(anew, _) => {
            (format!("Decide {} anew", anew.step().as_words()), anew.members())
        }
        CorrectionTarget::FromDelivery(_) | CorrectionTarget::FromEvent(_) | CorrectionTarget::Restore(_) => {
            return None;
        }
    };
    given.push(("reason", Some(json!(correction.reason))));
    if let CorrectionTarget::Amend(amendment, dice, _) = &correction.target {
        let Amendment { over, choices, as_stood, cascade, .. } = amendment;
        given.push(("over", over.as_ref().map(|over| json!(over))));
        given.push(("cascade", Some(json!(cascade)).filter(|_| *cascade != Cascade::Refuse)));
        if unfinished.asked != AskedBall::Changed {
            given.push(("choices", choices.as_ref().map(|choices| json!(choices))));
            given.push(("dice", dice.as_ref().map(|dice| json!(dice))));
            given.push(("as_stood", as_stood.as_ref().map(|agreed| json!(agreed))));
        } else {
            // The first choice that is given replaces all recorded ones, so the body has those that stand.
            given.push(("choices", Some(json!(unfinished.choices))));
        }
    }
    let none = RefitAnswers::default();
    let RefitAnswers { later, missing } = correction.target.change().map_or(&none, |(_, answers)| answers);
    let later_so_far = || later.iter().map(LaterAnswer::to_value).collect::<Value>();
    let missing_so_far = || missing.iter().map(MissingBall::to_value).collect::<Value>();
    let (later, missing) = match unfinished.asked {
        AskedBall::Changed => (None, None),
        AskedBall::Later(asked) => {
            (Some(asked.among(later)), Some(missing_so_far()).filter(|_| !missing.is_empty()))
        }
        AskedBall::Missing(asked) => {
            let known = known.clone();
            (Some(later_so_far()).filter(|_| !later.is_empty()), Some(asked.among(missing, known)))
        }
    };
    given.extend([("later", later), ("missing", missing)]);
    let request = StepRequest::new(title, RequestKind::Amendment);
    Some(given.into_iter().fold(request, |request, (name, value)| match value {
        Some(value) => request.with(name, value),
        None => request,
    }))
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
    refuse_of_match(the_match, &request.target)?;
    let from = begins_at(live, &request.target)?;
    if let CorrectionTarget::Insert(..) | CorrectionTarget::Remove(..) = &request.target {
        refuse_orders(&history, from)?;
    }
    let change = request.target.change();
    let mut correction = Correction {
        voids_from_seq: from,
        voids_from: match &request.target {
            CorrectionTarget::FromDelivery(delivery) => Some(*delivery),
            _ => None,
        },
        amends: None,
        inserts: None,
        removes: None,
        anew: None,
        cascade: request.target.cascade().filter(|cascade| *cascade == Cascade::Refit),
        ended: Vec::new(),
        reason: request.reason.clone(),
        dice_seen: live.shows_from(from),
    };
    match change.map(|(change, _)| change) {
        Some(PlayChange::Amends(delivery)) => correction.amends = Some(delivery),
        Some(PlayChange::Inserts(delivery)) => correction.inserts = Some(delivery),
        Some(PlayChange::Removes(delivery)) => correction.removes = Some(delivery),
        Some(PlayChange::Anew(step)) => correction.anew = Some(step),
        None => {}
    }
    let mut said = (EventData::Correction(correction.clone()), actor);
    let proposed = announced(the_match, request, &said, consent)?;
    let mut decided = CorrectionDecided { events: Vec::new(), shows_new_dice: false, notes: Vec::new() };
    if let Some((change, answers)) = change {
        let before = history.state_after(live.before(from)).map_err(invalid)?;
        let (own, later) =
            live.from(from).split_at(change.counts_own(live.from(from).iter().map(|event| event.subject)));
        let kept = match correction.cascade {
            Some(_) => KeptPlay::keep_all(before.clone(), live.from(from)).map_err(invalid)?,
            None if answers.is_empty() => Vec::new(),
            None => {
                let member = if answers.later.is_empty() { "missing" } else { "later" };
                let message = format!("{member} answers what \"cascade\": \"refit\" asks; leave it out");
                let place = Place::Field(member.to_owned());
                return Err(Refusal::new(RefusalKind::IllegalInput, place, message).into());
            }
        };
        let corrected = the_match.clone().corrected(before, Reversal::Correction(&correction));
        let stands = corrected.play().ended().to_vec();
        let is_open = the_match.play().has_finished();
        let mut redecided = Redecide::new(corrected, seed, is_open);
        let changed = match &request.target {
            CorrectionTarget::Amend(amendment, dice, _) => {
                redecided.amend(own, (amendment, dice.as_deref()), actor)
            }
            CorrectionTarget::Insert(insertion, _) => {
                redecided.insert(own, insertion, actor).map_err(within_inserts)
            }
            CorrectionTarget::Anew(anew, _) => redecided.decide_anew(own, anew, actor),
            _ => Ok(()),
        };
        let followed = changed.and_then(|()| {
            match request.target.cascade().unwrap_or_default() {
                Cascade::Refit => {
                    let (kept, events) = (KeptPlay::later(kept, change), live.from(from));
                    redecided.refit(LaterPlay { kept, events, answers, actor })?;
                }
                cascade => redecided.redecide_later(later, cascade)?,
            }
            refuse_reopened(&redecided.the_match)
        });
        let Redecide { the_match: after, unfinished, notes, events, new_die, .. } = redecided;
        correction.ended = after.play().ended().iter().filter(|end| !stands.contains(end)).copied().collect();
        said.0 = EventData::Correction(correction);
        if let Err(refusal) = followed {
            let is_later =
                unfinished.as_ref().is_some_and(|unfinished| unfinished.asked != AskedBall::Changed);
            let so_far = std::iter::once(said).chain(events).filter(|_| is_later).collect();
            return Err(CorrectionRefused { refusal: Box::new(refusal), unfinished, so_far, notes });
        }
        decided = CorrectionDecided { events, shows_new_dice: new_die, notes };
    }
    let events = with_consent(proposed, consent, said, decided.events);
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
    let said = (EventData::Restoration(restoration), actor);
    let proposed = announced(the_match, request, &said, consent)?;
    let events = with_consent(proposed, consent, said, events);
    Ok(CorrectionDecided { events, shows_new_dice: false, notes: Vec::new() })
}

/// The proposal of a correction, with its author, in remote play without consent so far. Refuses an author
/// who may not say it.
fn announced(
    the_match: &Match,
    request: &CorrectionRequest,
    (correction, actor): &(EventData, Actor),
    consent: Consent,
) -> Result<Option<(EventData, Actor)>, Refusal> {
    let is_proposed = the_match.play().info().created.remote && consent != Consent::Given;
    let reversal = correction.reversal().filter(|_| is_proposed);
    let proposed = reversal.map(|reversal| propose(the_match, request, actor.side(), reversal));
    let said = proposed.as_ref().unwrap_or(correction);
    Permissions::of(the_match).permit_adjudication(*actor, said, PermissionQuestion::Now)?;
    Ok(proposed.map(|proposal| (proposal, *actor)))
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
        (Some(amendment), ..) => CorrectionTarget::Amend(amendment.clone(), None, RefitAnswers::default()),
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
