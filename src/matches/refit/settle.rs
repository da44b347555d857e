//! The decision on one event of a refit: with what is kept of it, without what is no longer possible, and
//! with the answers to what is asked anew.

use serde_json::Value;

use crate::log::AgreedOutcome;
use crate::matches::{Decided, Input};
use crate::rules::{Choices, Place, Play, Refusal, RefusalKind};

/// The answers to what a kept event asks anew, as a request or a log gives them.
pub trait Answers {
    /// The value of the die with this index in the event.
    fn die(&mut self, at: usize) -> Option<i64>;
    /// The value of a choice.
    fn choice(&mut self, name: &str) -> Option<Value>;
}

/// No answers.
pub struct NoAnswers;

impl Answers for NoAnswers {
    fn die(&mut self, _: usize) -> Option<i64> {
        None
    }

    fn choice(&mut self, _: &str) -> Option<Value> {
        None
    }
}

/// The step of play that is settled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SettledStep {
    /// The start of an over.
    Over,
    /// A ball with its dice and its choices.
    Ball,
}

/// The decision of an input with dice that are entered after the kept ones.
pub type Decide<'a> = &'a mut dyn FnMut(Input, &[i64]) -> Result<Decided, Refusal>;

/// A kept event that is decided again.
pub struct Settled {
    /// The decision.
    pub decided: Decided,
    /// The made choices that are no longer possible or no longer asked.
    pub gone: Choices,
    /// Whether an agreed outcome was no longer possible.
    pub lost_agreement: bool,
}

/// The reason why a kept event is not settled.
pub enum Unsettled {
    /// A die or a choice is asked that nobody has answered; with the choices and the entered dice so far.
    Asks(Box<Refusal>, Choices, Vec<i64>),
    /// The event is not possible at its place, or an answer is wrong.
    Refused(Box<Refusal>),
}

/// Decides an event again, with the choices that were made for it, as far as they are possible, and the
/// outcome that the table had agreed on. `decide` decides an input with dice that are entered after the kept
/// ones.
pub fn settle(
    step: SettledStep,
    (made, agreed): (&Choices, Option<&AgreedOutcome>),
    answers: &mut dyn Answers,
    decide: Decide<'_>,
) -> Result<Settled, Unsettled> {
    let (mut choices, mut entered) = (made.clone(), Vec::new());
    let (mut answered, mut gone): (Vec<String>, Choices) = (Vec::new(), Choices::new());
    let decided = loop {
        let refusal = match decide(Input::Play(played(step, &choices)), &entered) {
            Ok(decided) => break decided,
            Err(refusal) => refusal,
        };
        match (refusal.kind, &refusal.place) {
            (RefusalKind::NeedsInput, Place::Die(at)) => match answers.die(*at) {
                Some(value) => entered.push(value),
                None => return Err(Unsettled::Asks(Box::new(refusal), choices, entered)),
            },
            (RefusalKind::NeedsInput, Place::Choice(name)) => {
                let name = whole_name(name);
                let answer = Some(name).filter(|name| !answered.iter().any(|one| one == name));
                match answer.and_then(|name| answers.choice(name)) {
                    Some(value) => {
                        answered.push(name.to_owned());
                        choices.insert(name.to_owned(), value);
                    }
                    None => return Err(Unsettled::Asks(Box::new(refusal), choices, entered)),
                }
            }
            (RefusalKind::IllegalInput, Place::Choice(_) | Place::Input | Place::Field(_)) => {
                let at_fault = match &refusal.place {
                    Place::Choice(name) => Some(whole_name(name)).filter(|name| choices.contains_key(*name)),
                    _ => None,
                };
                let is_made = |name: &&str| !answered.iter().any(|one| one == name);
                let kept = choices.keys().rev().map(String::as_str).find(is_made);
                let Some(name) = at_fault.or(kept).filter(is_made).map(str::to_owned) else {
                    return Err(Unsettled::Refused(Box::new(refusal)));
                };
                gone.extend(choices.remove_entry(&name));
            }
            _ => return Err(Unsettled::Refused(Box::new(refusal))),
        }
    };
    let Some(agreed) = agreed else { return Ok(Settled { decided, gone, lost_agreement: false }) };
    if decided.comes_to(agreed) {
        return Ok(Settled { decided, gone, lost_agreement: false });
    }
    Ok(match decide(Input::Agreed(choices, agreed.clone()), &entered) {
        Ok(decided) => Settled { decided, gone, lost_agreement: false },
        Err(_) => Settled { decided, gone, lost_agreement: true },
    })
}

fn played(step: SettledStep, choices: &Choices) -> Play {
    match step {
        SettledStep::Over => Play::Over(choices.clone()),
        SettledStep::Ball => Play::Ball(choices.clone()),
    }
}

/// The name of the choice that a place within it belongs to.
fn whole_name(place: &str) -> &str {
    place.split('.').next().unwrap_or(place)
}
