//! Matches of a game with cards: squads of the house edition, a set-up, balls with choices.

use serde_json::{Value, json};
use third_umpire::games::{Choices, Input, Next, Phase, Play};
use third_umpire::log::TeamSheet;

use super::Log;
use super::maker::{Maker, Setting, object};

/// The house edition of cricket-the-game.
pub const HOUSE: &str =
    include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/games/cricket_the_game/edition/house.json"));

impl Setting {
    /// Cricket: The Game between the teams of the house edition.
    pub fn at_the_board(rules: Value) -> Setting {
        let edition: Value = serde_json::from_str(HOUSE).unwrap();
        let side =
            |place: usize| -> TeamSheet { serde_json::from_value(edition["teams"][place].clone()).unwrap() };
        Setting { game: "cricket-the-game", rules, home: side(0), away: side(1), ..Setting::default() }
    }
}

impl Maker {
    /// The match is set up with these choices.
    pub fn set_up(mut self, choices: Value) -> Maker {
        self.put(Input::Play(Play::SetUp(object(choices))), &[]);
        self
    }

    /// A ball with these choices, and dice from the table.
    pub fn bowled_with(mut self, choices: Value, dice: &[i64]) -> Maker {
        self.put(Input::Play(Play::Ball(object(choices))), dice);
        self
    }

    /// A seeded match to its end: set up by default, every question is answered with what is legal last, and every decision
    /// reviewed.
    pub fn asked_out(mut self) -> Log {
        while !matches!(self.fixture.phase(), Phase::Completed(_)) {
            let input = match (self.fixture.open_review(), self.fixture.next()) {
                (Some(open), _) => Input::Review { by: open.by },
                (None, Next::Choose { what, legal: Value::Array(legal), .. })
                    if self.fixture.phase() == Phase::Play =>
                {
                    let answer = legal.last().unwrap().clone();
                    Input::Play(Play::Ball(Choices::from_iter([(what.to_owned(), answer)])))
                }
                (None, Next::Choose { what: "ball", .. }) => {
                    let skills = json!({"attitude": "aggressive"});
                    let express = self.fixture.next();
                    let express =
                        matches!(express, Next::Choose { legal, .. } if legal.get("bowl").is_none());
                    Input::Play(Play::Ball(if express { Choices::new() } else { object(skills) }))
                }
                _ => self.fixture.default_input(),
            };
            self.roll(input);
        }
        self.log()
    }
}
