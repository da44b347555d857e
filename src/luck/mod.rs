//! How the dice fell: the chances of a match whose rest is dice alone, and what each die did to them.
//!
//! A [`LuckTable`] has the chances of every state of such a match, and [`SimulatedLuck`] the figures of
//! simulated matches to compare a completed one with. A [`MatchLuck`] reads a match with them. It is handed
//! the dice that were rolled and the scores after them ([`DiceOfMatch`]): no seed is within its reach.

mod ball;
mod dice_of_match;
mod figures;
mod reach;
mod reading;
mod report;
mod simulated;
mod table;
#[cfg(test)]
mod tests;

use std::sync::Arc;

pub use self::dice_of_match::{DiceOfDelivery, DiceOfMatch, MatchEnd};
pub use self::reach::{ByOrder, StateOfPlay};
pub use self::report::{
    DeliveryLuck, DieLuck, FaceSeen, FacesSeen, LuckByThrower, LuckPage, MatchLuck, ResultChances,
    ThrowerLuck, ThrowsLuck, TurnOfMatch,
};
pub use self::simulated::{SIMULATED, SimulatedLuck};
pub use self::table::LuckTable;
use crate::matches::MatchInfo;
use crate::rules::MatchOdds;
use crate::scorebook::Side;

/// The odds of a match, where its dice alone decide it.
pub fn odds_of(info: &MatchInfo) -> Option<MatchOdds> {
    // The log has opened the match with the same settings, so nothing refuses them here.
    let mut game = (info.game.open)(&Arc::new(info.created.clone()), info.edition.as_deref()).ok()?;
    game.start(Side::Home);
    game.dice_alone()?.odds().ok()
}
