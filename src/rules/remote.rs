//! Remote play: the choices that each side of a match makes for itself, in secret or in the open.

use serde_json::Value;

use super::{Choices, Place, Play, Refusal, RefusalKind};
use crate::dice::Dice;
use crate::scorebook::{BySide, Side};

/// The kind of a choice in remote play: made by both sides in secret, or by one openly.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChoiceKind {
    /// The name of the choice, in the terms of the game: `order`, ...
    pub what: &'static str,
    /// The number in the over of the ball that the choice is for; none for a choice about the over.
    pub ball: Option<u32>,
}

/// The choices of sides, in a game that knows whose each choice is. A state of the game answers for itself.
pub trait RemoteChoices {
    /// Whether this side makes the choice of this name, in an over or a ball.
    fn is_chosen_by(&self, choice: &str, side: Side) -> bool;

    /// The secret choice that both sides make now, if there is one.
    fn secret(&self) -> Option<ChoiceKind> {
        None
    }

    /// The open choice that has to be made before the over or the ball can go on, and its side; only in
    /// remote play.
    fn open_choice(&self) -> Option<(Side, ChoiceKind)> {
        None
    }

    /// The play for a side that timed out over an open choice.
    fn on_timeout(&self) -> Play {
        Play::Choose(Choices::new())
    }

    /// The hand of a side, from which it chooses in secret, for that side only: a list of objects, each with
    /// the `value` and the `title` of an option. Null if it has none.
    fn hand(&self, _side: Side, _dice: &mut dyn Dice) -> Result<Value, Refusal> {
        Ok(Value::Null)
    }

    /// Checks the secret choice of a side, and gives it in its form for the log.
    fn check(&self, _side: Side, _given: &Choices, _dice: &mut dyn Dice) -> Result<Choices, Refusal> {
        Err(no_secret_choice())
    }

    /// Draws secret choices for the sides that timed out, the bowling side's first.
    fn draw_for(&self, _timed_out: BySide<bool>, _dice: &mut dyn Dice) -> Result<BySide<Choices>, Refusal> {
        Err(no_secret_choice())
    }

    /// The play that follows when both secret choices are open.
    fn reveal(&self, _choices: BySide<Choices>) -> Play {
        Play::Over(Choices::new())
    }
}

/// The refusal of a secret choice by a game without them.
pub(crate) fn no_secret_choice() -> Refusal {
    Refusal::new(RefusalKind::OutOfTurn, Place::Input, "this game has no secret choices")
}
