//! Bowl and stroke: chosen in secret, turned up together, and drawn for a side that stays silent.

use serde_json::{Value, json};

use super::super::Event;
use super::super::ball::{Chosen, Pending};
use super::super::edition::model::{Word, Zone};
use super::super::rulings::*;
use super::super::state::State;
use super::{Awaits, ball_of, of_these, only};
use crate::dice::{Dice, Draw};
use crate::log::Reveal;
use crate::rules::{Choices, Place, Play, Refusal, ToChoose, Why, reading};
use crate::scorebook::{BySide, Side};

/// The word for what both sides choose in secret.
pub const DELIVERY: &str = "delivery";

/// What is chosen in secret now.
pub fn secret(state: &State) -> Option<ToChoose> {
    let is_due = Awaits::of(state) == Some(Awaits::Delivery);
    is_due.then(|| ToChoose { what: DELIVERY, ball: ball_of(state, Awaits::Delivery) })
}

/// Bowl and stroke are turned up.
pub fn turned_up(state: &State, given: &Choices) -> Result<Event, Refusal> {
    let mut choices = state.chosen_so_far();
    for name in ["bowl", "attitude", "stroke"] {
        let Some(value) = given.get(name) else {
            let message = format!("{name} is chosen in secret, and has not been turned up");
            return Err(Refusal::new(Why::AwaitingChoice, Place::Choice(name.to_owned()), message));
        };
        choices.insert(name.to_owned(), value.clone());
    }
    let choices = Chosen::read(state, &choices)?.written(state);
    let changed = given.iter().find(|(name, value)| choices.get(*name) != Some(*value));
    if let Some((name, _)) = changed {
        return Err(
            Refusal::choice(name.as_str(), format!("{name} has been chosen, and stands")).by(&BALL_LOCKED)
        );
    }
    Ok(Event::Roll(Pending { choices, ..Pending::default() }))
}

/// Checks what a side chooses in secret, and writes it out: the bowling side its bowl, the batting side attitude and stroke.
pub fn choose_in_secret(state: &State, side: Side, given: &Choices) -> Result<Choices, Refusal> {
    let names: &[&str] = if side == state.side_batting() { &["attitude", "stroke"] } else { &["bowl"] };
    only(given, names)?;
    let mut choices = state.chosen_so_far();
    choices.extend(given.clone());
    Ok(of_these(Chosen::read(state, &choices)?.written(state), names))
}

/// Draws bowl and stroke for sides that stay silent, the bowling side's first; the batter's attitude stands.
pub fn draw(state: &State, silent: BySide<bool>, dice: &mut dyn Dice) -> Result<BySide<Choices>, Refusal> {
    let batting = state.side_batting();
    let bowls = state.edition().bowls.of(state.style());
    let zones: Vec<Zone> = Zone::strokes().collect();
    dice.begin(Draw::silent_ball(state.next_delivery()));
    let mut drawn = BySide::<Choices>::default();
    let mut draw_one = |many: usize| -> Result<usize, Refusal> {
        let all: Vec<u8> = (0..many as u8).collect();
        Ok(dice.deal(&all, 1)?.first().map_or(0, |place| usize::from(*place)))
    };
    if silent[batting.other()] {
        let bowl = &bowls[draw_one(bowls.len())?.min(bowls.len() - 1)];
        drawn[batting.other()] = reading::object(json!({"bowl": bowl.id}));
    }
    if silent[batting] {
        let zone = zones[draw_one(zones.len())?.min(zones.len() - 1)];
        let given = reading::object(json!({"stroke": zone.word()}));
        drawn[batting] = choose_in_secret(state, batting, &given)?;
    }
    Ok(drawn)
}

/// What was drawn for sides that stayed silent, in the order it was drawn.
pub fn drawn(state: &State, reveals: &[Reveal]) -> Vec<(Draw, Vec<u8>)> {
    let batting = state.side_batting();
    let place = |side: Side| {
        let reveal = reveals.iter().find(|reveal| reveal.side == side && reveal.draw.is_some())?;
        let word = |name: &str| reveal.choice.get(name).and_then(Value::as_str);
        if side == batting {
            let stroke = word("stroke").and_then(Zone::of_word)?;
            Zone::strokes().position(|zone| zone == stroke)
        } else {
            let bowl = word("bowl")?;
            state.edition().bowls.of(state.style()).iter().position(|known| known.id == bowl)
        }
    };
    let drawn = [place(batting.other()), place(batting)].into_iter().flatten();
    drawn.map(|place| (Draw::silent_ball(state.next_delivery()), vec![place as u8])).collect()
}

/// The ball that both choices in secret make.
pub fn reveal(choices: BySide<Choices>) -> Play {
    Play::Ball(choices.home.into_iter().chain(choices.away).collect())
}
