//! Open choices of remote play: each side's in its turn, until the next ball can be bowled.

use serde::Deserialize;
use serde_json::{Value, json};

use super::super::awaiting::{Awaiting, OpenChoice, ball_of, with_skills};
use super::super::ball::{Chosen, attitudes, bowls, zones};
use super::super::edition::model::EditionWord;
use super::super::event::Event;
use super::super::field::{Field, Limits};
use super::super::next_ball::attempt;
use super::super::over::{self, OverChoices};
use super::super::rulings::*;
use super::super::set_up;
use super::super::state::{CricketTheGame, Prepared};
use crate::dice::Dice;
use crate::rules::{ChoiceKind, Choices, Next, Place, Play, Refusal, RefusalKind, reading};
use crate::scorebook::Side;

/// The name in JSON of the choice that both sides make in secret.
pub const DELIVERY: &str = "delivery";

/// The open choice that the match waits for, and the side that makes it.
pub fn open_choice(state: &CricketTheGame) -> Option<(Side, ChoiceKind)> {
    let awaited = Awaiting::of(state)?;
    let (side, what) = awaited.open_choice(state)?;
    Some((side, ChoiceKind { what, ball: ball_of(state, awaited) }))
}

/// The next step of the match, when that is a choice in remote play.
pub fn next(state: &CricketTheGame) -> Option<Next> {
    let awaited = Awaiting::of(state)?;
    let (side, what) = match awaited {
        Awaiting::Delivery => (None, DELIVERY),
        other => other.open_choice(state).map(|(side, what)| (Some(side), what))?,
    };
    let default = match awaited {
        Awaiting::Delivery => json!({}),
        _ => resolved(state, awaited, &Choices::new()).map(Value::Object).unwrap_or_default(),
    };
    Some(Next::Choose { side, what, legal: legal(state, awaited), default })
}

fn legal(state: &CricketTheGame, awaited: Awaiting) -> Value {
    let names = |names: &[String], of: &mut dyn Iterator<Item = crate::scorebook::Player>| -> Value {
        of.map(|player| names[player.index()].as_str()).collect()
    };
    match awaited {
        Awaiting::Drop(side) => json!({"drop": set_up::legal_choices(state).0["drop"][side.as_str()]}),
        Awaiting::Openers => json!({
            "openers": names(state.batters(), &mut state.eleven(state.side_batting()).players()),
            "attitudes": attitudes(),
        }),
        Awaiting::Bowler => json!({"bowler": names(state.fielders(), &mut state.legal_bowlers())}),
        Awaiting::PowerPlay => json!({"power_play": [false, true]}),
        Awaiting::NextBatter => json!({
            "next_batter": names(state.batters(), &mut state.situation().yet_to_bat()),
            "next_attitude": attitudes(),
        }),
        Awaiting::Field => json!({"field": state.limits().written()}),
        Awaiting::Delivery => {
            json!({"bowl": bowls(&state.situation()), "attitude": attitudes(), "stroke": zones()})
        }
        Awaiting::Skills(side) => {
            let pending = state.pending.as_deref().map(|pending| &pending.choices);
            json!({"skills": pending.map(|choices| state.skills_left_on(side, choices))})
        }
        Awaiting::Over | Awaiting::Ball => Value::Null,
    }
}

/// Refuses a command while the match still waits for an open choice.
pub fn refuse_before_its_turn(state: &CricketTheGame) -> Result<(), Refusal> {
    match Awaiting::of(state).and_then(|awaited| awaited.open_choice(state)) {
        None => Ok(()),
        Some((side, what)) => {
            let message = format!("the match waits for the {side} side's {}", what.replace('_', " "));
            Err(Refusal::new(RefusalKind::AwaitingChoice, Place::Input, message))
        }
    }
}

/// Decides an open choice, and the event that follows once nothing more has to be chosen.
pub fn choose(state: &CricketTheGame, given: &Choices, dice: &mut dyn Dice) -> Result<Vec<Event>, Refusal> {
    let no_open_choice =
        || Refusal::new(RefusalKind::OutOfTurn, Place::Input, "the match waits for no open choice now");
    let awaited = Awaiting::of(state).ok_or_else(no_open_choice)?;
    let (side, what) = awaited.open_choice(state).ok_or_else(no_open_choice)?;
    let choice = resolved(state, awaited, given)?;
    let open_choice = OpenChoice { side, what, choice, awaited };
    if dice.are_recorded() {
        return Ok(vec![Event::OpenChoice(open_choice)]);
    }
    let mut after = state.clone();
    after.apply_open_choice(&open_choice);
    let follows = match Awaiting::of(&after) {
        None if after.prepared.is_none() => {
            let choices =
                Choices::from_iter([("drop".to_owned(), Value::Object(after.open_choices.clone()))]);
            Some(Event::SetUp(Prepared::resolve(&after, &choices, dice)?))
        }
        Some(Awaiting::Ball) => Some(attempt(&after, &Choices::new(), dice)?),
        _ => None,
    };
    Ok([Event::OpenChoice(open_choice)].into_iter().chain(follows).collect())
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Skills {
    skills: Vec<String>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Dropped {
    drop: Option<String>,
}

/// An open choice with its defaults filled in, in its form for the log.
fn resolved(state: &CricketTheGame, awaited: Awaiting, given: &Choices) -> Result<Choices, Refusal> {
    match awaited {
        Awaiting::Drop(side) => {
            let Dropped { drop } = reading::choices(given, "a side chooses drop, a name")?;
            let player = set_up::dropped(state, side, drop.as_deref())?;
            let name = &state.setting.created.sheet(side).players[player.index()];
            Ok(reading::object(json!({"drop": name})))
        }
        Awaiting::Openers | Awaiting::Bowler | Awaiting::PowerPlay => {
            let names: &[&str] = match awaited {
                Awaiting::Openers => &["openers", "attitudes"],
                Awaiting::Bowler => &["bowler"],
                _ => &["power_play"],
            };
            refuse_other_choices(given, names)?;
            Ok(named_choices(OverChoices::resolve(state, given)?.written(state), names))
        }
        Awaiting::NextBatter => {
            let names = ["next_batter", "next_attitude"];
            refuse_other_choices(given, &names)?;
            let situation = state.situation();
            Ok(named_choices(Chosen::read(&situation, given)?.written(&situation), &names))
        }
        Awaiting::Field => {
            refuse_other_choices(given, &["field"])?;
            let fielders = state.situation().token_names();
            let read = |field| Field::read(field, state.limits(), &fielders);
            let field = given.get("field").map_or_else(|| Ok(state.field_now()), read)?;
            Ok(reading::object(json!({"field": field.written()})))
        }
        Awaiting::Skills(side) => {
            let Skills { skills } = reading::choices(given, "a side chooses skills, a list of ids")?;
            let choices = with_skills(state, side, &skills);
            // In the order of the cards, as the ball will have them.
            let situation = state.situation();
            let written = Chosen::read(&situation, &choices)?.written(&situation);
            let named = written.get("skills").and_then(|all| all.get(side.word()));
            Ok(reading::object(json!({"skills": named.cloned().unwrap_or_else(|| json!([]))})))
        }
        Awaiting::Over | Awaiting::Delivery | Awaiting::Ball => Ok(given.clone()),
    }
}

pub fn refuse_other_choices(given: &Choices, names: &[&str]) -> Result<(), Refusal> {
    match given.keys().find(|name| !names.contains(&name.as_str())) {
        None => Ok(()),
        Some(name) => {
            let message = format!("the match now waits for {} only; leave {name} out", names.join(", "));
            Err(Refusal::choice(name.as_str(), message))
        }
    }
}

/// The choices that have these names.
pub fn named_choices(choices: Choices, names: &[&str]) -> Choices {
    choices.into_iter().filter(|(name, _)| names.contains(&name.as_str())).collect()
}

/// The choices of the over, joined with the open choices made for it before.
pub fn with_open_choices(state: &CricketTheGame, given: &Choices) -> Result<Choices, Refusal> {
    let mut choices = state.open_choices.clone();
    for (name, value) in given {
        match choices.get(name) {
            Some(open_choice) if open_choice != value => {
                let message = format!("{name} has already been chosen");
                return Err(Refusal::choice(name.as_str(), message).by(&BALL_LOCKED));
            }
            _ => choices.insert(name.clone(), value.clone()),
        };
    }
    Ok(choices)
}

/// The play for a side that timed out: no risk, and for the rest the default. It must never change: an audit
/// decides it again for stored logs.
pub fn on_timeout(state: &CricketTheGame) -> Play {
    let question = state.pending.as_deref().and_then(|pending| pending.question.as_ref());
    match (question, Awaiting::of(state)) {
        (Some(question), _) => {
            Play::Ball(Choices::from_iter([(question.name.to_owned(), question.on_timeout.clone())]))
        }
        (None, Some(Awaiting::Over)) => Play::Over(Choices::new()),
        (None, Some(Awaiting::Ball)) => Play::Ball(Choices::new()),
        (None, _) => Play::Choose(Choices::new()),
    }
}

/// The limits of the field in the next over, as far as the power play is chosen.
fn limits(state: &CricketTheGame) -> Limits {
    let power_play = state.open_choices.get("power_play").and_then(Value::as_bool).unwrap_or(false);
    Limits::of_over(state.format(), state.innings.over_number(), power_play)
}

/// The legal choices for the start of the over, once the open choices before it are made.
pub fn next_over(state: &CricketTheGame) -> Next {
    let (side, mut legal, _) = over::legal_choices(state);
    for name in ["power_play", "openers", "attitudes"] {
        if let Some(legal) = legal.as_object_mut() {
            legal.remove(name);
        }
    }
    if let Some(bowler) = state.open_choices.get("bowler") {
        legal["bowler"] = json!([bowler]);
    }
    legal["field"] = limits(state).written();
    let usual =
        with_open_choices(state, &Choices::new()).and_then(|choices| OverChoices::resolve(state, &choices));
    let default = usual.map(|usual| Value::Object(usual.written(state))).unwrap_or_default();
    Next::Choose { side: Some(side), what: "over", legal, default }
}
