use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::games::{Choices, Place, Refusal, Why};

const PLAYERS_WHO_CAN_BOWL_ON: u64 = 9;

/// When a strike of 6 scores nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SixesOffExtras {
    /// Off byes and leg byes.
    AsWritten,
    /// Off every delivery whose bowl die was 1.
    Never,
}

/// The options of a match, every one of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Options {
    /// Overs an innings: 1 to 50.
    pub overs: u16,
    /// Overs a bowler.
    pub max_overs_per_bowler: u16,
    /// When a strike of 6 scores nothing.
    pub sixes_off_extras: SixesOffExtras,
    /// Reviews; `off` is all there is so far.
    pub drs: Drs,
}

/// Whether decisions can be reviewed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Drs {
    /// They cannot.
    Off,
}

impl Options {
    /// Reads the options given and fills in the rest.
    pub fn resolve(given: &Choices) -> Result<Options, Refusal> {
        for name in given.keys() {
            if !["overs", "max_overs_per_bowler", "sixes_off_extras", "drs"].contains(&name.as_str()) {
                let message = format!(
                    "howzat has no option {name:?}; it has overs, max_overs_per_bowler, sixes_off_extras and drs"
                );
                return Err(refuse(name, message));
            }
        }
        let overs = number(given, "overs", 50)?.unwrap_or(20);
        let max = number(given, "max_overs_per_bowler", 50)?.unwrap_or(overs.div_ceil(5));
        if overs > PLAYERS_WHO_CAN_BOWL_ON * max + 1 {
            let least = (overs - 1).div_ceil(PLAYERS_WHO_CAN_BOWL_ON);
            let message = format!(
                "with {overs} overs a bowler must be allowed at least {least}, so that an over can always be bowled"
            );
            return Err(refuse("max_overs_per_bowler", message));
        }
        Ok(Options {
            overs: overs as u16,
            max_overs_per_bowler: max as u16,
            sixes_off_extras: word(given, "sixes_off_extras", "as_written or never")?
                .unwrap_or(SixesOffExtras::AsWritten),
            drs: word(given, "drs", "off (reviews are not played in this version)")?.unwrap_or(Drs::Off),
        })
    }

    /// The options as the log has them.
    pub fn written(self) -> Choices {
        match serde_json::to_value(self) {
            Ok(Value::Object(members)) => members,
            _ => unreachable!("options are a JSON object"),
        }
    }
}

fn refuse(name: &str, message: String) -> Refusal {
    Refusal::new(Why::IllegalInput, Place::Field(format!("rules.{name}")), message)
}

fn number(given: &Choices, name: &str, most: u64) -> Result<Option<u64>, Refusal> {
    match given.get(name) {
        None => Ok(None),
        Some(value) => match value.as_u64() {
            Some(n) if (1..=most).contains(&n) => Ok(Some(n)),
            _ => Err(refuse(name, format!("{name} is a whole number from 1 to {most}, not {value}"))),
        },
    }
}

fn word<T: for<'de> Deserialize<'de>>(
    given: &Choices,
    name: &str,
    legal: &str,
) -> Result<Option<T>, Refusal> {
    match given.get(name) {
        None => Ok(None),
        Some(value) => T::deserialize(value)
            .map(Some)
            .map_err(|_| refuse(name, format!("{name} is {legal}, not {value}"))),
    }
}
