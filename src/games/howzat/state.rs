//! The state of a match of Howzat, folded from its events.

use std::sync::Arc;

use super::field::Field;
use super::options::Options;
use crate::log::MatchCreated;
use crate::scorebook::{Innings, MatchResult, Player, Side};

/// The number of players in a side.
pub const PLAYERS: u8 = 11;
/// The number of wickets at which a side is all out.
pub const WICKETS: u8 = 10;

/// The state of a match of Howzat, folded from its events.
#[derive(Debug, Clone, PartialEq)]
pub struct Howzat {
    pub(super) created: Arc<MatchCreated>,
    pub(super) options: Options,
    pub(super) bats_first: Side,
    /// The number of deliveries bowled in the match.
    pub(super) deliveries: u32,
    /// The first innings, once it has ended.
    pub(super) first: Option<Innings>,
    /// The innings in progress, or the last.
    pub(super) innings: Innings,
    pub(super) fielding: Fielding,
}

/// The field and the bowlers of the fielding side in this innings.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Fielding {
    pub(super) field: Field,
    pub(super) overs_bowled: [u16; PLAYERS as usize],
    pub(super) last_bowler: Option<Player>,
    pub(super) bowler_before_last: Option<Player>,
}

impl Howzat {
    /// The state of a match before its first over.
    pub fn new(created: Arc<MatchCreated>, options: Options) -> Howzat {
        Howzat {
            created,
            options,
            bats_first: Side::Home,
            deliveries: 0,
            first: None,
            innings: Innings::default(),
            fielding: Fielding::default(),
        }
    }

    /// The number of the innings in progress, 1 or 2.
    pub fn innings_number(&self) -> u16 {
        if self.first.is_some() { 2 } else { 1 }
    }

    /// The side batting.
    pub fn batting(&self) -> Side {
        if self.first.is_some() { self.bats_first.other() } else { self.bats_first }
    }

    /// The batting side's players.
    pub fn batters(&self) -> &[String] {
        &self.created.sheet(self.batting()).players
    }

    /// The fielding side's players.
    pub fn fielders(&self) -> &[String] {
        &self.created.sheet(self.batting().other()).players
    }

    /// The number of the next delivery in the match.
    pub fn next_delivery(&self) -> u32 {
        self.deliveries + 1
    }

    /// Whether the innings in progress has ended: all out, overs bowled, or target reached.
    fn innings_has_ended(&self) -> bool {
        let reached = self.first.as_ref().is_some_and(|first| self.innings.runs > first.runs);
        reached || self.innings.wickets == WICKETS || self.innings.overs_completed() == self.options.overs
    }

    /// Moves on to the second innings after the ball that ends the first.
    pub(super) fn close_innings(&mut self) {
        if self.first.is_none() && self.innings_has_ended() {
            self.begin_second();
        }
    }

    /// Begins the second innings.
    pub(super) fn begin_second(&mut self) {
        self.first = Some(std::mem::take(&mut self.innings));
        self.fielding = Fielding::default();
    }

    /// The result, once the second innings has ended.
    pub fn result(&self) -> Option<MatchResult> {
        let first = self.first.as_ref().filter(|_| self.innings_has_ended())?;
        let chasing = self.bats_first.other();
        Some(if self.innings.runs > first.runs {
            MatchResult::by_wickets(chasing, u32::from(WICKETS - self.innings.wickets))
        } else if self.innings.runs < first.runs {
            MatchResult::by_runs(self.bats_first, first.runs - self.innings.runs)
        } else {
            MatchResult::tie()
        })
    }
}
