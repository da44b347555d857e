//! The outcome of a ball's dice, computed from the rules page and not by the program.

use serde_json::{Value, json};

/// The ruling on a ball's dice.
#[derive(Debug, PartialEq)]
pub struct Ruled {
    pub batter: u64,
    /// Extras by kind, as the log has them.
    pub extras: Value,
    pub legal: bool,
    pub boundary: Value,
    pub wicket: Option<&'static str>,
    pub dice: usize,
}

/// Reads the dice, which have to be exactly those that the rules ask for.
pub fn rule(dice: &[u64]) -> Ruled {
    let mut ruled =
        Ruled { batter: 0, extras: json!({}), legal: true, boundary: Value::Null, wicket: None, dice: 2 };
    let bowl = dice[0];
    let extra = if bowl == 1 { dice[1] } else { 6 };
    let strike_at = if bowl == 1 { 2 } else { 1 };
    ruled.dice = strike_at + 1;
    match extra {
        1 => (ruled.extras, ruled.legal) = (json!({"no_balls": 1}), false),
        2 => {
            (ruled.extras, ruled.legal, ruled.dice) = (json!({"wides": 1}), false, 2);
            return ruled;
        }
        _ => {}
    }
    match dice[strike_at] {
        3 => {}
        5 => appeal(&mut ruled, bowl, &dice[strike_at + 1..]),
        6 if extra == 3 || extra == 4 => {}
        runs => score(&mut ruled, extra, runs),
    }
    ruled
}

fn score(ruled: &mut Ruled, extra: u64, runs: u64) {
    match extra {
        3 => ruled.extras = json!({"byes": runs}),
        4 => ruled.extras = json!({"leg_byes": runs}),
        _ => ruled.batter = runs,
    }
    if runs >= 4 {
        ruled.boundary = json!(runs);
    }
}

fn appeal(ruled: &mut Ruled, bowl: u64, rest: &[u64]) {
    ruled.wicket = match bowl {
        2 => Some("bowled"),
        4 => Some("stumped"),
        5 => Some("lbw"),
        6 => Some("run out"),
        3 => {
            ruled.dice += 3;
            match (rest[2], rest[0] + rest[1]) {
                (1 | 2, _) => None,
                (_, 12) => Some("caught and bowled"),
                _ => Some("caught"),
            }
        }
        _ => None,
    };
}
