//! The events of play: the set-up before the toss, overs, deliveries that wait for a choice, and balls.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;

use super::super::value_fault::{ValueFault, read_value};
use super::version::if_of_version;
use super::{AgreementNote, Choice, DrawRecord, Reveal};
use crate::canonical::{canonical_form, is_default};
use crate::dice::{Die, Draw};
use crate::scorebook::Outcome;

canonical_form! {
    /// The set-up of a match, before its toss.
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
    #[serde(deny_unknown_fields)]
    pub struct SetUp {
        /// The choices of the game, with the defaults filled in.
        #[schema(value_type = Object)]
        pub choices: Map<String, Value>,
        /// The dice rolled for the set-up, in order.
        pub dice: Vec<Die>,
    }
}

canonical_form! {
    /// The start of an over.
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
    #[serde(deny_unknown_fields)]
    pub struct Over {
        /// The innings, from 1.
        pub innings: u16,
        /// The over of the innings, from 1.
        pub over: u16,
        /// The choices of the game for the over, with the defaults filled in.
        #[schema(value_type = Object)]
        pub choices: Map<String, Value>,
        /// The dice rolled for the over, in order.
        pub dice: Vec<Die>,
        /// The secret choices behind the event, home's first; only if there were any.
        #[serde(default, skip_serializing_if = "is_default")]
        pub reveals: Vec<Reveal>,
    }
}

impl Over {
    /// The start of an over that rolls no dice, with choices that nobody made in secret.
    pub fn of_choices(innings: u16, over: u16, choices: Map<String, Value>) -> Over {
        Over { innings, over, choices, dice: Vec::new(), reveals: Vec::new() }
    }
}

canonical_form! {
    /// The choices and dice of a delivery so far, which no longer change: the delivery waits for another choice.
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
    #[serde(deny_unknown_fields)]
    pub struct Roll {
        /// The number of the delivery in the match, from 1.
        pub delivery: u32,
        /// The choices of the game for the delivery so far.
        #[schema(value_type = Object)]
        pub choices: Map<String, Value>,
        /// The dice rolled for the delivery so far, in order.
        pub dice: Vec<Die>,
        /// The secret choices behind the event, home's first; only if there were any.
        #[serde(default, skip_serializing_if = "is_default")]
        pub reveals: Vec<Reveal>,
    }
}

canonical_form! {
    /// A ball that was bowled.
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
    #[serde(deny_unknown_fields)]
    pub struct Ball {
        /// The innings, from 1.
        pub innings: u16,
        /// The over of the innings, from 1.
        pub over: u16,
        /// The number in the over, counting every delivery, from 1.
        pub ball: u32,
        /// The number of the delivery in the match, from 1.
        pub delivery: u32,
        /// The draw of the dice; null with table dice.
        pub seed: Option<DrawRecord>,
        /// The choices of the game for the ball, with the defaults filled in.
        #[schema(value_type = Object)]
        pub choices: Map<String, Value>,
        /// The dice, in the order rolled.
        pub dice: Vec<Die>,
        /// The outcome of the ball.
        pub outcome: Outcome,
        /// The outcome by the rules, if the table agreed on another one: `outcome` is then the agreed outcome.
        #[serde(default, skip_serializing_if = "is_default")]
        pub as_stood: Option<Box<AgreementNote>>,
        /// Whether nobody knows the ball any more, so that it counts as a legal ball without a run; left out
        /// otherwise.
        #[serde(default, skip_serializing_if = "is_default")]
        pub unknown: bool,
    }
}

impl Ball {
    /// The version that has these members.
    pub(super) fn version(&self) -> u32 {
        if self.unknown || self.faces().is_some() { 2 } else { 1 }
    }

    /// The batter who faces after the ball by agreement, where that is not the one by the rules.
    pub fn faces(&self) -> Option<&str> {
        self.as_stood.as_ref()?.faces.as_deref()
    }

    /// Reads the members of a version that this program knows.
    pub(super) fn read_version(v: u32, data: &Value) -> Result<Ball, ValueFault> {
        let read = read_value::<Ball>(data)?;
        let newer = if read.unknown || read.as_stood.is_none() { "unknown" } else { "as_stood.faces" };
        if_of_version(v, read.version(), newer, read)
    }

    /// The draw of a seeded ball with this number.
    pub fn draw(delivery: u32) -> DrawRecord {
        Draw::ball(delivery).into()
    }
}

/// A recorded event of play.
#[derive(Debug, Clone, Copy)]
pub enum RecordedPlay<'a> {
    /// The set-up of a match.
    SetUp(&'a SetUp),
    /// The start of an over.
    Over(&'a Over),
    /// A delivery that waits for a choice.
    Roll(&'a Roll),
    /// A ball that was bowled.
    Ball(&'a Ball),
    /// An open choice of a side.
    Choice(&'a Choice),
}

impl<'a> RecordedPlay<'a> {
    /// The dice of the event.
    pub fn dice(self) -> &'a [Die] {
        match self {
            RecordedPlay::SetUp(set_up) => &set_up.dice,
            RecordedPlay::Over(over) => &over.dice,
            RecordedPlay::Roll(roll) => &roll.dice,
            RecordedPlay::Ball(ball) => &ball.dice,
            RecordedPlay::Choice(_) => &[],
        }
    }
}
