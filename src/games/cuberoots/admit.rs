//! Checks each recorded event of the log against the match before it, and reads it into an event of the game.

use serde::Deserialize;
use serde_json::Value;

use super::bag::Six;
use super::ball::Detail;
use super::event::{Ball, Event};
use super::over::OverChoices;
use super::state::CubeRoots;
use super::{played, rulings};
use crate::dice::{Draw, RecordedDice};
use crate::log::{self, InvalidEvent, read_members};
use crate::rules::Choices;
use crate::rules::reading::{self, expect};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct DetailRecord {
    difference: i8,
    needed: u8,
    dots_in_a_row: u8,
}

/// Reads a recorded event, and refuses it when it cannot be applied to this state.
pub fn admit(state: &CubeRoots, recorded: log::RecordedPlay<'_>) -> Result<Event, InvalidEvent> {
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

fn admit_over(state: &CubeRoots, over: &log::Over) -> Result<Event, InvalidEvent> {
    expect("data.innings", state.innings_number, over.innings)?;
    expect("data.over", state.innings.over_number(), over.over)?;
    if state.innings.bowler().is_some() {
        return Err(InvalidEvent::new("kind", "the over before is not finished"));
    }
    if !over.dice.is_empty() {
        return Err(InvalidEvent::new("data.dice", "a cuberoots over rolls no dice"));
    }
    let choices = OverChoices::resolve(state, &over.choices, &mut RecordedDice::dealing(&[], dealt(over)))
        .map_err(|refusal| InvalidEvent::new("data.choices", refusal.message))?;
    if choices.written(state) != over.choices {
        return Err(InvalidEvent::new(
            "data.choices",
            "differ from these choices with their defaults filled in",
        ));
    }
    Ok(Event::Over(choices))
}

/// The cubes that were dealt for an over by its draw, and the orders that were drawn for sides that timed
/// out. The order of the bowling side comes first: it is the one that names a bowler.
pub fn dealt(over: &log::Over) -> Vec<(Draw, Vec<u8>)> {
    let six = |cubes: &Value| Six::deserialize(cubes).map(Vec::from).unwrap_or_default();
    let both = |deal: &Value| [six(&deal["bowling"]), six(&deal["batting"])].concat();
    let dealt = over.choices.get("deal").map(both);
    let dealt = dealt.map(|dealt| (Draw::over(over.innings, over.over), dealt));
    let mut timed_out: Vec<&Choices> =
        over.reveals.iter().filter(|reveal| reveal.draw.is_some()).map(|reveal| &reveal.choice).collect();
    timed_out.sort_by_key(|choice| !choice.contains_key("bowler"));
    let draw = Draw::timeout_over(over.innings, over.over);
    let on_timeout = timed_out.into_iter().filter_map(|choice| Some((draw, six(choice.get("order")?))));
    dealt.into_iter().chain(on_timeout).collect()
}

fn admit_ball(state: &CubeRoots, ball: &log::Ball) -> Result<Event, InvalidEvent> {
    expect("data.innings", state.innings_number, ball.innings)?;
    expect("data.over", state.innings.over_number(), ball.over)?;
    expect("data.ball", state.innings.ball_number(), ball.ball)?;
    expect("data.delivery", state.next_delivery(), ball.delivery)?;
    let bowler = state.innings.bowler().ok_or_else(|| InvalidEvent::new("kind", "no over has begun"))?;
    let mut dice = RecordedDice::new(&ball.dice);
    let played = played::resolve(state, &ball.choices, &mut dice)
        .map_err(|refusal| InvalidEvent::new("data.choices", refusal.message))?;
    if played::written(played) != ball.choices {
        return Err(InvalidEvent::new(
            "data.choices",
            "differ from these choices with their defaults filled in",
        ));
    }
    let outcome = &ball.outcome;
    let at_the_wicket =
        state.at_the_wicket().ok_or_else(|| InvalidEvent::new("kind", "nobody is left to bat"))?;
    let [striker, non_striker] = at_the_wicket.map(|player| state.batters()[player.index()].as_str());
    expect("data.outcome.striker", striker, &outcome.striker)?;
    expect("data.outcome.non_striker", non_striker, &outcome.non_striker)?;
    expect("data.outcome.bowler", state.bowlers()[bowler.index()].as_str(), &outcome.bowler)?;
    expect("data.outcome.legal", true, outcome.legal)?;
    let delivery = outcome
        .delivery(
            at_the_wicket,
            bowler,
            [state.batters(), state.bowlers()],
            rulings::find,
            read_detail(&outcome.detail)?,
        )
        .map_err(|fault| InvalidEvent::new(format!("data.outcome.{}", fault.field), fault.reason))?;
    Ok(Event::Ball(Ball { played: Some(played), dice: Vec::new(), delivery }))
}

fn read_detail(detail: &Choices) -> Result<Detail, InvalidEvent> {
    let DetailRecord { difference, needed, dots_in_a_row } =
        read_members(detail).map_err(|fault| InvalidEvent::of_value("data.outcome.detail", &fault))?;
    Ok(Detail { difference, needed, dots_in_a_row })
}
