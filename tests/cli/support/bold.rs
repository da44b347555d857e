//! Matches of the board game: whoever plays them answers whatever is asked, otherwise every time.

use serde_json::{Map, Value, json};
use third_umpire::dice::{Dice, TableDice};
use third_umpire::editions::built_in_for;
use third_umpire::games::{Choices, Game, Input, Next, Phase, Place, Play, Why};
use third_umpire::log::edition_line;

use super::{Log, Maker, Setting};

/// A match between the teams of the house edition.
pub fn board(rules: Value) -> Setting {
    let edition = built_in_for(Game::find("cricket-the-game").unwrap()).unwrap();
    let teams = edition.teams();
    let side = |name: &str, at: usize| edition.team(name, teams[at]).unwrap();
    Setting {
        game: "cricket-the-game",
        rules,
        home: side("Wanderers", 0),
        away: side("Rovers", 1),
        ..Setting::default()
    }
}

/// A log with the house edition as its first line: later versions may bring another.
pub fn with_edition(log: Log) -> Log {
    let edition = built_in_for(Game::find("cricket-the-game").unwrap()).unwrap();
    let lines = log.text().lines().map(str::to_owned).collect::<Vec<_>>();
    Log::of_lines([edition_line(&edition.text).trim_end().to_owned()].into_iter().chain(lines).collect())
}

impl Maker {
    /// The match is set up; at the table the pitch card suits spin.
    pub fn made_ready(mut self) -> Maker {
        let choices = if self.seed.is_some() { json!({}) } else { json!({"pitch": "spin"}) };
        self.roll(Input::Play(Play::SetUp(super::object(choices))));
        self
    }

    /// So many deliveries more, with every question answered by somebody who likes to change things, and every review asked
    /// for that there is.
    pub fn bold(mut self, deliveries: u32) -> Maker {
        let last = self.fixture.deliveries().saturating_add(deliveries);
        while self.fixture.phase() == Phase::Play && self.fixture.deliveries() < last {
            self.answer();
        }
        self
    }

    fn answer(&mut self) {
        let Next::Choose { side, what, legal, .. } = self.fixture.next() else { return };
        match (what, side) {
            ("review", Some(by)) if self.seed.is_some() => self.roll(Input::Review { by }),
            ("review", Some(by)) => {
                let die = i64::from(self.rolls.roll("review", 6).unwrap());
                self.put(Input::Review { by }, &[die]);
            }
            ("over", _) => {
                let mut choices = Map::new();
                for name in ["bowler", "power_play"] {
                    if legal[name].is_array() {
                        choices.insert(name.to_owned(), self.pick(&legal[name]));
                    }
                }
                self.put(Input::Play(Play::Over(choices)), &[]);
            }
            ("ball", _) => {
                let choices = self.whims_of_a_ball(&legal);
                self.bowl(choices);
            }
            (what, _) => {
                let answer = self.pick(&legal);
                self.bowl(Map::from_iter([(what.to_owned(), answer)]));
            }
        }
    }

    fn pick(&mut self, legal: &Value) -> Value {
        self.whims.pick(legal).clone()
    }

    fn whims_of_a_ball(&mut self, legal: &Value) -> Choices {
        let mut choices = Map::new();
        for name in ["bowl", "attitude", "stroke", "next_batter", "over_card"] {
            if legal[name].is_array() {
                choices.insert(name.to_owned(), self.pick(&legal[name]));
            }
        }
        let skills = &legal["skills"];
        for side in ["bowler", "batter"] {
            let any = skills[side].as_array().is_some_and(|skills| !skills.is_empty());
            if any && self.whims.below(4) == 0 {
                let skill = self.pick(&skills[side]);
                choices.entry("skills").or_insert_with(|| json!({}))[side] = json!([skill]);
            }
        }
        choices
    }

    /// Bowls a ball; at the table with the dice and decisions it asks for, one after the other.
    fn bowl(&mut self, mut choices: Choices) {
        if self.seed.is_some() {
            return self.roll(Input::Play(Play::Ball(choices)));
        }
        let mut dice = Vec::new();
        loop {
            let input = Input::Play(Play::Ball(choices.clone()));
            let refusal = match self.fixture.decide(input.clone(), &mut TableDice::new(&dice), None) {
                Ok(_) => return self.put(input, &dice),
                Err(refusal) => refusal,
            };
            assert_eq!(refusal.why, Why::NeedsInput, "{refusal}");
            match &refusal.place {
                Place::Die(_) => {
                    let sides = refusal.legal["maximum"].as_u64().unwrap() as u16;
                    dice.push(i64::from(self.rolls.roll("die", sides).unwrap()));
                }
                Place::Choice(name) => {
                    let answer = self.pick(&refusal.legal);
                    choices.insert(name.clone(), answer);
                }
                other => panic!("{refusal} at {other:?}"),
            }
        }
    }
}
