use std::ops::{Index, IndexMut};

/// What a side does in an innings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Duty {
    /// It bowls.
    Bowling,
    /// It bats.
    Batting,
}

impl Duty {
    /// Bowling and batting, in the order in which they are always taken.
    pub const BOTH: [Duty; 2] = [Duty::Bowling, Duty::Batting];

    /// The name used on the wire: `bowling` or `batting`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Duty::Bowling => "bowling",
            Duty::Batting => "batting",
        }
    }

    /// The choice of a ball that is its number.
    pub const fn number(self) -> &'static str {
        match self {
            Duty::Bowling => "bowler_number",
            Duty::Batting => "batter_number",
        }
    }

    /// The choice of a ball that is its cube, and what the die is for where that is rolled.
    pub const fn cube(self) -> &'static str {
        match self {
            Duty::Bowling => "bowler_cube",
            Duty::Batting => "batter_cube",
        }
    }

    /// The choice of a ball that says that its cube is rolled.
    pub const fn rolled(self) -> &'static str {
        match self {
            Duty::Bowling => "bowler_rolled",
            Duty::Batting => "batter_rolled",
        }
    }
}

/// One value for the bowling side and one for the batting side, read with `values[duty]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Duel<T> {
    /// The bowling side's.
    pub bowling: T,
    /// The batting side's.
    pub batting: T,
}

impl<T> Duel<T> {
    /// Makes both values, the bowling side's first.
    pub fn try_of<E>(mut make: impl FnMut(Duty) -> Result<T, E>) -> Result<Duel<T>, E> {
        Ok(Duel { bowling: make(Duty::Bowling)?, batting: make(Duty::Batting)? })
    }
}

impl<T> Index<Duty> for Duel<T> {
    type Output = T;
    fn index(&self, duty: Duty) -> &T {
        match duty {
            Duty::Bowling => &self.bowling,
            Duty::Batting => &self.batting,
        }
    }
}

impl<T> IndexMut<Duty> for Duel<T> {
    fn index_mut(&mut self, duty: Duty) -> &mut T {
        match duty {
            Duty::Bowling => &mut self.bowling,
            Duty::Batting => &mut self.batting,
        }
    }
}
