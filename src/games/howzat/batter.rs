//! The only choice of a ball: the batter who comes in after a wicket.

use serde::Deserialize;
use serde_json::{Value, json};

use super::rulings;
use super::state::{Howzat, PLAYERS};
use crate::rules::{Choices, Refusal, reading};
use crate::scorebook::Player;

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct BallChoices {
    next_batter: Option<String>,
}

const BALL_SHAPE: &str = "howzat's ball has the choice next_batter, and that only after a wicket";

/// The names of the batters who may come in.
pub fn yet_to_bat(state: &Howzat) -> Vec<&str> {
    state.innings.yet_to_bat(PLAYERS).map(|player| state.batters()[player.index()].as_str()).collect()
}

/// The batter who comes in when nobody is named: after a wicket, the next in the list.
#[inline]
pub fn default_batter(state: &Howzat) -> Option<Player> {
    if state.innings.awaits_batter() { state.innings.yet_to_bat(PLAYERS).next() } else { None }
}

/// Reads the choice of the next batter; there is none unless a wicket has fallen.
pub fn choose_batter(state: &Howzat, choices: &Choices) -> Result<Option<Player>, Refusal> {
    let given = match choices.get("next_batter") {
        None if choices.is_empty() => BallChoices::default(),
        Some(Value::String(name)) if choices.len() == 1 => BallChoices { next_batter: Some(name.clone()) },
        _ => reading::choices(choices, BALL_SHAPE)?,
    };
    let refuse = |message: String, legal: Value| {
        Err(Refusal::choice("next_batter", message).by(&rulings::BALL_NEXT_BATTER).legal(legal))
    };
    match (given.next_batter, state.innings.awaits_batter()) {
        (None, _) => Ok(default_batter(state)),
        (Some(name), false) => refuse(
            format!("no wicket has fallen, so {name:?} cannot come in; leave next_batter out"),
            Value::Null,
        ),
        (Some(name), true) => {
            match state.innings.yet_to_bat(PLAYERS).find(|player| state.batters()[player.index()] == name) {
                Some(batter) => Ok(Some(batter)),
                None => {
                    refuse(format!("{name:?} is not one of those still to bat"), json!(yet_to_bat(state)))
                }
            }
        }
    }
}

/// The choices of a ball, in their form for the log.
pub fn written_choices(state: &Howzat, next_batter: Option<Player>) -> Choices {
    let name = next_batter.map(|batter| json!(state.batters()[batter.index()]));
    name.map(|name| ("next_batter".to_owned(), name)).into_iter().collect()
}
