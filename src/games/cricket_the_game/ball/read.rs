//! The choices of a ball: each is read, or refused with the legal ones.

use serde::Deserialize;
use serde_json::Value;

use super::super::edition::model::{Attitude, Duelist, EditionWord, Out, PrintedEdition, Zone};
use super::super::field::Field;
use super::super::named_card::{NamedCard, find_card};
use super::super::progress::NextBall;
use super::super::rulings::*;
use super::legal::cards_left;
use super::question::{Chance, Reroll};
use super::situation::BallSituation;
use crate::rules::Refusal;
use crate::scorebook::{Player, Ruling};

/// The message that lists the choices of a ball.
pub const SHAPE: &str = "a ball has the choices next_batter, next_attitude, field, bowl, attitude, stroke, over_card, skills, \
                     reroll_bowler, reroll_batter, longer, run and chance";

/// The choices of a ball, as a command gives them.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BallInput {
    pub next_batter: Option<String>,
    pub next_attitude: Option<String>,
    pub field: Option<Value>,
    pub bowl: Option<String>,
    pub attitude: Option<String>,
    pub stroke: Option<String>,
    pub over_card: Option<String>,
    #[serde(default)]
    pub skills: GivenSkills,
    pub reroll_bowler: Option<String>,
    pub reroll_batter: Option<String>,
    pub longer: Option<bool>,
    pub run: Option<Value>,
    pub chance: Option<String>,
}

/// The skills that are named for a ball, as a command gives them.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct GivenSkills {
    pub bowler: Vec<String>,
    pub batter: Vec<String>,
}

fn word<W: EditionWord>(
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

/// Reads a bowl of the style, as its index among them.
pub fn bowl(situation: &BallSituation<'_>, given: Option<&str>) -> Result<Option<u8>, Refusal> {
    let Some(given) = given else { return Ok(None) };
    let bowls = situation.bowls();
    let legal = || bowls.iter().map(NamedCard::id).collect::<Vec<_>>();
    let refuse = |message: String| Err(Refusal::choice("bowl", message).by(&BALL_BOWL).legal(legal()));
    match find_card(bowls, given) {
        Ok(Some(place)) => Ok(Some(place as u8)),
        Ok(None) => {
            let (style, legal) = (situation.style.word(), legal().join(", "));
            refuse(format!("{given:?} is not a {style} bowl; the {style} bowls are {legal}"))
        }
        Err(several) => refuse(several.to_string()),
    }
}

/// Reads the field to which the tokens move.
pub fn field(situation: &BallSituation<'_>, given: Option<&Value>) -> Result<Option<Field>, Refusal> {
    given.map(|field| Field::read(field, situation.limits, &situation.token_names())).transpose()
}

/// Reads an over card that can be turned next, as its index in the deck.
pub fn over_card(situation: &BallSituation<'_>, given: Option<&str>) -> Result<Option<u8>, Refusal> {
    let Some(given) = given else { return Ok(None) };
    let refuse = |message: String| Err(Refusal::choice("over_card", message).by(&BALL_OVER_CARD));
    if situation.over.next_ball != NextBall::WithCard {
        return refuse("this ball is bowled without an over card; leave over_card out".to_owned());
    }
    let not_left =
        |message: String| refuse(message).map_err(|refusal: Refusal| refusal.legal(cards_left(situation)));
    match find_card(situation.deck(), given) {
        Ok(Some(place)) if situation.over.turned.contains(&(place as u8)) => {
            not_left(format!("{given:?} has been turned in this over"))
        }
        Ok(Some(place)) => Ok(Some(place as u8)),
        Ok(None) => not_left(format!("{given:?} is not in the over deck of {}", situation.style.word())),
        Err(several) => not_left(several.to_string()),
    }
}

/// Reads the next batter and his attitude, after a wicket.
pub fn next_batter(
    situation: &BallSituation<'_>,
    given: &BallInput,
) -> Result<Option<(Player, Attitude)>, Refusal> {
    let to_come: Vec<Player> = situation.yet_to_bat().collect();
    let names = || to_come.iter().map(|player| situation.batters.name(*player)).collect::<Vec<_>>();
    let refuse = |name: &str, message: String| Err(Refusal::choice(name, message).by(&BALL_NEXT_BATTER));
    if !situation.innings.awaits_batter() {
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
        Some(name) => to_come.iter().copied().find(|player| situation.batters.name(*player) == name),
    };
    let Some(batter) = batter else {
        let named = given.next_batter.as_deref().unwrap_or_default();
        return refuse("next_batter", format!("{named:?} is not one of those still to bat"))
            .map_err(|refusal: Refusal| refusal.legal(names()));
    };
    let arrival = attitude("next_attitude", given.next_attitude.as_deref())?;
    let faces = situation.innings.striker().is_none() && !situation.is_express;
    let facing = if faces { attitude("attitude", given.attitude.as_deref())? } else { None };
    Ok(Some((batter, arrival.or(facing).unwrap_or(Attitude::Defensive))))
}

/// Reads whether a die is rolled once more, and by which card.
pub fn reroll(edition: &PrintedEdition, side: Duelist, given: &str) -> Result<Reroll, Refusal> {
    let name = side.reroll();
    let skills = edition.skills_of(side);
    let skill = |given| find_card(skills, given).map(|found| found.filter(|at| skills[*at].is_reroll()));
    let refuse =
        |message: String, legal: Vec<&str>| Err(Refusal::choice(name, message).by(&REROLL).legal(legal));
    let legal = || {
        let rerolls = skills.iter().filter(|skill| skill.is_reroll()).map(NamedCard::id);
        ["no", "card"].into_iter().chain(rerolls).collect::<Vec<_>>()
    };
    match given {
        "no" => Ok(Reroll::No),
        "card" => Ok(Reroll::Card),
        given => match skill(given) {
            Ok(Some(place)) => Ok(Reroll::Skill(place as u8)),
            Ok(None) => refuse(format!("{name} is one of {}, not {given:?}", legal().join(", ")), legal()),
            Err(several) => refuse(several.to_string(), legal()),
        },
    }
}

/// Reads the number of runs that the batters try.
pub fn runs(given: &Value) -> Result<u8, Refusal> {
    let runs = given.as_u64().filter(|runs| *runs <= 3);
    let wrong = || {
        let message = format!("run is how many runs the batters take, 0 to 3, not {given}");
        Refusal::choice("run", message).by(&BALL_RUN)
    };
    runs.map(|runs| runs as u8).ok_or_else(wrong)
}

/// Reads the chance that the fielding side takes.
pub fn chance(given: &str) -> Result<&'static str, Refusal> {
    let without_appeals = [Chance::Bowled, Chance::Slips].map(Chance::word);
    let chances: Vec<&'static str> = without_appeals.into_iter().chain(Out::APPEALS.map(Out::word)).collect();
    chances.iter().find(|chance| **chance == given).copied().ok_or_else(|| {
        let message = format!("chance is one of {}, not {given:?}", chances.join(", "));
        Refusal::choice("chance", message).by(&BALL_CHANCE).legal(chances)
    })
}
