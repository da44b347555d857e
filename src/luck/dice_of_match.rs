//! The dice of a match with the scores after them: all that a reading of its luck is handed.

use std::collections::HashSet;

use crate::dice::Die;
use crate::log::{DeliveryPlace, EndedInnings};
use crate::matches::Phase;
use crate::scorebook::Side;
use crate::views::{DeliveriesAsOf, DeliveryRow};

/// How far a match has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MatchEnd {
    /// In play, or not begun.
    None,
    /// Completed: the winner, or none of a tie.
    Completed(Option<Side>),
    /// Abandoned, without a result.
    Abandoned,
}

/// A delivery: its dice, and the score after it.
#[derive(Debug, Clone, PartialEq)]
pub struct DiceOfDelivery {
    /// The number of the delivery in the match, from 1.
    pub delivery: u32,
    /// The place of the delivery.
    pub place: DeliveryPlace,
    /// The number of the innings, from 1.
    pub innings: u16,
    /// The legal balls of the innings up to this delivery.
    pub balls: u32,
    /// The wickets lost.
    pub wickets: u32,
    /// The runs of the side batting.
    pub runs: u32,
    /// Whether the table agreed on what the delivery came to.
    pub agreed: bool,
    /// The dice, in the order rolled.
    pub dice: Vec<Die>,
}

/// The dice of a match, and the scores after them.
#[derive(Debug, Clone, PartialEq)]
pub struct DiceOfMatch {
    /// The side that bats first, once that is decided.
    pub bats_first: Option<Side>,
    /// The deliveries that stand, in order.
    pub deliveries: Vec<DiceOfDelivery>,
    /// The innings that ended by agreement.
    pub ended: Vec<EndedInnings>,
    /// How far the match has come.
    pub end: MatchEnd,
}

impl DiceOfMatch {
    /// The dice of a match as of an event.
    pub fn of(past: &DeliveriesAsOf) -> DiceOfMatch {
        let (loaded, play) = (&past.loaded, past.loaded.the_match().play());
        let end = match play.phase() {
            Phase::Completed(result) => MatchEnd::Completed(result.winner),
            Phase::Abandoned => MatchEnd::Abandoned,
            Phase::SetUp | Phase::Toss | Phase::TossDecision(_) | Phase::Play => MatchEnd::None,
        };
        let agreed: HashSet<u32> = loaded.exceptions().map(|exception| exception.delivery).collect();
        let of_row = |row: &DeliveryRow| DiceOfDelivery {
            delivery: row.delivery,
            place: row.place.clone(),
            innings: row.innings,
            balls: row.balls,
            wickets: row.wickets,
            runs: row.total,
            agreed: agreed.contains(&row.delivery),
            dice: row.dice.clone(),
        };
        DiceOfMatch {
            bats_first: loaded.projection().bats_first(),
            deliveries: past.rows.iter().map(of_row).collect(),
            ended: play.ended().to_vec(),
            end,
        }
    }
}
