//! The options of a match of Howzat.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::rules::reading::{known_options, number_option, refuse_option, word_option, written_options};
use crate::rules::{Choices, DEFAULT_DEPENDS, LIMITS_DEPEND, ORDER, Refusal, one_of_words};

/// The most overs of an innings.
const MOST_OVERS: u64 = 50;
const PLAYERS_WHO_CAN_BOWL_ON: u64 = 9;

/// The deliveries off which a strike of 6 scores nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SixesOffExtras {
    /// Off byes and leg byes.
    AsWritten,
    /// Off every delivery whose bowl die was 1.
    Never,
}

/// The options of a match, all of them filled in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Options {
    /// The overs of an innings: 1 to 50.
    pub overs: u16,
    /// The most overs of a bowler.
    pub max_overs_per_bowler: u16,
    /// The deliveries off which a strike of 6 scores nothing.
    pub sixes_off_extras: SixesOffExtras,
    /// Whether decisions can be reviewed.
    pub drs: Drs,
}

/// Whether decisions can be reviewed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Drs {
    /// No decision can be reviewed.
    Off,
    /// Decisions are reviewed by the game's own review card.
    House,
}

impl Options {
    /// Reads the options that were given, and fills in the defaults.
    pub fn resolve(given: &Choices) -> Result<Options, Refusal> {
        let known = ["overs", "max_overs_per_bowler", "sixes_off_extras", "drs"];
        known_options("howzat", given, &known)?;
        let overs = number_option(given, "overs", MOST_OVERS)?.unwrap_or(20);
        let max = number_option(given, "max_overs_per_bowler", MOST_OVERS)?.unwrap_or(overs.div_ceil(5));
        if overs > PLAYERS_WHO_CAN_BOWL_ON * max + 1 {
            let least = (overs - 1).div_ceil(PLAYERS_WHO_CAN_BOWL_ON);
            let message = format!(
                "with {overs} overs a bowler must be allowed at least {least}, so that an over can always be bowled"
            );
            return Err(refuse_option("max_overs_per_bowler", message));
        }
        Ok(Options {
            overs: overs as u16,
            max_overs_per_bowler: max as u16,
            sixes_off_extras: word_option(given, "sixes_off_extras", "as_written or never")?
                .unwrap_or(SixesOffExtras::AsWritten),
            drs: word_option(given, "drs", "off or house")?.unwrap_or(Drs::Off),
        })
    }

    /// The options as JSON Schema, for a form.
    pub fn described() -> Value {
        json!({
            "overs": {
                "type": "integer", "minimum": 1, "maximum": MOST_OVERS, "title": "Overs",
                "description": "The overs of an innings.",
                ORDER: 1,
            },
            "max_overs_per_bowler": {
                "type": "integer", "minimum": 1, "maximum": MOST_OVERS, "title": "Overs a bowler",
                "description": "The most overs of a bowler.",
                ORDER: 2,
                DEFAULT_DEPENDS: "A fifth of the overs, rounded up.",
                LIMITS_DEPEND: "At least (overs - 1) / 9, rounded up, so that an over can always be bowled: 3 with 20 \
                                overs.",
            },
            "sixes_off_extras": {
                "title": "A strike of 6 off an extra",
                "description": "The deliveries off which a strike of 6 scores nothing.",
                "oneOf": one_of_words(&[
                    ("as_written", "scores nothing off byes and leg byes"),
                    ("never", "scores nothing whenever the bowl die was 1"),
                ]),
                ORDER: 4,
            },
            "drs": {
                "title": "Reviews",
                "description": "Whether a side can have decisions reviewed.",
                "oneOf": one_of_words(&[("off", "no reviews"), ("house", "one review an innings, with a die")]),
                ORDER: 3,
            },
        })
    }

    /// The options, in their form for the log.
    pub fn written(self) -> Choices {
        written_options(&self)
    }
}
