//! Checks each recorded event of the log against the match before it, and reads it into an event of the game.

use super::ball::{Ball, Chosen, Detail};
use super::event::Event;
use super::next_ball::attempt;
use super::over::OverChoices;
use super::state::{CricketTheGame, Prepared};
use super::{remote, rulings};
use crate::dice::{Draw, RecordedDice};
use crate::log::{self, InvalidEvent};
use crate::rules::reading::expect;
use crate::scorebook::Player;

/// Reads a recorded event, and refuses it when it cannot be applied to this state.
pub fn admit(state: &CricketTheGame, recorded: log::RecordedPlay<'_>) -> Result<Event, InvalidEvent> {
    if state.result().is_some() {
        return Err(InvalidEvent::new("kind", "the match had finished before this event"));
    }
    match recorded {
        log::RecordedPlay::SetUp(set_up) => admit_set_up(state, set_up),
        log::RecordedPlay::Over(over) => admit_over(state, over),
        log::RecordedPlay::Ball(ball) => admit_ball(state, ball),
        log::RecordedPlay::Roll(roll) => admit_roll(state, roll),
        log::RecordedPlay::Choice(choice) => admit_open_choice(state, choice),
    }
}

fn invalid_choices(refusal: crate::rules::Refusal) -> InvalidEvent {
    InvalidEvent::new("data.choices", refusal.message)
}

fn admit_set_up(state: &CricketTheGame, set_up: &log::SetUp) -> Result<Event, InvalidEvent> {
    if state.prepared.is_some() {
        return Err(InvalidEvent::new("kind", "the match has been set up"));
    }
    let mut dice = RecordedDice::new(&set_up.dice);
    let prepared = Prepared::resolve(state, &set_up.choices, &mut dice).map_err(invalid_choices)?;
    expect("data.choices", &prepared.written(state), &set_up.choices)?;
    expect("data.dice", &prepared.dice(state), &set_up.dice)?;
    Ok(Event::SetUp(prepared))
}

fn admit_over(state: &CricketTheGame, over: &log::Over) -> Result<Event, InvalidEvent> {
    expect("data.innings", state.innings_number(), over.innings)?;
    expect("data.over", state.innings.over_number(), over.over)?;
    if state.prepared.is_none() {
        return Err(InvalidEvent::new("kind", "the match has not been set up"));
    }
    if state.innings.bowler().is_some() {
        return Err(InvalidEvent::new("kind", "the over before is not finished"));
    }
    if !over.dice.is_empty() {
        return Err(InvalidEvent::new("data.dice", "an over of cricket-the-game rolls no dice"));
    }
    let read = OverChoices::resolve(state, &over.choices).map_err(invalid_choices)?;
    expect("data.choices", &read.written(state), &over.choices)?;
    Ok(Event::Over(read))
}

fn admit_ball(state: &CricketTheGame, recorded: &log::Ball) -> Result<Event, InvalidEvent> {
    expect("data.innings", state.innings_number(), recorded.innings)?;
    expect("data.over", state.innings.over_number(), recorded.over)?;
    expect("data.ball", state.innings.ball_number(), recorded.ball)?;
    expect("data.delivery", state.next_delivery(), recorded.delivery)?;
    let bowler = state.innings.bowler().ok_or_else(|| InvalidEvent::new("kind", "no over has begun"))?;
    let situation = state.situation();
    let chosen = Chosen::read(&situation, &recorded.choices).map_err(invalid_choices)?;
    expect("data.choices", &chosen.written(&situation), &recorded.choices)?;
    let next = chosen.next_batter.map(|(batter, _)| batter);
    let (Some(striker), Some(non_striker)) =
        (state.innings.striker().or(next), state.innings.non_striker().or(next))
    else {
        return Err(InvalidEvent::new("kind", "nobody is left to bat"));
    };
    let outcome = &recorded.outcome;
    let name = |player: Player| state.batters()[player.index()].as_str();
    expect("data.outcome.striker", name(striker), &outcome.striker)?;
    expect("data.outcome.non_striker", name(non_striker), &outcome.non_striker)?;
    expect("data.outcome.bowler", state.fielders()[bowler.index()].as_str(), &outcome.bowler)?;
    let delivery = outcome
        .delivery(
            [striker, non_striker],
            bowler,
            [state.batters(), state.fielders()],
            rulings::find,
            Detail::read(&situation, &chosen, &outcome.detail)?,
        )
        .map_err(|fault| InvalidEvent::new(format!("data.outcome.{}", fault.field), fault.reason))?;
    Ok(Event::Ball(Box::new(Ball { chosen, dice: Vec::new(), delivery })))
}

fn admit_roll(state: &CricketTheGame, roll: &log::Roll) -> Result<Event, InvalidEvent> {
    expect("data.delivery", state.next_delivery(), roll.delivery)?;
    let mut dice = RecordedDice::dealing(&roll.dice, dealt(state, &roll.choices));
    let begins = if state.is_remote() {
        remote::bowl_remotely(state, &roll.choices, &mut dice).map(|events| events.into_iter().next())
    } else {
        attempt(state, &roll.choices, &mut dice).map(Some)
    };
    match begins {
        Ok(Some(Event::Roll(pending))) => {
            expect("data.choices", &pending.choices, &roll.choices)?;
            Ok(Event::Roll(pending))
        }
        Ok(_) => Err(InvalidEvent::new("kind", "this ball needed no decision")),
        Err(refusal) => Err(invalid_choices(refusal)),
    }
}

fn admit_open_choice(state: &CricketTheGame, choice: &log::Choice) -> Result<Event, InvalidEvent> {
    let given = choice.choice.clone().unwrap_or_default();
    let decided = remote::choose(state, &given, &mut RecordedDice::new(&[])).map_err(invalid_choices)?;
    match decided.into_iter().next() {
        Some(Event::OpenChoice(open_choice)) => {
            expect("data.choice", &open_choice.choice, &given)?;
            expect("data.for", open_choice.what, &choice.what)?;
            Ok(Event::OpenChoice(open_choice))
        }
        _ => Err(InvalidEvent::new("kind", "the match waited for no open choice")),
    }
}

/// The over cards behind a recorded ball: those turned before it in the over, and its own.
pub fn dealt(state: &CricketTheGame, choices: &crate::rules::Choices) -> Vec<(Draw, Vec<u8>)> {
    let Some(id) = choices.get("over_card").and_then(serde_json::Value::as_str) else {
        return Vec::new();
    };
    let deck = state.edition().over_decks.of(state.style());
    let Some(card) = deck.iter().position(|card| card.id == id) else { return Vec::new() };
    let cards = state.over.turned.iter().copied().chain([card as u8]).collect();
    if state.is_seeded() { vec![(state.over_draw(), cards)] } else { Vec::new() }
}
