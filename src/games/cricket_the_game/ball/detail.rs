//! The detail that a ball adds to the scorebook: where it went, who fielded it, and what the cards and the
//! meter did.

use serde::{Deserialize, Serialize};

use super::super::edition::model::{Bounce, Duelist, EditionWord, Express, Out, Zone};
use super::super::squad::{LEAST_CONFIDENCE, MOST_CONFIDENCE};
use super::chosen::Chosen;
use super::situation::BallSituation;
use crate::log::{InvalidEvent, read_members};
use crate::rules::Choices;
use crate::rules::reading::{expect, object};
use crate::scorebook::Player;

/// The part of a delivery that only this game has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Detail {
    /// The symbol that the ball was played by, in express play.
    pub express: Option<Express>,
    /// The advantage after the effects of the cards; positive is for the batter.
    pub advantage: Option<i8>,
    /// The batter's total less the bowler's.
    pub margin: Option<i8>,
    /// The striker's confidence after the ball.
    pub confidence: i8,
    /// The path of the ball, when it was struck.
    pub struck: Option<Struck>,
    /// The catch that a fielder tried.
    pub catch: Option<Catch>,
    /// The dismissal that was appealed for, and whether the batter was given out.
    pub appeal: Option<(Out, bool)>,
    /// The runs that the batters tried.
    pub tried: Option<u8>,
    /// Whether the ball was a dead ball.
    pub dead_ball: bool,
    /// Whether the ball was a free hit.
    pub free_hit: bool,
}

/// The path of a ball that was struck.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Struck {
    /// The zone of the stroke.
    pub zone: Zone,
    /// The distance that counts, after one is added or taken off.
    pub distance: u8,
    /// The area that the ball landed in, from 1.
    pub area: u8,
    /// The bounce of the ball.
    pub bounce: Bounce,
    /// The area that the ball stopped in; none where a fielder caught it, or it went to the boundary.
    pub stopped: Option<u8>,
    /// The fielder who stopped the ball.
    pub fielder: Option<Player>,
}

/// A catch that was tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Catch {
    /// The fielder who tried.
    pub fielder: Player,
    /// The face that the d6 had to show at least.
    pub needed: u8,
    /// Whether the catch was held.
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

/// A detail, in its form for the log.
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
    /// The detail, in its form for the log.
    pub fn written(&self, situation: &BallSituation<'_>, chosen: &Chosen) -> Choices {
        let name = |player: Player| situation.fielders.name(player).to_owned();
        let struck = self.struck;
        let record = Record {
            cards: cards(situation, chosen),
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

    /// Reads a detail from the log.
    pub fn read(
        situation: &BallSituation<'_>,
        chosen: &Chosen,
        written: &Choices,
    ) -> Result<Detail, InvalidEvent> {
        let invalid =
            |field: &str, reason: String| InvalidEvent::new(format!("data.outcome.detail{field}"), reason);
        let record: Record =
            read_members(written).map_err(|fault| InvalidEvent::of_value("data.outcome.detail", &fault))?;
        let fielder = |name: &Option<String>| match name {
            None => Ok(None),
            Some(name) => {
                let at = situation.fielders.names.iter().position(|player| player == name);
                let unknown = || invalid("", format!("{name:?} is not in the side"));
                at.map(|at| Some(Player(at as u8))).ok_or_else(unknown)
            }
        };
        let struck = match (&record.zone, record.distance, record.area, &record.bounce) {
            (Some(zone), Some(distance), Some(area), Some(bounce)) => Some(Struck {
                zone: Zone::of_word(zone)
                    .ok_or_else(|| invalid(".zone", format!("{zone:?} is not a zone")))?,
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
        expect("data.outcome.detail", &detail.written(situation, chosen), written)?;
        if !(LEAST_CONFIDENCE..=MOST_CONFIDENCE).contains(&detail.confidence) {
            return Err(invalid(".confidence", format!("is {LEAST_CONFIDENCE} to {MOST_CONFIDENCE}")));
        }
        Ok(detail)
    }
}

/// The cards of a ball by name.
fn cards(situation: &BallSituation<'_>, chosen: &Chosen) -> CardsRecord {
    let edition = situation.edition;
    let bowl = chosen.bowl.filter(|_| !situation.is_express);
    let bowl = bowl.and_then(|bowl| situation.bowls().get(usize::from(bowl)));
    let over = chosen.over_card(situation);
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
