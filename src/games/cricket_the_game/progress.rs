//! The progress of an innings beyond what every scorebook counts: the batters' meters, the overs of the
//! bowlers, the over in progress.

use smallvec::SmallVec;

use super::edition::model::Attitude;
use super::field::Field;
use super::squad::{SQUAD, Squad};
use crate::scorebook::Player;

/// The meters of the batters, by player: confidence, attitude and skills used.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Batting {
    pub(super) confidence: [i8; SQUAD as usize],
    pub(super) attitude: [Attitude; SQUAD as usize],
    /// Bit `s` is set once a player has used skill `s`.
    pub(super) skills_used: [u8; SQUAD as usize],
}

/// The field and the bowlers of the bowling side in this innings.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Bowling {
    pub(super) field: Option<Field>,
    pub(super) overs_bowled: [u8; SQUAD as usize],
    pub(super) last_bowler: Option<Player>,
    pub(super) power_play_called: bool,
    /// Whether the bowler rolls a d8 on the next ball that is not express.
    pub(super) patience: bool,
}

/// The kind of the next ball: an over turns a card for its legal balls only.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum NextBall {
    /// A ball with an over card of its own.
    #[default]
    WithCard,
    /// A ball after a dead ball, without an over card.
    Rebowled,
    /// A ball after a no-ball, without an over card.
    FreeHit,
}

/// The balls, cards and skills of the over so far.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct OverSoFar {
    pub(super) power_play: bool,
    /// The over cards turned, as indices into the deck.
    pub(super) turned: SmallVec<[u8; 6]>,
    /// The numbers in the over of the balls that turned them.
    pub(super) turned_on: [u8; 6],
    /// Bit `b` is set once bowl `b` has been bowled.
    pub(super) bowled: u16,
    /// Bit `s` is set once the bowler has used skill `s`.
    pub(super) skills_used: u8,
    pub(super) threats: u8,
    /// The number of its balls that nobody knows any more.
    pub(super) unknown: u8,
    pub(super) next_ball: NextBall,
    /// The cards of the over, in a simulation, which deals them all at once.
    pub(super) dealt: Option<[u8; 6]>,
}

impl Batting {
    /// The meters with which the batters of a squad begin an innings.
    pub fn of(squad: &Squad) -> Batting {
        Batting {
            confidence: squad.map(|member| member.confidence),
            attitude: [Attitude::Defensive; SQUAD as usize],
            skills_used: [0; SQUAD as usize],
        }
    }
}
