//! How the choices entered for a ball join those already chosen and the dice already rolled for it.

use super::ball::{AFTER_DICE, unasked_decision};
use super::rulings::*;
use super::state::CricketTheGame;
use crate::dice::Die;
use crate::rules::{Choices, Refusal};

/// The name of the choice that a pending ball waits for after its dice.
pub fn pending_question(state: &CricketTheGame) -> Option<&'static str> {
    let question = state.pending.as_deref()?.question.as_ref()?;
    Some(question.name)
}

/// The choices of a ball, joined with those that were locked before. Refuses a choice that would change one
/// of those, or that answers a question nobody has asked.
pub fn with_pending(state: &CricketTheGame, given: &Choices, recorded: bool) -> Result<Choices, Refusal> {
    let pending = state.pending.as_deref();
    let question = pending_question(state);
    if state.is_seeded() && !recorded {
        let locked = |name: &str| pending.is_some_and(|pending| pending.choices.contains_key(name));
        let unasked = |name: &&str| given.contains_key(*name) && question != Some(*name) && !locked(name);
        if let Some(name) = AFTER_DICE.into_iter().find(unasked) {
            return Err(unasked_decision(name));
        }
        if given.contains_key("over_card") && !locked("over_card") {
            let message = "the over card is drawn from the seed; leave over_card out";
            return Err(Refusal::choice("over_card", message).by(&BALL_OVER_CARD));
        }
    }
    let Some(pending) = pending else { return Ok(given.clone()) };
    let mut choices = pending.choices.clone();
    for (name, value) in given {
        let is_answer = recorded || question == Some(name.as_str());
        match choices.get(name) {
            Some(locked) if locked == value => {}
            None if is_answer => {
                choices.insert(name.clone(), value.clone());
            }
            Some(_) | None => {
                let awaited = question.unwrap_or("the ball");
                let message = format!("{name} has already been chosen; the match waits for {awaited}");
                return Err(Refusal::choice(name.as_str(), message).by(&BALL_LOCKED));
            }
        }
    }
    Ok(choices)
}

/// Refuses a ball whose dice do not begin with those already rolled.
pub fn check_locked(state: &CricketTheGame, rolled: &[Die]) -> Result<(), Refusal> {
    match &state.pending {
        Some(pending) if !rolled.starts_with(&pending.dice) => {
            let message = "the dice of this ball do not begin with those already rolled";
            Err(Refusal::choice("", message).by(&BALL_LOCKED))
        }
        _ => Ok(()),
    }
}
