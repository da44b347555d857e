//! What follows an amendment: the delivery that is put right at once, and then those after it, as they were.

use std::collections::{BTreeSet, VecDeque};
use std::hash::{BuildHasher, RandomState};

use serde_json::Value;

use super::{Check, ExceptionFound, Finding};
use crate::log::{Actor, Agreed, Amendment, Ball, Cascade, DiceMode, Event, EventData, Moment, Over, Review};
use crate::matches::Fixture;
use crate::rules::{Choices, agreed_of};
use crate::scorebook::Side;
use crate::views::chosen;

/// What an event of play is decided again with.
pub(super) struct Was {
    moment: Moment,
    /// The author of the event.
    actor: Actor,
    /// What was chosen.
    pub choices: Choices,
    /// What the table had agreed on, for a ball that stood so.
    agreed: Option<Box<Agreed>>,
    /// What else comes again as it was: seals, what was turned up, dice of the table. None of what does not come again.
    print: Option<u64>,
    /// Whether the event is dice on the way to a ball that came: the ball says all of them.
    is_in_its_ball: bool,
    /// Whether it may follow from an over that is put right.
    follows_from_over: bool,
    /// The side, for a review.
    reviewed_by: Option<Side>,
}

/// Tells seals, dice and what was turned up apart. Nobody who writes a log knows its key.
#[derive(Clone, Default)]
pub(super) struct Prints(RandomState);

impl Prints {
    fn of(&self, data: &EventData, dice: DiceMode) -> Option<u64> {
        match data {
            EventData::ChoiceCalled(_) | EventData::MatchCompleted(_) => None,
            EventData::Over(_) | EventData::Roll(_) => {
                let salts: Vec<&Option<String>> = data.reveals().iter().map(|reveal| &reveal.salt).collect();
                Some(self.0.hash_one(salts))
            }
            EventData::Choice(choice) => {
                let chosen = choice.choice.as_ref().map(|choice| Value::Object(choice.clone()).to_string());
                Some(self.0.hash_one((choice.side.as_str(), &choice.sealed, chosen)))
            }
            EventData::ChoiceOpened(opened) => Some(self.0.hash_one(opened.side.as_str())),
            EventData::Ball(ball) if dice == DiceMode::Table => {
                let shown: Vec<u16> = ball.dice.iter().map(|die| die.value).collect();
                Some(self.0.hash_one(shown))
            }
            EventData::Review(review) => {
                let shown = review.made().filter(|_| dice == DiceMode::Table).map(|made| &made.dice);
                let shown: Option<Vec<u16>> = shown.map(|dice| dice.iter().map(|die| die.value).collect());
                Some(self.0.hash_one((review.by().as_str(), review.made().is_some(), shown)))
            }
            EventData::MatchAbandoned(abandoned) => Some(self.0.hash_one(&abandoned.reason)),
            _ => Some(0),
        }
    }

    /// What an event of play would be decided again with.
    pub(super) fn was(&self, event: &Event, moment: Moment, dice: DiceMode) -> Was {
        let Event { actor, data, .. } = event;
        let print = self.of(data, dice);
        let reviewed_by = match data {
            EventData::Review(review) => Some(review.by()),
            _ => None,
        };
        let choices = chosen(data);
        // What was turned up stands on its own.
        let is_in_its_ball = matches!(data, EventData::Roll(roll) if roll.reveals.is_empty());
        Was {
            moment,
            actor: *actor,
            choices,
            agreed: None,
            print,
            is_in_its_ball,
            follows_from_over: false,
            reviewed_by,
        }
    }
}

impl Was {
    /// The same of a ball that stood as the table had agreed, where it did.
    pub(super) fn standing_so(self, agreed: Option<&ExceptionFound>) -> Was {
        let agreed = agreed.map(|it| Box::new(agreed_of(&it.stands, &it.reason)));
        Was { agreed, ..self }
    }

    /// Whether the event comes again as long as the match can go on as it was.
    fn comes_at_all(&self) -> bool {
        self.print.is_some() && !self.is_in_its_ball
    }

    /// Whether it does not come again: what a ball came through on its way is in the ball, and a review is left out where its
    /// side has nothing to review any more.
    fn is_left_out(&self, now: &Fixture) -> bool {
        let is_open_for = |by| now.open_review().is_some_and(|open| open.by == by);
        !self.comes_at_all() || self.reviewed_by.is_some_and(|by| !is_open_for(by))
    }

    /// Whether an event is what this comes to again, on the match as it is now.
    fn comes_again(&self, event: &Event, now: &Fixture, prints: &Prints) -> bool {
        if event.data.moment() != Some(self.moment)
            || prints.of(&event.data, now.created().dice) != self.print
        {
            return false;
        }
        match &event.data {
            EventData::Ball(ball) => {
                self.bowled_again(ball, now, &self.choices)
                    || (self.follows_from_over && self.bowled_again(ball, now, &Choices::new()))
            }
            EventData::Over(over) => self.begun_again(over, now),
            EventData::Roll(roll) if roll.reveals.is_empty() => now.check_roll(roll, &self.choices).is_ok(),
            _ => true,
        }
    }

    /// The delivery, for a ball.
    fn delivery(&self) -> Option<u32> {
        match self.moment {
            Moment::Ball { delivery } => Some(delivery),
            _ => None,
        }
    }

    fn bowled_again(&self, ball: &Ball, now: &Fixture, choices: &Choices) -> bool {
        let agreed = self.agreed.as_deref().cloned();
        let (amends, cascade) = (ball.delivery, Cascade::default());
        let asked = |as_stood| Amendment { amends, over: None, choices: None, as_stood, cascade };
        let again = |as_stood| now.check_amended(&asked(as_stood), ball, choices).is_ok();
        let same = |agreed: &Agreed| agreed_of(&ball.outcome, &agreed.reason) == *agreed;
        match agreed {
            None => again(None),
            // What was agreed on may be what the rules come to now.
            Some(agreed) => (same(&agreed) && again(None)) || again(Some(agreed)),
        }
    }

    fn begun_again(&self, over: &Over, now: &Fixture) -> bool {
        !over.reveals.is_empty() || now.check_over(over, &self.choices).is_ok()
    }
}

/// What is due after an amendment.
#[derive(Default)]
pub(super) struct Amended {
    /// What is put right, which comes at once, and the actor who puts it in.
    due: VecDeque<(Moment, Actor)>,
    /// What both sides have agreed on, where it takes both, and what the ball's choices were.
    agreed: Option<(Amendment, Choices)>,
    /// What comes after it, as it was, as far as it can.
    rest: VecDeque<Was>,
    /// The first delivery that did not come again.
    cut: Option<u32>,
    /// Whether the match was over before.
    was_over: bool,
}

impl Amended {
    /// What is due when these events are void, and a delivery is put right by this actor.
    pub(super) fn of(amends: u32, by: Actor, void: Vec<Was>, agreed: Option<Amendment>) -> Amended {
        let ball = Moment::Ball { delivery: amends };
        let first = void.iter().position(|was| was.moment == ball).map_or(0, |at| at + 1);
        let mut rest = VecDeque::from(void);
        let bowled: BTreeSet<u32> = rest.iter().filter_map(|was| was.delivery()).collect();
        for was in rest.iter_mut() {
            // Dice of which no ball came, as where the match was given up, come again themselves.
            was.is_in_its_ball &=
                matches!(was.moment, Moment::Roll { delivery } if bowled.contains(&delivery));
        }
        let was_over = rest.iter().any(|was| was.moment == Moment::Completed);
        let put_right: Vec<Was> = rest.drain(..first).filter(Was::comes_at_all).collect();
        if put_right.iter().any(|was| matches!(was.moment, Moment::Over { .. })) {
            let of_the_over = rest.iter_mut().take_while(|was| !matches!(was.moment, Moment::Over { .. }));
            let balls = of_the_over.filter(|was| matches!(was.moment, Moment::Ball { .. }));
            balls.for_each(|was| was.follows_from_over = true);
        }
        let agreed = agreed.zip(put_right.last().map(|was| was.choices.clone()));
        let due = put_right.iter().map(|was| match was.moment {
            Moment::Over { .. } | Moment::Ball { .. } => (was.moment, by),
            moment => (moment, was.actor),
        });
        Amended { due: due.collect(), agreed, rest, cut: None, was_over }
    }

    /// What both sides have agreed on of the ball that comes now.
    pub(super) fn agreed(&mut self) -> Option<(Amendment, Choices)> {
        self.agreed.take()
    }

    /// Whether what is put right is still missing.
    pub(super) fn is_due(&self) -> bool {
        !self.due.is_empty()
    }

    /// Nothing comes again any more.
    pub(super) fn ends(&mut self) {
        let rest = std::mem::take(&mut self.rest);
        self.cut = self.cut.or(rest.iter().filter_map(Was::delivery).min());
    }

    /// The first delivery that did not come again, once that is clear.
    pub(super) fn cut(&mut self) -> Option<u32> {
        self.cut.take()
    }

    /// Whether the service accepts a decision that could not be reviewed before, where the match went on.
    fn is_accepted_for(&self, event: &Event) -> bool {
        let accepted =
            matches!(&event.data, EventData::Review(Review::Accepted(_))) && event.actor == Actor::Service;
        let goes_on = self.rest.front().is_some_and(|was| was.reviewed_by.is_none());
        accepted && (goes_on || self.was_over)
    }

    /// Takes the next event, and says on whose word it comes where it follows from the amendment. In a match that was over
    /// nothing else does.
    pub(super) fn follow(
        &mut self,
        event: &Event,
        now: &Fixture,
        prints: &Prints,
    ) -> Result<Option<Actor>, Finding> {
        let moment = event.data.moment();
        if let Some((due, by)) = self.due.front().copied() {
            if Some(due) == moment {
                self.due.pop_front();
                return Ok(Some(by));
            }
            let message = "the correction before it puts a delivery right, which has to follow at once";
            return Err(Finding::new(Check::Rules, message));
        }
        if moment == Some(Moment::Completed) {
            self.ends();
            return Ok(Some(Actor::Service));
        }
        while self.rest.front().is_some_and(|was| was.is_left_out(now)) {
            self.rest.pop_front();
        }
        if let Some(was) = self.rest.pop_front_if(|was| was.comes_again(event, now, prints)) {
            return Ok(Some(was.actor));
        }
        if self.is_accepted_for(event) {
            return Ok(Some(Actor::Service));
        }
        self.ends();
        if now.is_reopened() {
            let message =
                "the seeds are open: after an amendment everything comes as it was, and this did not";
            return Err(Finding::new(Check::Rules, message));
        }
        Ok(None)
    }
}
