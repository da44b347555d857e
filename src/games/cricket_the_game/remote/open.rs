//! Choices in the open: each side's in its turn, until the next ball can be bowled.

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
use super::super::state::{Prepared, State};
use crate::dice::Dice;
use crate::rules::{ChoiceKind, Choices, Next, Place, Play, Refusal, Why, reading};
use crate::scorebook::Side;

/// The word for what both sides choose in secret.
pub const DELIVERY: &str = "delivery";

/// What is chosen in the open now, by whom.
pub fn in_the_open(state: &State) -> Option<(Side, ChoiceKind)> {
    let awaits = Awaiting::of(state)?;
    let (side, what) = awaits.in_the_open(state)?;
    Some((side, ChoiceKind { what, ball: ball_of(state, awaits) }))
}

/// What the match waits for, where that is a choice of sides apart.
pub fn next(state: &State) -> Option<Next> {
    let awaits = Awaiting::of(state)?;
    let (side, what) = match awaits {
        Awaiting::Delivery => (None, DELIVERY),
        other => other.in_the_open(state).map(|(side, what)| (Some(side), what))?,
    };
    let default = match awaits {
        Awaiting::Delivery => json!({}),
        _ => resolved(state, awaits, &Choices::new()).map(Value::Object).unwrap_or_default(),
    };
    Some(Next::Choose { side, what, legal: legal(state, awaits), default })
}

fn legal(state: &State, awaits: Awaiting) -> Value {
    let names = |names: &[String], of: &mut dyn Iterator<Item = crate::scorebook::Player>| -> Value {
        of.map(|player| names[player.index()].as_str()).collect()
    };
    match awaits {
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

/// Refuses what is put in before its turn.
pub fn refuse_before_its_turn(state: &State) -> Result<(), Refusal> {
    match Awaiting::of(state).and_then(|awaits| awaits.in_the_open(state)) {
        None => Ok(()),
        Some((side, what)) => {
            let message = format!("the match waits for the {side} side's {}", what.replace('_', " "));
            Err(Refusal::new(Why::AwaitingChoice, Place::Input, message))
        }
    }
}

/// What a side chooses in the open, and what follows once nothing more has to be chosen.
pub fn choose(state: &State, given: &Choices, dice: &mut dyn Dice) -> Result<Vec<Event>, Refusal> {
    let nothing = || Refusal::new(Why::OutOfTurn, Place::Input, "nothing is chosen in the open now");
    let awaits = Awaiting::of(state).ok_or_else(nothing)?;
    let (side, what) = awaits.in_the_open(state).ok_or_else(nothing)?;
    let choice = resolved(state, awaits, given)?;
    let said = OpenChoice { side, what, choice, of: awaits };
    if dice.are_recorded() {
        return Ok(vec![Event::Said(said)]);
    }
    let mut after = state.clone();
    after.apply_open_choice(&said);
    let follows = match Awaiting::of(&after) {
        None if after.prepared.is_none() => {
            let choices = Choices::from_iter([("drop".to_owned(), Value::Object(after.said.clone()))]);
            Some(Event::SetUp(Prepared::resolve(&after, &choices, dice)?))
        }
        Some(Awaiting::Ball) => Some(attempt(&after, &Choices::new(), dice)?),
        _ => None,
    };
    Ok([Event::Said(said)].into_iter().chain(follows).collect())
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

/// A choice in the open with what is left out at its default, as the log has it.
fn resolved(state: &State, awaits: Awaiting, given: &Choices) -> Result<Choices, Refusal> {
    match awaits {
        Awaiting::Drop(side) => {
            let Dropped { drop } = reading::choices(given, "a side chooses drop, a name")?;
            let player = set_up::dropped(state, side, drop.as_deref())?;
            let name = &state.setting.created.sheet(side).players[player.index()];
            Ok(reading::object(json!({"drop": name})))
        }
        Awaiting::Openers | Awaiting::Bowler | Awaiting::PowerPlay => {
            let names: &[&str] = match awaits {
                Awaiting::Openers => &["openers", "attitudes"],
                Awaiting::Bowler => &["bowler"],
                _ => &["power_play"],
            };
            only(given, names)?;
            Ok(of_these(OverChoices::resolve(state, given)?.written(state), names))
        }
        Awaiting::NextBatter => {
            let names = ["next_batter", "next_attitude"];
            only(given, &names)?;
            let situation = state.situation();
            Ok(of_these(Chosen::read(&situation, given)?.written(&situation), &names))
        }
        Awaiting::Field => {
            only(given, &["field"])?;
            let stands = state.bowling.field.unwrap_or(state.usual_field(state.limits()));
            let field = given.get("field").map_or(Ok(stands), |field| Field::read(field, state.limits()))?;
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

pub fn only(given: &Choices, names: &[&str]) -> Result<(), Refusal> {
    match given.keys().find(|name| !names.contains(&name.as_str())) {
        None => Ok(()),
        Some(name) => {
            let message = format!("only {} is chosen now; leave {name} out", names.join(", "));
            Err(Refusal::choice(name.as_str(), message))
        }
    }
}

/// Those of the choices that have these names.
pub fn of_these(choices: Choices, names: &[&str]) -> Choices {
    choices.into_iter().filter(|(name, _)| names.contains(&name.as_str())).collect()
}

/// The over with what was said of it before.
pub fn with_said(state: &State, given: &Choices) -> Result<Choices, Refusal> {
    let mut choices = state.said.clone();
    for (name, value) in given {
        match choices.get(name) {
            Some(said) if said != value => {
                let message = format!("{name} has been chosen, and stands");
                return Err(Refusal::choice(name.as_str(), message).by(&BALL_LOCKED));
            }
            _ => choices.insert(name.clone(), value.clone()),
        };
    }
    Ok(choices)
}

/// What is put in for a side that stays silent: no risk, and for the rest the default. An audit decides it
/// again, so for the logs there are it stays as it is.
pub fn for_silent(state: &State) -> Play {
    let asked = state.pending.as_deref().and_then(|pending| pending.asked.as_ref());
    match (asked, Awaiting::of(state)) {
        (Some(asked), _) => Play::Ball(Choices::from_iter([(asked.name.to_owned(), asked.cautious.clone())])),
        (None, Some(Awaiting::Over)) => Play::Over(Choices::new()),
        (None, Some(Awaiting::Ball)) => Play::Ball(Choices::new()),
        (None, _) => Play::Choose(Choices::new()),
    }
}

/// The limits of the field in the over to come, with what was said of the power play.
fn limits(state: &State) -> Limits {
    let power_play = state.said.get("power_play").and_then(Value::as_bool).unwrap_or(false);
    Limits::of_over(state.format(), state.innings.over_number(), power_play)
}

/// What may be chosen with the over, once what comes before it is said.
pub fn next_over(state: &State) -> Next {
    let (side, mut legal, _) = over::legal_choices(state);
    for name in ["power_play", "openers", "attitudes"] {
        if let Some(legal) = legal.as_object_mut() {
            legal.remove(name);
        }
    }
    if let Some(bowler) = state.said.get("bowler") {
        legal["bowler"] = json!([bowler]);
    }
    legal["field"] = limits(state).written();
    let usual = with_said(state, &Choices::new()).and_then(|choices| OverChoices::resolve(state, &choices));
    let default = usual.map(|usual| Value::Object(usual.written(state))).unwrap_or_default();
    Next::Choose { side: Some(side), what: "over", legal, default }
}
