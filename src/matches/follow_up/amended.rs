//! What has to follow an amendment in a log: the amended delivery at once, and then the void play after it,
//! decided again with its own choices.

use std::collections::{BTreeSet, VecDeque};

use super::anew::StepsAnew;
use super::refitted::{RefitCheck, RefitPlace};
use super::unawaited::Unawaited;
use super::voided::VoidedPlay;
use crate::log::{Actor, Amendment, Event, EventData, PlayChange, Review, Subject};
use crate::matches::Match;
use crate::matches::refit::KeptPlay;
use crate::rules::Choices;

/// The events that are awaited after an amendment.
#[derive(Default)]
pub(super) struct AfterAmendment {
    /// The steps before the play, where one of them is decided anew.
    steps: StepsAnew,
    /// The amended events, which have to follow at once, each with its author.
    awaited: VecDeque<(Subject, Actor)>,
    /// The amendment that both sides have consented to, in remote play, with the choices that the ball had.
    agreed: Option<(Amendment, Choices)>,
    /// The void events after them, which repeat as far as they can.
    rest: VecDeque<VoidedPlay>,
    /// The first delivery that did not repeat.
    cut: Option<u32>,
    /// Whether the match was finished before the amendment.
    was_finished: bool,
    /// The refit of the void events after them, where the amendment names it.
    refit: Option<RefitCheck>,
}

impl AfterAmendment {
    /// The events that are awaited when an actor amends a delivery, which voids these events.
    pub(super) fn of(
        change: PlayChange,
        by: Actor,
        void: Vec<VoidedPlay>,
        agreed: Option<Amendment>,
        kept: Option<Vec<KeptPlay>>,
    ) -> AfterAmendment {
        let first = change.counts_own(void.iter().map(|voided| voided.subject));
        let mut rest = VecDeque::from(void);
        let bowled: BTreeSet<u32> = rest.iter().filter_map(|voided| voided.delivery()).collect();
        for voided in rest.iter_mut() {
            // A roll without its ball, as before an abandonment, repeats as an event of its own.
            voided.is_in_its_ball &=
                matches!(voided.subject, Subject::Roll { delivery } if bowled.contains(&delivery));
        }
        let was_finished = rest.iter().any(|voided| voided.subject == Subject::Completed);
        let is_amended =
            |voided: &VoidedPlay| voided.can_repeat() && !matches!(change, PlayChange::Removes(_));
        let steps = match change {
            PlayChange::Anew(step) => StepsAnew::of(step, by, rest.drain(..first)),
            _ => StepsAnew::default(),
        };
        let is_ball = change.delivery().is_some();
        let amended: Vec<VoidedPlay> =
            rest.drain(..if is_ball { first } else { 0 }).filter(is_amended).collect();
        if amended.iter().any(|voided| matches!(voided.subject, Subject::Over { .. })) {
            let of_the_over =
                rest.iter_mut().take_while(|voided| !matches!(voided.subject, Subject::Over { .. }));
            let balls = of_the_over.filter(|voided| matches!(voided.subject, Subject::Ball { .. }));
            balls.for_each(|voided| voided.follows_from_over = true);
        }
        let agreed = agreed.zip(amended.last().map(|voided| voided.choices.clone()));
        let awaited = amended.iter().map(|voided| match voided.subject {
            Subject::Over { .. } | Subject::Ball { .. } => (voided.subject, by),
            subject => (subject, voided.actor),
        });
        let inserted = match change {
            PlayChange::Inserts(delivery) => Some((Subject::Ball { delivery }, by)),
            PlayChange::Amends(_) | PlayChange::Removes(_) | PlayChange::Anew(_) => None,
        };
        let awaited = awaited.chain(inserted).collect();
        let refit = kept.map(|kept| RefitCheck::of(KeptPlay::later(kept, change), by));
        if refit.is_some() {
            rest.clear();
        }
        AfterAmendment { steps, awaited, agreed, rest, cut: None, was_finished, refit }
    }

    /// Takes the amendment that both sides have consented to, for the ball that comes now.
    pub(super) fn take_agreed(&mut self) -> Option<(Amendment, Choices)> {
        self.agreed.take()
    }

    /// The kind of the step before the play that is still missing.
    pub(super) fn awaits_step(&self) -> Option<&'static str> {
        self.steps.awaits()
    }

    /// Whether an amended event is still missing.
    pub(super) fn is_awaited(&self) -> bool {
        !self.awaited.is_empty()
    }

    /// Stops the repetition: no further void event repeats.
    pub(super) fn stop(&mut self) {
        let rest = std::mem::take(&mut self.rest);
        let refit = self.refit.take().into_iter().flat_map(RefitCheck::into_gone);
        self.cut = self.cut.or(rest.iter().filter_map(VoidedPlay::delivery).chain(refit).min());
    }

    /// Whether a step of the refit is still missing.
    pub(super) fn is_refit_awaited(&mut self, the_match: &Match) -> bool {
        self.refit.as_mut().is_some_and(|refit| refit.is_awaited(the_match))
    }

    /// Whether an innings can end by agreement now: no ball of it is left, and it misses one, or had ended so
    /// before.
    pub(super) fn can_end(&self, innings: u16, the_match: &Match) -> bool {
        let had_ended = the_match.play().had_ended(innings);
        match &self.refit {
            Some(refit) => refit.can_end(innings, had_ended),
            None => {
                let is_later = |voided: &&VoidedPlay| matches!(voided.subject, Subject::Over { innings: of, .. } if of > innings);
                let mut of_innings = self.rest.iter().take_while(|voided| !is_later(voided));
                had_ended && of_innings.all(|voided| !matches!(voided.subject, Subject::Ball { .. }))
            }
        }
    }

    /// Takes the first delivery that did not repeat, once that is known.
    pub(super) fn cut(&mut self) -> Option<u32> {
        self.cut.take()
    }

    /// Whether an event is the service's acceptance of a decision that could not be reviewed before the
    /// amendment, in a match that went on from there.
    fn is_accepted_for(&self, event: &Event) -> bool {
        let accepted =
            matches!(&event.data, EventData::Review(Review::Accepted(_))) && event.actor == Actor::Service;
        let goes_on = self.rest.front().is_some_and(|voided| voided.review.is_none());
        accepted && (goes_on || self.was_finished)
    }

    /// Takes the next event, and returns the author it must have where it follows from the amendment. In a
    /// match that was finished before, every event has to follow from it.
    pub(super) fn follow(&mut self, event: &Event, the_match: &Match) -> Result<Option<Actor>, Unawaited> {
        let subject = event.data.subject();
        if let Some(by) = self.steps.follow(event, the_match)? {
            return Ok(Some(by));
        }
        if let Some((awaited, by)) = self.awaited.front().copied() {
            if Some(awaited) == subject {
                self.awaited.pop_front();
                return Ok(Some(by));
            }
            let message = "the correction before this event amends a delivery, and the amended delivery must follow at once";
            return Err(Unawaited::from(message));
        }
        if let Some(refit) = self.refit.as_mut().filter(|_| subject != Some(Subject::Completed)) {
            match refit.follow(event, the_match)? {
                RefitPlace::Step(by) => return Ok(Some(by)),
                RefitPlace::Ended => self.stop(),
            }
        }
        if subject == Some(Subject::Completed) {
            self.stop();
            return Ok(Some(Actor::Service));
        }
        while self.rest.front().is_some_and(|voided| voided.is_dropped(the_match)) {
            self.rest.pop_front();
        }
        if let Some(voided) = self.rest.pop_front_if(|voided| voided.repeats(event, the_match)) {
            return Ok(Some(voided.actor));
        }
        if self.is_accepted_for(event) {
            return Ok(Some(Actor::Service));
        }
        self.stop();
        if the_match.play().is_reopened() {
            let message = "the seeds are revealed, so all play must repeat unchanged after an amendment, and this event differs";
            return Err(Unawaited::from(message));
        }
        Ok(None)
    }
}
