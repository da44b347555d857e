use std::fmt;
use std::ops::{Index, IndexMut};

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// One of the two sides of a match.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// The side named first when the match was created.
    Home,
    /// The side named second.
    Away,
}

impl Side {
    /// The opponents of this side.
    pub const fn other(self) -> Side {
        match self {
            Side::Home => Side::Away,
            Side::Away => Side::Home,
        }
    }

    /// The name in JSON: `home` or `away`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Side::Home => "home",
            Side::Away => "away",
        }
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A pair of values, one for each side, read with `values[side]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct BySide<T> {
    /// The home side's value.
    pub home: T,
    /// The away side's value.
    pub away: T,
}

impl<T> Index<Side> for BySide<T> {
    type Output = T;
    fn index(&self, side: Side) -> &T {
        match side {
            Side::Home => &self.home,
            Side::Away => &self.away,
        }
    }
}

impl<T> IndexMut<Side> for BySide<T> {
    fn index_mut(&mut self, side: Side) -> &mut T {
        match side {
            Side::Home => &mut self.home,
            Side::Away => &mut self.away,
        }
    }
}
