//! What the operating system gives to a service: the time, and randomness. The rooms below are handed both.

use std::time::SystemTime;

use chrono::{DateTime, Datelike, SubsecRound, Utc};

use crate::dice::ServerSeed;

/// A system clock that shows a time no log can have: `at` is written with a year of four digits, and from
/// 1970 on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ClockOff {
    /// Before 1970, as after a power cut on a machine whose clock has no battery.
    #[error("the system's clock shows a time before 1970: set it")]
    Before1970,
    /// After 9999.
    #[error("the system's clock shows a time after the year 9999: set it")]
    After9999,
}

/// The time now, to the millisecond, as events record it.
pub fn now() -> Result<DateTime<Utc>, ClockOff> {
    time_of(SystemTime::now())
}

/// Reads a time of the system's clock as events record it.
fn time_of(clock: SystemTime) -> Result<DateTime<Utc>, ClockOff> {
    let since = clock.duration_since(SystemTime::UNIX_EPOCH).map_err(|_| ClockOff::Before1970)?;
    let seconds = i64::try_from(since.as_secs()).map_err(|_| ClockOff::After9999)?;
    let time = DateTime::from_timestamp(seconds, since.subsec_nanos()).map(|time| time.trunc_subsecs(3));
    time.filter(|time| time.year() <= 9999).ok_or(ClockOff::After9999)
}

/// A server seed of 32 random bytes from the operating system.
pub fn random_seed() -> Result<ServerSeed, getrandom::Error> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes)?;
    Ok(ServerSeed::from_bytes(bytes))
}

#[cfg(test)]
mod tests {
    use super::{ClockOff, SystemTime, time_of};
    use crate::log::at_format;

    /// A clock so many milliseconds from the beginning of 1970.
    fn clock(milliseconds: i64) -> SystemTime {
        let from = std::time::Duration::from_millis(milliseconds.unsigned_abs());
        let epoch = SystemTime::UNIX_EPOCH;
        if milliseconds < 0 { epoch - from } else { epoch + from }
    }

    #[test]
    fn the_clock_is_taken_from_1970_to_9999_and_refused_by_name_before_and_after() {
        const YEAR_10000: i64 = 253_402_300_800_000;
        for (milliseconds, due) in
            [(0, "1970-01-01T00:00:00.000Z"), (YEAR_10000 - 1, "9999-12-31T23:59:59.999Z")]
        {
            let at = time_of(clock(milliseconds)).expect("a time");
            assert_eq!(at_format::write(&at), due);
            assert_eq!(at_format::read(due), Some(at), "it is read back");
        }
        for milliseconds in [-1, -1000, i64::MIN / 1000] {
            assert_eq!(time_of(clock(milliseconds)), Err(ClockOff::Before1970), "{milliseconds}");
        }
        for milliseconds in [YEAR_10000, i64::MAX / 1000, i64::MAX] {
            assert_eq!(time_of(clock(milliseconds)), Err(ClockOff::After9999), "{milliseconds}");
        }
        assert!(ClockOff::Before1970.to_string().contains("clock"));
    }
}
