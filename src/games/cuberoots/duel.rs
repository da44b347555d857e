//! The two sides of an over, the bowling and the batting, and a pair of values for them.

use std::ops::{Index, IndexMut};

/// The role of a side in an innings: it bowls or it bats.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Duty {
    /// The side bowls.
    Bowling,
    /// The side bats.
    Batting,
}

impl Duty {
    /// Both duties, in the order in which choices and dice are always taken.
    pub const BOTH: [Duty; 2] = [Duty::Bowling, Duty::Batting];

    /// The name in JSON: `bowling` or `batting`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Duty::Bowling => "bowling",
            Duty::Batting => "batting",
        }
    }

    /// The name of the choice that is this side's number of a ball.
    pub const fn number(self) -> &'static str {
        match self {
            Duty::Bowling => "bowler_number",
            Duty::Batting => "batter_number",
        }
    }

    /// The name of the choice that is this side's cube of a ball. The die has this name too when the cube is
    /// rolled.
    pub const fn cube(self) -> &'static str {
        match self {
            Duty::Bowling => "bowler_cube",
            Duty::Batting => "batter_cube",
        }
    }

    /// The name of the choice that says that this side rolls its cube.
    pub const fn rolled(self) -> &'static str {
        match self {
            Duty::Bowling => "bowler_rolled",
            Duty::Batting => "batter_rolled",
        }
    }
}

/// A pair of values, one for the bowling side and one for the batting side, read with `values[duty]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ByDuty<T> {
    /// The value of the bowling side.
    pub bowling: T,
    /// The value of the batting side.
    pub batting: T,
}

impl<T> ByDuty<T> {
    /// Makes both values, the bowling side's first.
    pub fn try_of<E>(mut make: impl FnMut(Duty) -> Result<T, E>) -> Result<ByDuty<T>, E> {
        Ok(ByDuty { bowling: make(Duty::Bowling)?, batting: make(Duty::Batting)? })
    }
}

impl<T> Index<Duty> for ByDuty<T> {
    type Output = T;
    fn index(&self, duty: Duty) -> &T {
        match duty {
            Duty::Bowling => &self.bowling,
            Duty::Batting => &self.batting,
        }
    }
}

impl<T> IndexMut<Duty> for ByDuty<T> {
    fn index_mut(&mut self, duty: Duty) -> &mut T {
        match duty {
            Duty::Bowling => &mut self.bowling,
            Duty::Batting => &mut self.batting,
        }
    }
}
