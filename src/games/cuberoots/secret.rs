//! The choice that each side makes in secret before an over: the order of its cubes.

use serde_json::{Map, Value, json};

use super::bag::Six;
use super::duel::Duty;
use super::over::{self, bowler, refuse_unknown_choices};
use super::policy::shuffled;
use super::state::{SIDE_ITSELF, State};
use crate::dice::{Dice, Draw};
use crate::rules::{Choices, Play, Refusal};
use crate::scorebook::{BySide, Player, Side};

/// The hand of a side: its six cubes as dealt, with the numbers that it reads on them.
pub fn hand(state: &State, side: Side, dice: &mut dyn Dice) -> Result<Value, Refusal> {
    let duty = state.duty(side);
    let cubes = state.deal(dice)?[duty];
    let numbers = state.numbers(duty, cubes);
    Ok(cubes.iter().zip(numbers).map(|(cube, number)| json!({"cube": cube, "number": number})).collect())
}

/// Checks the choice of a side, and gives it in its form for the log.
pub fn choose(state: &State, side: Side, given: &Choices, dice: &mut dyn Dice) -> Result<Choices, Refusal> {
    let duty = state.duty(side);
    let known: &[&str] =
        if duty == Duty::Bowling { &["order", "roll", "bowler"] } else { &["order", "roll"] };
    refuse_unknown_choices(given, "", known)?;
    let dealt = state.deal(dice)?[duty];
    let with_legal_cubes = |refusal: Refusal| refusal.legal(dealt.to_vec());
    let order = over::order("order", given.get("order"), dealt).map_err(with_legal_cubes)?;
    let roll = over::roll(state, "roll", given.get("roll"))?;
    let bowler = bowler(state, given.get("bowler"))?;
    Ok(written(state, duty, order, roll, bowler))
}

fn written(state: &State, duty: Duty, order: Six, roll: Option<u8>, bowler: Player) -> Choices {
    let mut choice = Map::new();
    choice.insert("order".to_owned(), json!(order));
    if let Some(ball) = roll {
        choice.insert("roll".to_owned(), json!(ball));
    }
    if duty == Duty::Bowling {
        choice.insert("bowler".to_owned(), json!(state.bowlers()[bowler.index()]));
    }
    choice
}

/// Draws the orders of sides that timed out, the bowling side's first. Such a side rolls no cube and bowls in
/// its own name.
pub fn draw(state: &State, timed_out: BySide<bool>, dice: &mut dyn Dice) -> Result<BySide<Choices>, Refusal> {
    let dealt = state.deal(dice)?;
    dice.begin(Draw::timeout_over(state.innings_number, state.innings.over_number()));
    let mut drawn = BySide::<Choices>::default();
    for duty in Duty::BOTH {
        let side = state.side(duty);
        if timed_out[side] {
            drawn[side] = written(state, duty, shuffled(dealt[duty], dice)?, None, SIDE_ITSELF);
        }
    }
    Ok(drawn)
}

/// The over that follows from the choices of both sides.
pub fn reveal(state: &State, choices: BySide<Choices>) -> Play {
    let of = |duty, name: &str| choices[state.side(duty)].get(name).cloned();
    let mut over = Map::new();
    if let Some(bowler) = of(Duty::Bowling, "bowler") {
        over.insert("bowler".to_owned(), bowler);
    }
    for (name, each) in [("orders", "order"), ("roll", "roll")] {
        let both = over::written(|duty| of(duty, each));
        if both.as_object().is_some_and(|both| !both.is_empty()) {
            over.insert(name.to_owned(), both);
        }
    }
    Play::Over(over)
}
