//! Whose word an event came on, and when.

use super::findings::{difference, drawn};
use super::{Check, Finding};
use crate::log::{Actor, Event, EventData, Review, at_format};
use crate::matches::{Before, Fixture};
use crate::rules::{Place, Refusal, Why};

/// Makes sure that a match which is played out ends with the next event. The seeds of a seeded match are open from its end
/// on, and a log without the end would hide that. The match itself refuses any play that follows.
pub(super) fn ends_at_once(fixture: &Fixture, event: &Event) -> Result<(), Finding> {
    if !fixture.is_played_out() || event.data.moment().is_some() {
        return Ok(());
    }
    let message = "the match is played out, so match_completed has to come next, and it is missing";
    let mut finding = Finding::new(Check::Rules, message);
    finding.differences.push(difference("kind", event.data.kind(), "match_completed"));
    Err(finding)
}

/// Makes sure that nothing was drawn for a silent side before its time was up, and that one who is called has that time.
pub(super) fn in_time(fixture: &Fixture, event: &Event) -> Result<(), Finding> {
    if drawn(&event.data) > 0 && fixture.called_until().is_some_and(|until| event.at < until) {
        let message = "it was drawn for a silent side before the time it was called for was up";
        return Err(Finding::new(Check::Rules, message));
    }
    let EventData::ChoiceCalled(called) = &event.data else { return Ok(()) };
    let until = at_format::write(&fixture.until(event.at));
    if called.until == until {
        return Ok(());
    }
    let message = "a side that is called has the match's choice_timeout, from the call on";
    let mut finding = Finding::new(Check::Rules, message);
    finding.differences.push(difference("until", called.until.as_str(), until));
    Err(finding)
}

/// Makes sure that what does not follow from an amendment came on the word of those whose matter it is.
pub(super) fn on_their_word(fixture: &Fixture, event: &Event) -> Result<(), Finding> {
    let message = match &event.data {
        EventData::Ball(ball) if fixture.created().remote && ball.as_stood.is_some() => {
            "from afar a ball stands as agreed when both sides have consented to amend it so"
        }
        EventData::Review(Review::Accepted(_)) if event.actor == Actor::Service => {
            "a decision is accepted by its side; by the service only where an amended match goes on"
        }
        _ => return Ok(()),
    };
    Err(Finding::new(Check::Rules, message))
}

/// Refuses an event to an author who cannot have put it in.
pub(super) fn permitted(
    fixture: &Fixture,
    event: &Event,
    simulated: bool,
    before: Option<Before>,
) -> Result<(), Refusal> {
    match simulated {
        true => fixture.permit_simulated(event.actor, &event.data),
        false => fixture.permit_recorded(event.actor, &event.data, event.at, before),
    }
}

/// Refuses an event that comes again, or is put right, on the word of another actor than this one. Nobody is called for it
/// again; what was secret may also be sealed and opened anew, by whoever is permitted to.
pub(super) fn comes_again(event: &Event, by: Actor, permitted: Result<(), Refusal>) -> Result<(), Refusal> {
    if by == event.actor {
        return Ok(());
    }
    if !comes_unasked(&event.data) {
        return permitted;
    }
    let message = format!("after an amendment it comes on the word of {}", by.as_str());
    Err(Refusal::new(Why::NotYours, Place::Input, message))
}

/// Whether an event of play that follows an amendment asks nobody: what was secret is turned up by a side in any case.
fn comes_unasked(data: &EventData) -> bool {
    match data {
        EventData::Over(_) | EventData::Roll(_) => data.reveals().is_empty(),
        EventData::Choice(choice) => choice.choice.is_some(),
        EventData::Ball(_) => true,
        _ => false,
    }
}

/// An event that this actor cannot have put in.
pub(super) fn not_by(actor: Actor, refusal: &Refusal) -> Finding {
    let message = format!("it cannot have been put in by {}: {}", actor.as_str(), refusal.message);
    Finding::new(Check::Rules, message)
}
