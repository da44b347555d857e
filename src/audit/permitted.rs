//! The checks of an event's author and time: who may have written the event, and when.

use super::findings::difference;
use super::{Check, Finding};
use crate::log::{Actor, Event, EventData, Review, at_format};
use crate::matches::{Match, Permissions, PrecedingEvent};
use crate::rules::{Place, Refusal, RefusalKind};

/// Checks that a match that is played out ends with the next event. The last event reveals the seeds of a
/// seeded match, and a log without it would hide them. The match itself refuses any play that follows.
pub(super) fn ends_at_once(the_match: &Match, event: &Event) -> Result<(), Finding> {
    if !the_match.reviews().is_played_out() || event.data.subject().is_some() {
        return Ok(());
    }
    let message = "the match is played out, so match_completed must come next, and it is missing";
    let mut finding = Finding::new(Check::Rules, message);
    finding.differences.push(difference("kind", event.data.kind(), "match_completed"));
    Err(finding)
}

/// Checks that no choice was drawn for a side before its timeout, and that a called side got the time of the
/// match's timeout.
pub(super) fn check_deadline(the_match: &Match, event: &Event) -> Result<(), Finding> {
    if event.data.drawn() > 0 && the_match.remote().deadline().is_some_and(|until| event.at < until) {
        let message = "the choice was drawn for a side before its timeout";
        return Err(Finding::new(Check::Rules, message));
    }
    let EventData::ChoiceCalled(called) = &event.data else { return Ok(()) };
    let until = at_format::write(&the_match.remote().until(event.at));
    if called.until == until {
        return Ok(());
    }
    let message = "a called side has the match's choice_timeout, counted from the call";
    let mut finding = Finding::new(Check::Rules, message);
    finding.differences.push(difference("until", called.until.as_str(), until));
    Err(finding)
}

/// Checks the author of an agreed outcome or an accepted decision that does not follow from an amendment.
pub(super) fn entitled(the_match: &Match, event: &Event) -> Result<(), Finding> {
    let message = match &event.data {
        EventData::Ball(ball) if the_match.play().info().created.remote && ball.as_stood.is_some() => {
            "in remote play a ball has an agreed outcome only by an amendment that both sides have consented to"
        }
        EventData::Review(Review::Accepted(_)) if event.actor == Actor::Service => {
            "a decision is accepted by its side, or by the service where an amended match goes on"
        }
        _ => return Ok(()),
    };
    Err(Finding::new(Check::Rules, message))
}

/// Refuses an event whose author may not have written it.
pub(super) fn permitted(
    the_match: &Match,
    event: &Event,
    simulated: bool,
    before: Option<PrecedingEvent>,
) -> Result<(), Refusal> {
    let permissions = Permissions::of(the_match);
    match simulated {
        true => permissions.permit_simulated(event.actor, &event.data),
        false => permissions.permit_recorded(event.actor, &event.data, event.at, before),
    }
}

/// Refuses an event that repeats or is amended after a correction, if its author is another than this one. A
/// secret choice may also be sealed and revealed anew, by any permitted author.
pub(super) fn repeats_by(event: &Event, by: Actor, permitted: Result<(), Refusal>) -> Result<(), Refusal> {
    if by == event.actor {
        return Ok(());
    }
    if !repeats_without_a_side(&event.data) {
        return permitted;
    }
    let message = format!("after an amendment the author of this event is {}", by.as_str());
    Err(Refusal::new(RefusalKind::NotYours, Place::Input, message))
}

/// Whether an event repeats after an amendment without an act of a side. Reveals always need one.
fn repeats_without_a_side(data: &EventData) -> bool {
    match data {
        EventData::Over(_) | EventData::Roll(_) => data.reveals().is_empty(),
        EventData::Choice(choice) => choice.choice.is_some(),
        EventData::SetUp(_) | EventData::Toss(_) | EventData::TossDecided(_) | EventData::Ball(_) => true,
        _ => false,
    }
}

/// The finding of an event that its author may not have written.
pub(super) fn wrong_author(actor: Actor, refusal: &Refusal) -> Finding {
    let message = format!("the author of this event cannot be {}: {}", actor.as_str(), refusal.message);
    Finding::new(Check::Rules, message)
}
