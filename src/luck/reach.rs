//! The chances to reach a number of runs: how likely the side batting is to score at least so many more, for
//! every number of legal balls and wickets that it has left.
//!
//! All else follows from that. The side batting second wins if it scores what it needs, and ties if it scores
//! one run less. How much more the side batting first scores is the same figure, and each total is a target.

use super::ball::{DiceTree, FIRST};
use crate::rules::{BallEffect, MatchOdds};

/// The chance below which a total counts as out of reach. No chance of a match is off by more.
const OUT_OF_REACH: f64 = 1e-10;
/// The most runs that a table reaches. Fifty overs of Howzat need a good half of it.
const MOST_RUNS: usize = 4_096;

/// The state of a match in play, as far as it matters to the rest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StateOfPlay {
    /// The legal balls of the innings so far.
    pub balls: u32,
    /// The wickets lost.
    pub wickets: u32,
    /// The runs of the side batting.
    pub runs: u32,
    /// The total that wins, in the second innings.
    pub target: Option<u32>,
}

/// The chances of each result, by the order of batting.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ByOrder {
    /// The chance that the side batting first wins.
    pub first: f64,
    /// The chance that the side batting second wins.
    pub second: f64,
    /// The chance of a tie.
    pub tie: f64,
}

/// The chances to reach a number of runs.
pub(super) struct Reach {
    pub(super) balls: usize,
    pub(super) wickets: usize,
    /// The most runs that are in reach.
    pub(super) most: usize,
    /// A row for each number of balls and wickets left, both from 1: the chance to score at least that many
    /// runs, from 0 to `most`.
    rows: Vec<f64>,
}

impl StateOfPlay {
    /// The state before the first ball.
    pub const START: StateOfPlay = StateOfPlay { balls: 0, wickets: 0, runs: 0, target: None };

    /// The state after a ball with this effect, in the same innings.
    pub(super) fn after(self, effect: BallEffect) -> StateOfPlay {
        StateOfPlay {
            balls: self.balls + u32::from(effect.legal),
            wickets: self.wickets + u32::from(effect.wicket),
            runs: self.runs + u32::from(effect.runs),
            target: self.target,
        }
    }

    /// The state of the second innings before its first ball, after this one of the first.
    pub(super) fn chased(self) -> StateOfPlay {
        StateOfPlay { target: Some(self.runs + 1), ..StateOfPlay::START }
    }
}

impl ByOrder {
    /// The side batting first's share of the match: a tie is half of it.
    pub fn share_of_first(self) -> f64 {
        self.first + self.tie / 2.0
    }
}

impl Reach {
    /// The chances in a match with these odds, whose balls have these dice.
    pub(super) fn of(odds: &MatchOdds, ball: &DiceTree) -> Reach {
        let left = (usize::from(odds.balls), usize::from(odds.wickets));
        let mut most = 256;
        // What is in reach is found first, with the rows of two numbers of balls at a time.
        loop {
            match Reach::full(most, left, ball).iter().position(|chance| *chance < OUT_OF_REACH) {
                None if most < MOST_RUNS => most *= 2,
                None => return Reach::up_to(most, left, ball),
                Some(out_of_reach) => return Reach::up_to(out_of_reach, left, ball),
            }
        }
    }

    /// The chances of a side that has all balls and wickets left, up to this number of runs.
    fn full(most: usize, (balls, wickets): (usize, usize), ball: &DiceTree) -> Vec<f64> {
        let width = most + 1;
        let mut two = Reach { balls: 2, wickets, most, rows: vec![0.0; 2 * wickets * width] };
        for balls_left in 1..=balls {
            // The rows of one ball less are the first, and these the second.
            let place = if balls_left == 1 { 1 } else { 2 };
            if balls_left > 2 {
                two.rows.copy_within(wickets * width.., 0);
                two.rows[wickets * width..].fill(0.0);
            }
            (1..=wickets).for_each(|wickets_left| two.fill(place, wickets_left, ball));
        }
        two.row(balls.min(2), wickets).map(<[f64]>::to_vec).unwrap_or_default()
    }

    /// The chances to reach each number of runs up to this one.
    pub(super) fn up_to(most: usize, (balls, wickets): (usize, usize), ball: &DiceTree) -> Reach {
        let mut reach = Reach { balls, wickets, most, rows: vec![0.0; balls * wickets * (most + 1)] };
        for balls_left in 1..=balls {
            for wickets_left in 1..=wickets {
                reach.fill(balls_left, wickets_left, ball);
            }
        }
        reach
    }

    /// Fills in a row from those of fewer balls or wickets, and from itself for balls that cost neither.
    fn fill(&mut self, balls_left: usize, wickets_left: usize, ball: &DiceTree) {
        let width = self.most + 1;
        let start = ((balls_left - 1) * self.wickets + wickets_left - 1) * width;
        let (before, rest) = self.rows.split_at_mut(start);
        let row = &mut rest[..width];
        let (mut stays, mut again) = (0.0, Vec::new());
        for (effect, chance) in &ball.places[FIRST].spread {
            let BallEffect { runs, wicket, legal } = ball.effects[*effect];
            let (runs, chance) = (usize::from(runs).min(width), *chance);
            if !legal && !wicket {
                match runs {
                    0 => stays += chance,
                    _ => again.push((runs, chance)),
                }
                continue;
            }
            row.iter_mut().take(runs + 1).for_each(|sum| *sum += chance);
            let (balls_left, wickets_left) =
                (balls_left - usize::from(legal), wickets_left - usize::from(wicket));
            if balls_left > 0 && wickets_left > 0 {
                let from = ((balls_left - 1) * self.wickets + wickets_left - 1) * width;
                let needed = before[from..from + width].iter().skip(1);
                row.iter_mut().skip(runs + 1).zip(needed).for_each(|(sum, reached)| *sum += chance * reached);
            }
        }
        row[0] = 1.0;
        for needed in 1..width {
            let reached = |(runs, chance): &(usize, f64)| chance * row[needed.saturating_sub(*runs)];
            let again: f64 = again.iter().map(reached).sum();
            row[needed] = (row[needed] + again) / (1.0 - stays);
        }
    }

    /// The memory that the chances take, in bytes.
    pub(super) fn size(&self) -> usize {
        size_of_val(self.rows.as_slice())
    }

    /// The chances of a side with so many balls and wickets left; none where it has no more of either.
    fn row(&self, balls_left: usize, wickets_left: usize) -> Option<&[f64]> {
        let width = self.most + 1;
        let index = balls_left.checked_sub(1)? * self.wickets + wickets_left.checked_sub(1)?;
        self.rows.get(index * width..(index + 1) * width)
    }

    /// The chance to score at least so many more runs.
    pub(super) fn at_least(&self, balls_left: usize, wickets_left: usize, runs: i64) -> f64 {
        match usize::try_from(runs) {
            Err(_) | Ok(0) => 1.0,
            Ok(runs) => self.row(balls_left, wickets_left).and_then(|row| row.get(runs)).map_or(0.0, |c| *c),
        }
    }

    /// The legal balls and the wickets that are left.
    pub(super) fn left(&self, standing: StateOfPlay) -> (usize, usize) {
        let left = |all: usize, gone: u32| all.saturating_sub(gone as usize);
        (left(self.balls, standing.balls), left(self.wickets, standing.wickets))
    }

    /// The chances of a match in this state.
    pub(super) fn chances(&self, standing: StateOfPlay) -> ByOrder {
        let (balls_left, wickets_left) = self.left(standing);
        let runs = i64::from(standing.runs);
        let (second, tie) = match standing.target {
            Some(target) => self.chasing(balls_left, wickets_left, i64::from(target) - runs),
            None => self.setting(balls_left, wickets_left, runs),
        };
        ByOrder { first: 1.0 - second - tie, second, tie }
    }

    /// The chances of the side batting second and of a tie, where it needs so many runs.
    fn chasing(&self, balls_left: usize, wickets_left: usize, need: i64) -> (f64, f64) {
        let wins = self.at_least(balls_left, wickets_left, need);
        (wins, self.at_least(balls_left, wickets_left, need - 1) - wins)
    }

    /// The chances of the side batting second and of a tie, where the side batting first has so many runs.
    fn setting(&self, balls_left: usize, wickets_left: usize, runs: i64) -> (f64, f64) {
        let Some(row) = self.row(balls_left, wickets_left) else {
            return self.chasing(self.balls, self.wickets, runs + 1);
        };
        let scored = |more: usize| row[more] - row.get(more + 1).copied().unwrap_or(0.0);
        // A total that is out of reach wins.
        let in_reach = (self.most as i64 - runs + 1).clamp(0, row.len() as i64) as usize;
        (0..in_reach).fold((0.0, 0.0), |(second, tie), more| {
            let chance = scored(more);
            let (wins, ties) = self.chasing(self.balls, self.wickets, runs + more as i64 + 1);
            (second + chance * wins, tie + chance * ties)
        })
    }
}
