//! Permissions of recorded events: which of the two sides, or which other actor, may have authored them.

use chrono::{DateTime, Utc};

use super::{Action, PermissionQuestion, Permissions, refuse};
use crate::log::{Actor, Choice, Event, EventData, RecordedPlay, Reveal, Review, Toss, TossDecided};
use crate::rules::{Choices, Next, Place, Play, Refusal, RefusalKind, agreement_in};
use crate::scorebook::Side;

/// The events that an event of play can bring with it, in one append.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Brings {
    /// An over may bring its first ball, when the command asked for that ball.
    FirstBall,
    /// An open choice, and dice on the way to a ball, bring the events that follow from them.
    Consequences,
}

/// The event before another one that may have come with it, and its author.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PrecedingEvent {
    actor: Actor,
    brings: Brings,
}

impl PrecedingEvent {
    /// The event, as the one before the next; none for an event that brings no other with it.
    pub fn of(event: &Event) -> Option<PrecedingEvent> {
        let brings = match &event.data {
            EventData::Over(_) => Brings::FirstBall,
            EventData::Roll(_) | EventData::Choice(Choice { choice: Some(_), .. }) => Brings::Consequences,
            _ => return None,
        };
        Some(PrecedingEvent { actor: event.actor, brings })
    }
}

impl Permissions<'_> {
    /// Refuses a recorded event to an actor who cannot be its author. `before` is the event before it.
    pub fn permit_recorded(
        &self,
        actor: Actor,
        recorded: &EventData,
        at: DateTime<Utc>,
        before: Option<PrecedingEvent>,
    ) -> Result<(), Refusal> {
        self.permit_action(actor, Action::of(recorded), PermissionQuestion::Recorded)?;
        let side = match recorded {
            EventData::SideClaimed(claimed) => claimed.side,
            EventData::TokenRotated(rotated) => return self.permit_for(actor, rotated.role),
            EventData::SeedCommitted(committed) => committed.side,
            EventData::SeedContributed(shown) => shown.side,
            EventData::Choice(Choice { side, choice: Some(_), .. })
                if actor == Actor::from(side.other()) && self.the_match.remote().has_timed_out(*side, at) =>
            {
                return self.permit_timeout(recorded);
            }
            EventData::Choice(choice) => choice.side,
            EventData::ChoiceOpened(opened) => opened.side,
            EventData::ChoiceCalled(called) => called.by,
            EventData::Toss(Toss::Called(toss)) => toss.caller,
            EventData::Toss(Toss::Reported(toss)) => toss.winner,
            // The draw for a side that timed out happens when the other side calls.
            EventData::TossDecided(TossDecided { by, draw: Some(_), .. }) => by.other(),
            EventData::TossDecided(decided) => decided.by,
            EventData::SetUp(_) | EventData::Over(_) | EventData::Roll(_) | EventData::Ball(_) => {
                return self.permit_played(actor, recorded, at, before);
            }
            EventData::MatchAbandoned(_) => return self.permit_abandonment(actor.side(), at),
            EventData::Review(review) => return self.permit_review(actor, review, at),
            EventData::MatchCreated(_) | EventData::MatchCompleted(_) => return Ok(()),
            EventData::Correction(_)
            | EventData::Restoration(_)
            | EventData::CorrectionProposed(_)
            | EventData::CorrectionConsented(_)
            | EventData::Dispute(_)
            | EventData::DisputeRuled(_) => {
                return self.permit_adjudication(actor, recorded, PermissionQuestion::Recorded);
            }
        };
        if actor == Actor::from(side) {
            return Ok(());
        }
        self.permit_for_both(actor)?;
        match recorded {
            EventData::SeedCommitted(_) | EventData::SeedContributed(_) => self.refuse_seed_of_claimed(side),
            _ => Ok(()),
        }
    }

    /// Refuses recorded play to an actor who cannot be its author.
    fn permit_played(
        &self,
        actor: Actor,
        recorded: &EventData,
        at: DateTime<Utc>,
        before: Option<PrecedingEvent>,
    ) -> Result<(), Refusal> {
        let side = actor.side();
        match (recorded.reveals(), side) {
            // The scorer of a match at one table may enter everything.
            (_, None) if !self.is_remote() => Ok(()),
            ([], _) if self.is_remote() => self.permit_remote_play(actor, recorded, at, before),
            ([], Some(side)) => self.permit_at_one_table(side, recorded, before),
            (reveals, _) => self.permit_reveals(actor, reveals),
        }
    }

    /// Refuses recorded play to a side out of its turn, and play that has choices of the other side.
    fn permit_at_one_table(
        &self,
        side: Side,
        recorded: &EventData,
        before: Option<PrecedingEvent>,
    ) -> Result<(), Refusal> {
        self.the_match.remote().refuse_play()?;
        // A ball may come with the over that it begins, and its side began that over.
        let began_over =
            before == Some(PrecedingEvent { actor: Actor::from(side), brings: Brings::FirstBall });
        match self.the_match.next() {
            Next::Choose { side: Some(owner), .. } if owner != side && !began_over => {
                refuse(RefusalKind::NotYours, Place::Input, format!("this is for the {owner} side to choose"))
            }
            _ => self.permit_own_choices(side, recorded),
        }
    }

    /// Refuses recorded play in which a choice that is not this side's differs from its default.
    fn permit_own_choices(&self, side: Side, recorded: &EventData) -> Result<(), Refusal> {
        let Some(played) = recorded.play() else { return Ok(()) };
        let own_choices = |choices: &Choices| -> Choices {
            let chosen = choices.iter().filter(|(name, _)| self.the_match.remote().is_chosen_by(name, side));
            chosen.map(|(name, value)| (name.clone(), value.clone())).collect()
        };
        let play = self.the_match.play();
        let decided = match played {
            RecordedPlay::SetUp(set_up) => {
                play.check_follows(recorded, Play::SetUp(own_choices(&set_up.choices)))
            }
            RecordedPlay::Over(over) => play.check_follows(recorded, Play::Over(own_choices(&over.choices))),
            RecordedPlay::Roll(roll) => play.check_follows(recorded, Play::Ball(own_choices(&roll.choices))),
            RecordedPlay::Ball(ball) => {
                let agreed = agreement_in(recorded);
                play.check_ball(ball, own_choices(&ball.choices), agreed.as_ref())
            }
            RecordedPlay::Choice(_) => return Ok(()),
        };
        if decided.is_ok() {
            return Ok(());
        }
        refuse(RefusalKind::NotYours, Place::Input, format!("it has a choice that is not the {side} side's"))
    }

    /// Refuses recorded remote play to an actor who cannot be its author. A side does its own part, or the
    /// other side does it after a timeout. Events that follow by themselves come with the choice or the dice
    /// before them.
    fn permit_remote_play(
        &self,
        actor: Actor,
        recorded: &EventData,
        at: DateTime<Utc>,
        before: Option<PrecedingEvent>,
    ) -> Result<(), Refusal> {
        let owner = match self.the_match.next() {
            // The set-up follows from the last choice it needs; the choice that the match waited for before
            // does not matter.
            Next::Choose { side: Some(owner), .. } if !matches!(recorded, EventData::SetUp(_)) => owner,
            _ => return permit_consequence(actor, before),
        };
        if actor == Actor::from(owner) {
            return Ok(());
        }
        if actor == Actor::from(owner.other()) && self.the_match.remote().has_timed_out(owner, at) {
            return self.permit_timeout(recorded);
        }
        refuse(RefusalKind::NotYours, Place::Input, format!("this is for the {owner} side to choose"))
    }

    /// Refuses play for a side that timed out, unless it is the play that the game takes on a timeout.
    fn permit_timeout(&self, recorded: &EventData) -> Result<(), Refusal> {
        let on_timeout = self.the_match.remote().on_timeout()?;
        if self.the_match.play().check_follows(recorded, on_timeout).is_ok() {
            return Ok(());
        }
        let message = "a side that timed out gets the default, and nothing else";
        refuse(RefusalKind::NotYours, Place::Input, message)
    }

    /// Refuses reveals to an actor who can have made neither the second opening nor a call after the deadline
    /// of the other side.
    fn permit_reveals(&self, actor: Actor, reveals: &[Reveal]) -> Result<(), Refusal> {
        let opens = |side: Side| {
            let reveal = reveals.iter().find(|reveal| reveal.side == side);
            let is_sealed = reveal.is_some_and(|reveal| reveal.salt.is_some());
            actor == Actor::from(side) && is_sealed && !self.the_match.remote().is_open(side)
        };
        let is_drawn = reveals.iter().any(|reveal| reveal.draw.is_some());
        // A side calls on the other side, and not while the match waits for itself.
        let calls = is_drawn
            && actor.side().is_some_and(|side| self.the_match.remote().awaited_from(side.other()).is_ok());
        if calls || opens(Side::Home) || opens(Side::Away) {
            return Ok(());
        }
        refuse(
            RefusalKind::NotYours,
            Place::Input,
            "in remote play choices are revealed with the second opening, or with a call",
        )
    }

    /// Refuses a review to an actor who is not its side. The service accepts a decision that nobody can
    /// review any more, and the other side accepts one after a timeout.
    fn permit_review(&self, actor: Actor, review: &Review, at: DateTime<Utc>) -> Result<(), Refusal> {
        let by = review.by();
        let is_accepted = review.made().is_none();
        if actor == Actor::from(by)
            || (is_accepted && actor == Actor::Service)
            || (is_accepted
                && self.the_match.remote().has_timed_out(by, at)
                && actor == Actor::from(by.other()))
        {
            return Ok(());
        }
        self.permit_for_both(actor)
    }
}

/// Refuses an event that came with the event before it to anybody but the author of that one.
fn permit_consequence(actor: Actor, before: Option<PrecedingEvent>) -> Result<(), Refusal> {
    match before {
        Some(PrecedingEvent { actor: with, brings: Brings::Consequences }) if with != actor => {
            let message = format!("it came with the event before it, whose author is {}", with.as_str());
            refuse(RefusalKind::NotYours, Place::Input, message)
        }
        _ => Ok(()),
    }
}
