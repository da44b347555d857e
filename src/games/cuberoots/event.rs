//! The events of a match of CubeRoots cricket.

use super::ball::Detail;
use super::duel::Duel;
use super::over::OverChoices;
use super::played::Played;
use crate::dice::Die;
use crate::scorebook::Delivery;

/// What happens in a match of CubeRoots cricket.
#[derive(Debug, Clone, PartialEq)]
pub enum Event {
    /// An over begins.
    Over(OverChoices),
    /// A ball was bowled.
    Ball(Ball),
}

/// One ball: what was played, what was rolled, what came of it.
#[derive(Debug, Clone)]
pub struct Ball {
    pub(super) played: Duel<Played>,
    /// What was rolled; no dice in an admitted ball, whose dice are on record.
    pub(super) dice: Vec<Die>,
    pub(super) delivery: Delivery<Detail>,
}

/// Whether two balls have equal plays and outcomes. That their dice are equal too is for
/// [`Dice`](crate::dice::Dice) to see to.
impl PartialEq for Ball {
    fn eq(&self, other: &Ball) -> bool {
        let Ball { played, dice: _, delivery } = self;
        *played == other.played && *delivery == other.delivery
    }
}
