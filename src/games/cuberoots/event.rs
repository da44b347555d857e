//! The events of a match of CubeRoots cricket.

use super::ball::Detail;
use super::duel::ByDuty;
use super::over::OverChoices;
use super::played::Played;
use crate::dice::Die;
use crate::scorebook::Delivery;

/// The events of a match of this game.
#[derive(Debug, Clone, PartialEq)]
pub enum Event {
    /// The start of an over, with its choices.
    Over(OverChoices),
    /// A ball that was bowled.
    Ball(Ball),
}

/// One ball: the numbers that both sides play, its dice and its outcome.
#[derive(Debug, Clone)]
pub struct Ball {
    /// The numbers of both sides; none for a ball that nobody knows any more.
    pub(super) played: Option<ByDuty<Played>>,
    /// The dice that were rolled. An admitted ball has none: its dice are in the log.
    pub(super) dice: Vec<Die>,
    pub(super) delivery: Delivery<Detail>,
}

/// Balls are equal when their plays and outcomes are. [`Dice`](crate::dice::Dice) checks the dice themselves.
impl PartialEq for Ball {
    fn eq(&self, other: &Ball) -> bool {
        let Ball { played, dice: _, delivery } = self;
        *played == other.played && *delivery == other.delivery
    }
}
