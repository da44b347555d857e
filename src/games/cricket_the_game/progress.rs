//! How far an innings has come, beyond what every scorebook counts: the batters' meters, the bowling side's
//! overs, the over in progress.

use smallvec::SmallVec;

use super::edition::model::Attitude;
use super::field::Field;
use super::squad::{SQUAD, Squad};
use crate::scorebook::Player;

/// The meters of the batters, by player: confidence, attitude, skills used.
#[derive(Debug, Clone, Copy)]
pub struct Batting {
    pub(super) confidence: [i8; SQUAD as usize],
    pub(super) attitude: [Attitude; SQUAD as usize],
    /// Bit `s` is set once a player has used skill `s`.
    pub(super) skills_used: [u8; SQUAD as usize],
}

/// What the bowling side has done in this innings.
#[derive(Debug, Clone, Copy, Default)]
pub struct Bowling {
    pub(super) field: Option<Field>,
    pub(super) overs_bowled: [u8; SQUAD as usize],
    pub(super) last_bowler: Option<Player>,
    pub(super) power_play_called: bool,
    /// Whether the bowler rolls a d8 on the next ball that is not express.
    pub(super) patience: bool,
}

/// What comes after a ball that has to be bowled again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Due {
    /// A ball with an over card of its own.
    #[default]
    Card,
    /// The ball after a dead ball, without an over card.
    Again,
    /// The ball after a no-ball, without an over card.
    FreeHit,
}

/// What an over has seen so far.
#[derive(Debug, Clone, Default)]
pub struct OverSoFar {
    pub(super) power_play: bool,
    /// The over cards turned, by their place in the deck.
    pub(super) turned: SmallVec<[u8; 6]>,
    /// Bit `b` is set once bowl `b` has been bowled.
    pub(super) bowled: u16,
    /// Bit `s` is set once the bowler has used skill `s`.
    pub(super) skills_used: u8,
    pub(super) threats: u8,
    pub(super) due: Due,
    /// The cards of the over, where a simulation has dealt them all at once.
    pub(super) dealt: Option<[u8; 6]>,
}

impl Batting {
    /// What the batters of a squad begin an innings with.
    pub fn of(squad: &Squad) -> Batting {
        Batting {
            confidence: squad.map(|member| member.confidence),
            attitude: [Attitude::Defensive; SQUAD as usize],
            skills_used: [0; SQUAD as usize],
        }
    }
}
