//! The choices of a ball: read, with what is left out at its default, and written out for the log.

use serde_json::{Map, Value, json};

use super::super::edition::model::{Attitude, Duelist, Edition, Word, Zone};
use super::super::field::Field;
use super::super::rulings::*;
use super::super::state::State;
use super::question::{Question, Reroll};
use super::read::{self, Given, GivenSkills, SHAPE};
use crate::rules::{Choices, Refusal, reading};
use crate::scorebook::Player;

/// The choices of a ball, resolved; those that follow from dice only where they are made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Chosen {
    /// Who comes in, and how he means to play.
    pub next_batter: Option<(Player, Attitude)>,
    /// Where the tokens stand, where they have moved.
    pub field: Option<Field>,
    /// The bowl, by its place among those of the style; none in express play.
    pub bowl: Option<u8>,
    /// How the facing batter plays.
    pub attitude: Attitude,
    /// Where to; none in express play.
    pub stroke: Option<Zone>,
    /// The over card, by its place in the deck; none without one.
    pub card: Option<u8>,
    /// The skills named before the dice: bit `s` for skill `s`, the bowler's and the batter's.
    pub skills: [u8; 2],
    /// Whether the bowler, and the batter, has a die rolled once more.
    pub reroll: [Option<Reroll>; 2],
    /// Whether one is added to the distance.
    pub longer: Option<bool>,
    /// The runs that are tried.
    pub run: Option<u8>,
    /// The chance that is taken.
    pub chance: Option<&'static str>,
}

/// The choices that follow from dice.
pub const AFTER_DICE: [&str; 5] = ["reroll_bowler", "reroll_batter", "longer", "run", "chance"];

impl Chosen {
    /// What is played where nobody chooses.
    pub fn usual(state: &State) -> Chosen {
        let next_batter = state.innings.awaits_batter().then(|| state.yet_to_bat().next()).flatten();
        Chosen {
            next_batter: next_batter.map(|batter| (batter, Attitude::Defensive)),
            field: None,
            bowl: Some(state.usual_bowl()),
            attitude: state.standing_attitude(Attitude::Defensive),
            stroke: Some(state.usual_stroke()),
            card: None,
            skills: [0; 2],
            reroll: [None; 2],
            longer: None,
            run: None,
            chance: None,
        }
    }

    /// Reads what is chosen for the next ball of an over in progress.
    pub fn read(state: &State, choices: &Choices) -> Result<Chosen, Refusal> {
        let usual = Chosen::usual(state);
        if choices.is_empty() {
            return Ok(if state.is_express() { usual.in_express() } else { usual });
        }
        let given: Given = reading::choices(choices, SHAPE)?;
        let next_batter = read::next_batter(state, &given)?;
        let card = read::over_card(state, given.over_card.as_deref())?;
        if state.is_express() {
            refuse_in_express(choices)?;
            return Ok(Chosen { next_batter, card, ..usual.in_express() });
        }
        let arrival = next_batter.map_or(Attitude::Defensive, |(_, attitude)| attitude);
        let chosen = Chosen {
            next_batter,
            card,
            field: given.field.as_ref().map(|field| Field::read(field, state.limits())).transpose()?,
            bowl: read::bowl(state, given.bowl.as_deref())?.or(usual.bowl),
            attitude: read::attitude("attitude", given.attitude.as_deref())?
                .unwrap_or(state.standing_attitude(arrival)),
            stroke: read::stroke(given.stroke.as_deref())?.or(usual.stroke),
            ..usual
        };
        chosen.with_skills(state, given.skills)?.with_answers(
            state,
            [given.reroll_bowler, given.reroll_batter],
            (given.longer, given.run, given.chance),
        )
    }

    fn in_express(self) -> Chosen {
        Chosen { bowl: None, stroke: None, ..self }
    }

    fn with_skills(mut self, state: &State, given: GivenSkills) -> Result<Chosen, Refusal> {
        let striker = state.facing(&self);
        for (side, named) in [(Duelist::Bowler, given.bowler), (Duelist::Batter, given.batter)] {
            for id in named {
                let skill = state.skill(side, striker, &id, &self)?;
                self.skills[side.place()] |= 1 << skill;
            }
        }
        Ok(self)
    }

    fn with_answers(
        mut self,
        state: &State,
        rerolls: [Option<String>; 2],
        (longer, run, chance): (Option<bool>, Option<Value>, Option<String>),
    ) -> Result<Chosen, Refusal> {
        for ((side, _), given) in Duelist::ALL.iter().zip(rerolls) {
            self.reroll[side.place()] =
                given.map(|word| read::reroll(state.edition(), *side, &word)).transpose()?;
        }
        self.longer = longer;
        self.run = run.map(|runs| read::runs(&runs)).transpose()?;
        self.chance = chance.map(|word| read::chance(&word)).transpose()?;
        Ok(self)
    }

    /// The place of the answer to a question among the legal ones: none where it is not answered, or not by one of them.
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

    /// The skills a side uses up with it: those that are named, and the one it has a die rolled again by.
    pub fn skills_used(&self, side: Duelist) -> u8 {
        let by_reroll = match self.reroll[side.place()] {
            Some(Reroll::Skill(skill)) => 1 << skill,
            Some(Reroll::No | Reroll::Card) | None => 0,
        };
        self.skills[side.place()] | by_reroll
    }

    /// As the log has them.
    pub fn written(&self, state: &State) -> Choices {
        let mut written = Map::new();
        let mut put = |name: &str, value: Value| written.insert(name.to_owned(), value);
        let edition = state.edition();
        let style = state.style();
        if let Some((batter, attitude)) = self.next_batter {
            put("next_batter", json!(state.batters()[batter.index()]));
            put("next_attitude", json!(attitude.word()));
        }
        if let Some(card) = self.card.and_then(|card| edition.over_decks.of(style).get(usize::from(card))) {
            put("over_card", json!(card.id));
        }
        let bowl = self.bowl.and_then(|bowl| edition.bowls.of(style).get(usize::from(bowl)));
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

    fn named(&self, edition: &Edition, side: Duelist, word: &str) -> Option<(String, Value)> {
        let bits = self.skills[side.place()];
        let skills = edition.skills_of(side).iter().enumerate();
        let named: Vec<&str> =
            skills.filter(|(s, _)| bits & 1 << s != 0).map(|(_, skill)| skill.id.as_str()).collect();
        (!named.is_empty()).then(|| (word.to_owned(), json!(named)))
    }
}

impl State {
    /// Who faces the next ball.
    pub fn facing(&self, chosen: &Chosen) -> Player {
        let next = chosen.next_batter.map(|(batter, _)| batter);
        self.innings.striker().or(next).unwrap_or(Player(0))
    }

    /// How the facing batter plays where nobody says otherwise; `arrival` is how a new one does.
    fn standing_attitude(&self, arrival: Attitude) -> Attitude {
        self.innings.striker().map_or(arrival, |striker| self.batting.attitude[striker.index()])
    }

    /// The first bowl of the style not bowled in this over; the first, once all are.
    fn usual_bowl(&self) -> u8 {
        let bowls = self.edition().bowls.of(self.style()).len();
        (0..bowls as u8).find(|bowl| self.over.bowled & 1 << bowl == 0).unwrap_or(0)
    }

    /// The zone fed by most bowls of the style, the first clockwise of equals.
    fn usual_stroke(&self) -> Zone {
        let bowls = self.edition().bowls.of(self.style());
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
