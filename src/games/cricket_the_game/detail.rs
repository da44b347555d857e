//! What a ball has to add to the scorebook: where it went, who was near, what the cards and the meter said.

use serde::{Deserialize, Serialize};

use super::ball::Chosen;
use super::edition::model::{Bounce, Duelist, Express, Out, Word, Zone};
use super::squad::{LEAST_CONFIDENCE, MOST_CONFIDENCE};
use super::state::State;
use crate::log::Broken;
use crate::rules::Choices;
use crate::rules::reading::{expect, object};
use crate::scorebook::Player;

/// What a ball has to add.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Detail {
    /// The symbol it was played by, in express play.
    pub express: Option<Express>,
    /// The advantage, once the cards have had their say: for the batter if positive.
    pub advantage: Option<i8>,
    /// The batter's total less the bowler's.
    pub margin: Option<i8>,
    /// The striker's confidence after the ball.
    pub confidence: i8,
    /// Where it was struck.
    pub struck: Option<Struck>,
    /// Who tried to catch it.
    pub catch: Option<Catch>,
    /// What was appealed for, and whether it was given.
    pub appeal: Option<(Out, bool)>,
    /// The runs that were tried.
    pub tried: Option<u8>,
    /// Whether it was a dead ball.
    pub dead_ball: bool,
    /// Whether it was a free hit.
    pub free_hit: bool,
}

/// Where a ball was struck.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Struck {
    /// The zone.
    pub zone: Zone,
    /// The distance, as it counts.
    pub distance: u8,
    /// The area it landed in, from 1.
    pub area: u8,
    /// How it bounced.
    pub bounce: Bounce,
    /// The area it stopped in; none where it was caught, or went to the boundary.
    pub stopped: Option<u8>,
    /// Who fielded it.
    pub fielder: Option<Player>,
}

/// A catch that was tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Catch {
    /// Who tried.
    pub fielder: Player,
    /// What the d6 had to show.
    pub needed: u8,
    /// Whether it was held.
    pub held: bool,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct BounceRecord {
    areas: u8,
    air: bool,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct CatchRecord {
    fielder: String,
    needed: u8,
    held: bool,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct AppealRecord {
    #[serde(rename = "for")]
    how: String,
    out: bool,
}

#[derive(Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct CardsRecord {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    bowl: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    over: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    skills: Vec<String>,
}

/// A detail as the log has it.
#[derive(Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Record {
    cards: CardsRecord,
    confidence: i8,
    #[serde(skip_serializing_if = "Option::is_none")]
    express: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    advantage: Option<i8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    margin: Option<i8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    zone: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    distance: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    area: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bounce: Option<BounceRecord>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stopped: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fielder: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    catch: Option<CatchRecord>,
    #[serde(skip_serializing_if = "Option::is_none")]
    appeal: Option<AppealRecord>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tried: Option<u8>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    dead_ball: bool,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    free_hit: bool,
}

impl Detail {
    /// As the log has it.
    pub fn written(&self, state: &State, chosen: &Chosen) -> Choices {
        let name = |player: Player| state.fielders()[player.index()].clone();
        let struck = self.struck;
        let record = Record {
            cards: cards(state, chosen),
            confidence: self.confidence,
            express: self.express.map(|express| express.word().to_owned()),
            advantage: self.advantage,
            margin: self.margin,
            zone: struck.map(|struck| struck.zone.word().to_owned()),
            distance: struck.map(|struck| struck.distance),
            area: struck.map(|struck| struck.area),
            bounce: struck.map(|Struck { bounce, .. }| BounceRecord { areas: bounce.areas, air: bounce.air }),
            stopped: struck.and_then(|struck| struck.stopped),
            fielder: struck.and_then(|struck| struck.fielder).map(name),
            catch: self.catch.map(|Catch { fielder, needed, held }| CatchRecord {
                fielder: name(fielder),
                needed,
                held,
            }),
            appeal: self.appeal.map(|(how, out)| AppealRecord { how: how.word().to_owned(), out }),
            tried: self.tried,
            dead_ball: self.dead_ball,
            free_hit: self.free_hit,
        };
        serde_json::to_value(record).map(object).unwrap_or_default()
    }

    /// Reads a detail off the log.
    pub fn read(state: &State, chosen: &Chosen, written: &Choices) -> Result<Detail, Broken> {
        let broken = |field: &str, reason: String| Broken::new(format!("data.outcome.detail{field}"), reason);
        let record = Record::deserialize(written).map_err(|error| broken("", error.to_string()))?;
        let fielder = |name: &Option<String>| match name {
            None => Ok(None),
            Some(name) => {
                let at = state.fielders().iter().position(|player| player == name);
                let unknown = || broken("", format!("{name:?} is not in the side"));
                at.map(|at| Some(Player(at as u8))).ok_or_else(unknown)
            }
        };
        let struck = match (&record.zone, record.distance, record.area, &record.bounce) {
            (Some(zone), Some(distance), Some(area), Some(bounce)) => Some(Struck {
                zone: Zone::of_word(zone).ok_or_else(|| broken(".zone", format!("{zone:?} is no zone")))?,
                distance,
                area,
                bounce: Bounce { areas: bounce.areas, air: bounce.air },
                stopped: record.stopped,
                fielder: fielder(&record.fielder)?,
            }),
            _ => None,
        };
        let detail = Detail {
            express: record.express.as_deref().and_then(Express::of_word),
            advantage: record.advantage,
            margin: record.margin,
            confidence: record.confidence,
            struck,
            catch: match &record.catch {
                None => None,
                Some(catch) => fielder(&Some(catch.fielder.clone()))?.map(|fielder| Catch {
                    fielder,
                    needed: catch.needed,
                    held: catch.held,
                }),
            },
            appeal: record.appeal.and_then(|appeal| Some((Out::of_word(&appeal.how)?, appeal.out))),
            tried: record.tried,
            dead_ball: record.dead_ball,
            free_hit: record.free_hit,
        };
        expect("data.outcome.detail", &detail.written(state, chosen), written)?;
        if !(LEAST_CONFIDENCE..=MOST_CONFIDENCE).contains(&detail.confidence) {
            return Err(broken(".confidence", format!("is {LEAST_CONFIDENCE} to {MOST_CONFIDENCE}")));
        }
        Ok(detail)
    }
}

/// The cards of a ball by name.
fn cards(state: &State, chosen: &Chosen) -> CardsRecord {
    let edition = state.edition();
    let style = state.style();
    let express = state.is_express();
    let bowl =
        chosen.bowl.filter(|_| !express).and_then(|bowl| edition.bowls.of(style).get(usize::from(bowl)));
    let over = chosen.card.and_then(|card| edition.over_decks.of(style).get(usize::from(card)));
    let skills = [(Duelist::Bowler, &edition.bowler_skills), (Duelist::Batter, &edition.batter_skills)];
    let used = skills.iter().flat_map(|(side, skills)| {
        let used = chosen.skills_used(*side);
        skills.iter().enumerate().filter(move |(s, _)| used & 1 << s != 0).map(|(_, skill)| skill.id.clone())
    });
    CardsRecord {
        bowl: bowl.map(|bowl| bowl.id.clone()),
        over: over.map(|card| card.id.clone()),
        skills: used.collect(),
    }
}
