use serde::{Deserialize, Serialize};

use super::edition::model::Format;
use crate::rules::reading::{known_options, word_option, written_options};
use crate::rules::{Choices, Refusal};

/// How long a match is, as an option.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Length {
    /// Ten overs a side.
    T10,
    /// Twenty overs a side.
    T20,
}

/// Whether decisions can be reviewed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Drs {
    /// By the edition's card.
    On,
    /// They cannot.
    Off,
}

/// The options of a match, every one of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Options {
    /// How long it is.
    pub format: Length,
    /// Whether decisions can be reviewed.
    pub drs: Drs,
}

impl Options {
    /// Reads the options given and fills in the rest.
    pub fn resolve(given: &Choices) -> Result<Options, Refusal> {
        known_options("cricket-the-game", given, &["format", "drs"])?;
        let format = word_option(given, "format", "t10 or t20")?.unwrap_or(Length::T20);
        let usual = if format == Length::T20 { Drs::On } else { Drs::Off };
        Ok(Options { format, drs: word_option(given, "drs", "on or off")?.unwrap_or(usual) })
    }

    /// The options as the log has them.
    pub fn written(self) -> Choices {
        written_options(&self)
    }

    /// The side of the board it is played on.
    pub fn format(self) -> Format {
        match self.format {
            Length::T10 => Format::T10,
            Length::T20 => Format::T20,
        }
    }
}

impl Format {
    /// Overs an innings.
    pub const fn overs(self) -> u16 {
        match self {
            Format::T10 => 10,
            Format::T20 => 20,
        }
    }

    /// Overs a bowler.
    pub const fn quota(self) -> u8 {
        match self {
            Format::T10 => 2,
            Format::T20 => 3,
        }
    }

    /// Sides of the distance die.
    pub const fn distance_die(self) -> u16 {
        match self {
            Format::T10 => 6,
            Format::T20 => 8,
        }
    }

    /// The overs at the start in which only two may stand in the outfield.
    pub const fn restricted_overs(self) -> u16 {
        match self {
            Format::T10 => 2,
            Format::T20 => 6,
        }
    }

    /// Whether the first two balls of an over are express play.
    pub const fn is_express(self, over: u16) -> bool {
        1 < over && over < self.overs()
    }

    /// How many zones may have three fielders.
    pub const fn zones_of_three(self) -> usize {
        match self {
            Format::T10 => 0,
            Format::T20 => 1,
        }
    }
}
