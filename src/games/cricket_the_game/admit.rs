use super::ball::{Ball, Chosen};
use super::detail::Detail;
use super::over::OverChoices;
use super::set_up::Prepared;
use super::state::State;
use super::{Event, rulings};
use crate::dice::{Draw, RecordedDice};
use crate::log::{self, Broken};
use crate::rules::reading::expect;
use crate::scorebook::Player;

/// Reads a recorded event and makes sure that it can be applied to this state.
pub fn admit(state: &State, recorded: log::Played<'_>) -> Result<Event, Broken> {
    if state.result().is_some() {
        return Err(Broken::new("kind", "the match was over before this"));
    }
    match recorded {
        log::Played::SetUp(set_up) => admit_set_up(state, set_up),
        log::Played::Over(over) => admit_over(state, over),
        log::Played::Ball(ball) => admit_ball(state, ball),
        log::Played::Roll(roll) => admit_roll(state, roll),
        log::Played::Choice(choice) => admit_said(state, choice),
    }
}

fn choices(refusal: crate::rules::Refusal) -> Broken {
    Broken::new("data.choices", refusal.message)
}

fn admit_set_up(state: &State, set_up: &log::SetUp) -> Result<Event, Broken> {
    if state.prepared.is_some() {
        return Err(Broken::new("kind", "the match has been set up"));
    }
    let mut dice = RecordedDice::new(&set_up.dice);
    let prepared = Prepared::resolve(state, &set_up.choices, &mut dice).map_err(choices)?;
    expect("data.choices", &prepared.written(state), &set_up.choices)?;
    expect("data.dice", &prepared.dice(state), &set_up.dice)?;
    Ok(Event::SetUp(prepared))
}

fn admit_over(state: &State, over: &log::Over) -> Result<Event, Broken> {
    expect("data.innings", state.innings_number(), over.innings)?;
    expect("data.over", state.innings.over_number(), over.over)?;
    if state.prepared.is_none() {
        return Err(Broken::new("kind", "the match has not been set up"));
    }
    if state.innings.bowler().is_some() {
        return Err(Broken::new("kind", "the over before is not finished"));
    }
    if !over.dice.is_empty() {
        return Err(Broken::new("data.dice", "an over of cricket-the-game rolls no dice"));
    }
    let read = OverChoices::resolve(state, &over.choices).map_err(choices)?;
    expect("data.choices", &read.written(state), &over.choices)?;
    Ok(Event::Over(read))
}

fn admit_ball(state: &State, recorded: &log::Ball) -> Result<Event, Broken> {
    expect("data.innings", state.innings_number(), recorded.innings)?;
    expect("data.over", state.innings.over_number(), recorded.over)?;
    expect("data.ball", state.innings.ball_number(), recorded.ball)?;
    expect("data.delivery", state.next_delivery(), recorded.delivery)?;
    let bowler = state.innings.bowler().ok_or_else(|| Broken::new("kind", "no over has begun"))?;
    let chosen = Chosen::read(state, &recorded.choices).map_err(choices)?;
    expect("data.choices", &chosen.written(state), &recorded.choices)?;
    let next = chosen.next_batter.map(|(batter, _)| batter);
    let (Some(striker), Some(non_striker)) =
        (state.innings.striker().or(next), state.innings.non_striker().or(next))
    else {
        return Err(Broken::new("kind", "nobody is left to bat"));
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
            Detail::read(state, &chosen, &outcome.detail)?,
        )
        .map_err(|fault| Broken::new(format!("data.outcome.{}", fault.field), fault.reason))?;
    Ok(Event::Ball(Box::new(Ball { chosen, dice: Vec::new(), delivery })))
}

fn admit_roll(state: &State, roll: &log::Roll) -> Result<Event, Broken> {
    expect("data.delivery", state.next_delivery(), roll.delivery)?;
    let mut dice = RecordedDice::dealing(&roll.dice, dealt(state, &roll.choices));
    let begins = if state.is_remote() {
        super::bowl_from_afar(state, &roll.choices, &mut dice).map(|events| events.into_iter().next())
    } else {
        super::attempt(state, &roll.choices, &mut dice).map(Some)
    };
    match begins {
        Ok(Some(Event::Roll(pending))) => {
            expect("data.choices", &pending.choices, &roll.choices)?;
            Ok(Event::Roll(pending))
        }
        Ok(_) => Err(Broken::new("kind", "nobody has to decide anything here")),
        Err(refusal) => Err(choices(refusal)),
    }
}

fn admit_said(state: &State, choice: &log::Choice) -> Result<Event, Broken> {
    let given = choice.choice.clone().unwrap_or_default();
    let said = super::remote::choose(state, &given, &mut RecordedDice::new(&[])).map_err(choices)?;
    match said.into_iter().next() {
        Some(Event::Said(said)) => {
            expect("data.choice", &said.choice, &given)?;
            expect("data.for", said.what, &choice.what)?;
            Ok(Event::Said(said))
        }
        _ => Err(Broken::new("kind", "nothing is chosen in the open here")),
    }
}

/// The over cards a recorded ball follows from: those turned before it in the over, and its own.
pub fn dealt(state: &State, choices: &crate::rules::Choices) -> Vec<(Draw, Vec<u8>)> {
    let Some(id) = choices.get("over_card").and_then(serde_json::Value::as_str) else { return Vec::new() };
    let deck = state.edition().over_decks.of(state.style());
    let Some(card) = deck.iter().position(|card| card.id == id) else { return Vec::new() };
    let cards = state.over.turned.iter().copied().chain([card as u8]).collect();
    if state.is_seeded() { vec![(state.over_draw(), cards)] } else { Vec::new() }
}
