//! Simulated matches: what the figures of a match are like where nothing but chance is at work. Their seed is
//! fixed, so the figures of a match are the same wherever they are read.

use super::ball::{DiceTree, FIRST};
use super::figures::{Figures, Helped};
use super::reach::{Reach, StateOfPlay};
use super::table::LuckTable;
use crate::dice::{Dice, Draw, MatchSeed, SeededDice, ServerSeed};
use crate::rules::{BallEffect, Thrower};
use crate::scorebook::{BySide, Side};

/// The number of simulated matches with which a match is compared.
pub const SIMULATED: usize = 10_000;
/// The seed of all simulated matches. It is no secret, and no match has it.
const SEED: [u8; 32] = *b"third-umpire: how the dice fell!";
/// The most deliveries of a simulated match, so that it ends whatever the dice of a game are.
const MOST_DELIVERIES: u32 = 10_000;

/// The figures of simulated matches, each sorted. The home side bats first in all of them.
#[derive(Debug)]
pub struct SimulatedLuck {
    batting: BySide<Vec<f64>>,
    bowling: BySide<Vec<f64>>,
    unevenness: Vec<f64>,
    /// The range in which each face falls in 19 of 20 matches.
    ranges: BySide<Vec<(u32, u32)>>,
}

/// A player of simulated matches.
pub(super) struct SelfPlay<'a> {
    ball: &'a DiceTree,
    reach: &'a Reach,
    /// The share of the side batting first, for each row of the reach: with each number of runs.
    shares: Vec<f64>,
    dice: SeededDice,
    /// The deliveries of all matches so far.
    deliveries: u32,
    /// The share after each effect of the next ball.
    after: Vec<f64>,
}

impl SimulatedLuck {
    /// Plays this number of matches with the odds of a table.
    pub fn of(table: &LuckTable, matches: usize) -> SimulatedLuck {
        let ball = &table.ball;
        let mut player = SelfPlay::new(ball, &table.reach);
        let played: Vec<Figures> = (0..matches).map(|_| player.play()).collect();
        let helped = |side: Side, of: fn(&Helped) -> f64| {
            sorted(played.iter().map(|figures| of(&figures.helped[side])), f64::total_cmp)
        };
        let both =
            |of: fn(&Helped) -> f64| BySide { home: helped(Side::Home, of), away: helped(Side::Away, of) };
        let ranges = |side: Side| {
            let range = |face: usize| {
                let seen = played.iter().map(|figures| figures.thrown[side].seen[face]);
                nineteen_of_twenty(&sorted(seen, u32::cmp))
            };
            (0..ball.most_sides()).map(range).collect()
        };
        SimulatedLuck {
            batting: both(|helped| helped.batting),
            bowling: both(|helped| helped.bowling),
            unevenness: sorted(played.iter().map(Figures::unevenness), f64::total_cmp),
            ranges: BySide { home: ranges(Side::Home), away: ranges(Side::Away) },
        }
    }

    /// The share of the matches in which these dice of a side have helped it less.
    pub(super) fn helped_less(&self, side: Side, thrower: Thrower, sum: f64) -> f64 {
        let sums = match thrower {
            Thrower::Batting => &self.batting[side],
            Thrower::Bowling => &self.bowling[side],
        };
        share(sums.partition_point(|other| *other < sum), sums.len())
    }

    /// The share of the matches whose faces are at least as uneven.
    pub(super) fn as_uneven(&self, unevenness: f64) -> f64 {
        let less = self.unevenness.partition_point(|other| *other < unevenness);
        share(self.unevenness.len() - less, self.unevenness.len())
    }

    /// The range in which a face of a side falls in 19 of 20 matches.
    pub(super) fn range(&self, side: Side, face: usize) -> Option<(u32, u32)> {
        self.ranges[side].get(face.checked_sub(1)?).copied()
    }

    /// The memory that the figures take, in bytes.
    pub fn size(&self) -> usize {
        size_of_val(self.unevenness.as_slice()) * 5
    }
}

/// A part of a number, as a share of it.
fn share(part: usize, all: usize) -> f64 {
    part as f64 / all.max(1) as f64
}

fn sorted<T>(values: impl Iterator<Item = T>, order: fn(&T, &T) -> std::cmp::Ordering) -> Vec<T> {
    let mut values: Vec<T> = values.collect();
    values.sort_unstable_by(order);
    values
}

/// The range of sorted values that leaves out at most one in 40 at each end.
fn nineteen_of_twenty(sorted: &[u32]) -> (u32, u32) {
    let left_out = sorted.len() / 40;
    let at = |index: usize| sorted.get(index).copied().unwrap_or(0);
    (at(left_out), at(sorted.len().saturating_sub(1 + left_out)))
}

impl SelfPlay<'_> {
    /// A player who has not played yet.
    pub fn new<'a>(ball: &'a DiceTree, reach: &'a Reach) -> SelfPlay<'a> {
        let seed: MatchSeed = ServerSeed::from_bytes(SEED).match_seed(&[]);
        let (dice, after) = (SeededDice::new(&seed), vec![0.0; ball.effects.len()]);
        let mut player = SelfPlay { ball, reach, shares: Vec::new(), dice, deliveries: 0, after };
        player.shares = player.shares_of_first_innings();
        player
    }

    /// The share of the side batting first at every state of its innings. It is the mean over the next ball,
    /// so it is filled in from the end of the innings back.
    fn shares_of_first_innings(&self) -> Vec<f64> {
        let Reach { balls, wickets, most, .. } = *self.reach;
        let width = most + 1;
        let mut shares = vec![0.0; balls * wickets * width];
        for balls_left in 1..=balls {
            for wickets_left in 1..=wickets {
                let start = ((balls_left - 1) * wickets + wickets_left - 1) * width;
                for runs in (0..width).rev() {
                    shares[start + runs] = self.mean_share(&shares, (balls_left, wickets_left), runs);
                }
            }
        }
        shares
    }

    fn mean_share(&self, shares: &[f64], (balls_left, wickets_left): (usize, usize), runs: usize) -> f64 {
        let (mut sum, mut stays) = (0.0, 0.0);
        for (effect, chance) in &self.ball.places[FIRST].spread {
            let BallEffect { runs: more, wicket, legal } = self.ball.effects[*effect];
            if more == 0 && !wicket && !legal {
                stays += chance;
                continue;
            }
            let left = (balls_left - usize::from(legal), wickets_left - usize::from(wicket));
            sum += chance * self.share_of_setting(shares, left, runs + usize::from(more));
        }
        sum / (1.0 - stays)
    }

    /// The share of the side batting first in its own innings.
    fn share_of_setting(
        &self,
        shares: &[f64],
        (balls_left, wickets_left): (usize, usize),
        runs: usize,
    ) -> f64 {
        let Reach { balls, wickets, most, .. } = *self.reach;
        if balls_left == 0 || wickets_left == 0 {
            return self.share_of_chase((balls, wickets), runs as i64 + 1);
        }
        // A total that is out of reach wins.
        if runs > most {
            1.0
        } else {
            shares[((balls_left - 1) * wickets + wickets_left - 1) * (most + 1) + runs]
        }
    }

    /// The share of the side batting first while the other needs so many runs.
    fn share_of_chase(&self, (balls_left, wickets_left): (usize, usize), need: i64) -> f64 {
        let at_least = |runs| self.reach.at_least(balls_left, wickets_left, runs);
        1.0 - (at_least(need) + at_least(need - 1)) / 2.0
    }

    /// The share of the side batting first.
    pub fn share(&self, standing: StateOfPlay) -> f64 {
        let left = self.reach.left(standing);
        match standing.target {
            None => self.share_of_setting(&self.shares, left, standing.runs as usize),
            Some(target) => self.share_of_chase(left, i64::from(target) - i64::from(standing.runs)),
        }
    }

    /// Plays a match, and returns the figures of its dice.
    pub fn play(&mut self) -> Figures {
        let mut figures = Figures::with_sides(self.ball.most_sides());
        let mut standing = StateOfPlay::START;
        for _ in 0..MOST_DELIVERIES {
            let (balls_left, wickets_left) = self.reach.left(standing);
            let is_reached = standing.target.is_some_and(|target| standing.runs >= target);
            if balls_left == 0 || wickets_left == 0 || is_reached {
                match standing.target {
                    None => standing = standing.chased(),
                    Some(_) => break,
                }
            }
            standing = self.bowl(standing, &mut figures);
        }
        figures
    }

    /// Bowls a ball, and returns the state after it.
    fn bowl(&mut self, standing: StateOfPlay, figures: &mut Figures) -> StateOfPlay {
        for (i, effect) in self.ball.effects.iter().enumerate() {
            self.after[i] = self.share(standing.after(*effect));
        }
        let batting = if standing.target.is_none() { Side::Home } else { Side::Away };
        self.deliveries += 1;
        self.dice.begin(Draw::ball(self.deliveries));
        let (mut place, mut share) = (FIRST, self.ball.mean(FIRST, &self.after));
        while let Some(die) = &self.ball.places[place].next {
            let face = self.dice.die(die.after.len() as u16);
            place = die.after[usize::from(face) - 1];
            let then = self.ball.mean(place, &self.after);
            let by = match die.thrower {
                Thrower::Batting => batting,
                Thrower::Bowling => batting.other(),
            };
            figures.roll(by, die.after.len(), face);
            figures.swing(by, die.thrower, then - share);
            share = then;
        }
        self.ball.effect_at(place).map_or(standing, |effect| standing.after(effect))
    }
}
