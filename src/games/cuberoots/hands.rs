//! What the two sides have in hand for an over.

use super::bag::{HAND, Six};
use super::duel::Duel;

/// What both sides play in an over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hands {
    /// At the table, without an order: each ball brings its numbers.
    Unknown,
    /// At the table: these numbers in this order, none where the cube is rolled.
    Numbers(Duel<[Option<u8>; HAND]>),
    /// From a seed: cubes that were dealt.
    Dealt(Duel<Hand>),
}

/// The six cubes of a side in a seeded match.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hand {
    /// The cubes as they were dealt.
    pub dealt: Six,
    /// The cubes as they are played.
    pub order: Six,
    /// The ball of the over on which the cube is rolled, from 1.
    pub roll: Option<u8>,
}

impl Hand {
    /// Six cubes in the order they are dealt.
    pub fn as_dealt(dealt: Six) -> Hand {
        Hand { dealt, order: dealt, roll: None }
    }
}
