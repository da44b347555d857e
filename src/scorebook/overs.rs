use std::fmt;

/// A count of legal balls, written as cricket writes it: `19.4` is nineteen overs and four balls.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, PartialOrd, Ord)]
pub struct Overs {
    /// The number of legal balls.
    pub balls: u32,
}

impl Overs {
    /// The number of balls in an over.
    pub const BALLS: u32 = 6;

    /// A count of this many legal balls.
    pub const fn of_balls(balls: u32) -> Overs {
        Overs { balls }
    }
}

impl fmt::Display for Overs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.balls / Self::BALLS, self.balls % Self::BALLS)
    }
}

/// The runs an over to two decimals, half up, as in an economy or a run rate; `None` before a ball is bowled.
pub fn per_over(runs: u32, balls: u32) -> Option<String> {
    hundredths(u64::from(runs) * u64::from(Overs::BALLS), balls)
}

/// The runs a hundred balls to two decimals, half up: a strike rate; `None` before a ball is faced.
pub fn per_hundred(runs: u32, balls: u32) -> Option<String> {
    hundredths(u64::from(runs) * 100, balls)
}

fn hundredths(dividend: u64, divisor: u32) -> Option<String> {
    let divisor = u64::from(divisor);
    if divisor == 0 {
        return None;
    }
    let rounded = (dividend * 200 + divisor) / (2 * divisor);
    Some(format!("{}.{:02}", rounded / 100, rounded % 100))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn overs_read_as_a_scorebook_writes_them() {
        for (balls, written) in [(0, "0.0"), (5, "0.5"), (6, "1.0"), (118, "19.4"), (120, "20.0")] {
            assert_eq!(Overs::of_balls(balls).to_string(), written);
        }
    }

    #[test]
    fn rates_round_half_up_and_are_absent_without_a_ball() {
        assert_eq!(per_hundred(8, 6).as_deref(), Some("133.33"));
        assert_eq!(per_hundred(2, 3).as_deref(), Some("66.67"));
        assert_eq!(per_hundred(1, 800).as_deref(), Some("0.13"));
        assert_eq!(per_over(29, 24).as_deref(), Some("7.25"));
        assert_eq!(per_over(162, 120).as_deref(), Some("8.10"));
        assert_eq!(per_over(5, 0), None);
    }
}
