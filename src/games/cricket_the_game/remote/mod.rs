//! Sides that play from afar: who chooses what and when, in the open or, for bowl and stroke, in secret.

mod secret;

use serde::Deserialize;
use serde_json::{Value, json};

use self::secret::DELIVERY;
use super::ball::Chosen;
use super::edition::model::{Duelist, Word};
use super::field::{Field, Limits};
use super::over::{self, OverChoices};
use super::rulings::*;
use super::set_up::{self, Prepared};
use super::state::State;
use super::waiting::{attitudes, bowls, zones};
use super::{Event, attempt};
use crate::dice::Dice;
use crate::rules::{Choices, Next, Place, Play, Refusal, ToChoose, Why, reading};
use crate::scorebook::Side;

pub use self::secret::{choose_in_secret, draw, drawn, reveal, secret, turned_up};

/// What a match of sides apart waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Awaits {
    /// Whom a side drops.
    Drop(Side),
    /// Who opens.
    Openers,
    /// Who bowls, where the batting side may call the power play when it knows.
    Bowler,
    /// Whether the batting side calls the power play.
    PowerPlay,
    /// The over.
    Over,
    /// Who comes in.
    NextBatter,
    /// Where the fielders stand.
    Field,
    /// Bowl and stroke, in secret.
    Delivery,
    /// The skills of bowler or batter, once these are turned up.
    Skills(Duelist),
    /// The ball.
    Ball,
}

/// What a side has chosen in the open.
#[derive(Debug, Clone, PartialEq)]
pub struct Said {
    pub(super) side: Side,
    pub(super) what: &'static str,
    /// As the log has it.
    pub(super) choice: Choices,
    /// Of what it is.
    pub(super) of: Awaits,
}

impl Awaits {
    /// What is awaited before the next ball, or before the over or the toss; none at one table, where all is put in together.
    pub fn of(state: &State) -> Option<Awaits> {
        if !state.setting.created.remote || state.result().is_some() {
            return None;
        }
        let said = |name: &str| state.said.contains_key(name);
        if state.prepared.is_none() {
            let side = [Side::Home, Side::Away].into_iter().find(|side| !said(side.as_str()));
            return side.map(Awaits::Drop);
        }
        if state.innings.bowler().is_none() {
            let power_play = state.may_call_power_play();
            return Some(match () {
                () if !state.innings.is_open() && !said("openers") => Awaits::Openers,
                () if power_play && !said("bowler") => Awaits::Bowler,
                () if power_play && !said("power_play") => Awaits::PowerPlay,
                () => Awaits::Over,
            });
        }
        Some(Awaits::of_ball(state))
    }

    fn of_ball(state: &State) -> Awaits {
        let pending = state.pending.as_deref();
        let chosen = |name: &str| pending.is_some_and(|pending| pending.choices.contains_key(name));
        let skilled = |side: Duelist| {
            let said = pending.is_some_and(|pending| pending.skills_said[side.place()]);
            !said && pending.is_some_and(|pending| !state.skills_left_on(side, &pending.choices).is_empty())
        };
        match () {
            () if pending.is_some_and(|pending| pending.asked.is_some()) => Awaits::Ball,
            () if state.innings.awaits_batter() && !chosen("next_batter") => Awaits::NextBatter,
            () if state.is_express() => Awaits::Ball,
            () if !chosen("field") => Awaits::Field,
            () if !chosen("stroke") => Awaits::Delivery,
            () if skilled(Duelist::Bowler) => Awaits::Skills(Duelist::Bowler),
            () if skilled(Duelist::Batter) => Awaits::Skills(Duelist::Batter),
            () => Awaits::Ball,
        }
    }

    /// Its word, and the side that chooses it in the open.
    fn in_the_open(self, state: &State) -> Option<(Side, &'static str)> {
        let (batting, bowling) = (state.side_batting(), state.side_batting().other());
        match self {
            Awaits::Drop(side) => Some((side, "drop")),
            Awaits::Openers => Some((batting, "openers")),
            Awaits::Bowler => Some((bowling, "bowler")),
            Awaits::PowerPlay => Some((batting, "power_play")),
            Awaits::NextBatter => Some((batting, "next_batter")),
            Awaits::Field => Some((bowling, "field")),
            Awaits::Skills(Duelist::Bowler) => Some((bowling, "bowler_skills")),
            Awaits::Skills(Duelist::Batter) => Some((batting, "batter_skills")),
            Awaits::Over | Awaits::Delivery | Awaits::Ball => None,
        }
    }

    /// Whether it is of a ball.
    fn is_of_ball(self) -> bool {
        matches!(
            self,
            Awaits::NextBatter | Awaits::Field | Awaits::Delivery | Awaits::Skills(_) | Awaits::Ball
        )
    }
}

/// What is chosen in the open now, by whom.
pub fn in_the_open(state: &State) -> Option<(Side, ToChoose)> {
    let awaits = Awaits::of(state)?;
    let (side, what) = awaits.in_the_open(state)?;
    Some((side, ToChoose { what, ball: ball_of(state, awaits) }))
}

/// The place in the over of the ball that something is chosen for.
pub fn ball_of(state: &State, awaits: Awaits) -> Option<u32> {
    awaits.is_of_ball().then(|| state.innings.ball_number())
}

/// What the match waits for, where that is a choice of sides apart.
pub fn next(state: &State) -> Option<Next> {
    let awaits = Awaits::of(state)?;
    let (side, what) = match awaits {
        Awaits::Delivery => (None, DELIVERY),
        other => other.in_the_open(state).map(|(side, what)| (Some(side), what))?,
    };
    let default = match awaits {
        Awaits::Delivery => json!({}),
        _ => resolved(state, awaits, &Choices::new()).map(Value::Object).unwrap_or_default(),
    };
    Some(Next::Choose { side, what, legal: legal(state, awaits), default })
}

fn legal(state: &State, awaits: Awaits) -> Value {
    let names = |names: &[String], of: &mut dyn Iterator<Item = crate::scorebook::Player>| -> Value {
        of.map(|player| names[player.index()].as_str()).collect()
    };
    match awaits {
        Awaits::Drop(side) => json!({"drop": set_up::legal_choices(state).0["drop"][side.as_str()]}),
        Awaits::Openers => json!({
            "openers": names(state.batters(), &mut state.eleven(state.side_batting())), "attitudes": attitudes(),
        }),
        Awaits::Bowler => json!({"bowler": names(state.fielders(), &mut state.legal_bowlers())}),
        Awaits::PowerPlay => json!({"power_play": [false, true]}),
        Awaits::NextBatter => json!({
            "next_batter": names(state.batters(), &mut state.yet_to_bat()), "next_attitude": attitudes(),
        }),
        Awaits::Field => json!({"field": state.limits().written()}),
        Awaits::Delivery => {
            json!({"bowl": bowls(state), "attitude": attitudes(), "stroke": zones()})
        }
        Awaits::Skills(side) => {
            let pending = state.pending.as_deref().map(|pending| &pending.choices);
            json!({"skills": pending.map(|choices| state.skills_left_on(side, choices))})
        }
        Awaits::Over | Awaits::Ball => Value::Null,
    }
}

/// Refuses what is put in before its turn.
pub fn refuse_before_its_turn(state: &State) -> Result<(), Refusal> {
    match Awaits::of(state).and_then(|awaits| awaits.in_the_open(state)) {
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
    let awaits = Awaits::of(state).ok_or_else(nothing)?;
    let (side, what) = awaits.in_the_open(state).ok_or_else(nothing)?;
    let choice = resolved(state, awaits, given)?;
    let said = Said { side, what, choice, of: awaits };
    if dice.are_recorded() {
        return Ok(vec![Event::Said(said)]);
    }
    let mut after = state.clone();
    after.hear(&said);
    let follows = match Awaits::of(&after) {
        None if after.prepared.is_none() => {
            let choices = Choices::from_iter([("drop".to_owned(), Value::Object(after.said.clone()))]);
            Some(Event::SetUp(Prepared::resolve(&after, &choices, dice)?))
        }
        Some(Awaits::Ball) => Some(attempt(&after, &Choices::new(), dice)?),
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
fn resolved(state: &State, awaits: Awaits, given: &Choices) -> Result<Choices, Refusal> {
    match awaits {
        Awaits::Drop(side) => {
            let Dropped { drop } = reading::choices(given, "a side chooses drop, a name")?;
            let player = set_up::dropped(state, side, drop.as_deref())?;
            let name = &state.setting.created.sheet(side).players[player.index()];
            Ok(reading::object(json!({"drop": name})))
        }
        Awaits::Openers | Awaits::Bowler | Awaits::PowerPlay => {
            let names: &[&str] = match awaits {
                Awaits::Openers => &["openers", "attitudes"],
                Awaits::Bowler => &["bowler"],
                _ => &["power_play"],
            };
            only(given, names)?;
            Ok(of_these(OverChoices::resolve(state, given)?.written(state), names))
        }
        Awaits::NextBatter => {
            let names = ["next_batter", "next_attitude"];
            only(given, &names)?;
            Ok(of_these(Chosen::read(state, given)?.written(state), &names))
        }
        Awaits::Field => {
            only(given, &["field"])?;
            let stands = state.bowling.field.unwrap_or(state.usual_field(state.limits()));
            let field = given.get("field").map_or(Ok(stands), |field| Field::read(field, state.limits()))?;
            Ok(reading::object(json!({"field": field.written()})))
        }
        Awaits::Skills(side) => {
            let Skills { skills } = reading::choices(given, "a side chooses skills, a list of ids")?;
            let choices = with_skills(state, side, &skills);
            // In the order of the cards, as the ball will have them.
            let written = Chosen::read(state, &choices)?.written(state);
            let named = written.get("skills").and_then(|all| all.get(side.word()));
            Ok(reading::object(json!({"skills": named.cloned().unwrap_or_else(|| json!([]))})))
        }
        Awaits::Over | Awaits::Delivery | Awaits::Ball => Ok(given.clone()),
    }
}

fn only(given: &Choices, names: &[&str]) -> Result<(), Refusal> {
    match given.keys().find(|name| !names.contains(&name.as_str())) {
        None => Ok(()),
        Some(name) => {
            let message = format!("only {} is chosen now; leave {name} out", names.join(", "));
            Err(Refusal::choice(name.as_str(), message))
        }
    }
}

/// Those of the choices that have these names.
fn of_these(choices: Choices, names: &[&str]) -> Choices {
    choices.into_iter().filter(|(name, _)| names.contains(&name.as_str())).collect()
}

/// The choices of the ball so far, with these skills of a side.
fn with_skills(state: &State, side: Duelist, skills: &[String]) -> Choices {
    let mut choices = state.chosen_so_far();
    if !skills.is_empty() {
        let all = choices.entry("skills").or_insert_with(|| json!({}));
        all[side.word()] = json!(skills);
    }
    choices
}

impl State {
    /// Takes in what a side has chosen in the open.
    pub(super) fn hear(&mut self, said: &Said) {
        match said.of {
            Awaits::Drop(side) => {
                let name = said.choice.get("drop").cloned().unwrap_or_default();
                self.said.insert(side.as_str().to_owned(), name);
            }
            Awaits::Openers | Awaits::Bowler | Awaits::PowerPlay => self.said.extend(said.choice.clone()),
            Awaits::NextBatter | Awaits::Field => {
                let pending = self.pending.get_or_insert_default();
                std::sync::Arc::make_mut(pending).choices.extend(said.choice.clone());
            }
            Awaits::Skills(side) => {
                let skills = said.choice.get("skills").and_then(Value::as_array).into_iter().flatten();
                let skills: Vec<String> = skills.filter_map(Value::as_str).map(str::to_owned).collect();
                let choices = with_skills(self, side, &skills);
                let pending = std::sync::Arc::make_mut(self.pending.get_or_insert_default());
                pending.choices = choices;
                pending.skills_said[side.place()] = true;
            }
            Awaits::Over | Awaits::Delivery | Awaits::Ball => {}
        }
    }

    /// What has been chosen of the next ball.
    fn chosen_so_far(&self) -> Choices {
        self.pending.as_deref().map(|pending| pending.choices.clone()).unwrap_or_default()
    }

    /// The skills a side may still name on a ball of which this has been chosen.
    fn skills_left_on(&self, side: Duelist, choices: &Choices) -> Vec<&str> {
        Chosen::read(self, choices).map(|chosen| self.skills_left(side, &chosen)).unwrap_or_default()
    }
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

/// What is put in for a side that stays silent: no risk, and for the rest the default. An audit decides it again, so for the
/// logs there are it stays as it is.
pub fn for_silent(state: &State) -> Play {
    let asked = state.pending.as_deref().and_then(|pending| pending.asked.as_ref());
    match (asked, Awaits::of(state)) {
        (Some(asked), _) => Play::Ball(Choices::from_iter([(asked.name.to_owned(), asked.cautious.clone())])),
        (None, Some(Awaits::Over)) => Play::Over(Choices::new()),
        (None, Some(Awaits::Ball)) => Play::Ball(Choices::new()),
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
