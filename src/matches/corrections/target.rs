//! The part of a match that a correction is about, and where that begins.

use super::anew::{DecidedAnew, refuse_remote};
use super::answers::RefitAnswers;
use super::insertion::Insertion;
use crate::log::{
    Amendment, Cascade, DiceMode, Event, EventData, InvalidEvent, LiveEvents, NotLive, Over, PlayChange,
};
use crate::matches::{History, Match};
use crate::rules::{Place, Refusal, RefusalKind};

/// The part of a match that a correction is about.
#[derive(Debug, Clone, PartialEq)]
pub enum CorrectionTarget {
    /// Everything from this delivery on becomes void.
    FromDelivery(u32),
    /// Everything from this event on becomes void.
    FromEvent(u64),
    /// What this correction, or restoration, made void comes back.
    Restore(u64),
    /// A delivery is amended; with the values of its dice, when they are entered, and with the answers to
    /// what a refit asks of later balls.
    Amend(Amendment, Option<Vec<i64>>, RefitAnswers),
    /// A ball that was missed is put in, with the answers to what is asked of later deliveries.
    Insert(Insertion, RefitAnswers),
    /// A delivery that was never bowled is taken out, with such answers.
    Remove(u32, RefitAnswers),
    /// A step before the play is decided anew, with such answers.
    Anew(DecidedAnew, RefitAnswers),
}

impl CorrectionTarget {
    /// The change after which later play follows anew, and the answers to what is asked of later deliveries.
    pub fn change(&self) -> Option<(PlayChange, &RefitAnswers)> {
        match self {
            CorrectionTarget::Amend(amendment, _, answers) => {
                Some((PlayChange::Amends(amendment.amends), answers))
            }
            CorrectionTarget::Insert(insertion, answers) => {
                Some((PlayChange::Inserts(insertion.before), answers))
            }
            CorrectionTarget::Remove(delivery, answers) => Some((PlayChange::Removes(*delivery), answers)),
            CorrectionTarget::Anew(anew, answers) => Some((PlayChange::Anew(anew.step()), answers)),
            CorrectionTarget::FromDelivery(_)
            | CorrectionTarget::FromEvent(_)
            | CorrectionTarget::Restore(_) => None,
        }
    }

    /// What happens to later deliveries, where play follows anew.
    pub fn cascade(&self) -> Option<Cascade> {
        match self {
            CorrectionTarget::Amend(amendment, ..) => Some(amendment.cascade),
            CorrectionTarget::Insert(..) | CorrectionTarget::Remove(..) | CorrectionTarget::Anew(..) => {
                Some(Cascade::Refit)
            }
            CorrectionTarget::FromDelivery(_)
            | CorrectionTarget::FromEvent(_)
            | CorrectionTarget::Restore(_) => None,
        }
    }
}

/// The sequence number of the first void event.
pub(super) fn begins_at(live: &LiveEvents<Event>, target: &CorrectionTarget) -> Result<u64, Refusal> {
    let at = |name: &str| {
        let place = Place::Field(name.to_owned());
        move |fault: NotLive| Refusal { place, ..Refusal::from(fault) }
    };
    match target {
        CorrectionTarget::FromDelivery(delivery) => live.from_delivery(*delivery).map_err(at("voids_from")),
        CorrectionTarget::FromEvent(seq) => live.from_seq(*seq).map_err(at("voids_from_seq")),
        // It makes void what the correction has brought, which no request names.
        CorrectionTarget::Restore(restores) => Ok(restores + 1),
        CorrectionTarget::Amend(amendment, ..) => {
            let ball = live.begin_of(amendment.amends).map_err(at("amends"))?;
            let message = "the choices of an over are amended with its first ball: amend that ball";
            with_over(live, (amendment.amends, ball), amendment.over.is_some(), ("over", message))
        }
        CorrectionTarget::Insert(insertion, _) => {
            let ball = live.begin_of(insertion.before).map_err(at("inserts.before"))?;
            let message = "the choices of an over go with its first ball, and this would not be the first";
            with_over(live, (insertion.before, ball), insertion.over.is_some(), ("inserts.over", message))
        }
        // An over goes with its first ball, and begins anew where another ball of it is left.
        CorrectionTarget::Remove(delivery, _) => {
            let ball = live.begin_of(*delivery).map_err(at("removes"))?;
            Ok(live.over_of_first(*delivery).unwrap_or(ball))
        }
        CorrectionTarget::Anew(anew, _) => live.from_step(anew.step()).map_err(at("anew")),
    }
}

/// The event with which a ball begins; or its over, where the choices of that are changed with its first
/// ball.
fn with_over(
    live: &LiveEvents<Event>,
    (delivery, ball): (u32, u64),
    is_changed: bool,
    (field, message): (&str, &str),
) -> Result<u64, Refusal> {
    if !is_changed {
        return Ok(ball);
    }
    live.over_of_first(delivery)
        .ok_or_else(|| Refusal::new(RefusalKind::IllegalInput, Place::Field(field.to_owned()), message))
}

/// Refuses a step anew in remote play; and to put a ball in or to take one out where the dice come from a
/// seed, since each belongs to the number of a delivery.
pub(super) fn refuse_of_match(the_match: &Match, target: &CorrectionTarget) -> Result<(), Refusal> {
    let (field, what) = match target {
        CorrectionTarget::Anew(..) if the_match.play().info().created.remote => return Err(refuse_remote()),
        CorrectionTarget::Insert(..) => ("inserts", "missing"),
        CorrectionTarget::Remove(..) => ("removes", "too many"),
        _ => return Ok(()),
    };
    if the_match.play().info().created.dice == DiceMode::Table {
        return Ok(());
    }
    let message = format!(
        "the dice of this match come from its seed, one delivery after the other, so no ball can be {what}"
    );
    Err(Refusal::new(RefusalKind::Settled, Place::Field(field.to_owned()), message))
}

/// Refuses to move the balls of an over whose orders were entered at once: this over, or a later one of the
/// innings.
pub(super) fn refuse_orders(history: &History<Match>, from: u64) -> Result<(), Refusal> {
    let live = history.live();
    let invalid =
        |invalid: InvalidEvent| Refusal::new(RefusalKind::OutOfTurn, Place::Input, invalid.to_string());
    let overs = live.events().iter().enumerate().filter_map(|(at, one)| match &one.kept.data {
        EventData::Over(over) => Some((at, one.seq, over)),
        _ => None,
    });
    let overs: Vec<(usize, u64, &Over)> = overs.collect();
    // The over itself is among the void events where its choices are changed.
    let own = overs.partition_point(|(_, seq, _)| *seq <= from).saturating_sub(1);
    let innings = overs.get(own).map(|(.., over)| over.innings);
    for (at, _, over) in overs.into_iter().skip(own).take_while(|(.., over)| Some(over.innings) == innings) {
        if history.state_after(at).map_err(invalid)?.play().has_orders(over) {
            let message = format!(
                "the orders of over {} were entered at once, so no ball of it can be put in or taken out; amend its first ball with another over",
                over.over
            );
            return Err(Refusal::new(RefusalKind::IllegalInput, Place::Input, message));
        }
    }
    Ok(())
}
