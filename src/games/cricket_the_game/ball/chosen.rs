//! The choices of a ball: read from a command with defaults filled in, and written to their form for the log.

use serde_json::{Map, Value, json};

use super::super::edition::model::{Attitude, Duelist, EditionWord, OverCard, PrintedEdition, Zone};
use super::super::field::Field;
use super::super::rulings::*;
use super::question::{Question, Reroll};
use super::read::{self, BallInput, GivenSkills, SHAPE};
use super::situation::BallSituation;
use crate::rules::{Choices, Refusal, reading};
use crate::scorebook::Player;

/// The choices of a ball, with the defaults filled in. A choice that follows from dice is there only once it
/// has been made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Chosen {
    /// The batter who comes in, and his attitude.
    pub next_batter: Option<(Player, Attitude)>,
    /// The field, when its tokens have moved.
    pub field: Option<Field>,
    /// The bowl, as an index among those of the style; none in express play.
    pub bowl: Option<u8>,
    /// The attitude of the facing batter.
    pub attitude: Attitude,
    /// The zone that the batter means to hit the ball into; none in express play.
    pub stroke: Option<Zone>,
    /// The over card, as an index into the deck; none for a ball without one.
    pub card: Option<u8>,
    /// The skills named before the dice: bit `s` for skill `s`, the bowler's and the batter's.
    pub skills: [u8; 2],
    /// Whether the bowler, and the batter, has a die rolled once more.
    pub reroll: [Option<Reroll>; 2],
    /// Whether the batter adds one to the distance.
    pub longer: Option<bool>,
    /// The runs that the batters try.
    pub run: Option<u8>,
    /// The chance that the fielding side takes.
    pub chance: Option<&'static str>,
}

/// The names of the choices that follow from dice.
pub const AFTER_DICE: [&str; 5] = ["reroll_bowler", "reroll_batter", "longer", "run", "chance"];

impl Chosen {
    /// The default choices of a ball in full play.
    pub fn by_default(situation: &BallSituation<'_>) -> Chosen {
        let (bowl, stroke) = (situation.default_bowl(), situation.default_stroke());
        Chosen { bowl: Some(bowl), stroke: Some(stroke), ..Chosen::without_bowl(situation) }
    }

    /// The default choices of a ball without those of bowl and stroke, as in express play.
    pub fn without_bowl(situation: &BallSituation<'_>) -> Chosen {
        let next_batter = situation.innings.awaits_batter().then(|| situation.yet_to_bat().next()).flatten();
        Chosen {
            next_batter: next_batter.map(|batter| (batter, Attitude::Defensive)),
            field: None,
            bowl: None,
            attitude: situation.default_attitude(Attitude::Defensive),
            stroke: None,
            card: None,
            skills: [0; 2],
            reroll: [None; 2],
            longer: None,
            run: None,
            chance: None,
        }
    }

    /// Reads the choices for the next ball of an over in progress, and takes the defaults for the rest.
    pub fn read(situation: &BallSituation<'_>, choices: &Choices) -> Result<Chosen, Refusal> {
        let usual = match situation.is_express {
            true => Chosen::without_bowl(situation),
            false => Chosen::by_default(situation),
        };
        if choices.is_empty() {
            return Ok(usual);
        }
        let given: BallInput = reading::choices(choices, SHAPE)?;
        let next_batter = read::next_batter(situation, &given)?;
        let card = read::over_card(situation, given.over_card.as_deref())?;
        if situation.is_express {
            refuse_in_express(choices)?;
            return Ok(Chosen { next_batter, card, ..usual });
        }
        let arrival = next_batter.map_or(Attitude::Defensive, |(_, attitude)| attitude);
        let chosen = Chosen {
            next_batter,
            card,
            field: read::field(situation, given.field.as_ref())?,
            bowl: read::bowl(situation, given.bowl.as_deref())?.or(usual.bowl),
            attitude: read::attitude("attitude", given.attitude.as_deref())?
                .unwrap_or(situation.default_attitude(arrival)),
            stroke: read::stroke(given.stroke.as_deref())?.or(usual.stroke),
            ..usual
        };
        chosen.with_skills(situation, given.skills)?.with_answers(
            situation,
            [given.reroll_bowler, given.reroll_batter],
            (given.longer, given.run, given.chance),
        )
    }

    fn with_skills(mut self, situation: &BallSituation<'_>, given: GivenSkills) -> Result<Chosen, Refusal> {
        let striker = self.facing(situation);
        for (side, named) in [(Duelist::Bowler, given.bowler), (Duelist::Batter, given.batter)] {
            for id in named {
                let skill = situation.skill(side, striker, &id, self.skills)?;
                self.skills[side.place()] |= 1 << skill;
            }
        }
        Ok(self)
    }

    fn with_answers(
        mut self,
        situation: &BallSituation<'_>,
        rerolls: [Option<String>; 2],
        (longer, run, chance): (Option<bool>, Option<Value>, Option<String>),
    ) -> Result<Chosen, Refusal> {
        for ((side, _), given) in Duelist::ALL.iter().zip(rerolls) {
            self.reroll[side.place()] =
                given.map(|word| read::reroll(situation.edition, *side, &word)).transpose()?;
        }
        self.longer = longer;
        self.run = run.map(|runs| read::runs(&runs)).transpose()?;
        self.chance = chance.map(|word| read::chance(&word)).transpose()?;
        Ok(self)
    }

    /// The index of the answer to a question among the legal answers. The outer option is empty when the
    /// question is not answered, the inner one when the answer is not legal.
    pub fn answer(&self, question: &Question) -> Option<Option<usize>> {
        match question {
            Question::Reroll { side, by, .. } => self.reroll[side.place()].map(|given| match given {
                Reroll::No => Some(0),
                Reroll::Card | Reroll::Skill(_) => by.iter().position(|by| *by == given).map(|at| at + 1),
            }),
            Question::Longer { .. } => self.longer.map(|longer| Some(usize::from(longer))),
            Question::Run { safe, .. } => {
                self.run.map(|runs| runs.checked_sub(*safe).filter(|more| *more <= 1).map(usize::from))
            }
            Question::Chance(chances) => {
                self.chance.map(|word| chances.iter().position(|chance| chance.word() == word))
            }
        }
    }

    /// The batter who faces the ball: the striker, or the batter who comes in.
    pub fn facing(&self, situation: &BallSituation<'_>) -> Player {
        let next = self.next_batter.map(|(batter, _)| batter);
        situation.innings.striker().or(next).unwrap_or(Player(0))
    }

    /// The over card of the ball.
    pub fn over_card<'a>(&self, situation: &BallSituation<'a>) -> Option<&'a OverCard> {
        self.card.and_then(|card| situation.deck().get(usize::from(card)))
    }

    /// The skills that a side uses up with the ball: those it names, and the one by which it has a die rolled
    /// again.
    pub fn skills_used(&self, side: Duelist) -> u8 {
        let by_reroll = match self.reroll[side.place()] {
            Some(Reroll::Skill(skill)) => 1 << skill,
            Some(Reroll::No | Reroll::Card) | None => 0,
        };
        self.skills[side.place()] | by_reroll
    }

    /// The choices, in their form for the log.
    pub fn written(&self, situation: &BallSituation<'_>) -> Choices {
        let mut written = Map::new();
        let mut put = |name: &str, value: Value| written.insert(name.to_owned(), value);
        let edition = situation.edition;
        if let Some((batter, attitude)) = self.next_batter {
            put("next_batter", json!(situation.batters.name(batter)));
            put("next_attitude", json!(attitude.word()));
        }
        if let Some(card) = self.over_card(situation) {
            put("over_card", json!(card.id));
        }
        let bowl = self.bowl.and_then(|bowl| situation.bowls().get(usize::from(bowl)));
        if let (Some(bowl), Some(stroke)) = (bowl, self.stroke) {
            put("bowl", json!(bowl.id));
            put("attitude", json!(self.attitude.word()));
            put("stroke", json!(stroke.word()));
        }
        if let Some(field) = self.field {
            put("field", field.written());
        }
        let skills: Map<String, Value> =
            Duelist::ALL.iter().filter_map(|(side, word)| self.named(edition, *side, word)).collect();
        if !skills.is_empty() {
            put("skills", Value::Object(skills));
        }
        for (side, _) in Duelist::ALL {
            if let Some(reroll) = self.reroll[side.place()] {
                put(side.reroll(), json!(reroll.word(edition, *side)));
            }
        }
        let answers = [
            ("longer", self.longer.map(|longer| json!(longer))),
            ("run", self.run.map(|runs| json!(runs))),
            ("chance", self.chance.map(|chance| json!(chance))),
        ];
        for (name, answer) in answers {
            if let Some(answer) = answer {
                put(name, answer);
            }
        }
        written
    }

    fn named(&self, edition: &PrintedEdition, side: Duelist, word: &str) -> Option<(String, Value)> {
        let bits = self.skills[side.place()];
        let skills = edition.skills_of(side).iter().enumerate();
        let named: Vec<&str> =
            skills.filter(|(s, _)| bits & 1 << s != 0).map(|(_, skill)| skill.id.as_str()).collect();
        (!named.is_empty()).then(|| (word.to_owned(), json!(named)))
    }
}

impl BallSituation<'_> {
    /// The default attitude of the facing batter; `arrival` is that of a new batter.
    pub fn default_attitude(&self, arrival: Attitude) -> Attitude {
        self.innings.striker().map_or(arrival, |striker| self.batting.attitude[striker.index()])
    }

    /// The default bowl: the first of the style not yet bowled in this over, or the first of all.
    pub fn default_bowl(&self) -> u8 {
        let bowls = self.bowls().len();
        (0..bowls as u8).find(|bowl| self.over.bowled & 1 << bowl == 0).unwrap_or(0)
    }

    /// The default stroke: into the zone that most bowls of the style feed, of equals the first clockwise.
    pub fn default_stroke(&self) -> Zone {
        let bowls = self.bowls();
        let fed = |zone: Zone| bowls.iter().filter(|bowl| bowl.feeds.has(zone)).count();
        Zone::strokes().rev().max_by_key(|zone| fed(*zone)).unwrap_or(Zone::GlanceHook)
    }
}

fn refuse_in_express(choices: &Choices) -> Result<(), Refusal> {
    let known = ["next_batter", "next_attitude", "over_card"];
    match choices.keys().find(|name| !known.contains(&name.as_str())) {
        None => Ok(()),
        Some(name) => {
            let message = format!("the first two balls of this over are express play; leave {name} out");
            Err(Refusal::choice(name.as_str(), message).by(&BALL_EXPRESS))
        }
    }
}
