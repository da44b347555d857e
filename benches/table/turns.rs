use std::time::{Duration, Instant};

/// The size of a run of the benches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scale {
    /// Long enough for figures that can be quoted.
    Full,
    /// Just long enough to see that every bench still runs.
    Smoke,
}

impl Scale {
    /// The value for this scale.
    pub fn pick<T>(self, full: T, smoke: T) -> T {
        match self {
            Scale::Full => full,
            Scale::Smoke => smoke,
        }
    }
}

/// The number of units of work done, and the time that took.
#[derive(Debug, Clone, Copy)]
pub struct Done {
    pub units: u64,
    pub taken: Duration,
}

impl Done {
    /// Times some work, which returns how many units of it were done.
    pub fn timed(work: impl FnOnce() -> u64) -> Done {
        let begun = Instant::now();
        let units = work();
        Done { units, taken: begun.elapsed() }
    }

    /// The units a second.
    pub fn rate(self) -> f64 {
        self.units as f64 / self.taken.as_secs_f64()
    }
}

/// Two rates measured in turn, and the ratio of the two.
#[derive(Debug, Clone, Copy)]
pub struct Compared {
    /// Our median rate, in units a second.
    pub ours: f64,
    /// The median rate of the other side.
    pub theirs: f64,
    /// The median ratio of a round, ours to theirs.
    pub ratio: f64,
    /// The lowest and the highest ratio of a round.
    pub spread: (f64, f64),
}

/// Measures both works in turn, so that other load on the machine meets both alike. The first round is not
/// counted.
pub fn in_turn(rounds: usize, mut ours: impl FnMut() -> Done, mut theirs: impl FnMut() -> Done) -> Compared {
    let mut pairs = Vec::with_capacity(rounds);
    for round in 0..=rounds {
        let pair = if round % 2 == 0 {
            let first = ours();
            (first, theirs())
        } else {
            let first = theirs();
            (ours(), first)
        };
        if round > 0 {
            pairs.push((pair.0.rate(), pair.1.rate()));
        }
    }
    let ratios: Vec<f64> = pairs.iter().map(|(ours, theirs)| ours / theirs).collect();
    Compared {
        ours: median(pairs.iter().map(|pair| pair.0)),
        theirs: median(pairs.iter().map(|pair| pair.1)),
        ratio: median(ratios.iter().copied()),
        spread: (
            ratios.iter().copied().fold(f64::INFINITY, f64::min),
            ratios.iter().copied().fold(0.0, f64::max),
        ),
    }
}

/// The middle value, or the mean of the two in the middle.
pub fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut sorted: Vec<f64> = values.collect();
    sorted.sort_by(f64::total_cmp);
    let middle = sorted.len() / 2;
    match sorted.len() {
        0 => f64::NAN,
        odd if odd % 2 == 1 => sorted[middle],
        _ => (sorted[middle - 1] + sorted[middle]) / 2.0,
    }
}
