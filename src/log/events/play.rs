//! Play: what is set up before the toss, overs, deliveries that wait for a choice, and balls.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;

use super::{AsStood, Choice, Reveal};
use crate::dice::{Die, Draw};
use crate::scorebook::Outcome;

/// A match is prepared, before its toss.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SetUp {
    /// The game's choices, resolved.
    #[schema(value_type = Object)]
    pub choices: Map<String, Value>,
    /// Dice rolled for it, in order.
    pub dice: Vec<Die>,
}

/// An over begins.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Over {
    /// The innings, from 1.
    pub innings: u16,
    /// The over of the innings, from 1.
    pub over: u16,
    /// The game's choices for the over, resolved.
    #[schema(value_type = Object)]
    pub choices: Map<String, Value>,
    /// Dice rolled for the over, in order.
    pub dice: Vec<Die>,
    /// The secret choices it follows from, home's first; only where they were made in secret.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reveals: Vec<Reveal>,
}

/// What has been chosen and rolled of a delivery so far, and does not change any more: somebody has to choose before it
/// goes on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Roll {
    /// The number of the delivery in the match, from 1.
    pub delivery: u32,
    /// The game's choices for it so far, resolved.
    #[schema(value_type = Object)]
    pub choices: Map<String, Value>,
    /// The dice rolled for it so far, in order.
    pub dice: Vec<Die>,
    /// The secret choices it follows from, home's first; only where they were made in secret.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reveals: Vec<Reveal>,
}

/// The draw of the dice specification that an event's dice come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct DrawRecord {
    /// 4 for a ball.
    pub domain: u64,
    /// The delivery's number in the match.
    pub ordinal: u64,
}

impl From<Draw> for DrawRecord {
    fn from(draw: Draw) -> DrawRecord {
        DrawRecord { domain: draw.domain as u64, ordinal: draw.ordinal }
    }
}

/// A ball was bowled.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Ball {
    /// The innings, from 1.
    pub innings: u16,
    /// The over of the innings, from 1.
    pub over: u16,
    /// The place in the over, counting every delivery, from 1.
    pub ball: u32,
    /// The number in the match, from 1.
    pub delivery: u32,
    /// The draw its dice come from; null with table dice.
    pub seed: Option<DrawRecord>,
    /// The game's choices for the ball, resolved.
    #[schema(value_type = Object)]
    pub choices: Map<String, Value>,
    /// The dice, in the order rolled.
    pub dice: Vec<Die>,
    /// What came of it.
    pub outcome: Outcome,
    /// What the rules come to, where the table agreed on something else: the outcome is then what stands.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub as_stood: Option<Box<AsStood>>,
}

impl Ball {
    /// The draw a seeded ball of this number is made with.
    pub fn draw(delivery: u32) -> DrawRecord {
        Draw::ball(delivery).into()
    }
}

/// An event of play.
#[derive(Debug, Clone, Copy)]
pub enum Played<'a> {
    /// A match is prepared.
    SetUp(&'a SetUp),
    /// An over begins.
    Over(&'a Over),
    /// A delivery has come so far that somebody has to choose.
    Roll(&'a Roll),
    /// A ball was bowled.
    Ball(&'a Ball),
    /// A side has chosen in the open.
    Choice(&'a Choice),
}

impl<'a> Played<'a> {
    /// The dice that are on record with it.
    pub fn dice(self) -> &'a [Die] {
        match self {
            Played::SetUp(set_up) => &set_up.dice,
            Played::Over(over) => &over.dice,
            Played::Roll(roll) => &roll.dice,
            Played::Ball(ball) => &ball.dice,
            Played::Choice(_) => &[],
        }
    }
}
