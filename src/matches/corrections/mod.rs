//! Corrections: what a log comes to when a delivery is taken back or put right.
//!
//! What is void stays in the log. What is put right is decided again, and all that came after it on top of that, with the
//! choices and dice it had: as new events, behind the correction.

mod redecide;

use self::redecide::Again;
use crate::dice::ServerSeed;
use crate::editions::Editions;
use crate::log::{
    Actor, Amendment, Broken, Correction, CorrectionConsented, CorrectionProposed, Event, EventData,
    NotStanding, Standing, Stood,
};
use crate::matches::{Asking, Fixture};
use crate::rules::{Place, Refusal, Why};
use crate::scorebook::Side;

/// What is asked to be corrected, and why.
#[derive(Debug, Clone, PartialEq)]
pub struct Ask {
    /// What.
    pub what: What,
    /// Why: 1 to 1,000 characters.
    pub reason: String,
}

/// What is asked to be corrected.
#[derive(Debug, Clone, PartialEq)]
pub enum What {
    /// Everything from this delivery on is taken back.
    FromDelivery(u32),
    /// Everything from this event on is taken back.
    FromEvent(u64),
    /// A delivery is put right; with what its dice showed, where they are entered.
    Amend(Amendment, Option<Vec<i64>>),
}

/// How far it is agreed on, where it takes both sides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Agreement {
    /// It is to be asked for.
    Needed,
    /// Both have consented.
    Given,
    /// As if both had consented.
    Supposed,
}

/// What follows from a correction.
#[derive(Debug)]
pub struct Corrected {
    /// The events, in order, and on whose word each is.
    pub said: Vec<(EventData, Actor)>,
    /// Whether they show a die that is not in the log yet, and that no open seed gives.
    pub shows_new_dice: bool,
}

/// A match and what stands of its log.
struct Ledger {
    now: Fixture,
    standing: Standing<Kept>,
}

/// What is kept with an event that stands.
struct Kept {
    before: Fixture,
    data: EventData,
    actor: Actor,
}

fn read(log: &[Event], editions: &Editions) -> Result<Ledger, Broken> {
    let (first, rest) = log.split_first().ok_or_else(|| Broken::new("seq", "the log is empty"))?;
    let mut now = Fixture::from_log(first.match_id, &first.data, editions)?;
    let mut standing = Standing::default();
    for event in rest {
        if let EventData::Correction(correction) = &event.data {
            let void: Vec<Stood<Kept>> = standing.void(correction.voids_from_seq);
            let first = void.into_iter().next();
            let nothing = || Broken::new("data.voids_from_seq", "nothing stands from there on");
            now = now.corrected(first.ok_or_else(nothing)?.kept.before, correction);
            continue;
        }
        let before = event.data.moment().map(|moment| (moment, now.bare()));
        now.replay(&event.data)?;
        if let Some((moment, before)) = before {
            let kept = Kept { before, data: event.data.clone(), actor: event.actor };
            standing.push(event.seq, moment, event.data.shows(), kept);
        }
    }
    Ok(Ledger { now, standing })
}

/// Decides a correction of the log of a match. Where the sides play from afar it is only proposed, until both have agreed to it.
pub fn decide(
    current: &Fixture,
    log: &[Event],
    ask: &Ask,
    actor: Actor,
    seed: Option<&ServerSeed>,
    agreement: Agreement,
) -> Result<Corrected, Refusal> {
    let broken = |broken: Broken| Refusal::new(Why::OutOfTurn, Place::Input, broken.to_string());
    let Ledger { now, mut standing } = read(log, &Editions::from(current.edition())).map_err(broken)?;
    now.check_correctable(&ask.reason, matches!(ask.what, What::Amend(..)))?;
    let from = begins_at(&standing, &ask.what)?;
    let (voids_from, amends) = match &ask.what {
        What::FromDelivery(delivery) => (Some(*delivery), None),
        What::FromEvent(_) => (None, None),
        What::Amend(amendment, _) => (None, Some(amendment.amends)),
    };
    let dice_seen = standing.shows_from(from);
    let reason = ask.reason.clone();
    let correction = Correction { voids_from_seq: from, voids_from, amends, reason, dice_seen };
    let proposed = (now.created().remote && agreement != Agreement::Given)
        .then(|| (propose(&now, ask, actor.side(), &correction), actor));
    let correction_said = EventData::Correction(correction.clone());
    let said = proposed.as_ref().map_or(&correction_said, |(proposal, _)| proposal);
    now.permit_word(actor, said, Asking::Now)?;
    let again = match &ask.what {
        What::Amend(amendment, dice) => {
            let mut again = Again::new(&now, seed);
            let void = standing.void(from);
            let before = void.first().map_or(&now, |stood| &stood.kept.before).clone();
            let corrected = now.clone().corrected(before, &correction);
            again.amend(corrected, &void, (amendment, dice.as_deref()), actor)?;
            again
        }
        What::FromDelivery(_) | What::FromEvent(_) => Again::new(&now, seed),
    };
    let mut said: Vec<(EventData, Actor)> = proposed.into_iter().collect();
    if agreement == Agreement::Supposed {
        said.extend(missing_consents(&said, actor));
    }
    if said.is_empty() || agreement == Agreement::Supposed {
        said.push((correction_said, actor));
        said.extend(again.said);
    }
    Ok(Corrected { said, shows_new_dice: again.new_die })
}

/// What is still to be said for a proposal that would be agreed on.
fn missing_consents(said: &[(EventData, Actor)], actor: Actor) -> Vec<(EventData, Actor)> {
    let Some((EventData::CorrectionProposed(proposed), _)) = said.first() else { return Vec::new() };
    let number = proposed.number;
    let missing = [Side::Home, Side::Away].into_iter().filter(|side| Actor::from(*side) != actor);
    let consent =
        |side| (EventData::CorrectionConsented(CorrectionConsented { number, side }), Actor::from(side));
    missing.map(consent).collect()
}

/// What both sides have consented to, as it was asked.
pub fn as_asked(proposed: &CorrectionProposed) -> Ask {
    let what = match (&proposed.amendment, proposed.voids_from) {
        (Some(amendment), _) => What::Amend(amendment.clone(), None),
        (None, Some(delivery)) => What::FromDelivery(delivery),
        (None, None) => What::FromEvent(proposed.voids_from_seq),
    };
    Ask { what, reason: proposed.reason.clone() }
}

fn propose(now: &Fixture, ask: &Ask, by: Option<Side>, correction: &Correction) -> EventData {
    let amendment = match &ask.what {
        What::Amend(amendment, _) => Some(amendment.clone()),
        What::FromDelivery(_) | What::FromEvent(_) => None,
    };
    EventData::CorrectionProposed(CorrectionProposed {
        number: now.corrections() + 1,
        by,
        voids_from_seq: correction.voids_from_seq,
        voids_from: correction.voids_from,
        amendment,
        reason: ask.reason.clone(),
    })
}

/// The first event that is void.
fn begins_at(standing: &Standing<Kept>, what: &What) -> Result<u64, Refusal> {
    let at = |name: &str| {
        let place = Place::Field(name.to_owned());
        move |fault: NotStanding| Refusal { place, ..Refusal::from(fault) }
    };
    match what {
        What::FromDelivery(delivery) => standing.from_delivery(*delivery).map_err(at("voids_from")),
        What::FromEvent(seq) => standing.from_seq(*seq).map_err(at("voids_from_seq")),
        What::Amend(amendment, _) => {
            let ball = standing.begin_of(amendment.amends).map_err(at("amends"))?;
            if amendment.over.is_none() {
                return Ok(ball);
            }
            let message = "the choices of an over are put right with its first ball: amend that";
            standing
                .over_of_first(amendment.amends)
                .ok_or_else(|| Refusal::new(Why::IllegalInput, Place::Field("over".to_owned()), message))
        }
    }
}
