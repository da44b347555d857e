//! Checks each recorded event of the log against the match before it, and reads it into an event of the game.

use serde::Deserialize;
use serde_json::{Value, json};

use super::ball::Detail;
use super::batter::{choose_batter, written_choices};
use super::event::{Ball, Event};
use super::over::OverChoices;
use super::rulings;
use super::state::{Howzat, PLAYERS};
use crate::log::{self, InvalidEvent, read_members};
use crate::rules::Choices;
use crate::rules::reading::{self, expect};
use crate::scorebook::{Dismissal, Player};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct DetailRecord {
    position: Option<u8>,
    dropped_by: Option<String>,
}

/// Reads a recorded event, and refuses it when it cannot be applied to this state.
pub fn admit(state: &Howzat, recorded: log::RecordedPlay<'_>) -> Result<Event, InvalidEvent> {
    if state.result().is_some() {
        return Err(InvalidEvent::new("kind", "the match had finished before this event"));
    }
    match recorded {
        log::RecordedPlay::Over(over) => admit_over(state, over),
        log::RecordedPlay::Ball(ball) => admit_ball(state, ball),
        log::RecordedPlay::SetUp(_) | log::RecordedPlay::Roll(_) | log::RecordedPlay::Choice(_) => {
            Err(reading::no_such_event())
        }
    }
}

fn admit_over(state: &Howzat, over: &log::Over) -> Result<Event, InvalidEvent> {
    expect("data.innings", state.innings_number(), over.innings)?;
    expect("data.over", state.innings.over_number(), over.over)?;
    if state.innings.bowler().is_some() {
        return Err(InvalidEvent::new("kind", "the over before is not finished"));
    }
    if !over.dice.is_empty() {
        return Err(InvalidEvent::new("data.dice", "a howzat over rolls no dice"));
    }
    if let Some(choices) = OverChoices::read_written(state, &over.choices) {
        return Ok(Event::Over(choices));
    }
    let choices = OverChoices::resolve(state, &over.choices)
        .map_err(|refusal| InvalidEvent::new("data.choices", refusal.message))?;
    if choices.written(state) != over.choices {
        return Err(InvalidEvent::new(
            "data.choices",
            "differ from these choices with their defaults filled in",
        ));
    }
    Ok(Event::Over(choices))
}

fn admit_ball(state: &Howzat, ball: &log::Ball) -> Result<Event, InvalidEvent> {
    expect("data.innings", state.innings_number(), ball.innings)?;
    expect("data.over", state.innings.over_number(), ball.over)?;
    expect("data.ball", state.innings.ball_number(), ball.ball)?;
    expect("data.delivery", state.next_delivery(), ball.delivery)?;
    let bowler = state.innings.bowler().ok_or_else(|| InvalidEvent::new("kind", "no over has begun"))?;
    let next_batter = choose_batter(state, &ball.choices)
        .map_err(|refusal| InvalidEvent::new("data.choices.next_batter", refusal.message))?;
    let name = |player: Option<Player>| player.map(|player| state.batters()[player.index()].as_str());
    let named = ball.choices.get("next_batter").and_then(Value::as_str);
    if named != name(next_batter) || ball.choices.len() != usize::from(next_batter.is_some()) {
        expect("data.choices", &written_choices(state, next_batter), &ball.choices)?;
    }
    let outcome = &ball.outcome;
    let striker = state.innings.striker().or(next_batter);
    expect("data.outcome.striker", name(striker), Some(&outcome.striker))?;
    let non_striker = state.innings.non_striker().or(next_batter);
    expect("data.outcome.non_striker", name(non_striker), Some(&outcome.non_striker))?;
    expect("data.outcome.bowler", state.fielders()[bowler.index()].as_str(), &outcome.bowler)?;
    let (Some(striker), Some(non_striker)) = (striker, non_striker) else {
        return Err(InvalidEvent::new("kind", "nobody is left to bat"));
    };
    let delivery = outcome
        .delivery(
            [striker, non_striker],
            bowler,
            [state.batters(), state.fielders()],
            rulings::find,
            read_detail(state, &outcome.detail)?,
        )
        .map_err(|fault| InvalidEvent::new(format!("data.outcome.{}", fault.field), fault.reason))?;
    if delivery.dismissal == Some(Dismissal::CaughtAndBowled)
        && outcome.wicket.as_ref().is_some_and(|wicket| wicket.fielders != [outcome.bowler.clone()])
    {
        return Err(InvalidEvent::new(
            "data.outcome.wicket.fielders",
            "must be the bowler, who caught the ball",
        ));
    }
    Ok(Event::Ball(Ball { next_batter, dice: Vec::new(), delivery }))
}

fn read_detail(state: &Howzat, detail: &Choices) -> Result<Detail, InvalidEvent> {
    if detail.is_empty() {
        return Ok(Detail::default());
    }
    let invalid = |reason: String| InvalidEvent::new("data.outcome.detail", reason);
    let record: DetailRecord =
        read_members(detail).map_err(|fault| InvalidEvent::of_value("data.outcome.detail", &fault))?;
    let dropped_by = match record.dropped_by {
        None => None,
        Some(name) => Some(
            (0..PLAYERS)
                .map(Player)
                .find(|player| state.fielders()[player.index()] == name)
                .ok_or_else(|| invalid(format!("{name:?} is not in the side")))?,
        ),
    };
    let read = Detail { position: record.position, dropped_by };
    expect("data.outcome.detail", &written_detail(state, read), detail)?;
    Ok(read)
}

/// The detail of a ball, in its form for the log.
pub fn written_detail(state: &Howzat, detail: Detail) -> Choices {
    let position = detail.position.map(|position| ("position".to_owned(), json!(position)));
    let dropped_by =
        detail.dropped_by.map(|fielder| ("dropped_by".to_owned(), json!(state.fielders()[fielder.index()])));
    position.into_iter().chain(dropped_by).collect()
}
