use chrono::{DateTime, Utc};

use super::refuse;
use crate::dice::RecordedDice;
use crate::log::{Actor, Choice, Event, EventData, Played, Reveal, Review, Role, TossDecided};
use crate::matches::adjudication::comes_to;
use crate::matches::{Asking, Deed, Fixture, Input};
use crate::rules::{Choices, Next, Place, Play, Refusal, Why, agreed_of};
use crate::scorebook::Side;

/// What an event of play brings with it, in the same append.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Brings {
    /// An over may bring its first ball, where that was asked for and the over was due.
    ItsBall,
    /// A choice in the open, and dice on the way to a ball, bring what follows from them by itself.
    WhatFollows,
}

/// The event before another, where that can have come with it, and its author.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Before {
    actor: Actor,
    brings: Brings,
}

impl Before {
    /// The event before the next one, if it can bring that.
    pub fn of(event: &Event) -> Option<Before> {
        let brings = match &event.data {
            EventData::Over(_) => Brings::ItsBall,
            EventData::Roll(_) | EventData::Choice(Choice { choice: Some(_), .. }) => Brings::WhatFollows,
            _ => return None,
        };
        Some(Before { actor: event.actor, brings })
    }
}

impl Fixture {
    /// Refuses what is not for this actor to put in. A side chooses for itself and for nobody else; whoever records a match
    /// may enter everything, unless the sides play it from afar.
    pub fn permit(&self, actor: Actor, input: &Input, now: DateTime<Utc>) -> Result<(), Refusal> {
        self.permit_deed(actor, Deed::of_input(input), Asking::Now)?;
        let side = actor.side();
        if side.is_none() && !self.created.remote {
            return Ok(());
        }
        let whose = match (input, self.next()) {
            (Input::Abandon { .. }, _) => return self.permit_abandonment(side, now),
            (Input::Toss { caller, .. }, _) => Some(*caller),
            // Then it is not a question of who asks: something else comes first.
            (Input::Play(_) | Input::AsStood(..), _) if self.open_review().is_some() => {
                return self.refuse_if_review_open();
            }
            (Input::Review { by } | Input::Accept { by }, _) => Some(*by),
            (Input::Play(_), _) if self.step().is_some() => return self.refuse_play(),
            (Input::AsStood(..), _) if self.created.remote => {
                let message =
                    "from afar it takes both sides to agree: bowl the ball, and propose to amend it";
                return refuse(Why::NotYours, Place::Input, message);
            }
            (Input::Play(Play::Auto(_)), _) => return self.permit_for_both(actor),
            (
                Input::Play(
                    Play::SetUp(choices) | Play::Over(choices) | Play::Ball(choices) | Play::Choose(choices),
                )
                | Input::AsStood(choices, _),
                next,
            ) => {
                let of_other = |name: &&String| side.is_none_or(|side| !self.game.belongs(name, side));
                if let Some(name) = choices.keys().find(of_other) {
                    return refuse(
                        Why::NotYours,
                        Place::Choice(name.clone()),
                        format!("{name} is not yours to choose here"),
                    );
                }
                match next {
                    Next::Choose { side, .. } => side,
                    Next::Roll { .. } | Next::Over { .. } => None,
                }
            }
            (Input::TossDecision { .. }, Next::Choose { side, .. }) => side,
            (Input::TossDecision { .. }, Next::Roll { .. } | Next::Over { .. }) => None,
        };
        match whose {
            Some(whose) if side != Some(whose) => {
                let message = format!("this is for the {whose} side to choose, with its own token");
                refuse(Why::NotYours, Place::Input, message)
            }
            _ => Ok(()),
        }
    }

    /// Refuses a recorded event to an actor who cannot have put it in. `before` is the event before it.
    pub fn permit_recorded(
        &self,
        actor: Actor,
        recorded: &EventData,
        at: DateTime<Utc>,
        before: Option<Before>,
    ) -> Result<(), Refusal> {
        self.permit_deed(actor, Deed::of(recorded), Asking::OfTheRecord)?;
        let side = match recorded {
            EventData::SideClaimed(claimed) => claimed.side,
            EventData::TokenRotated(rotated) => return self.permit_for(actor, rotated.role),
            EventData::SeedCommitted(committed) => committed.side,
            EventData::SeedContributed(shown) => shown.side,
            EventData::Choice(Choice { side, choice: Some(_), .. })
                if actor == Actor::from(side.other()) && self.is_called_in_vain(*side, at) =>
            {
                return self.permit_for_silent(recorded);
            }
            EventData::Choice(choice) => choice.side,
            EventData::ChoiceOpened(opened) => opened.side,
            EventData::ChoiceCalled(called) => called.by,
            EventData::Toss(toss) => toss.caller,
            // What is drawn for a silent side is drawn when the other calls.
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
            | EventData::DisputeRuled(_) => return self.permit_word(actor, recorded, Asking::OfTheRecord),
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

    /// Refuses recorded play to an actor who cannot have put it in.
    fn permit_played(
        &self,
        actor: Actor,
        recorded: &EventData,
        at: DateTime<Utc>,
        before: Option<Before>,
    ) -> Result<(), Refusal> {
        let side = actor.side();
        match (recorded.reveals(), side) {
            // Whoever records a match at one table may enter everything.
            (_, None) if !self.created.remote => Ok(()),
            ([], _) if self.created.remote => self.permit_due(actor, recorded, at, before),
            ([], Some(side)) => self.permit_at_one_table(side, recorded, before),
            (reveals, _) => self.permit_reveals(actor, reveals),
        }
    }

    /// Refuses recorded play to a side whose turn it was not, and play in which something is chosen for the other side.
    fn permit_at_one_table(
        &self,
        side: Side,
        recorded: &EventData,
        before: Option<Before>,
    ) -> Result<(), Refusal> {
        self.refuse_play()?;
        // A ball may come with the over that it begins, and that was for its side to begin.
        let with_its_over = before == Some(Before { actor: Actor::from(side), brings: Brings::ItsBall });
        match self.next() {
            Next::Choose { side: Some(whose), .. } if whose != side && !with_its_over => {
                refuse(Why::NotYours, Place::Input, format!("this is for the {whose} side to choose"))
            }
            _ => self.permit_own_choices(side, recorded),
        }
    }

    /// Refuses recorded play in which anything that is not this side's to choose is other than its default.
    fn permit_own_choices(&self, side: Side, recorded: &EventData) -> Result<(), Refusal> {
        let Some(played) = recorded.played() else { return Ok(()) };
        let own = |choices: &Choices| -> Choices {
            let own = choices.iter().filter(|(name, _)| self.game.belongs(name, side));
            own.map(|(name, value)| (name.clone(), value.clone())).collect()
        };
        let again = match played {
            Played::SetUp(set_up) => {
                let mut dice = RecordedDice::dealing(played.dice(), self.game.dealt(played));
                comes_to(self.game.decide(Play::SetUp(own(&set_up.choices)), &mut dice), recorded)
            }
            Played::Over(over) => self.check_over(over, &own(&over.choices)),
            Played::Roll(roll) => self.check_roll(roll, &own(&roll.choices)),
            Played::Ball(ball) => {
                let agreed = ball.as_stood.as_ref().map(|it| agreed_of(&ball.outcome, &it.reason));
                self.check_ball(ball, own(&ball.choices), agreed.as_ref())
            }
            Played::Choice(_) => return Ok(()),
        };
        if again.is_ok() {
            return Ok(());
        }
        refuse(Why::NotYours, Place::Input, format!("something in it is not for the {side} side to choose"))
    }

    /// Refuses to do both sides' part to anybody but who records a match that is not played from afar.
    pub fn permit_for_both(&self, actor: Actor) -> Result<(), Refusal> {
        match actor {
            Actor::Scorer if !self.created.remote => Ok(()),
            Actor::Scorer => {
                refuse(Why::NotYours, Place::Input, "the sides play from afar, each with its own token")
            }
            _ => Err(Deed::OfASide.refusal()),
        }
    }

    /// Whether a side was called for what it has not done in its time.
    fn is_called_in_vain(&self, side: Side, at: DateTime<Utc>) -> bool {
        self.apart.called.as_ref().is_some_and(|called| called.on == side && called.until <= at)
    }

    /// Refuses recorded play from afar to an actor who cannot have put it in. What one side is waited for it does itself, or
    /// the other for it, after it has called in vain. What follows by itself comes with the choice or the dice before it.
    fn permit_due(
        &self,
        actor: Actor,
        recorded: &EventData,
        at: DateTime<Utc>,
        before: Option<Before>,
    ) -> Result<(), Refusal> {
        let whose = match self.next() {
            // A match is set up with the last choice that it takes; what it waits for before that is no question.
            Next::Choose { side: Some(whose), .. } if !matches!(recorded, EventData::SetUp(_)) => whose,
            _ => return permit_with(actor, before),
        };
        if actor == Actor::from(whose) {
            return Ok(());
        }
        if actor == Actor::from(whose.other()) && self.is_called_in_vain(whose, at) {
            return self.permit_for_silent(recorded);
        }
        refuse(Why::NotYours, Place::Input, format!("this is for the {whose} side to choose"))
    }

    /// Refuses what is put in for a side that stays silent, where it is not what is taken for such a side.
    fn permit_for_silent(&self, recorded: &EventData) -> Result<(), Refusal> {
        let Some(played) = recorded.played() else { return Ok(()) };
        let mut dice = RecordedDice::dealing(played.dice(), self.game.dealt(played));
        let again = self.game.decide(self.game.for_silent(), &mut dice);
        if again.is_ok_and(|again| again.events.first() == Some(recorded)) {
            return Ok(());
        }
        let message = "for a side that stays silent the default is put in, and nothing else";
        refuse(Why::NotYours, Place::Input, message)
    }

    /// What was secret is turned up with an opening, or with a call after the time of another is up: it is a side's.
    fn permit_reveals(&self, actor: Actor, reveals: &[Reveal]) -> Result<(), Refusal> {
        let opens = |side: Side| {
            let reveal = reveals.iter().find(|reveal| reveal.side == side);
            let is_sealed = reveal.is_some_and(|reveal| reveal.salt.is_some());
            actor == Actor::from(side) && is_sealed && !self.is_open(side)
        };
        let is_drawn = reveals.iter().any(|reveal| reveal.draw.is_some());
        // A side calls on the other, and not for what the match waits for from itself.
        let calls = is_drawn && actor.side().is_some_and(|side| self.called_for(side.other()).is_ok());
        if calls || opens(Side::Home) || opens(Side::Away) {
            return Ok(());
        }
        refuse(
            Why::NotYours,
            Place::Input,
            "from afar choices are turned up with the second opening, or with a call",
        )
    }

    /// A side speaks for itself; what nobody could speak for any more is accepted, and so it is for one who was called in
    /// vain.
    fn permit_review(&self, actor: Actor, review: &Review, at: DateTime<Utc>) -> Result<(), Refusal> {
        let by = review.by();
        let is_accepted = review.made().is_none();
        if actor == Actor::from(by)
            || (is_accepted && actor == Actor::Service)
            || (is_accepted && self.is_called_in_vain(by, at) && actor == Actor::from(by.other()))
        {
            return Ok(());
        }
        self.permit_for_both(actor)
    }

    fn permit_for(&self, actor: Actor, role: Role) -> Result<(), Refusal> {
        // An umpire's is the scorer's to give.
        let gives = role == Role::Umpire && actor == Actor::Scorer;
        let own = actor == Actor::Admin || actor == Actor::from(role);
        if own || gives { Ok(()) } else { self.permit_for_both(actor) }
    }

    /// Refuses to add to the seed for a side that has been claimed, and can do it itself.
    pub fn permit_seed(&self, side: Side) -> Result<(), Refusal> {
        if self.is_claimed(side) {
            let message =
                format!("the {side} side has been claimed, and adds to the seed with its own token");
            return refuse(Why::NotYours, Place::Input, message);
        }
        Ok(())
    }

    /// Refuses to replace a token to anybody but its holder and the admin, and the scorer where he records both sides.
    pub fn permit_rotation(&self, actor: Actor, role: Role) -> Result<(), Refusal> {
        self.permit_deed(actor, Deed::Rotation, Asking::Now)?;
        self.permit_for(actor, role)?;
        self.check_token_is_there(role)
    }

    pub(super) fn check_token_is_there(&self, role: Role) -> Result<(), Refusal> {
        match role.side() {
            Some(side) if !self.is_claimed(side) => {
                let message = format!("there is no {side} token to replace: the side has not been claimed");
                refuse(Why::NoSuchToken, Place::Input, message)
            }
            _ => Ok(()),
        }
    }

    /// Whoever records a match may give it up; a side only where the other has been called for its seed in vain: without both
    /// there is nothing to draw from.
    fn permit_abandonment(&self, side: Option<Side>, now: DateTime<Utc>) -> Result<(), Refusal> {
        let Some(side) = side else { return Ok(()) };
        if self.waits_for_seeds() && self.is_called_in_vain(side.other(), now) {
            return Ok(());
        }
        let message = "a side gives a match up only after it has called for the other's seed in vain; the scorer may at any time";
        refuse(Why::NotYours, Place::Input, message)
    }
}

/// Refuses an event that came with the one before it to anybody but the author of that.
fn permit_with(actor: Actor, before: Option<Before>) -> Result<(), Refusal> {
    match before {
        Some(Before { actor: with, brings: Brings::WhatFollows }) if with != actor => {
            let message = format!("it came with the event before it, on the word of {}", with.as_str());
            refuse(Why::NotYours, Place::Input, message)
        }
        _ => Ok(()),
    }
}
