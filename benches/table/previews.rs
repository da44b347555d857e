//! Previews of a ball at the table, die by die, against the plain decision of the same ball.

use std::hint::black_box;

use serde_json::json;
use third_umpire::dice::TableDice;
use third_umpire::matches::{Input, Match, Preview, PreviewRequest};
use third_umpire::rules::{Choices, Play};
use third_umpire_test_support::logs::{Setting, board_game_begun, object};

use super::report::{Reach, Row};
use super::turns::{Done, Scale, in_turn};

/// A ball at the table.
struct TableBall {
    state: Match,
    choices: Choices,
    dice: &'static [i64],
}

/// Measures a preview of each game, in milliseconds: a screen waits for it between two dice.
pub fn rows(scale: Scale) -> Vec<Row> {
    let howzat = TableBall {
        state: Setting::overs(20).table().home_bats().over(json!({})).the_match().clone(),
        choices: Choices::new(),
        dice: &[3, 5, 1, 6, 2],
    };
    let choices = json!({"over_card": "on_a_length", "longer": false, "run": 1});
    let board_game = TableBall {
        state: board_game_begun().the_match().clone(),
        choices: object(choices),
        dice: &[2, 5, 3, 2],
    };
    vec![row("Howzat", &howzat, 1.0, scale), row("the board game", &board_game, 5.0, scale)]
}

fn row(game: &str, ball: &TableBall, most: f64, scale: Scale) -> Row {
    let times = scale.pick(200, 1);
    let compared = in_turn(scale.pick(15, 1), || ball.previewed(times), || ball.decided(times));
    let milliseconds = |rate: f64| 1_000.0 / rate;
    let figure = milliseconds(compared.ours);
    let reach = Reach::AtMost(most);
    Row {
        work: format!("previews of a ball of {game} after each of its dice, every face decided and written"),
        against: "only the decision of the whole ball".to_owned(),
        ours: format!("{figure:.3} ms a preview"),
        theirs: format!("{:.4} ms a decision", milliseconds(compared.theirs)),
        figure,
        spread: None,
        reach,
        reached: reach.holds(figure),
    }
}

impl TableBall {
    /// Previews with no die, with one, and so on up to the whole ball, and writes what is asked.
    fn previewed(&self, times: u64) -> Done {
        Done::timed(|| {
            for _ in 0..times {
                for many in 0..=self.dice.len() {
                    let (choices, dice) = (self.choices.clone(), self.dice[..many].to_vec());
                    let request = PreviewRequest::Ball { choices, dice, accept: false, over: None };
                    let preview = Preview::of(&self.state, &request).expect("a preview");
                    assert_eq!(preview.decided.is_some(), many == self.dice.len());
                    for request in &preview.requests {
                        black_box(serde_json::to_vec(&request.asks).expect("JSON"));
                    }
                }
            }
            times * (self.dice.len() as u64 + 1)
        })
    }

    fn decided(&self, times: u64) -> Done {
        Done::timed(|| {
            for _ in 0..times {
                let input = Input::Play(Play::Ball(self.choices.clone()));
                let decided = self.state.decide(input, &mut TableDice::new(self.dice), None);
                black_box(decided.expect("a whole ball").events);
            }
            times
        })
    }
}
