//! The counts of a simulation: whole numbers that threads add up in any order, so that the result is exact.

use crate::scorebook::{InningsTally, MatchTally};

/// The frequencies of a count: how often each value occurred.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Spread(Vec<u64>);

/// The moments of a sample, from which its mean and deviation follow.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Moments {
    /// The number of values.
    pub n: u64,
    /// The sum of the values.
    pub sum: i128,
    /// The sum of the squares of the values.
    pub squares: u128,
}

/// The totals of all innings with one number.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct InningsTotals {
    /// The runs of an innings.
    pub runs: Spread,
    /// The wickets of an innings.
    pub wickets: Spread,
    /// The legal balls of an innings.
    pub balls: Spread,
    /// The extras of all kinds.
    pub all_extras: Spread,
    /// The extras by kind, as in [`InningsTally::EXTRAS`].
    pub extras: [Spread; 5],
    /// The wickets by kind, as in [`WicketKind::ALL`](crate::scorebook::WicketKind::ALL).
    pub dismissals: [Spread; 6],
    /// The number of innings in which the side was all out.
    pub all_out: u64,
    /// The sum over innings of runs times legal balls.
    pub runs_by_balls: u128,
}

/// The totals of many matches under one set of options.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Totals {
    /// The innings, by number.
    pub innings: Vec<InningsTotals>,
    /// The number of matches that the side batting first won.
    pub first: u64,
    /// The number of matches that the side batting second won.
    pub second: u64,
    /// The number of ties.
    pub ties: u64,
}

/// The differences of an innings under the other options, match by match.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct InningsDiffered {
    pub runs: Moments,
    pub wickets: Moments,
    pub balls: Moments,
    pub extras: Moments,
    pub all_out: Moments,
}

/// The differences of matches under the other options: the other options' figure less the first's.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Differed {
    pub innings: Vec<InningsDiffered>,
    pub first: Moments,
    pub second: Moments,
    pub ties: Moments,
}

/// The counts of a simulation. Those of several threads add up.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Counts {
    /// The totals under the simulation's options.
    pub base: Totals,
    /// The totals under the options to compare with.
    pub compared: Totals,
    pub(super) differed: Differed,
}

/// Makes a list at least this long.
#[inline]
fn reach<T: Clone + Default>(list: &mut Vec<T>, len: usize) {
    if list.len() < len {
        list.resize(len, T::default());
    }
}

impl Spread {
    /// Counts a value.
    #[inline]
    pub fn add(&mut self, value: u32) {
        let value = value as usize;
        reach(&mut self.0, value + 1);
        self.0[value] += 1;
    }

    fn merge(&mut self, other: &Spread) {
        reach(&mut self.0, other.0.len());
        self.0.iter_mut().zip(&other.0).for_each(|(sum, count)| *sum += count);
    }

    /// The values that occurred, in order, each with its frequency.
    pub fn values(&self) -> impl DoubleEndedIterator<Item = (u32, u64)> + '_ {
        self.0
            .iter()
            .enumerate()
            .filter(|(_, count)| **count > 0)
            .map(|(value, count)| (value as u32, *count))
    }

    /// The number of counted values.
    pub fn n(&self) -> u64 {
        self.0.iter().sum()
    }

    /// The sum of the counted values.
    pub fn sum(&self) -> u64 {
        self.values().map(|(value, count)| u64::from(value) * count).sum()
    }

    /// The moments of the counted values.
    pub fn moments(&self) -> Moments {
        self.values().fold(Moments::default(), |moments, (value, count)| Moments {
            n: moments.n + count,
            sum: moments.sum + i128::from(value) * i128::from(count),
            squares: moments.squares + u128::from(value).pow(2) * u128::from(count),
        })
    }

    /// The value at this rank, from 1, when all values are sorted.
    pub fn at_rank(&self, rank: u64) -> u32 {
        let mut passed = 0;
        let reached = |(_, count): &(u32, u64)| {
            passed += count;
            passed >= rank
        };
        let found = self.values().find(reached).or_else(|| self.values().next_back());
        found.map_or(0, |(value, _)| value)
    }
}

impl Moments {
    fn add(&mut self, value: i64) {
        self.n += 1;
        self.sum += i128::from(value);
        self.squares += u128::from(value.unsigned_abs()).pow(2);
    }

    fn add_difference(&mut self, base: u32, other: u32) {
        self.add(i64::from(other) - i64::from(base));
    }

    fn merge(&mut self, other: &Moments) {
        self.n += other.n;
        self.sum += other.sum;
        self.squares += other.squares;
    }
}

impl InningsTotals {
    fn add(&mut self, innings: &InningsTally, all_out: u32) {
        self.runs.add(innings.runs);
        self.wickets.add(innings.wickets);
        self.balls.add(innings.balls);
        self.all_extras.add(innings.extras.iter().sum());
        self.extras.iter_mut().zip(innings.extras).for_each(|(spread, runs)| spread.add(runs));
        self.dismissals.iter_mut().zip(innings.dismissals).for_each(|(spread, fell)| spread.add(fell));
        self.all_out += u64::from(innings.wickets == all_out);
        self.runs_by_balls += u128::from(innings.runs) * u128::from(innings.balls);
    }

    fn merge(&mut self, other: &InningsTotals) {
        self.runs.merge(&other.runs);
        self.wickets.merge(&other.wickets);
        self.balls.merge(&other.balls);
        self.all_extras.merge(&other.all_extras);
        self.extras.iter_mut().zip(&other.extras).for_each(|(spread, other)| spread.merge(other));
        self.dismissals.iter_mut().zip(&other.dismissals).for_each(|(spread, other)| spread.merge(other));
        self.all_out += other.all_out;
        self.runs_by_balls += other.runs_by_balls;
    }
}

/// The result of a match: won by the side batting first, by the side batting second, or tied.
fn result_of(tally: &MatchTally) -> [bool; 3] {
    let first = tally.result.winner.map(|winner| winner == tally.bats_first);
    [first == Some(true), first == Some(false), first.is_none()]
}

impl Totals {
    /// Counts a match; `all_out` is the number of wickets at which a side is all out.
    pub fn add(&mut self, tally: &MatchTally, all_out: u32) {
        reach(&mut self.innings, tally.innings.len());
        for (totals, innings) in self.innings.iter_mut().zip(&tally.innings) {
            totals.add(innings, all_out);
        }
        let [first, second, tie] = result_of(tally).map(u64::from);
        self.first += first;
        self.second += second;
        self.ties += tie;
    }

    fn merge(&mut self, other: &Totals) {
        reach(&mut self.innings, other.innings.len());
        self.innings.iter_mut().zip(&other.innings).for_each(|(totals, other)| totals.merge(other));
        self.first += other.first;
        self.second += other.second;
        self.ties += other.ties;
    }
}

impl InningsDiffered {
    fn add(&mut self, base: &InningsTally, other: &InningsTally, all_out: u32) {
        self.runs.add_difference(base.runs, other.runs);
        self.wickets.add_difference(base.wickets, other.wickets);
        self.balls.add_difference(base.balls, other.balls);
        self.extras.add_difference(base.extras.iter().sum(), other.extras.iter().sum());
        self.all_out.add_difference((base.wickets == all_out).into(), (other.wickets == all_out).into());
    }

    fn merge(&mut self, other: &InningsDiffered) {
        self.runs.merge(&other.runs);
        self.wickets.merge(&other.wickets);
        self.balls.merge(&other.balls);
        self.extras.merge(&other.extras);
        self.all_out.merge(&other.all_out);
    }
}

impl Differed {
    /// Compares a match with the same match under the other options: innings that were played in both, and
    /// results.
    fn add(&mut self, base: &MatchTally, other: &MatchTally, all_out: u32) {
        reach(&mut self.innings, base.innings.len().min(other.innings.len()));
        let pairs = base.innings.iter().zip(&other.innings);
        for (differed, (base, other)) in self.innings.iter_mut().zip(pairs) {
            differed.add(base, other, all_out);
        }
        let (base, other) = (result_of(base).map(u32::from), result_of(other).map(u32::from));
        self.first.add_difference(base[0], other[0]);
        self.second.add_difference(base[1], other[1]);
        self.ties.add_difference(base[2], other[2]);
    }

    fn merge(&mut self, other: &Differed) {
        reach(&mut self.innings, other.innings.len());
        self.innings.iter_mut().zip(&other.innings).for_each(|(differed, other)| differed.merge(other));
        self.first.merge(&other.first);
        self.second.merge(&other.second);
        self.ties.merge(&other.ties);
    }
}

impl Counts {
    /// Counts a match under the options to compare with, and its differences.
    pub(super) fn add_compared(&mut self, base: &MatchTally, other: &MatchTally, all_out: u32) {
        self.compared.add(other, all_out);
        self.differed.add(base, other, all_out);
    }

    /// Adds the counts of another thread.
    pub(super) fn merge(&mut self, other: Counts) {
        self.base.merge(&other.base);
        self.compared.merge(&other.compared);
        self.differed.merge(&other.differed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spread(values: &[u32]) -> Spread {
        let mut spread = Spread::default();
        values.iter().for_each(|value| spread.add(*value));
        spread
    }

    #[test]
    fn a_spread_knows_its_sums_and_its_order() {
        let spread = spread(&[3, 1, 3, 0, 7]);
        assert_eq!(spread.moments(), Moments { n: 5, sum: 14, squares: 9 + 1 + 9 + 49 });
        assert_eq!((1..=5).map(|rank| spread.at_rank(rank)).collect::<Vec<_>>(), [0, 1, 3, 3, 7]);
        assert_eq!(spread.values().collect::<Vec<_>>(), [(0, 1), (1, 1), (3, 2), (7, 1)]);
    }

    #[test]
    fn parts_add_up_to_the_whole_in_any_order() {
        let (a, b) = (spread(&[1, 9]), spread(&[4]));
        let (mut one, mut other) = (a.clone(), b.clone());
        one.merge(&b);
        other.merge(&a);
        assert_eq!(one, other);
        assert_eq!(one, spread(&[9, 4, 1]));
    }
}
