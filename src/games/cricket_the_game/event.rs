//! The events of a match of Cricket: The Game.

use super::awaiting::OpenChoice;
use super::ball::{Ball, Pending};
use super::over::OverChoices;
use super::state::Prepared;

/// What happens in a match of Cricket: The Game.
#[derive(Debug, Clone, PartialEq)]
pub enum Event {
    /// The match is set up.
    SetUp(Prepared),
    /// An over begins.
    Over(OverChoices),
    /// A ball waits for somebody to decide.
    Roll(Pending),
    /// A ball was bowled.
    Ball(Box<Ball>),
    /// A side has chosen in the open.
    Said(OpenChoice),
}
