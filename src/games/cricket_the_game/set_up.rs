//! The set-up before the toss: the player whom each side drops, and the pitch.

use serde::Deserialize;
use serde_json::{Value, json};

use super::edition::model::{EditionWord, PlayerRole};
use super::named_card::{NamedCard, find_card};
use super::rulings::*;
use super::squad::players;
use super::state::{CricketTheGame, Prepared};
use crate::dice::{Dice, Die, Draw};
use crate::rules::{Choices, Place, Refusal, RefusalKind, reading};
use crate::scorebook::{BySide, Player, Side};

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Given {
    #[serde(default)]
    drop: GivenDrops,
    pitch: Option<String>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct GivenDrops {
    home: Option<String>,
    away: Option<String>,
}

const SHAPE: &str = "the set-up has drop, with home and away, and, at the table, pitch";

impl Prepared {
    /// Reads the choices of the set-up. The pitch is drawn by the set-up draw, or entered at the table.
    pub fn resolve(
        state: &CricketTheGame,
        choices: &Choices,
        dice: &mut dyn Dice,
    ) -> Result<Prepared, Refusal> {
        let given: Given = reading::choices(choices, SHAPE)?;
        let dropped = BySide {
            home: dropped(state, Side::Home, given.drop.home.as_deref())?,
            away: dropped(state, Side::Away, given.drop.away.as_deref())?,
        };
        Ok(Prepared { dropped, pitch: pitch(state, given.pitch.as_deref(), dice)? })
    }

    /// The die that drew the pitch; none at the table.
    pub fn dice(&self, state: &CricketTheGame) -> Vec<Die> {
        let sides = state.edition().pitch.len() as u16;
        let die = Die { what: PITCH.into(), sides, value: u16::from(self.pitch) + 1 };
        if state.is_seeded() { vec![die] } else { Vec::new() }
    }

    /// The choices of the set-up, in their form for the log.
    pub fn written(&self, state: &CricketTheGame) -> Choices {
        let name = |side: Side| &state.setting.created.sheet(side).players[self.dropped[side].index()];
        let pitch = state.edition().pitch.get(usize::from(self.pitch)).map(|card| card.condition.word());
        reading::object(json!({
            "drop": {"home": name(Side::Home), "away": name(Side::Away)}, "pitch": pitch,
        }))
    }
}

const PITCH: &str = "pitch";

/// The specialist bowlers of a side; it drops one of them.
pub fn droppable(state: &CricketTheGame, side: Side) -> impl DoubleEndedIterator<Item = Player> {
    let squad = state.setting.squads[side];
    players().filter(move |player| squad[player.index()].role.is_specialist_bowler())
}

/// The player whom a side drops: a specialist bowler, by default its last-listed pace bowler.
pub fn dropped(state: &CricketTheGame, side: Side, given: Option<&str>) -> Result<Player, Refusal> {
    let names = &state.setting.created.sheet(side).players;
    let pace = |player: &Player| state.setting.squads[side][player.index()].role == PlayerRole::Pace;
    let found = match given {
        None => droppable(state, side).rev().find(pace),
        Some(given) => droppable(state, side).find(|player| names[player.index()] == given),
    };
    found.ok_or_else(|| {
        let legal: Vec<&str> = droppable(state, side).map(|player| names[player.index()].as_str()).collect();
        let message =
            format!("{:?} is not a specialist bowler of the {side} side", given.unwrap_or_default());
        Refusal::choice(format!("drop.{side}"), message).by(&SET_UP_DROP).legal(legal)
    })
}

fn pitch(state: &CricketTheGame, given: Option<&str>, dice: &mut dyn Dice) -> Result<u8, Refusal> {
    let cards = &state.edition().pitch;
    let legal: Vec<&str> = cards.iter().map(NamedCard::id).collect();
    let refuse = |message: String| Refusal::choice("pitch", message).by(&SET_UP_PITCH).legal(legal.clone());
    let read = |given: &str| match find_card(cards, given) {
        Ok(Some(at)) => Ok(at as u8),
        Ok(None) => Err(refuse(format!("pitch is one of {}, not {given:?}", legal.join(", ")))),
        Err(several) => Err(refuse(several.to_string())),
    };
    let entered = given.map(read).transpose()?;
    if !state.is_seeded() {
        let place = Place::Choice("pitch".to_owned());
        let missing = || {
            let message = "pitch is missing: the condition on the pitch card that was drawn";
            Refusal::new(RefusalKind::NeedsInput, place, message).by(&SET_UP_PITCH).legal(legal)
        };
        return entered.ok_or_else(missing);
    }
    if entered.is_some() && !dice.are_recorded() {
        let message = "the pitch card is drawn from the seed; leave pitch out";
        return Err(Refusal::choice("pitch", message).by(&SET_UP_PITCH));
    }
    dice.begin(Draw::SET_UP);
    let drawn = dice.roll(PITCH, cards.len() as u16)? as u8 - 1;
    match entered {
        Some(entered) if entered != drawn => {
            let message = "pitch is not the card that is drawn; leave it out";
            Err(Refusal::choice("pitch", message).by(&SET_UP_PITCH))
        }
        _ => Ok(drawn),
    }
}

/// The legal choices of the set-up, and the defaults.
pub fn legal_choices(state: &CricketTheGame) -> (Value, Value) {
    let names = |side: Side| -> Vec<&str> {
        let names = &state.setting.created.sheet(side).players;
        droppable(state, side).map(|player| names[player.index()].as_str()).collect()
    };
    let usual = |side: Side| {
        let names = &state.setting.created.sheet(side).players;
        dropped(state, side, None).ok().map(|player| names[player.index()].as_str())
    };
    let mut legal = json!({"drop": {"home": names(Side::Home), "away": names(Side::Away)}});
    if !state.is_seeded() {
        legal["pitch"] = state.edition().pitch.iter().map(|card| card.condition.word()).collect();
    }
    (legal, json!({"drop": {"home": usual(Side::Home), "away": usual(Side::Away)}}))
}
