//! The cubes and numbers that the two sides hold for an over.

use super::bag::{HAND, Six};
use super::duel::ByDuty;

/// The cubes or numbers that both sides play in an over, as far as they are known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hands {
    /// Table dice, without an order: the numbers come with each ball.
    Unknown,
    /// Table dice, with an order: these numbers, and none for a cube that is rolled.
    Numbers(ByDuty<[Option<u8>; HAND]>),
    /// Seeded dice: the cubes that were dealt.
    Dealt(ByDuty<Hand>),
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
    /// A hand that plays its six cubes in the order in which they were dealt.
    pub fn as_dealt(dealt: Six) -> Hand {
        Hand { dealt, order: dealt, roll: None }
    }
}
