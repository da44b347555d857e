//! What has to follow a correction that decides a step before the play anew: that step at once, and those
//! after it.

use std::collections::VecDeque;

use super::unawaited::Unawaited;
use super::voided::VoidedPlay;
use crate::log::{Actor, Event, StepAnew, Subject};
use crate::matches::Match;

/// The steps before the play that are awaited after a correction.
#[derive(Default)]
pub(super) struct StepsAnew {
    /// The void steps, in order, each with the author that it has if it is decided anew.
    awaited: VecDeque<(VoidedPlay, Option<Actor>)>,
}

impl StepsAnew {
    /// The steps that are awaited when an actor decides the first of these anew. The choice to bat or to bowl
    /// is one more after a toss anew, and any other step repeats.
    pub(super) fn of(step: StepAnew, by: Actor, void: impl Iterator<Item = VoidedPlay>) -> StepsAnew {
        let is_anew =
            |subject| subject == step.subject() || step == StepAnew::Toss && subject == Subject::TossDecided;
        let with_author = |voided: VoidedPlay| {
            let author = Some(by).filter(|_| is_anew(voided.subject));
            (voided, author)
        };
        StepsAnew { awaited: void.map(with_author).collect() }
    }

    /// The kind of the next step, where one is missing.
    pub(super) fn awaits(&self) -> Option<&'static str> {
        self.awaited.front().map(|(voided, _)| match voided.subject {
            Subject::SetUp => "set_up",
            Subject::Toss => "toss",
            _ => "toss_decided",
        })
    }

    /// Takes the next event, and returns the author it must have; none where no step is awaited.
    pub(super) fn follow(&mut self, event: &Event, the_match: &Match) -> Result<Option<Actor>, Unawaited> {
        let Some((voided, anew)) = self.awaited.pop_front() else { return Ok(None) };
        let repeats = voided.repeats(event, the_match);
        let comes = event.data.subject() == Some(voided.subject);
        match anew {
            // The choice after a toss anew may be the one that was made before.
            Some(_) if repeats && voided.subject == Subject::TossDecided => Ok(Some(voided.actor)),
            Some(by) if comes => Ok(Some(by)),
            None if repeats => Ok(Some(voided.actor)),
            _ => {
                let message = "the correction before this event decides a step before the play anew; that step must follow at once, and then the steps after it";
                Err(Unawaited::from(message))
            }
        }
    }
}
