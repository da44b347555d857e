//! Makes matches of the board game with the components of its edition, with an answer to every question that
//! the game asks.

use serde_json::{Map, Value, json};
use third_umpire::dice::{Dice, TableDice};
use third_umpire::editions::Editions;
use third_umpire::games;
use third_umpire::log::edition_line;
use third_umpire::matches::{Input, Phase};
use third_umpire::rules::{Choices, Game, Next, Place, Play, RefusalKind};

use super::{Log, LogMaker, Setting, object};

fn cricket_the_game() -> &'static Game {
    games::BUILT_IN.find("cricket-the-game").expect("cricket-the-game is one of the games")
}

/// The built-in edition of cricket-the-game, as its file has it.
pub fn built_in_edition() -> &'static str {
    cricket_the_game().editions.expect("the game has editions").built_in
}

/// A log with the built-in edition as its first line: later versions may bring another.
pub fn with_edition(log: Log) -> Log {
    let edition = Editions::default().built_in_for(cricket_the_game()).unwrap();
    let first = edition_line(&edition.text).trim_end().to_owned();
    Log::of_lines([vec![first], log.lines].concat())
}

impl Setting {
    /// A match between the first two teams of the built-in edition.
    pub fn board_game(rules: Value) -> Setting {
        let mut setting = Setting::of(cricket_the_game(), rules);
        let edition: Value = serde_json::from_str(built_in_edition()).unwrap();
        let name = |place: usize| edition["teams"][place]["name"].as_str().unwrap().to_owned();
        (setting.home.name, setting.away.name) = (name(0), name(1));
        setting
    }
}

impl LogMaker {
    /// Sets the match up with these choices.
    pub fn set_up(mut self, choices: Value) -> LogMaker {
        self.put(Input::Play(Play::SetUp(object(choices))), &[]);
        self
    }

    /// Bowls a ball with these choices and dice from the table.
    pub fn bowled_with(mut self, choices: Value, dice: &[i64]) -> LogMaker {
        self.put(Input::Play(Play::Ball(object(choices))), dice);
        self
    }

    /// Bowls a ball with these choices and rolled dice, and answers every question of the dice at random.
    pub fn bowled_choosing(mut self, choices: Value) -> LogMaker {
        let deliveries = self.the_match().play().deliveries();
        self.bowl(object(choices));
        while self.the_match().play().deliveries() == deliveries {
            self.answer();
        }
        self
    }

    /// Plays a seeded match to its end: the setup is the default, every question gets the last of its legal
    /// answers, and every decision is reviewed.
    pub fn played_out_answering(mut self) -> Log {
        while !matches!(self.the_match().play().phase(), Phase::Completed(_)) {
            let input = match (self.the_match().reviews().open(), self.the_match().next()) {
                (Some(open), _) => Input::Review { by: open.by },
                (None, Next::Choose { what, legal: Value::Array(legal), .. })
                    if self.the_match().play().phase() == Phase::Play =>
                {
                    let answer = legal.last().unwrap().clone();
                    Input::Play(Play::Ball(Choices::from_iter([(what.to_owned(), answer)])))
                }
                (None, Next::Choose { what: "ball", .. }) => {
                    let skills = json!({"attitude": "aggressive"});
                    let express = self.the_match().next();
                    let express =
                        matches!(express, Next::Choose { legal, .. } if legal.get("bowl").is_none());
                    Input::Play(Play::Ball(if express { Choices::new() } else { object(skills) }))
                }
                _ => self.the_match().default_input(),
            };
            self.roll(input);
        }
        self.log()
    }

    /// Sets the match up; at the table with the pitch card that suits spin.
    pub fn set_up_by_default(mut self) -> LogMaker {
        let choices = if self.is_seeded() { json!({}) } else { json!({"pitch": "spin"}) };
        self.roll(Input::Play(Play::SetUp(object(choices))));
        self
    }

    /// Plays this number of further deliveries with pseudo-random answers, and asks for every review there
    /// is.
    pub fn answering_at_random(mut self, deliveries: u32) -> LogMaker {
        let last = self.the_match().play().deliveries().saturating_add(deliveries);
        while self.the_match().play().phase() == Phase::Play && self.the_match().play().deliveries() < last {
            self.answer();
        }
        self
    }

    fn answer(&mut self) {
        let Next::Choose { side, what, legal, .. } = self.the_match().next() else { return };
        match (what, side) {
            ("review", Some(by)) if self.is_seeded() => self.roll(Input::Review { by }),
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
                let choices = self.random_ball(&legal);
                self.bowl(choices);
            }
            (what, _) => {
                let answer = self.pick(&legal);
                self.bowl(Map::from_iter([(what.to_owned(), answer)]));
            }
        }
    }

    fn pick(&mut self, legal: &Value) -> Value {
        self.random_choices.pick(legal).clone()
    }

    fn random_ball(&mut self, legal: &Value) -> Choices {
        let mut choices = Map::new();
        for name in ["bowl", "attitude", "stroke", "next_batter", "over_card"] {
            if legal[name].is_array() {
                choices.insert(name.to_owned(), self.pick(&legal[name]));
            }
        }
        let skills = &legal["skills"];
        for side in ["bowler", "batter"] {
            let any = skills[side].as_array().is_some_and(|skills| !skills.is_empty());
            if any && self.random_choices.below(4) == 0 {
                let skill = self.pick(&skills[side]);
                choices.entry("skills").or_insert_with(|| json!({}))[side] = json!([skill]);
            }
        }
        choices
    }

    /// Bowls a ball. At the table it is decided again and again, with one more of the dice and decisions that
    /// the last refusal asks for.
    fn bowl(&mut self, mut choices: Choices) {
        if self.is_seeded() {
            return self.roll(Input::Play(Play::Ball(choices)));
        }
        let mut dice = Vec::new();
        loop {
            let input = Input::Play(Play::Ball(choices.clone()));
            let refusal = match self.the_match().decide(input.clone(), &mut TableDice::new(&dice), None) {
                Ok(_) => return self.put(input, &dice),
                Err(refusal) => refusal,
            };
            assert_eq!(refusal.kind, RefusalKind::NeedsInput, "{refusal}");
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

/// A T20 of the board game at the table, in its first over.
pub fn board_game_begun() -> LogMaker {
    let maker = Setting::board_game(json!({"format": "t20"})).table();
    maker.set_up(json!({"pitch": "neutral"})).home_bats().over(json!({"bowler": "Thulani Mabasa"}))
}

/// Six balls of the board game at the table. A catch is dropped, an appeal turned down and reviewed, a skill
/// played, a run out, and somebody comes in.
pub fn board_game_at_the_table() -> LogMaker {
    let stroke = |card: &str| json!({"over_card": card, "bowl": "yorker", "stroke": "on_straight"});
    let with = |mut choices: Value, name: &str, value: Value| {
        choices[name] = value;
        choices
    };
    let in_the_air =
        with(with(stroke("on_a_length"), "longer", json!(false)), "attitude", json!("aggressive"));
    let missed =
        with(with(stroke("rapped_on_the_pad"), "reroll_batter", json!("no")), "attitude", json!("defensive"));
    let tried = with(with(stroke("half_volley"), "longer", json!(false)), "run", json!(2));
    board_game_begun()
        .bowled_with(with(in_the_air, "run", json!(1)), &[2, 8, 4, 1, 3])
        .bowled_with(missed, &[6, 2, 3])
        .reviewed(4)
        .bowled_with(with(stroke("off_the_seam"), "skills", json!({"bowler": ["effort_ball"]})), &[4, 4, 1])
        .bowled_with(tried, &[2, 5, 3, 2, 5])
        .bowled_with(json!({"over_card": "over_the_line", "next_batter": "Tane Whaiora"}), &[3, 3])
        .bowled_with(json!({}), &[1, 6])
}
