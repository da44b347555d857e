//! The options of a match, and what follows from its length: overs, quotas, dice and fields.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::edition::model::Format;
use crate::rules::reading::{known_options, word_option, written_options};
use crate::rules::{Choices, DEFAULT_DEPENDS, ORDER, Refusal, one_of_words};

/// The length of a match, as an option.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Length {
    /// Ten overs a side.
    T10,
    /// Twenty overs a side.
    T20,
}

/// Whether umpires' decisions can be reviewed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Drs {
    /// Decisions are reviewed by the card of the edition.
    On,
    /// No decision can be reviewed.
    Off,
}

/// The options of a match, all of them filled in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Options {
    /// The length of the match.
    pub format: Length,
    /// Whether umpires' decisions can be reviewed.
    pub drs: Drs,
}

impl Options {
    /// Reads the options that were given, and fills in the defaults.
    pub fn resolve(given: &Choices) -> Result<Options, Refusal> {
        known_options("cricket-the-game", given, &["format", "drs"])?;
        let format = word_option(given, "format", "t10 or t20")?.unwrap_or(Length::T20);
        let usual = if format == Length::T20 { Drs::On } else { Drs::Off };
        Ok(Options { format, drs: word_option(given, "drs", "on or off")?.unwrap_or(usual) })
    }

    /// The options as JSON Schema, for a form.
    pub fn described() -> Value {
        json!({
            "format": {
                "title": "Length",
                "description": "The overs of an innings, and the side of the board.",
                "oneOf": one_of_words(&[("t10", "ten overs a side"), ("t20", "twenty overs a side")]),
                ORDER: 1,
            },
            "drs": {
                "title": "Reviews",
                "description": "Whether umpires' decisions can be reviewed.",
                "oneOf": one_of_words(&[("on", "reviews by the card"), ("off", "no reviews")]),
                DEFAULT_DEPENDS: "On in a T20, off in a T10.",
                ORDER: 2,
            },
        })
    }

    /// The options, in their form for the log.
    pub fn written(self) -> Choices {
        written_options(&self)
    }

    /// The side of the board for this match.
    pub fn format(self) -> Format {
        match self.format {
            Length::T10 => Format::T10,
            Length::T20 => Format::T20,
        }
    }
}

impl Format {
    /// The overs of an innings.
    pub const fn overs(self) -> u16 {
        match self {
            Format::T10 => 10,
            Format::T20 => 20,
        }
    }

    /// The most overs of a bowler.
    pub const fn quota(self) -> u8 {
        match self {
            Format::T10 => 2,
            Format::T20 => 3,
        }
    }

    /// The number of sides of the distance die.
    pub const fn distance_die(self) -> u16 {
        match self {
            Format::T10 => 6,
            Format::T20 => 8,
        }
    }

    /// The number of overs, from the first, in which only two fielders may stand in the outfield.
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

    /// The number of zones that may have three fielders.
    pub const fn zones_of_three(self) -> usize {
        match self {
            Format::T10 => 0,
            Format::T20 => 1,
        }
    }
}
