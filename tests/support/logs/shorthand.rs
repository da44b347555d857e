//! Small matches of A against B at the table, and their inputs in a scorer's shorthand.

use serde_json::Value;
use third_umpire::log::{Ball, CoinFace, EventData, Over, TossChoice};
use third_umpire::matches::Input;
use third_umpire::rules::{Choices, Play};
use third_umpire::scorebook::Side;

use super::{AWAY, HOME, PlayedMatch, howzat, object, sheet};

impl PlayedMatch {
    /// A match of Howzat with table dice, A against B, before the toss.
    pub fn created(rules: Value) -> PlayedMatch {
        PlayedMatch::create(howzat(), rules, sheet(HOME), sheet(AWAY), None).expect("legal options")
    }

    /// A match of Howzat with table dice, with A about to bat against B.
    pub fn in_play(rules: Value) -> PlayedMatch {
        let mut a_match = PlayedMatch::created(rules);
        a_match.enter(heads(), &[1]).expect("heads it is");
        a_match.enter(Input::TossDecision { to: TossChoice::Bat }, &[]).expect("A may choose");
        a_match
    }

    /// Begins an over with these choices, and returns the recorded event.
    pub fn over(&mut self, choices: Value) -> Over {
        match self.enter(over(choices), &[]).as_deref() {
            Ok([EventData::Over(over)]) => over.clone(),
            other => panic!("one over event is due, not {other:?}"),
        }
    }

    /// Bowls a ball with these choices, and returns the recorded event.
    pub fn ball_with(&mut self, choices: Value, dice: &[i64]) -> Ball {
        let events = self.enter(ball(choices), dice).unwrap_or_else(|refusal| panic!("{dice:?}: {refusal}"));
        let last = events.into_iter().rev().find_map(|event| match event {
            EventData::Ball(ball) => Some(ball),
            _ => None,
        });
        last.expect("a ball is recorded")
    }

    /// Bowls a ball without choices.
    pub fn ball(&mut self, dice: &[i64]) -> Ball {
        self.ball_with(Value::Object(Choices::new()), dice)
    }

    /// Bowls balls in a scorer's shorthand (see [`dice_for`]), and returns the last.
    pub fn balls(&mut self, shorthand: &str) -> Option<Ball> {
        shorthand.split_whitespace().map(|sign| self.ball(dice_for(sign))).last()
    }
}

/// The toss, with home calling heads.
pub fn heads() -> Input {
    Input::Toss { caller: Side::Home, call: CoinFace::Heads }
}

pub fn over(choices: Value) -> Input {
    Input::Play(Play::Over(object(choices)))
}

pub fn ball(choices: Value) -> Input {
    Input::Play(Play::Ball(object(choices)))
}

/// The dice of a ball that a scorer writes down with this sign.
pub fn dice_for(sign: &str) -> &'static [i64] {
    match sign {
        "." => &[2, 3],
        "1" => &[2, 1],
        "2" => &[2, 2],
        "4" => &[2, 4],
        "6" => &[2, 6],
        "W" => &[2, 5],
        "ro" => &[6, 5],
        "wd" => &[1, 2],
        "nb" => &[1, 1, 3],
        "nb1" => &[1, 1, 1],
        "nb2" => &[1, 1, 2],
        "b1" => &[1, 3, 1],
        "b2" => &[1, 3, 2],
        "b4" => &[1, 3, 4],
        "lb1" => &[1, 4, 1],
        "lb4" => &[1, 4, 4],
        other => panic!("no dice for {other:?}"),
    }
}
