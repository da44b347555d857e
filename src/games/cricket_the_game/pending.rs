//! How what is entered for a ball goes together with what was chosen and rolled of it before.

use super::ball::{AFTER_DICE, not_asked};
use super::rulings::*;
use super::state::State;
use crate::dice::Die;
use crate::rules::{Choices, Refusal};

/// The choice that is asked for after dice.
pub fn asked_of(state: &State) -> Option<&'static str> {
    let asked = state.pending.as_deref()?.asked.as_ref()?;
    Some(asked.name)
}

/// The choices of a ball with those that were locked before; refuses what changes them, and what nobody has
/// asked for.
pub fn with_pending(state: &State, given: &Choices, recorded: bool) -> Result<Choices, Refusal> {
    let pending = state.pending.as_deref();
    let asked = asked_of(state);
    if state.is_seeded() && !recorded {
        let locked = |name: &str| pending.is_some_and(|pending| pending.choices.contains_key(name));
        let unasked = |name: &&str| given.contains_key(*name) && asked != Some(*name) && !locked(name);
        if let Some(name) = AFTER_DICE.into_iter().find(unasked) {
            return Err(not_asked(name));
        }
        if given.contains_key("over_card") && !locked("over_card") {
            let message = "the over card is drawn from the seed; leave over_card out";
            return Err(Refusal::choice("over_card", message).by(&BALL_OVER_CARD));
        }
    }
    let Some(pending) = pending else { return Ok(given.clone()) };
    let mut choices = pending.choices.clone();
    for (name, value) in given {
        let is_answer = recorded || asked == Some(name.as_str());
        match choices.get(name) {
            Some(locked) if locked == value => {}
            None if is_answer => {
                choices.insert(name.clone(), value.clone());
            }
            Some(_) | None => {
                let due = asked.unwrap_or("the ball");
                let message = format!("{name} is settled; the match waits for {due}");
                return Err(Refusal::choice(name.as_str(), message).by(&BALL_LOCKED));
            }
        }
    }
    Ok(choices)
}

/// Makes sure that a ball goes on from the dice it has.
pub fn check_locked(state: &State, rolled: &[Die]) -> Result<(), Refusal> {
    match &state.pending {
        Some(pending) if !rolled.starts_with(&pending.dice) => {
            let message = "the ball does not go on from the dice that were rolled";
            Err(Refusal::choice("", message).by(&BALL_LOCKED))
        }
        _ => Ok(()),
    }
}
