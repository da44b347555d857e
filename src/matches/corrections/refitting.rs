//! The refit of the play after an amended ball: each step is decided with what was kept of it, and what
//! cannot be kept is noted.

use std::collections::HashMap;

use super::answers::RefitAnswers;
use super::ball_answer::{BallAnswer, within};
use super::dice_source::DiceSource;
use super::later::{AnswerPart, LaterAnswers};
use super::missing::{AskedMissing, MissingAnswers, MissingKnown};
use super::notes::{Loss, RefitNote};
use super::redecide::{Redecide, depends_on_new_die};
use super::{AskedBall, AskedLater, UndecidedDelivery};
use crate::dice::TableDice;
use crate::log::{Actor, AgreedOutcome, DeliveryPlace, Event, EventData, LiveEvent, Over, Review};
use crate::matches::refit::{
    Answers, KeptDice, KeptPlay, NoAnswers, Refit, RefitStep, Settled, SettledStep, Unsettled, settle,
};
use crate::matches::{Decided, Input};
use crate::rules::{AskedStep, Choices, Place, Play, Refusal, RefusalKind};

/// The void play after an amended ball.
pub(super) struct LaterPlay<'a> {
    /// What is kept of it, in order.
    pub kept: Vec<KeptPlay>,
    /// The events, in order.
    pub events: &'a [LiveEvent<Event>],
    /// The answers to what is asked anew.
    pub answers: &'a RefitAnswers,
    /// The author of the correction.
    pub actor: Actor,
}

/// The void events of a refit, by their seq: the places of their deliveries, and their dice from a seed.
struct VoidEvents<'a>(HashMap<u64, &'a EventData>);

impl<'a> VoidEvents<'a> {
    fn get(&self, kept: &KeptPlay) -> Option<&'a EventData> {
        self.0.get(&kept.seq).copied()
    }

    /// The number and the place of the delivery that a kept event is about, before the correction.
    fn delivery(&self, kept: &KeptPlay) -> Option<(u32, Option<DeliveryPlace>)> {
        match self.get(kept)? {
            EventData::Ball(ball) => Some((ball.delivery, Some(DeliveryPlace::of(ball)))),
            EventData::Roll(roll) => Some((roll.delivery, None)),
            EventData::Review(review) => {
                let delivery = review.delivery();
                let ball = self.0.values().find_map(|data| match data {
                    EventData::Ball(ball) if ball.delivery == delivery => Some(DeliveryPlace::of(ball)),
                    _ => None,
                });
                Some((delivery, ball))
            }
            _ => None,
        }
    }
}

/// The end of a refit before its last step.
enum RefitStop {
    /// Nothing can be asked, or no number may move: what is left does not come again.
    Cut,
    /// The correction is refused.
    Refused(Refusal),
}

impl From<Refusal> for RefitStop {
    fn from(refusal: Refusal) -> RefitStop {
        RefitStop::Refused(refusal)
    }
}

impl Redecide<'_> {
    /// Plays the later events once more, after the amended ball was decided.
    pub(super) fn refit(&mut self, later: LaterPlay<'_>) -> Result<(), Refusal> {
        let LaterPlay { kept, events, answers, actor } = later;
        let refitted = self.refit_later((kept, events), answers, actor);
        // A refusal of an answer would reveal the die.
        if self.new_die && !answers.is_empty() { Err(depends_on_new_die()) } else { refitted }
    }

    fn refit_later(
        &mut self,
        (kept, events): (Vec<KeptPlay>, &[LiveEvent<Event>]),
        answers: &RefitAnswers,
        actor: Actor,
    ) -> Result<(), Refusal> {
        answers.refuse_many()?;
        let void = VoidEvents(events.iter().map(|live| (live.seq, &live.kept.data)).collect());
        let mut refit = Refit::of(kept);
        let mut missing = MissingAnswers::of(&answers.missing);
        let mut answers = LaterAnswers::of(&answers.later)?;
        while let Some(step) = refit.next(&self.the_match) {
            // The first ball of an over that begins now is the one that its questions are asked of.
            let first = refit.next_delivery();
            let before = (self.the_match.clone(), self.events.len());
            match self.refit_step(&step, first, (&void, actor), (&mut answers, &mut missing)) {
                Ok(()) => {}
                Err(RefitStop::Cut) => {
                    self.the_match = before.0;
                    self.events.truncate(before.1);
                    refit.cut(step);
                    break;
                }
                Err(RefitStop::Refused(refusal)) => return Err(refusal),
            }
        }
        answers.refuse_unasked()?;
        missing.refuse_unasked()?;
        for kept in refit.into_gone() {
            let loss = match void.get(&kept) {
                Some(EventData::Ball(_) | EventData::Roll(_)) => Loss::Ball,
                Some(EventData::Review(Review::Made(_))) => Loss::Review,
                Some(EventData::Over(_)) => Loss::Over,
                _ => continue,
            };
            self.notes.push(RefitNote::of(kept.over, void.delivery(&kept), loss));
        }
        Ok(())
    }

    fn refit_step(
        &mut self,
        step: &RefitStep,
        first: Option<u32>,
        (void, actor): (&VoidEvents<'_>, Actor),
        (answers, missing): (&mut LaterAnswers<'_>, &mut MissingAnswers<'_>),
    ) -> Result<(), RefitStop> {
        match step {
            RefitStep::Over(kept) => {
                let nothing = Choices::new();
                let (made, source, by) = match kept {
                    Some(kept) => (&kept.made, void.get(kept).and_then(over_of), kept.actor),
                    None => (&nothing, None, actor),
                };
                let source = source.map_or(DiceSource::Entered(&[]), DiceSource::Over);
                let mut answering = answers.take(first.unwrap_or_default(), AnswerPart::Over);
                let mut is_new = false;
                let settled =
                    self.settled(SettledStep::Over, (made, None), &mut answering, |redecide, input, _| {
                        redecide.decide_step(input, &source, &mut is_new)
                    });
                let over = self.the_match.play().next_over();
                let Settled { decided, gone, .. } =
                    self.or_ask(settled, first.map(|one| (one, AskedStep::Over)), (&[], answers))?;
                answers.used(&answering)?;
                for (name, value) in &gone {
                    self.notes.push(RefitNote::of(over, None, Loss::Choice(name, value)));
                }
                self.new_die |= is_new;
                self.take(decided, by);
                Ok(())
            }
            RefitStep::Ball(kept) => self.refit_ball(kept, void, answers),
            RefitStep::Roll(kept) => {
                let Some(EventData::Roll(roll)) = void.get(kept) else { return Err(RefitStop::Cut) };
                let input = Input::Play(Play::Ball(kept.made.clone()));
                let events = self.decide(input, &DiceSource::Roll(roll)).map_err(|_| RefitStop::Cut)?;
                self.events.extend(events.into_iter().map(|data| (data, kept.actor)));
                Ok(())
            }
            RefitStep::Review(kept) => {
                let Some(EventData::Review(review)) = void.get(kept) else { return Err(RefitStop::Cut) };
                let open = self.the_match.reviews().open().ok_or(RefitStop::Cut)?;
                let events = self.answer_review(review, open.by)?;
                self.events.extend(events.into_iter().map(|data| (data, kept.actor)));
                Ok(())
            }
            RefitStep::Accept(by) => {
                let events = self.decide(Input::Accept { by: *by }, &DiceSource::Accepted)?;
                self.events.extend(events.into_iter().map(|data| (data, Actor::Service)));
                Ok(())
            }
            RefitStep::Repeat(kept) => {
                let data = void.get(kept).ok_or(RefitStop::Cut)?;
                if data.drawn() > 0 {
                    return Err(RefitStop::Cut);
                }
                self.the_match.replay(data).map_err(|_| RefitStop::Cut)?;
                self.events.push((data.clone(), kept.actor));
                Ok(())
            }
            RefitStep::Ended(innings) if !missing.is_next(*innings) => {
                self.end_innings();
                Ok(())
            }
            RefitStep::Missing(innings) | RefitStep::Ended(innings) => {
                self.play_missing(*innings, actor, missing)
            }
        }
    }

    /// Plays a ball that an innings misses, or ends the innings before it.
    fn play_missing(
        &mut self,
        innings: u16,
        actor: Actor,
        answers: &mut MissingAnswers<'_>,
    ) -> Result<(), RefitStop> {
        if self.seed.is_some() || !self.can_ask() {
            return Err(RefitStop::Cut);
        }
        let (asked, known) = answers.take(innings)?;
        let nothing = BallAnswer::default();
        let BallAnswer { over, choices, dice } = match known {
            Some(MissingKnown::Bowled(ball)) => ball,
            Some(MissingKnown::Ended) => {
                self.end_innings();
                return Ok(());
            }
            Some(MissingKnown::Unknown) | None => &nothing,
        };
        if self.the_match.play().asking().on_field().bowler.is_none() {
            self.decide_missing((asked, AskedStep::Over), (over, &[]), actor)?;
        } else if let Some(name) = over.keys().next() {
            let message = format!("its over has begun, so it does not ask for {name}; leave it out");
            return Err(asked.refused(Refusal::choice(name, message), AskedStep::Over).into());
        }
        if known == Some(&MissingKnown::Unknown) {
            let decided = self.the_match.decide_unknown()?;
            self.take(decided, actor);
            return Ok(());
        }
        self.decide_missing((asked, AskedStep::Ball), (choices, dice), actor)
    }

    /// Decides a ball that an innings misses, or the over which it begins.
    fn decide_missing(
        &mut self,
        (asked, step): (AskedMissing, AskedStep),
        (choices, dice): (&Choices, &[i64]),
        actor: Actor,
    ) -> Result<(), RefitStop> {
        let play = match step {
            AskedStep::Over => Play::Over(choices.clone()),
            _ => Play::Ball(choices.clone()),
        };
        match self.the_match.decide(Input::Play(play), &mut TableDice::new(dice), None) {
            Ok(decided) => {
                self.take(decided, actor);
                Ok(())
            }
            Err(refusal) => {
                if refusal.kind == RefusalKind::NeedsInput {
                    let (before, choices, dice) = (self.the_match.clone(), choices.clone(), dice.to_vec());
                    let asked = AskedBall::Missing(asked);
                    self.unfinished =
                        Some(Box::new(UndecidedDelivery { before, step, choices, dice, asked }));
                }
                Err(asked.refused(refusal, step).into())
            }
        }
    }

    fn refit_ball(
        &mut self,
        kept: &KeptPlay,
        void: &VoidEvents<'_>,
        answers: &mut LaterAnswers<'_>,
    ) -> Result<(), RefitStop> {
        let Some(EventData::Ball(ball)) = void.get(kept) else { return Err(RefitStop::Cut) };
        if kept.unknown {
            let decided = self.the_match.decide_unknown()?;
            self.take(decided, kept.actor);
            return Ok(());
        }
        // A draw belongs to the number of a delivery, so no number may move.
        let number = self.the_match.play().deliveries() + 1;
        if self.seed.is_some() && number != ball.delivery {
            return Err(RefitStop::Cut);
        }
        let source = DiceSource::Ball(ball);
        let (mut used, mut is_new) = (0, false);
        let mut answering = answers.take(ball.delivery, AnswerPart::Ball);
        let kept_parts = (&kept.made, kept.agreed.as_deref());
        let settled =
            self.settled(SettledStep::Ball, kept_parts, &mut answering, |redecide, input, entered| {
                if redecide.seed.is_some() {
                    return redecide.decide_step(input, &source, &mut is_new);
                }
                let mut dice = KeptDice::new(&kept.dice, entered);
                let decided = redecide.the_match.decide(input, &mut dice, None);
                used = dice.used;
                decided
            });
        let delivery = Some((ball.delivery, AskedStep::Ball));
        let kept_dice: Vec<i64> = kept.dice[..used].iter().map(|die| i64::from(die.value)).collect();
        let Settled { decided, gone, lost_agreement } =
            self.or_ask(settled, delivery, (&kept_dice, answers))?;
        answers.used(&answering)?;
        let at = || Some((ball.delivery, Some(DeliveryPlace::of(ball))));
        for (name, value) in &gone {
            self.notes.push(RefitNote::of(kept.over, at(), Loss::Choice(name, value)));
        }
        if self.seed.is_none() && used < kept.dice.len() {
            self.notes.push(RefitNote::of(kept.over, at(), Loss::Dice(kept.dice.len() - used)));
        }
        if lost_agreement {
            self.notes.push(RefitNote::of(kept.over, at(), Loss::Agreed));
        }
        self.new_die |= is_new;
        self.take(decided, kept.actor);
        Ok(())
    }

    /// Settles a step on the match as it is, which stays.
    fn settled(
        &mut self,
        step: SettledStep,
        kept: (&Choices, Option<&AgreedOutcome>),
        answers: &mut dyn Answers,
        mut decide: impl FnMut(&Self, Input, &[i64]) -> Result<Decided, Refusal>,
    ) -> Result<Settled, Unsettled> {
        let mut none = NoAnswers;
        let answers: &mut dyn Answers = if self.can_ask() { answers } else { &mut none };
        settle(step, kept, answers, &mut |input, entered| decide(self, input, entered))
    }

    /// Decides a step with the dice of its void event, or with those of the seed. `is_new` says whether one
    /// of them is in no log yet.
    fn decide_step(
        &self,
        input: Input,
        source: &DiceSource<'_>,
        is_new: &mut bool,
    ) -> Result<Decided, Refusal> {
        let mut dice = source.dice(&self.the_match, self.seed);
        let decided = self.the_match.decide(input, dice.as_mut(), self.seed)?;
        *is_new = dice.has_new_dice() && !self.is_open;
        match (source, decided.events.first()) {
            (DiceSource::Ball(_), Some(EventData::Roll(_))) => {
                let message = "the ball waits for a decision that nobody has made";
                Err(Refusal::new(RefusalKind::OutOfTurn, Place::Input, message))
            }
            _ => Ok(decided),
        }
    }

    /// Whether anybody can be asked: nobody answers for the other side in remote play.
    fn can_ask(&self) -> bool {
        !self.the_match.play().info().created.remote && !self.new_die
    }

    /// The settled step; or the question that it asks, where somebody can be asked.
    fn or_ask(
        &mut self,
        settled: Result<Settled, Unsettled>,
        delivery: Option<(u32, AskedStep)>,
        (kept_dice, answers): (&[i64], &LaterAnswers<'_>),
    ) -> Result<Settled, RefitStop> {
        let seeded = self.seed.is_some();
        match (settled, delivery) {
            (Ok(settled), _) => Ok(settled),
            (Err(Unsettled::Refused(_)), _) if seeded => Err(RefitStop::Cut),
            (Err(Unsettled::Asks(..)), _) if !self.can_ask() => Err(RefitStop::Cut),
            (Err(Unsettled::Asks(refusal, choices, entered)), Some((number, step))) => {
                let at = answers.place(number);
                let dice = kept_dice.iter().copied().chain(entered).collect();
                let kept = kept_dice.len();
                self.unfinished = Some(Box::new(UndecidedDelivery {
                    before: self.the_match.clone(),
                    step,
                    choices,
                    dice,
                    asked: AskedBall::Later(AskedLater { delivery: number, at, kept }),
                }));
                Err(asked_of(*refusal, (number, step), at, kept).into())
            }
            (Err(Unsettled::Refused(refusal)), Some((number, step))) => {
                Err(asked_of(*refusal, (number, step), answers.place(number), kept_dice.len()).into())
            }
            (Err(Unsettled::Asks(refusal, ..) | Unsettled::Refused(refusal)), None) => Err((*refusal).into()),
        }
    }
}

fn over_of(data: &EventData) -> Option<&Over> {
    match data {
        EventData::Over(over) => Some(over),
        _ => None,
    }
}

/// The refusal of a later delivery, with its place in the request.
fn asked_of(refusal: Refusal, (delivery, step): (u32, AskedStep), at: usize, kept: usize) -> Refusal {
    let place = within(&format!("later[{at}]"), &refusal.place, step, kept);
    let message = format!("delivery {delivery}: {}", refusal.message);
    Refusal { place, message, ..refusal }
}
