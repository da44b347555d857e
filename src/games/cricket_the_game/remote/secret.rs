//! Secret choices of remote play: bowl and stroke, chosen in secret, revealed together, and drawn for a side
//! that timed out.

use serde_json::{Value, json};

use super::super::awaiting::{Awaiting, ball_of};
use super::super::ball::{Chosen, Pending};
use super::super::edition::model::{EditionWord, Zone};
use super::super::event::Event;
use super::super::next_ball::attempt;
use super::super::rulings::*;
use super::super::state::CricketTheGame;
use super::open::{DELIVERY, named_choices, refuse_before_its_turn, refuse_other_choices};
use crate::dice::{Dice, Draw};
use crate::log::Reveal;
use crate::rules::{ChoiceKind, Choices, Place, Play, Refusal, RefusalKind, reading};
use crate::scorebook::{BySide, Side};

/// The secret choice that the match waits for.
pub fn secret(state: &CricketTheGame) -> Option<ChoiceKind> {
    let is_awaited = Awaiting::of(state) == Some(Awaiting::Delivery);
    is_awaited.then(|| ChoiceKind { what: DELIVERY, ball: ball_of(state, Awaiting::Delivery) })
}

/// Decides the next ball in remote play: reveals bowl and stroke, or goes on with the dice of the ball.
pub fn bowl_remotely(
    state: &CricketTheGame,
    choices: &Choices,
    dice: &mut dyn Dice,
) -> Result<Vec<Event>, Refusal> {
    refuse_before_its_turn(state)?;
    match Awaiting::of(state) {
        Some(Awaiting::Delivery) => {
            let revealed_ball = revealed(state, choices)?;
            let mut after = state.clone();
            after.apply_event(&revealed_ball);
            let goes_on = !dice.are_recorded() && Awaiting::of(&after) == Some(Awaiting::Ball);
            let follows = goes_on.then(|| attempt(&after, &Choices::new(), dice)).transpose()?;
            Ok([revealed_ball].into_iter().chain(follows).collect())
        }
        Some(Awaiting::Ball) => Ok(vec![attempt(state, choices, dice)?]),
        _ => {
            let message = "the over has to begin first, with its bowler and its field";
            Err(Refusal::new(RefusalKind::AwaitingChoice, Place::Input, message))
        }
    }
}

/// Decides the reveal of bowl and stroke.
fn revealed(state: &CricketTheGame, given: &Choices) -> Result<Event, Refusal> {
    let mut choices = state.chosen_so_far();
    for name in ["bowl", "attitude", "stroke"] {
        let Some(value) = given.get(name) else {
            let message = format!("{name} is chosen in secret and has not been revealed");
            return Err(Refusal::new(RefusalKind::AwaitingChoice, Place::Choice(name.to_owned()), message));
        };
        choices.insert(name.to_owned(), value.clone());
    }
    let situation = state.situation();
    let choices = Chosen::read(&situation, &choices)?.written(&situation);
    let changed = given.iter().find(|(name, value)| choices.get(*name) != Some(*value));
    if let Some((name, _)) = changed {
        return Err(
            Refusal::choice(name.as_str(), format!("{name} has already been chosen")).by(&BALL_LOCKED)
        );
    }
    Ok(Event::Roll(Pending { choices, ..Pending::default() }))
}

/// Checks the secret choice of a side, and gives it in its form for the log: the bowling side chooses its
/// bowl, the batting side attitude and stroke.
pub fn check(state: &CricketTheGame, side: Side, given: &Choices) -> Result<Choices, Refusal> {
    let names: &[&str] = if side == state.side_batting() { &["attitude", "stroke"] } else { &["bowl"] };
    refuse_other_choices(given, names)?;
    let mut choices = state.chosen_so_far();
    choices.extend(given.clone());
    let situation = state.situation();
    Ok(named_choices(Chosen::read(&situation, &choices)?.written(&situation), names))
}

/// Draws bowl and stroke for sides that timed out, the bowling side's first; the batter keeps his attitude.
pub fn draw(
    state: &CricketTheGame,
    timed_out: BySide<bool>,
    dice: &mut dyn Dice,
) -> Result<BySide<Choices>, Refusal> {
    let batting = state.side_batting();
    let bowls = state.edition().bowls.of(state.style());
    let zones: Vec<Zone> = Zone::strokes().collect();
    dice.begin(Draw::timeout_ball(state.next_delivery()));
    let mut drawn = BySide::<Choices>::default();
    let mut draw_one = |many: usize| -> Result<usize, Refusal> {
        let all: Vec<u8> = (0..many as u8).collect();
        Ok(dice.deal(&all, 1)?.first().map_or(0, |place| usize::from(*place)))
    };
    if timed_out[batting.other()] {
        let bowl = &bowls[draw_one(bowls.len())?.min(bowls.len() - 1)];
        drawn[batting.other()] = reading::object(json!({"bowl": bowl.id}));
    }
    if timed_out[batting] {
        let zone = zones[draw_one(zones.len())?.min(zones.len() - 1)];
        let given = reading::object(json!({"stroke": zone.word()}));
        drawn[batting] = check(state, batting, &given)?;
    }
    Ok(drawn)
}

/// The values that were drawn for sides that timed out, in the order of the draw.
pub fn drawn(state: &CricketTheGame, reveals: &[Reveal]) -> Vec<(Draw, Vec<u8>)> {
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
    drawn.map(|place| (Draw::timeout_ball(state.next_delivery()), vec![place as u8])).collect()
}

/// The play that follows from both secret choices.
pub fn reveal(choices: BySide<Choices>) -> Play {
    Play::Ball(choices.home.into_iter().chain(choices.away).collect())
}
