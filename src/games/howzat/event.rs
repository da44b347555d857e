//! The events of a match of Howzat.

use super::ball::Detail;
use super::over::OverChoices;
use crate::dice::Die;
use crate::scorebook::{Delivery, Player};

/// What happens in a match of Howzat.
#[derive(Debug, Clone, PartialEq)]
pub enum Event {
    /// An over begins.
    Over(OverChoices),
    /// A ball was bowled.
    Ball(Ball),
}

/// One ball: what was chosen, what was rolled, what came of it.
#[derive(Debug, Clone)]
pub struct Ball {
    pub(super) next_batter: Option<Player>,
    /// What was rolled; no dice in an admitted ball, whose dice are on record.
    pub(super) dice: Vec<Die>,
    pub(super) delivery: Delivery<Detail>,
}

/// Whether two balls have equal choices and outcomes. That their dice are equal too is for
/// [`Dice`](crate::dice::Dice) to see to.
impl PartialEq for Ball {
    fn eq(&self, other: &Ball) -> bool {
        let Ball { next_batter, dice: _, delivery } = self;
        *next_batter == other.next_batter && *delivery == other.delivery
    }
}
