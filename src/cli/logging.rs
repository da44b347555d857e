use std::io::stderr;

use tracing_subscriber::EnvFilter;
use tracing_subscriber::filter::LevelFilter;

/// Writes the log of the program to standard error from now on, by the filter of `--log`.
pub(super) fn start(filter: &str) -> Result<(), String> {
    let filter = read_filter(filter)?;
    tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(stderr)
        // Lines without colours: the crate's feature for them is off. Asking for colours all the same is
        // a panic, or a line about it at each start.
        .with_ansi(false)
        .init();
    Ok(())
}

fn read_filter(filter: &str) -> Result<EnvFilter, String> {
    // A word alone would be a part of the program, all of whose lines are written: a slip of the pen in
    // `warn` would silence the service, and nobody would be told.
    let mut words = filter.split(',').map(str::trim).filter(|part| is_word(part));
    if let Some(word) = words.find(|word| word.parse::<LevelFilter>().is_err()) {
        return Err(format!(
            "--log {filter:?} is not a filter: {word:?} is no level; the levels are error, warn, info, debug, \
             trace and off, and a part of the program has one like third_umpire=debug"
        ));
    }
    EnvFilter::try_new(filter).map_err(|error| format!("--log {filter:?} is not a filter: {error}"))
}

fn is_word(part: &str) -> bool {
    !part.is_empty() && !part.contains(['=', '[', ']', '{', '}'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_filter_has_levels_and_parts_of_the_program_with_their_levels() {
        for filter in [
            "info",
            "WARN",
            "off",
            "warn,third_umpire=debug",
            "third_umpire::store=trace, error",
            "[submit{match_id}]=debug,info",
        ] {
            assert!(read_filter(filter).is_ok(), "{filter}");
        }
    }

    #[test]
    fn a_word_that_is_no_level_is_refused_with_the_levels() {
        for (filter, word) in [("wran", "\"wran\""), ("info,third_umpire", "\"third_umpire\"")] {
            let refused = read_filter(filter).expect_err(filter);
            assert!(
                refused.contains(word) && refused.contains("error, warn, info, debug, trace"),
                "{refused}"
            );
        }
        assert!(read_filter("third_umpire=wran").is_err());
    }
}
