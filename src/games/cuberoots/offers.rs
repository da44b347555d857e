//! The choices that could be made for the next over or ball.

use serde_json::{Value, json};

use super::duel::Duty;
use super::played::{Turn, may_be_rolled};
use super::state::{CubeRoots, SIDE_ITSELF};
use crate::rules::{AskOption, ChoiceOffers, Choices};

/// The choices that could be made for the next event, which has these. Numbers at the table are read off the
/// cubes, and those of a seeded match follow from the orders.
pub fn offers(state: &CubeRoots, made: &Choices) -> ChoiceOffers {
    let offers = if state.innings.bowler().is_none() { of_over(state, made) } else { of_ball(state) };
    // In remote play both sides choose in secret.
    if state.setting.created.remote { offers.without_defaults() } else { offers }
}

fn of_over(state: &CubeRoots, made: &Choices) -> ChoiceOffers {
    let side = json!(state.bowlers()[SIDE_ITSELF.index()]);
    let bowlers = state.bowlers().iter().map(|name| AskOption::named(name));
    let offers = ChoiceOffers::default().with("bowler", side).listing("bowler", bowlers);
    if !state.is_seeded() {
        return offers.with("orders", Value::Null).reading("orders");
    }
    let deal = made.get("deal").cloned().unwrap_or_default();
    let cubes: Vec<AskOption> = Duty::BOTH.into_iter().flat_map(|duty| cubes_of(&deal, duty)).collect();
    let offers = offers.with("orders", deal).listing("orders", cubes);
    if state.setting.options.roll_a_cube { offers.with("roll", json!({})) } else { offers }
}

/// The cubes that were dealt to a side, from which its order is made.
fn cubes_of(deal: &Value, duty: Duty) -> impl Iterator<Item = AskOption> {
    let cubes = deal[duty.as_str()].as_array().into_iter().flatten();
    cubes.map(|cube| AskOption::new(cube.clone(), cube.to_string()))
}

fn of_ball(state: &CubeRoots) -> ChoiceOffers {
    Duty::BOTH.into_iter().fold(ChoiceOffers::default(), |offers, duty| {
        let turn = Turn::of(state, duty);
        let offers = match turn.awaits_number() {
            true => offers.with(duty.number(), Value::Null).reading(duty.number()),
            false => offers,
        };
        if may_be_rolled(state, duty, turn) { offers.with(duty.rolled(), json!(false)) } else { offers }
    })
}
