//! The events of a match of Howzat.

use super::ball::Detail;
use super::over::OverChoices;
use crate::dice::Die;
use crate::scorebook::{Delivery, Player};

/// The events of a match of this game.
#[derive(Debug, Clone, PartialEq)]
pub enum Event {
    /// The start of an over, with its choices.
    Over(OverChoices),
    /// A ball that was bowled.
    Ball(Ball),
}

/// One ball: its choices, its dice and its outcome.
#[derive(Debug, Clone)]
pub struct Ball {
    pub(super) next_batter: Option<Player>,
    /// The dice that were rolled. An admitted ball has none: its dice are in the log.
    pub(super) dice: Vec<Die>,
    pub(super) delivery: Delivery<Detail>,
}

/// Balls are equal when their choices and outcomes are. [`Dice`](crate::dice::Dice) checks the dice
/// themselves.
impl PartialEq for Ball {
    fn eq(&self, other: &Ball) -> bool {
        let Ball { next_batter, dice: _, delivery } = self;
        *next_batter == other.next_batter && *delivery == other.delivery
    }
}
