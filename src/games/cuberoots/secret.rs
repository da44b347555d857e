//! What each side chooses for itself before an over: the order of its cubes, unseen by the other.

use serde_json::{Map, Value, json};

use super::bag::{Six, deal};
use super::duel::Duty;
use super::over::{self, bowler, only};
use super::policy::shuffled;
use super::state::{SIDE_ITSELF, State};
use crate::dice::{Dice, Draw};
use crate::rules::{Choices, Play, Refusal};
use crate::scorebook::{BySide, Player, Side};

/// What a side has in its hand: its six cubes as dealt, with the numbers it reads on them.
pub fn hand(state: &State, side: Side, dice: &mut dyn Dice) -> Result<Value, Refusal> {
    let duty = state.duty(side);
    let cubes = deal(state, dice)?[duty];
    let numbers = state.numbers(duty, cubes);
    Ok(cubes.iter().zip(numbers).map(|(cube, number)| json!({"cube": cube, "number": number})).collect())
}

/// Checks what a side chooses, and writes it out.
pub fn choose(state: &State, side: Side, given: &Choices, dice: &mut dyn Dice) -> Result<Choices, Refusal> {
    let duty = state.duty(side);
    let known: &[&str] =
        if duty == Duty::Bowling { &["order", "roll", "bowler"] } else { &["order", "roll"] };
    only(given, "", known)?;
    let dealt = deal(state, dice)?[duty];
    let own = |refusal: Refusal| refusal.legal(dealt.to_vec());
    let order = over::order("order", given.get("order"), dealt).map_err(own)?;
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

/// Draws the orders of sides that stay silent, the bowling side's first; they roll no cube, and bowl in their own name.
pub fn draw(state: &State, silent: BySide<bool>, dice: &mut dyn Dice) -> Result<BySide<Choices>, Refusal> {
    let dealt = deal(state, dice)?;
    dice.begin(Draw::silent(state.innings_number, state.innings.over_number()));
    let mut drawn = BySide::<Choices>::default();
    for duty in Duty::BOTH {
        let side = state.side(duty);
        if silent[side] {
            drawn[side] = written(state, duty, shuffled(dealt[duty], dice)?, None, SIDE_ITSELF);
        }
    }
    Ok(drawn)
}

/// The over that both choices make.
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
