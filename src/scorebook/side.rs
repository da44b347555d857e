use std::fmt;
use std::ops::{Index, IndexMut};

use crate::canonical::canonical_form;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

canonical_form! {
    /// One of the two sides of a match.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
    pub enum Side {
        /// The side named first when the match was created.
        #[serde(rename = "home")]
        Home,
        /// The side named second.
        #[serde(rename = "away")]
        Away,
    }
}

impl Side {
    /// The opponents of this side.
    pub const fn other(self) -> Side {
        match self {
            Side::Home => Side::Away,
            Side::Away => Side::Home,
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
