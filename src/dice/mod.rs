//! Dice specification v1: how a seed gives dice, so that a program in any language can check them.
//!
//! A *draw* is a domain and an ordinal. Its bytes are one 64-byte ChaCha20 block under the match seed: the
//! domain is the nonce, the ordinal the block number. Any draw can be computed alone. [`TableDice`] are for
//! players who roll by hand, [`RecordedDice`] for a replay; games see only the trait [`Dice`].

mod recorded;
mod seed;
mod seeded;
mod table;

use std::borrow::Cow;

use crate::canonical::canonical_form;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

pub use self::recorded::{NotedDice, RecordedDice};
pub use self::seed::{MatchSeed, NotASeed, SeedSeries, Seeds, ServerSeed};
pub use self::seeded::SeededDice;
pub use self::table::TableDice;

/// The version of the dice specification, recorded in `match_created`.
pub const DICE_SPEC: u8 = 1;

/// The name of the die of the toss: two sides, 1 heads and 2 tails.
pub const COIN: &str = "coin";

/// The purpose of a draw; the number is the nonce of its bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u64)]
pub enum Domain {
    /// The coin of the toss.
    Toss = 1,
    /// The set-up before the toss.
    SetUp = 2,
    /// The cards or cubes of an over.
    Over = 3,
    /// The dice of a ball.
    Ball = 4,
    /// The review of a ball.
    Review = 5,
    /// A choice about an over, for a side that timed out.
    TimeoutOver = 6,
    /// A choice about a ball, for a side that timed out.
    TimeoutBall = 7,
}

/// A draw: dice that are rolled together and can be computed alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Draw {
    /// The purpose of the draw.
    pub domain: Domain,
    /// The number of the draw in its domain.
    pub ordinal: u64,
}

impl Draw {
    /// The draw of the toss.
    pub const TOSS: Draw = Draw { domain: Domain::Toss, ordinal: 0 };

    /// The draw of the set-up before the toss.
    pub const SET_UP: Draw = Draw { domain: Domain::SetUp, ordinal: 0 };

    /// The draw of an over; innings and overs count from 1.
    pub const fn over(innings: u16, over: u16) -> Draw {
        Draw { domain: Domain::Over, ordinal: innings as u64 * 65_536 + over as u64 }
    }

    /// The draw of a choice about an over for a side that timed out; both numbers are 0 before the first
    /// over.
    pub const fn timeout_over(innings: u16, over: u16) -> Draw {
        Draw { domain: Domain::TimeoutOver, ordinal: Draw::over(innings, over).ordinal }
    }

    /// The draw of a ball, by its number in the match, from 1.
    pub const fn ball(delivery: u32) -> Draw {
        Draw { domain: Domain::Ball, ordinal: delivery as u64 }
    }

    /// The draw of the review of a ball, by the ball's number in the match.
    pub const fn review(delivery: u32) -> Draw {
        Draw { domain: Domain::Review, ordinal: delivery as u64 }
    }

    /// The draw of a choice about a ball for a side that timed out, by the ball's number in the match.
    pub const fn timeout_ball(delivery: u32) -> Draw {
        Draw { domain: Domain::TimeoutBall, ordinal: delivery as u64 }
    }
}

canonical_form! {
    /// A die, as recorded in the log.
    #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
    #[serde(deny_unknown_fields)]
    pub struct Die {
        /// The name of the die, in the terms of the game.
        #[serde(rename = "for")]
        #[schema(value_type = String)]
        pub what: Cow<'static, str>,
        /// The number of its sides, 2 to 256.
        pub sides: u16,
        /// The face that it showed, 1 to `sides`.
        pub value: u16,
    }
}

/// The deals of one draw, in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Deals {
    /// The draw behind the deals.
    pub draw: Draw,
    /// Each deal: the values before the shuffle, in order, and those that were taken from the top after it.
    pub each: Vec<(Vec<u8>, Vec<u8>)>,
}

/// A fault of dice that were entered or recorded. `at` counts the dice of the ball from 0.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DiceFault {
    /// The next die is missing.
    #[error("the {what} die (1 to {sides}) is missing")]
    Missing {
        /// The index of the die.
        at: usize,
        /// The name of the die.
        what: &'static str,
        /// The number of its sides.
        sides: u16,
    },
    /// The die has no such face.
    #[error("the {what} die has {sides} sides and cannot show {found}")]
    Impossible {
        /// The index of the die.
        at: usize,
        /// The name of the die.
        what: &'static str,
        /// The number of its sides.
        sides: u16,
        /// The value that was entered.
        found: i64,
    },
    /// There are more dice than were rolled.
    #[error("{given} dice are given, but only {used} are rolled")]
    TooMany {
        /// The number of dice that are rolled.
        used: usize,
        /// The number of dice that are given.
        given: usize,
    },
    /// The recorded die is of another name or size.
    #[error("a {sides}-sided die for {what} is due here, not a {}-sided one for {}", .found.sides, .found.what)]
    Misplaced {
        /// The index of the die.
        at: usize,
        /// The name of the expected die.
        what: &'static str,
        /// The number of its sides.
        sides: u16,
        /// The die in the log.
        found: Die,
    },
    /// The dealt values are not values that could be dealt, or are not as many.
    #[error("{take} different values of the {there} left have to be dealt; these are not")]
    Misdealt {
        /// The number of values that are dealt.
        take: usize,
        /// The number of values that there are.
        there: usize,
    },
    /// The service deals nothing in a match with table dice.
    #[error("the service deals nothing in a match with table dice")]
    NotDealt,
}

/// The source of a game's dice.
pub trait Dice {
    /// Begins a draw; the bytes left of the draw before are never used.
    fn begin(&mut self, draw: Draw);

    /// Rolls the next die of the draw: 1 to `sides` (2 to 256).
    fn roll(&mut self, what: &'static str, sides: u16) -> Result<u16, DiceFault>;

    /// Whether the dice are those of a log, which can be looked at before they are rolled.
    fn are_recorded(&self) -> bool {
        false
    }

    /// Shuffles up to 256 values with the draw, and returns the first `take` of them.
    fn deal(&mut self, from: &[u8], take: usize) -> Result<Vec<u8>, DiceFault>;

    /// Ends the draw; refuses dice that were given but not rolled.
    fn end(&mut self) -> Result<(), DiceFault>;
}

/// Refuses dice that were given but not rolled.
fn none_left(used: usize, given: usize) -> Result<(), DiceFault> {
    if used == given { Ok(()) } else { Err(DiceFault::TooMany { used, given }) }
}
