//! The choices of a ball, one by one: read, or refused with what would be legal.

use serde::Deserialize;
use serde_json::Value;

use super::super::edition::model::{Attitude, Duelist, Edition, Out, Word, Zone};
use super::super::rulings::*;
use super::super::state::{Due, State};
use super::question::{Chance, Reroll};
use crate::rules::{Refusal, reading};
use crate::scorebook::{Player, Ruling};

/// What the choices of a ball are.
pub const SHAPE: &str = "a ball has the choices next_batter, next_attitude, field, bowl, attitude, stroke, over_card, skills, \
                     reroll_bowler, reroll_batter, longer, run and chance";

/// The choices of a ball, as they are given.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Given {
    pub next_batter: Option<String>,
    pub next_attitude: Option<String>,
    pub field: Option<Value>,
    pub bowl: Option<String>,
    pub attitude: Option<String>,
    pub stroke: Option<String>,
    pub over_card: Option<String>,
    #[serde(default, deserialize_with = "reading::only_object")]
    pub skills: GivenSkills,
    pub reroll_bowler: Option<String>,
    pub reroll_batter: Option<String>,
    pub longer: Option<bool>,
    pub run: Option<Value>,
    pub chance: Option<String>,
}

/// The skills that are named for it, as they are given.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct GivenSkills {
    pub bowler: Vec<String>,
    pub batter: Vec<String>,
}

fn word<W: Word>(
    name: &str,
    given: Option<&str>,
    ruling: &'static Ruling,
    legal: &[W],
) -> Result<Option<W>, Refusal> {
    let Some(given) = given else { return Ok(None) };
    match W::of_word(given).filter(|word| legal.contains(word)) {
        Some(word) => Ok(Some(word)),
        None => {
            let legal: Vec<&str> = legal.iter().map(|word| word.word()).collect();
            let message = format!("{name} is one of {}, not {given:?}", legal.join(", "));
            Err(Refusal::choice(name, message).by(ruling).legal(legal))
        }
    }
}

/// Reads an attitude.
pub fn attitude(name: &str, given: Option<&str>) -> Result<Option<Attitude>, Refusal> {
    word(name, given, &BALL_ATTITUDE, &[Attitude::Aggressive, Attitude::Defensive])
}

/// Reads a stroke.
pub fn stroke(given: Option<&str>) -> Result<Option<Zone>, Refusal> {
    word("stroke", given, &BALL_STROKE, &Zone::strokes().collect::<Vec<_>>())
}

/// Reads a bowl of the style, as its place among them.
pub fn bowl(state: &State, given: Option<&str>) -> Result<Option<u8>, Refusal> {
    let Some(given) = given else { return Ok(None) };
    let bowls = state.edition().bowls.of(state.style());
    match bowls.iter().position(|bowl| bowl.id == given) {
        Some(place) => Ok(Some(place as u8)),
        None => {
            let legal: Vec<&str> = bowls.iter().map(|bowl| bowl.id.as_str()).collect();
            let style = state.style().word();
            let message = format!("{given:?} is no {style} bowl; there are {}", legal.join(", "));
            Err(Refusal::choice("bowl", message).by(&BALL_BOWL).legal(legal))
        }
    }
}

/// Reads an over card that can be turned next, as its place in the deck.
pub fn over_card(state: &State, given: Option<&str>) -> Result<Option<u8>, Refusal> {
    let Some(given) = given else { return Ok(None) };
    let refuse = |message: String| Err(Refusal::choice("over_card", message).by(&BALL_OVER_CARD));
    if state.over.due != Due::Card {
        return refuse("this ball is bowled without an over card; leave over_card out".to_owned());
    }
    let deck = state.edition().over_decks.of(state.style());
    match deck.iter().position(|card| card.id == given) {
        Some(place) if state.over.turned.contains(&(place as u8)) => {
            refuse(format!("{given:?} has been turned in this over"))
                .map_err(|refusal: Refusal| refusal.legal(state.cards_left()))
        }
        Some(place) => Ok(Some(place as u8)),
        None => refuse(format!("{given:?} is not in the over deck of {}", state.style().word()))
            .map_err(|refusal: Refusal| refusal.legal(state.cards_left())),
    }
}

impl State {
    /// The ids of the over cards that may be turned next, at the table.
    pub fn cards_left(&self) -> Vec<&str> {
        let deck = (0u8..).zip(self.edition().over_decks.of(self.style()));
        deck.filter(|(place, _)| !self.over.turned.contains(place))
            .map(|(_, card)| card.id.as_str())
            .collect()
    }
}

/// Reads who comes in and how he means to play, where somebody has to.
pub fn next_batter(state: &State, given: &Given) -> Result<Option<(Player, Attitude)>, Refusal> {
    let to_come: Vec<Player> = state.yet_to_bat().collect();
    let names = || to_come.iter().map(|player| state.batters()[player.index()].as_str()).collect::<Vec<_>>();
    let refuse = |name: &str, message: String| Err(Refusal::choice(name, message).by(&BALL_NEXT_BATTER));
    if !state.innings.awaits_batter() {
        return match (&given.next_batter, &given.next_attitude) {
            (None, None) => Ok(None),
            (Some(name), _) => refuse(
                "next_batter",
                format!("no wicket has fallen, so {name:?} cannot come in; leave next_batter out"),
            ),
            (None, Some(_)) => refuse("next_attitude", "nobody comes in; leave next_attitude out".to_owned()),
        };
    }
    let batter = match &given.next_batter {
        None => to_come.first().copied(),
        Some(name) => to_come.iter().copied().find(|player| state.batters()[player.index()] == *name),
    };
    let Some(batter) = batter else {
        let named = given.next_batter.as_deref().unwrap_or_default();
        return refuse("next_batter", format!("{named:?} is not one of those still to bat"))
            .map_err(|refusal: Refusal| refusal.legal(names()));
    };
    let arrival = attitude("next_attitude", given.next_attitude.as_deref())?;
    let faces = state.innings.striker().is_none() && !state.is_express();
    let facing = if faces { attitude("attitude", given.attitude.as_deref())? } else { None };
    Ok(Some((batter, arrival.or(facing).unwrap_or(Attitude::Defensive))))
}

/// Reads whether a die is rolled once more, and by what.
pub fn reroll(edition: &Edition, side: Duelist, given: &str) -> Result<Reroll, Refusal> {
    let name = side.reroll();
    let skills = edition.skills_of(side).iter();
    match given {
        "no" => Ok(Reroll::No),
        "card" => Ok(Reroll::Card),
        id => match skills.clone().position(|skill| skill.id == id && skill.is_reroll()) {
            Some(place) => Ok(Reroll::Skill(place as u8)),
            None => {
                let rerolls = skills.filter(|skill| skill.is_reroll()).map(|skill| skill.id.as_str());
                let legal: Vec<&str> = ["no", "card"].into_iter().chain(rerolls).collect();
                let message = format!("{name} is one of {}, not {id:?}", legal.join(", "));
                Err(Refusal::choice(name, message).by(&REROLL).legal(legal))
            }
        },
    }
}

/// Reads how many runs are tried.
pub fn runs(given: &Value) -> Result<u8, Refusal> {
    let runs = given.as_u64().filter(|runs| *runs <= 3);
    let wrong = || {
        let message = format!("run is how many runs the batters take, 0 to 3, not {given}");
        Refusal::choice("run", message).by(&BALL_RUN)
    };
    runs.map(|runs| runs as u8).ok_or_else(wrong)
}

/// Reads which chance is taken.
pub fn chance(given: &str) -> Result<&'static str, Refusal> {
    let own = [Chance::Bowled, Chance::Slips].map(Chance::word);
    let chances: Vec<&'static str> = own.into_iter().chain(Out::APPEALS.map(Out::word)).collect();
    chances.iter().find(|chance| **chance == given).copied().ok_or_else(|| {
        let message = format!("chance is one of {}, not {given:?}", chances.join(", "));
        Refusal::choice("chance", message).by(&BALL_CHANCE).legal(chances)
    })
}
