//! The estimates of a simulation: figures with confidence intervals of 95 %, made from exact counts. They use
//! only the four operations and square roots, which every machine rounds alike, so equal counts give equal
//! figures everywhere.

use serde::Serialize;
use utoipa::ToSchema;

use super::counts::{Moments, Spread};

/// The number of standard errors of a 95 % interval, for normal errors.
const Z: f64 = 1.959_963_984_540_054;

/// A mean over innings, with its confidence interval: normal, by the standard deviation of the sample.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, ToSchema)]
#[schema(as = SimulatedEstimate)]
pub struct Estimate {
    /// The mean of the sample.
    pub mean: f64,
    /// The standard deviation; null for fewer than two innings.
    pub sd: Option<f64>,
    /// The lower bound of the interval; null for fewer than two innings.
    pub low: Option<f64>,
    /// The upper bound of the interval; null for fewer than two innings.
    pub high: Option<f64>,
}

/// A ratio of two sums, with its confidence interval: normal, by the delta method.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, ToSchema)]
#[schema(as = SimulatedRate)]
pub struct Rate {
    /// The ratio of the sums.
    pub rate: f64,
    /// The lower bound of the interval; null for fewer than two innings.
    pub low: Option<f64>,
    /// The upper bound of the interval; null for fewer than two innings.
    pub high: Option<f64>,
}

/// A share of all, from 0 to 1, with its confidence interval: Wilson's.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, ToSchema)]
#[schema(as = SimulatedShare)]
pub struct EstimatedShare {
    /// The number of cases.
    pub count: u64,
    /// The share of all cases.
    pub share: f64,
    /// The lower bound of the interval.
    pub low: f64,
    /// The upper bound of the interval.
    pub high: f64,
}

/// A quantile, with its confidence interval: by order statistics.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = SimulatedQuantile)]
pub struct Quantile {
    /// The percentage of innings that do not exceed the value; 50 is the median.
    pub percent: u8,
    /// The value of the quantile.
    pub value: u32,
    /// The lower bound of the interval.
    pub low: u32,
    /// The upper bound of the interval.
    pub high: u32,
}

/// The mean difference of a figure under the other options, match by match with the same seeds: the other
/// options' figure less the first's, with its confidence interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, ToSchema)]
#[schema(as = SimulatedDifference)]
pub struct EstimatedDifference {
    /// The mean difference.
    pub mean: f64,
    /// The lower bound of the interval; null for fewer than two matches.
    pub low: Option<f64>,
    /// The upper bound of the interval; null for fewer than two matches.
    pub high: Option<f64>,
    /// Whether the interval excludes 0: the difference is then more than chance.
    pub excludes_zero: bool,
}

impl Estimate {
    /// The mean of values counted in units of which `unit` make one.
    pub(super) fn of(moments: Moments, unit: f64) -> Estimate {
        let mean = mean(moments) / unit;
        let sd = sd(moments).map(|sd| sd / unit);
        let around = sd.map(|sd| interval(mean, sd / (moments.n as f64).sqrt()));
        Estimate {
            mean: rounded(mean),
            sd: sd.map(rounded),
            low: around.map(|(low, _)| low),
            high: around.map(|(_, high)| high),
        }
    }
}

impl Rate {
    /// The runs an over; none before a legal ball is bowled.
    pub(super) fn per_over(runs: Moments, balls: Moments, runs_by_balls: u128) -> Option<Rate> {
        const BALLS: f64 = crate::scorebook::Overs::BALLS as f64;
        if balls.sum == 0 {
            return None;
        }
        let (n, ratio) = (runs.n as f64, runs.sum as f64 / balls.sum as f64);
        let around = (runs.n > 1).then(|| {
            let residual = runs.squares as f64 - 2.0 * ratio * runs_by_balls as f64
                + ratio * ratio * balls.squares as f64;
            let variance = residual.max(0.0) / (n - 1.0);
            interval(ratio * BALLS, BALLS * (variance / n).sqrt() / mean(balls))
        });
        Some(Rate {
            rate: rounded(ratio * BALLS),
            low: around.map(|(low, _)| low),
            high: around.map(|(_, high)| high),
        })
    }
}

impl EstimatedShare {
    /// The share of a count in a total; none for an empty total.
    pub(super) fn of(count: u64, all: u64) -> Option<EstimatedShare> {
        if all == 0 {
            return None;
        }
        let (n, share) = (all as f64, count as f64 / all as f64);
        let scale = 1.0 + Z * Z / n;
        let middle = (share + Z * Z / (2.0 * n)) / scale;
        let half = Z / scale * (share * (1.0 - share) / n + Z * Z / (4.0 * n * n)).sqrt();
        Some(EstimatedShare {
            count,
            share: rounded(share),
            low: rounded((middle - half).max(0.0)),
            high: rounded((middle + half).min(1.0)),
        })
    }
}

impl Quantile {
    /// The least value that this percentage of innings does not exceed.
    pub(super) fn of(spread: &Spread, percent: u8) -> Quantile {
        let all = spread.n();
        let rank = (all * u64::from(percent)).div_ceil(100);
        let share = f64::from(percent) / 100.0;
        let half = Z * (all as f64 * share * (1.0 - share)).sqrt();
        let place = |rank: f64| spread.at_rank((rank.max(1.0) as u64).min(all));
        Quantile {
            percent,
            value: spread.at_rank(rank.max(1)),
            low: place((all as f64 * share - half).floor()),
            high: place((all as f64 * share + half).ceil() + 1.0),
        }
    }
}

impl EstimatedDifference {
    /// The mean of differences counted in units of which `unit` make one.
    pub(super) fn of(moments: Moments, unit: f64) -> EstimatedDifference {
        let Estimate { mean, low, high, .. } = Estimate::of(moments, unit);
        // Decided before rounding, since a bound may be very near to zero.
        let width = sd(moments).map(|sd| Z * sd / (moments.n as f64).sqrt());
        let excludes_zero = width.is_some_and(|width| self::mean(moments).abs() > width);
        EstimatedDifference { mean, low, high, excludes_zero }
    }
}

fn mean(moments: Moments) -> f64 {
    if moments.n == 0 { 0.0 } else { moments.sum as f64 / moments.n as f64 }
}

/// The standard deviation of a sample; none for fewer than two values. The subtraction is of whole numbers,
/// so no precision is lost, however large they are.
fn sd(moments: Moments) -> Option<f64> {
    let n = moments.n;
    let around_the_mean = u128::from(n) * moments.squares - moments.sum.unsigned_abs().pow(2);
    (n > 1).then(|| (around_the_mean as f64 / (n as f64 * (n - 1) as f64)).sqrt())
}

fn interval(mean: f64, error: f64) -> (f64, f64) {
    (rounded(mean - Z * error), rounded(mean + Z * error))
}

/// A figure rounded to four decimals; zero has no sign.
fn rounded(figure: f64) -> f64 {
    (figure * 10_000.0).round() / 10_000.0 + 0.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spread(values: impl IntoIterator<Item = u32>) -> Spread {
        let mut spread = Spread::default();
        values.into_iter().for_each(|value| spread.add(value));
        spread
    }

    #[test]
    fn a_mean_and_its_interval_are_those_of_the_textbook() {
        // 2 4 4 4 5 5 7 9: mean 5, sample variance 32 / 7, standard error 0.7559.
        let estimate = Estimate::of(spread([2, 4, 4, 4, 5, 5, 7, 9]).moments(), 1.0);
        let due = Estimate { mean: 5.0, sd: Some(2.1381), low: Some(3.5184), high: Some(6.4816) };
        assert_eq!(estimate, due);
        let overs = Estimate::of(spread([120, 102]).moments(), 6.0);
        assert_eq!((overs.mean, overs.sd), (18.5, Some(2.1213)));
        let one = Estimate::of(spread([3]).moments(), 1.0);
        assert_eq!(one, Estimate { mean: 3.0, sd: None, low: None, high: None });
    }

    #[test]
    fn a_share_has_wilsons_interval() {
        // 8 of 10, as in Brown, Cai and DasGupta (2001).
        let due = EstimatedShare { count: 8, share: 0.8, low: 0.4902, high: 0.9433 };
        assert_eq!(EstimatedShare::of(8, 10), Some(due));
        let none = EstimatedShare::of(0, 10).unwrap();
        assert_eq!((none.low, none.high), (0.0, 0.2775));
        assert_eq!(EstimatedShare::of(0, 0), None);
    }

    #[test]
    fn a_quantile_stands_between_its_neighbours_in_order() {
        let hundred = spread(1..=100);
        assert_eq!(Quantile::of(&hundred, 50), Quantile { percent: 50, value: 50, low: 40, high: 61 });
        assert_eq!(Quantile::of(&hundred, 5), Quantile { percent: 5, value: 5, low: 1, high: 11 });
        assert_eq!(Quantile::of(&spread([7]), 95), Quantile { percent: 95, value: 7, low: 7, high: 7 });
    }

    #[test]
    fn a_rate_is_exact_where_every_innings_has_it() {
        let (runs, balls) = (spread([12, 24]).moments(), spread([6, 12]).moments());
        let rate = Rate::per_over(runs, balls, 12 * 6 + 24 * 12).unwrap();
        assert_eq!(rate, Rate { rate: 12.0, low: Some(12.0), high: Some(12.0) });
        assert_eq!(Rate::per_over(runs, spread([0, 0]).moments(), 0), None);
    }

    #[test]
    fn a_difference_of_nothing_is_zero_and_does_not_exclude_it() {
        let none = EstimatedDifference::of(Moments { n: 9, sum: 0, squares: 0 }, 6.0);
        assert_eq!((none.mean, none.low, none.high, none.excludes_zero), (0.0, Some(0.0), Some(0.0), false));
        let some = EstimatedDifference::of(Moments { n: 9, sum: -9, squares: 9 }, 1.0);
        assert!(some.excludes_zero && some.mean == -1.0);
    }
}
