//! The events of a match of Cricket: The Game.

use super::awaiting::OpenChoice;
use super::ball::{Ball, Pending};
use super::over::OverChoices;
use super::state::Prepared;

/// The events of a match of this game.
#[derive(Debug, Clone, PartialEq)]
pub enum Event {
    /// The set-up of the match.
    SetUp(Prepared),
    /// The start of an over, with its choices.
    Over(OverChoices),
    /// A ball that waits for a decision.
    Roll(Pending),
    /// A ball that was bowled.
    Ball(Box<Ball>),
    /// An open choice of a side.
    OpenChoice(OpenChoice),
}
