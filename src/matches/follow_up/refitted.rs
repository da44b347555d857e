//! What has to follow a refit in a log: the void play, decided once more by the same steps as the engine
//! takes. The answers to what was asked anew stand in the events themselves.

use serde_json::Value;

use super::unawaited::Unawaited;
use crate::dice::RecordedDice;
use crate::log::{Actor, DiceMode, Event, EventData, Review, delivery_words};
use crate::matches::Match;
use crate::matches::refit::{
    Answers, KeptDice, KeptPlay, NoAnswers, Refit, RefitStep, SettledStep, Unsettled, is_unknown, settle,
};
use crate::rules::{Choices, Play};

/// A refit that is checked event by event.
pub(super) struct RefitCheck {
    refit: Refit,
    /// The author of the correction.
    by: Actor,
}

/// What the next event of a log is to a refit.
pub(super) enum RefitPlace {
    /// A step of the refit, by this author.
    Step(Actor),
    /// No part of the refit, which has come to its end, or could not go on.
    Ended,
}

impl RefitCheck {
    pub(super) fn of(kept: Vec<KeptPlay>, by: Actor) -> RefitCheck {
        RefitCheck { refit: Refit::of(kept), by }
    }

    /// The deliveries that do not come again, once the refit has ended, by the numbers before it.
    pub(super) fn into_gone(self) -> impl Iterator<Item = u32> {
        self.refit.into_gone().into_iter().filter_map(|kept| kept.delivery())
    }

    /// Whether an innings can end by agreement now: none of its kept balls is left, and one of a later
    /// innings is, or it had ended so before.
    pub(super) fn can_end(&self, innings: u16, had_ended: bool) -> bool {
        !self.refit.keeps_ball_of(innings) && (had_ended || self.refit.keeps_ball_after(innings))
    }

    /// Whether a step is still missing at the end of a log.
    pub(super) fn is_awaited(&mut self, the_match: &Match) -> bool {
        let is_table = the_match.play().info().created.dice == DiceMode::Table;
        is_table && self.refit.next(the_match).is_some()
    }

    /// Takes the next event. With table dice every step has to follow. The dice of a seed belong to numbers,
    /// and nobody can be asked in remote play, so there the refit may end before.
    pub(super) fn follow(&mut self, event: &Event, the_match: &Match) -> Result<RefitPlace, Unawaited> {
        let Some(step) = self.refit.next(the_match) else { return Ok(RefitPlace::Ended) };
        let play = the_match.play();
        // With seeded dice a ball that would have another number does not come again.
        let moves = |kept: &KeptPlay| kept.delivery() != Some(play.deliveries() + 1);
        if play.info().created.dice == DiceMode::Seeded
            && matches!(&step, RefitStep::Ball(kept) if moves(kept))
        {
            self.refit.cut(step);
            return Ok(RefitPlace::Ended);
        }
        let author = match &step {
            RefitStep::Over(None) => self.by,
            RefitStep::Accept(_) => Actor::Service,
            RefitStep::Over(Some(kept))
            | RefitStep::Ball(kept)
            | RefitStep::Roll(kept)
            | RefitStep::Review(kept)
            | RefitStep::Repeat(kept) => kept.actor,
            RefitStep::Missing(_) | RefitStep::Ended(_) => self.by,
        };
        let expected = words_of(&step);
        if follows(&step, &event.data, the_match) {
            return Ok(RefitPlace::Step(author));
        }
        if the_match.play().info().created.dice == DiceMode::Seeded {
            self.refit.cut(step);
            return Ok(RefitPlace::Ended);
        }
        let message = format!(
            "after a correction by refit the play that it made void follows anew, and this event is not what {expected} comes to"
        );
        Err(Unawaited::from(message))
    }
}

/// A step in words.
fn words_of(step: &RefitStep) -> String {
    let kept_words = |kept: &KeptPlay| match kept.delivery() {
        Some(delivery) => format!("the former {}", delivery_words(delivery, None)),
        None => format!("over {} of innings {}", kept.over.1, kept.over.0),
    };
    match step {
        RefitStep::Over(None) => "a new over".to_owned(),
        RefitStep::Over(Some(kept)) | RefitStep::Ball(kept) | RefitStep::Roll(kept) => kept_words(kept),
        RefitStep::Review(_) => "the answer to the decision".to_owned(),
        RefitStep::Accept(_) => "the acceptance of the decision".to_owned(),
        RefitStep::Repeat(_) => "a secret choice".to_owned(),
        RefitStep::Missing(innings) => format!("a ball that innings {innings} misses"),
        RefitStep::Ended(innings) => format!("the end of innings {innings}, as agreed before,"),
    }
}

/// Whether an event is what a step comes to.
fn follows(step: &RefitStep, data: &EventData, the_match: &Match) -> bool {
    match step {
        RefitStep::Over(kept) => {
            let nothing = Choices::new();
            let made = kept.as_ref().map_or(&nothing, |kept| &kept.made);
            matches!(data, EventData::Over(_)) && is_settled(SettledStep::Over, (made, None), data, the_match)
        }
        RefitStep::Ball(kept) if kept.unknown => is_unknown(data),
        RefitStep::Ball(kept) => {
            matches!(data, EventData::Ball(ball) if !ball.unknown)
                && is_settled(SettledStep::Ball, (&kept.made, Some(kept)), data, the_match)
        }
        RefitStep::Roll(kept) => {
            matches!(data, EventData::Roll(_))
                && the_match.play().check_follows(data, Play::Ball(kept.made.clone())).is_ok()
        }
        RefitStep::Review(kept) => match (data, kept.review) {
            (EventData::Review(review), Some(was)) => {
                let values = |dice: &[crate::dice::Die]| dice.iter().map(|die| die.value).collect::<Vec<_>>();
                Some(review.by()) == the_match.reviews().open().map(|open| open.by)
                    && review.made().is_some() == was.is_made
                    && values(data.rolled()) == values(&kept.dice)
            }
            _ => false,
        },
        RefitStep::Accept(by) => {
            matches!(data, EventData::Review(review @ Review::Accepted(_)) if review.by() == *by)
        }
        RefitStep::Repeat(kept) => kept.whole.as_deref() == Some(data),
        RefitStep::Missing(_) | RefitStep::Ended(_) => {
            matches!(data, EventData::Over(_) | EventData::Ball(_))
        }
    }
}

/// Whether an event is what its kept choices, its kept dice and the answers in it come to.
fn is_settled(
    step: SettledStep,
    (made, kept): (&Choices, Option<&KeptPlay>),
    data: &EventData,
    the_match: &Match,
) -> bool {
    let Some(played) = data.play() else { return false };
    let is_table = the_match.play().info().created.dice == DiceMode::Table;
    let agreed = kept.and_then(|kept| kept.agreed.as_deref());
    let chosen = data.chosen();
    let (mut in_event, mut none) = (InEvent { chosen: &chosen, data }, NoAnswers);
    let is_remote = the_match.play().info().created.remote;
    let answers: &mut dyn Answers = if is_remote { &mut none } else { &mut in_event };
    let settled = settle(step, (made, agreed), answers, &mut |input, entered| match (kept, is_table) {
        (Some(kept), true) => the_match.decide(input, &mut KeptDice::new(&kept.dice, entered), None),
        _ => {
            let mut dice = RecordedDice::dealing(played.dice(), the_match.play().dealt(played));
            the_match.decide(input, &mut dice, None)
        }
    });
    match settled {
        Ok(settled) => settled.decided.events.first() == Some(data),
        Err(Unsettled::Asks(..) | Unsettled::Refused(_)) => false,
    }
}

/// The answers to what was asked anew, as an event has them.
struct InEvent<'a> {
    chosen: &'a Choices,
    data: &'a EventData,
}

impl Answers for InEvent<'_> {
    fn die(&mut self, at: usize) -> Option<i64> {
        self.data.rolled().get(at).map(|die| i64::from(die.value))
    }

    fn choice(&mut self, name: &str) -> Option<Value> {
        self.chosen.get(name).cloned()
    }
}
