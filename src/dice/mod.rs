//! Dice specification v1: how a seed becomes dice, so that any language can check them.
//!
//! A *draw* is a domain and an ordinal; its bytes are one 64-byte ChaCha20 block under the match seed, the domain
//! being the nonce and the ordinal the block number. Any draw can be computed alone. Players who roll by hand use
//! [`TableDice`], a replay uses [`RecordedDice`]; games see only the trait [`Dice`].

mod recorded;
mod seed;
mod seeded;
mod table;

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

pub use self::recorded::{NotedDice, RecordedDice};
pub use self::seed::{MatchSeed, NotASeed, SeedSeries, Seeds, ServerSeed};
pub use self::seeded::SeededDice;
pub use self::table::TableDice;

/// The version of the dice specification, as written in `match_created`.
pub const DICE_SPEC: u8 = 1;

/// What the die of the toss is for: two sides, 1 heads and 2 tails.
pub const COIN: &str = "coin";

/// What a draw is for; the number is the nonce of its bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u64)]
pub enum Domain {
    /// The coin.
    Toss = 1,
    /// Preparation before the toss.
    SetUp = 2,
    /// An over.
    Over = 3,
    /// A ball.
    Ball = 4,
    /// A review.
    Review = 5,
    /// A choice for one who stays silent about an over.
    SilentOver = 6,
    /// A choice for one who stays silent about a ball.
    SilentBall = 7,
}

/// One draw: dice that are rolled together and can be computed alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Draw {
    /// What it is for.
    pub domain: Domain,
    /// Which one of its kind.
    pub ordinal: u64,
}

impl Draw {
    /// The draw of the toss.
    pub const TOSS: Draw = Draw { domain: Domain::Toss, ordinal: 0 };

    /// The draw of what is prepared before the toss.
    pub const SET_UP: Draw = Draw { domain: Domain::SetUp, ordinal: 0 };

    /// The draw of an over; innings and overs count from 1.
    pub const fn over(innings: u16, over: u16) -> Draw {
        Draw { domain: Domain::Over, ordinal: innings as u64 * 65_536 + over as u64 }
    }

    /// The draw of a choice for one who stays silent about an over; about what comes before the first, both are 0.
    pub const fn silent(innings: u16, over: u16) -> Draw {
        Draw { domain: Domain::SilentOver, ordinal: Draw::over(innings, over).ordinal }
    }

    /// The draw of a ball, by its number in the match, from 1.
    pub const fn ball(delivery: u32) -> Draw {
        Draw { domain: Domain::Ball, ordinal: delivery as u64 }
    }

    /// The draw of the review of a ball, by the ball's number in the match.
    pub const fn review(delivery: u32) -> Draw {
        Draw { domain: Domain::Review, ordinal: delivery as u64 }
    }

    /// The draw of a choice for one who stays silent about a ball, by the ball's number in the match.
    pub const fn silent_ball(delivery: u32) -> Draw {
        Draw { domain: Domain::SilentBall, ordinal: delivery as u64 }
    }
}

/// A die as the log has it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Die {
    /// What it was rolled for, in the game's words.
    #[serde(rename = "for")]
    #[schema(value_type = String)]
    pub what: Cow<'static, str>,
    /// How many sides it has: 2 to 256.
    pub sides: u16,
    /// What it showed: 1 to `sides`.
    pub value: u16,
}

/// What one draw dealt, one deal after the other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Deals {
    /// The draw.
    pub draw: Draw,
    /// Each deal: what there was, in the order before, and what was taken from the top once it was shuffled.
    pub each: Vec<(Vec<u8>, Vec<u8>)>,
}

/// What was wrong with dice that were entered or recorded. `at` counts the ball's dice from 0.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DiceFault {
    /// The next die is not there.
    #[error("the {what} die (1 to {sides}) is missing")]
    Missing {
        /// Which die.
        at: usize,
        /// What it is for.
        what: &'static str,
        /// Its sides.
        sides: u16,
    },
    /// No such face.
    #[error("the {what} die has {sides} sides and cannot show {found}")]
    Impossible {
        /// Which die.
        at: usize,
        /// What it is for.
        what: &'static str,
        /// Its sides.
        sides: u16,
        /// What was entered.
        found: i64,
    },
    /// More dice than were rolled.
    #[error("{given} dice are given, but only {used} are rolled")]
    TooMany {
        /// How many are rolled.
        used: usize,
        /// How many are given.
        given: usize,
    },
    /// A recorded die was rolled for something else.
    #[error("a {sides}-sided die for {what} is due here, not a {}-sided one for {}", .found.sides, .found.what)]
    Misplaced {
        /// Which die.
        at: usize,
        /// What is due.
        what: &'static str,
        /// Its sides.
        sides: u16,
        /// What is recorded.
        found: Die,
    },
    /// Things that were dealt which were not there to be dealt, or not so many as are.
    #[error("{take} different ones of the {there} that are left are dealt; these are not")]
    Misdealt {
        /// How many are dealt.
        take: usize,
        /// How many there are.
        there: usize,
    },
    /// At a table nothing is dealt by the service.
    #[error("at a table the service deals nothing")]
    NotDealt,
}

/// Where a game's dice come from.
pub trait Dice {
    /// Begins a draw; what was left of the one before is never used.
    fn begin(&mut self, draw: Draw);

    /// The next die of the draw: 1 to `sides` (2 to 256).
    fn roll(&mut self, what: &'static str, sides: u16) -> Result<u16, DiceFault>;

    /// Whether they are those of a log, which can be looked at before they are rolled.
    fn are_recorded(&self) -> bool {
        false
    }

    /// Shuffles up to 256 things with the draw, and gives the first `take` of them.
    fn deal(&mut self, from: &[u8], take: usize) -> Result<Vec<u8>, DiceFault>;

    /// Ends the draw; refuses dice that were given but not rolled.
    fn end(&mut self) -> Result<(), DiceFault>;
}

/// Refuses dice that were given and not rolled.
fn none_left(used: usize, given: usize) -> Result<(), DiceFault> {
    if used == given { Ok(()) } else { Err(DiceFault::TooMany { used, given }) }
}
