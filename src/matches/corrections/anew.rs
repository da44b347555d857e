//! The steps before the play that a correction decides anew: the set-up, the toss and its decision.

use serde_json::{Value, json};

use super::redecide::Redecide;
use crate::dice::TableDice;
use crate::log::{Actor, CoinFace, Event, EventData, InvalidEvent, LiveEvent, StepAnew, TossChoice};
use crate::matches::{Input, Phase};
use crate::rules::{Choices, Place, Play, Refusal, RefusalKind};
use crate::scorebook::Side;

/// A step before the play, as it is decided anew.
#[derive(Debug, Clone, PartialEq)]
pub enum DecidedAnew {
    /// The set-up, with its choices.
    SetUp(Choices),
    /// The toss, with what its winner chooses; none where that stays.
    Toss(TossAnew, Option<TossChoice>),
    /// The choice of the winner of the toss.
    TossDecided(TossChoice),
}

/// A toss, as it is decided anew.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TossAnew {
    /// The call, and the coin.
    Called {
        /// The side that calls.
        caller: Side,
        /// The face that is called.
        call: CoinFace,
        /// The face that the coin showed; none with a seed, which gives it.
        coin: Option<CoinFace>,
    },
    /// The winner alone.
    Reported(Side),
}

impl DecidedAnew {
    /// The step as a correction names it.
    pub fn step(&self) -> StepAnew {
        match self {
            DecidedAnew::SetUp(_) => StepAnew::SetUp,
            DecidedAnew::Toss(..) => StepAnew::Toss,
            DecidedAnew::TossDecided(_) => StepAnew::TossDecided,
        }
    }

    /// The members of a request that have it.
    pub(super) fn members(&self) -> Vec<(&'static str, Option<Value>)> {
        let mut members = vec![("anew", Some(json!(self.step())))];
        match self {
            DecidedAnew::SetUp(choices) => members.push(("choices", Some(json!(choices)))),
            DecidedAnew::TossDecided(to) => members.push(("to", Some(json!(to)))),
            DecidedAnew::Toss(toss, to) => {
                match toss {
                    TossAnew::Called { caller, call, coin } => members.extend([
                        ("caller", Some(json!(caller))),
                        ("call", Some(json!(call))),
                        ("coin", coin.map(|coin| json!(coin))),
                    ]),
                    TossAnew::Reported(winner) => members.push(("winner", Some(json!(winner)))),
                }
                members.push(("to", to.map(|to| json!(to))));
            }
        }
        members
    }

    /// The input of the step, with the values of its dice at a table.
    fn input(&self) -> (Input, Vec<i64>) {
        match self {
            DecidedAnew::SetUp(choices) => (Input::Play(Play::SetUp(choices.clone())), Vec::new()),
            DecidedAnew::Toss(TossAnew::Called { caller, call, coin }, _) => {
                let coin = coin.iter().map(|face| i64::from(face.as_die())).collect();
                (Input::Toss { caller: *caller, call: *call }, coin)
            }
            DecidedAnew::Toss(TossAnew::Reported(winner), _) => {
                (Input::ReportedToss { winner: *winner }, Vec::new())
            }
            DecidedAnew::TossDecided(to) => (Input::TossDecision { to: *to }, Vec::new()),
        }
    }

    /// What the winner of the toss chooses, where that is told with the toss.
    fn told_with_toss(&self) -> Option<TossChoice> {
        match self {
            DecidedAnew::Toss(_, to) => *to,
            DecidedAnew::SetUp(_) | DecidedAnew::TossDecided(_) => None,
        }
    }
}

impl Redecide<'_> {
    /// Decides a step before the play anew, and those after it; `own` are their void events.
    pub fn decide_anew(
        &mut self,
        own: &[LiveEvent<Event>],
        anew: &DecidedAnew,
        actor: Actor,
    ) -> Result<(), Refusal> {
        let (input, dice) = anew.input();
        self.decide_step_anew(input, &dice, actor)?;
        let mut told = anew.told_with_toss();
        for Event { data, actor: author, .. } in own.iter().skip(1).map(|live| &live.kept) {
            match data {
                EventData::TossDecided(was) if anew.step() == StepAnew::Toss => {
                    let to = told.take().unwrap_or(was.to);
                    let stays = self.the_match.play().phase() == Phase::TossDecision(was.by) && to == was.to;
                    let by = if stays { *author } else { actor };
                    self.decide_step_anew(Input::TossDecision { to }, &[], by)?;
                }
                other => {
                    self.the_match.replay(other).map_err(|invalid: InvalidEvent| {
                        Refusal::new(RefusalKind::OutOfTurn, Place::Input, invalid.reason)
                    })?;
                    self.events.push((other.clone(), *author));
                }
            }
        }
        if told.is_some() {
            let message = "the winner of the toss has not chosen yet; leave to out";
            return Err(Refusal::new(RefusalKind::IllegalInput, Place::Field("to".to_owned()), message));
        }
        if self.events.iter().map(|(data, _)| data).eq(own.iter().map(|live| &live.kept.data)) {
            let message = format!("{} is already like that: this changes nothing", anew.step().as_words());
            return Err(Refusal::new(RefusalKind::IllegalInput, Place::Field("anew".to_owned()), message));
        }
        Ok(())
    }

    fn decide_step_anew(&mut self, input: Input, dice: &[i64], by: Actor) -> Result<(), Refusal> {
        let decided = match self.seed {
            None => self.the_match.decide(input, &mut TableDice::new(dice), None)?,
            Some(_) if !dice.is_empty() => {
                let message = "the coin of this match comes from its seed; leave coin out";
                let place = Place::Field("coin".to_owned());
                return Err(Refusal::new(RefusalKind::IllegalInput, place, message));
            }
            Some(seed) => {
                let mut dice = self.the_match.remote().dice(seed);
                self.the_match.decide(input, &mut dice, Some(seed))?
            }
        };
        self.take(decided, by);
        Ok(())
    }
}

/// Refuses to decide a step anew in remote play, where each side makes it on its own device.
pub(super) fn refuse_remote() -> Refusal {
    let message = "in remote play the sides make the set-up, the toss and its decision themselves: take them back with voids_from_seq";
    Refusal::new(RefusalKind::IllegalInput, Place::Field("anew".to_owned()), message)
}
