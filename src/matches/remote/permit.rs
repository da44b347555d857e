//! Permissions of inputs and recorded events: which of the two sides, or which other actor, may author them.

use chrono::{DateTime, Utc};

use super::refuse;
use crate::dice::RecordedDice;
use crate::log::{Actor, Choice, Event, EventData, RecordedPlay, Reveal, Review, Role, TossDecided};
use crate::matches::adjudication::compare_first;
use crate::matches::{Action, Input, Match, PermissionQuestion};
use crate::rules::{Choices, Next, Place, Play, Refusal, RefusalKind, agreed_of};
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

impl Match {
    /// Refuses an input that is not this actor's. A side chooses only for itself. The scorer of a match may
    /// enter everything, except in remote play.
    pub fn permit(&self, actor: Actor, input: &Input, now: DateTime<Utc>) -> Result<(), Refusal> {
        self.permit_action(actor, Action::of_input(input), PermissionQuestion::Now)?;
        let side = actor.side();
        if side.is_none() && !self.created.remote {
            return Ok(());
        }
        let owner = match (input, self.next()) {
            (Input::Abandon { .. }, _) => return self.permit_abandonment(side, now),
            (Input::Toss { caller, .. }, _) => Some(*caller),
            // The actor does not matter then: the review comes first.
            (Input::Play(_) | Input::Agreed(..), _) if self.open_review().is_some() => {
                return self.refuse_if_review_open();
            }
            (Input::Review { by } | Input::Accept { by }, _) => Some(*by),
            (Input::Play(_), _) if self.secret_choice().is_some() => return self.refuse_play(),
            (Input::Agreed(..), _) if self.created.remote => {
                let message =
                    "in remote play both sides have to agree: bowl the ball, then propose an amendment";
                return refuse(RefusalKind::NotYours, Place::Input, message);
            }
            (Input::Play(Play::Auto(_)), _) => return self.permit_for_both(actor),
            (
                Input::Play(
                    Play::SetUp(choices) | Play::Over(choices) | Play::Ball(choices) | Play::Choose(choices),
                )
                | Input::Agreed(choices, _),
                next,
            ) => {
                let of_other = |name: &&String| side.is_none_or(|side| !self.is_chosen_by(name, side));
                if let Some(name) = choices.keys().find(of_other) {
                    return refuse(
                        RefusalKind::NotYours,
                        Place::Choice(name.clone()),
                        format!("{name} is not your choice here"),
                    );
                }
                match next {
                    Next::Choose { side, .. } => side,
                    Next::Roll { .. } | Next::Finished { .. } => None,
                }
            }
            (Input::TossDecision { .. }, Next::Choose { side, .. }) => side,
            (Input::TossDecision { .. }, Next::Roll { .. } | Next::Finished { .. }) => None,
        };
        match owner {
            Some(owner) if side != Some(owner) => {
                let message = format!("this is for the {owner} side to choose, with its own token");
                refuse(RefusalKind::NotYours, Place::Input, message)
            }
            _ => Ok(()),
        }
    }

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
                if actor == Actor::from(side.other()) && self.has_timed_out(*side, at) =>
            {
                return self.permit_timeout(recorded);
            }
            EventData::Choice(choice) => choice.side,
            EventData::ChoiceOpened(opened) => opened.side,
            EventData::ChoiceCalled(called) => called.by,
            EventData::Toss(toss) => toss.caller,
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
            | EventData::CorrectionProposed(_)
            | EventData::CorrectionConsented(_)
            | EventData::Dispute(_)
            | EventData::DisputeRuled(_) => {
                return self.permit_dispute(actor, recorded, PermissionQuestion::Recorded);
            }
        };
        if actor == Actor::from(side) {
            return Ok(());
        }
        self.permit_for_both(actor)?;
        match recorded {
            EventData::SeedCommitted(_) | EventData::SeedContributed(_) => self.permit_seed(side),
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
            (_, None) if !self.created.remote => Ok(()),
            ([], _) if self.created.remote => self.permit_remote_play(actor, recorded, at, before),
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
        self.refuse_play()?;
        // A ball may come with the over that it begins, and its side began that over.
        let began_over =
            before == Some(PrecedingEvent { actor: Actor::from(side), brings: Brings::FirstBall });
        match self.next() {
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
            let chosen = choices.iter().filter(|(name, _)| self.is_chosen_by(name, side));
            chosen.map(|(name, value)| (name.clone(), value.clone())).collect()
        };
        let decided = match played {
            RecordedPlay::SetUp(set_up) => {
                let mut dice = RecordedDice::dealing(played.dice(), self.game.dealt(played));
                compare_first(
                    self.game.decide(Play::SetUp(own_choices(&set_up.choices)), &mut dice),
                    recorded,
                )
            }
            RecordedPlay::Over(over) => self.check_over(over, &own_choices(&over.choices)),
            RecordedPlay::Roll(roll) => self.check_roll(roll, &own_choices(&roll.choices)),
            RecordedPlay::Ball(ball) => {
                let agreed = ball.as_stood.as_ref().map(|it| agreed_of(&ball.outcome, &it.reason));
                self.check_ball(ball, own_choices(&ball.choices), agreed.as_ref())
            }
            RecordedPlay::Choice(_) => return Ok(()),
        };
        if decided.is_ok() {
            return Ok(());
        }
        refuse(RefusalKind::NotYours, Place::Input, format!("it has a choice that is not the {side} side's"))
    }

    /// Refuses to act for both sides to anybody but the scorer of a match without remote play.
    pub fn permit_for_both(&self, actor: Actor) -> Result<(), Refusal> {
        match actor {
            Actor::Scorer if !self.created.remote => Ok(()),
            Actor::Scorer => refuse(
                RefusalKind::NotYours,
                Place::Input,
                "in remote play each side acts with its own token",
            ),
            _ => Err(Action::SideAct.refusal()),
        }
    }

    /// Whether a side was called and has let its deadline pass.
    fn has_timed_out(&self, side: Side, at: DateTime<Utc>) -> bool {
        self.remote.deadline.as_ref().is_some_and(|deadline| deadline.side == side && deadline.until <= at)
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
        let owner = match self.next() {
            // The set-up follows from the last choice it needs; the choice that the match waited for before
            // does not matter.
            Next::Choose { side: Some(owner), .. } if !matches!(recorded, EventData::SetUp(_)) => owner,
            _ => return permit_consequence(actor, before),
        };
        if actor == Actor::from(owner) {
            return Ok(());
        }
        if actor == Actor::from(owner.other()) && self.has_timed_out(owner, at) {
            return self.permit_timeout(recorded);
        }
        refuse(RefusalKind::NotYours, Place::Input, format!("this is for the {owner} side to choose"))
    }

    /// Refuses play for a side that timed out, unless it is the play that the game takes on a timeout.
    fn permit_timeout(&self, recorded: &EventData) -> Result<(), Refusal> {
        let Some(played) = recorded.play() else { return Ok(()) };
        let mut dice = RecordedDice::dealing(played.dice(), self.game.dealt(played));
        let on_timeout = self.remote_choices()?.on_timeout();
        let decided = self.game.decide(on_timeout, &mut dice);
        if decided.is_ok_and(|decided| decided.events.first() == Some(recorded)) {
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
            actor == Actor::from(side) && is_sealed && !self.is_open(side)
        };
        let is_drawn = reveals.iter().any(|reveal| reveal.draw.is_some());
        // A side calls on the other side, and not while the match waits for itself.
        let calls = is_drawn && actor.side().is_some_and(|side| self.awaited_from(side.other()).is_ok());
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
            || (is_accepted && self.has_timed_out(by, at) && actor == Actor::from(by.other()))
        {
            return Ok(());
        }
        self.permit_for_both(actor)
    }

    fn permit_for(&self, actor: Actor, role: Role) -> Result<(), Refusal> {
        // The scorer issues the token of an umpire.
        let issues = role == Role::Umpire && actor == Actor::Scorer;
        let is_own = actor == Actor::Admin || actor == Actor::from(role);
        if is_own || issues { Ok(()) } else { self.permit_for_both(actor) }
    }

    /// Refuses to add to the seed for a side that is claimed: it can do so itself.
    pub fn permit_seed(&self, side: Side) -> Result<(), Refusal> {
        if self.is_claimed(side) {
            let message =
                format!("the {side} side has been claimed, and adds to the seed with its own token");
            return refuse(RefusalKind::NotYours, Place::Input, message);
        }
        Ok(())
    }

    /// Refuses to replace a token to anybody but its holder, the admin, and the scorer of a match without
    /// remote play.
    pub fn permit_rotation(&self, actor: Actor, role: Role) -> Result<(), Refusal> {
        self.permit_action(actor, Action::Rotation, PermissionQuestion::Now)?;
        self.permit_for(actor, role)?;
        self.check_token_exists(role)
    }

    pub(super) fn check_token_exists(&self, role: Role) -> Result<(), Refusal> {
        match role.side() {
            Some(side) if !self.is_claimed(side) => {
                let message = format!("there is no {side} token to replace: the side has not been claimed");
                refuse(RefusalKind::NoSuchToken, Place::Input, message)
            }
            _ => Ok(()),
        }
    }

    /// Refuses to abandon a match to a side, unless the other side has timed out over its seed: without both
    /// seeds there is nothing to draw from. The scorer may always abandon.
    fn permit_abandonment(&self, side: Option<Side>, now: DateTime<Utc>) -> Result<(), Refusal> {
        let Some(side) = side else { return Ok(()) };
        if self.waits_for_seeds() && self.has_timed_out(side.other(), now) {
            return Ok(());
        }
        let message = "a side abandons a match only after the other side's timeout over its seed; the scorer may at any time";
        refuse(RefusalKind::NotYours, Place::Input, message)
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
