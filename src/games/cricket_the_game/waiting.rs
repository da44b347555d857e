//! What a match waits for, and how what is entered goes together with what was before.

use serde_json::{Value, json};

use super::ball::{AFTER_DICE, Chosen, not_asked};
use super::edition::model::{Attitude, Duelist, Word, Zone};
use super::rulings::*;
use super::set_up;
use super::state::{Due, State};
use super::{over, remote};
use crate::dice::Die;
use crate::rules::{Choices, Next, Refusal};
use crate::scorebook::Side;

/// What is to be prepared before the toss.
pub fn set_up(state: &State) -> Option<Next> {
    if state.prepared.is_none() && state.is_remote() {
        return remote::next(state);
    }
    let (legal, default) = set_up::legal_choices(state);
    state.prepared.is_none().then_some(Next::Choose { side: None, what: "set_up", legal, default })
}

/// What the match waits for.
pub fn next(state: &State) -> Next {
    if let Some(result) = state.result() {
        return Next::Over { result: Some(result) };
    }
    if let Some(next) = remote::next(state) {
        return next;
    }
    if state.innings.bowler().is_none() && state.is_remote() {
        return remote::next_over(state);
    }
    if state.innings.bowler().is_none() {
        let (side, legal, default) = over::legal_choices(state);
        return Next::Choose { side: Some(side), what: "over", legal, default };
    }
    match state.pending.as_deref().and_then(|pending| pending.asked.as_ref()) {
        Some(asked) => Next::Choose {
            side: Some(side_of(state, asked.whose)),
            what: asked.name,
            legal: asked.legal.clone(),
            default: Value::Null,
        },
        None if state.is_remote() => {
            Next::Choose { side: None, what: "ball", legal: json!({}), default: json!({}) }
        }
        None => {
            Next::Choose { side: None, what: "ball", legal: legal_ball(state), default: default_ball(state) }
        }
    }
}

fn side_of(state: &State, duelist: Duelist) -> Side {
    match duelist {
        Duelist::Bowler => state.side_batting().other(),
        Duelist::Batter => state.side_batting(),
    }
}

/// What may be chosen for the next ball before its dice.
fn legal_ball(state: &State) -> Value {
    let mut legal = json!({});
    if state.innings.awaits_batter() {
        let names: Vec<&str> =
            state.yet_to_bat().map(|player| state.batters()[player.index()].as_str()).collect();
        legal["next_batter"] = json!(names);
        legal["next_attitude"] = attitudes();
    }
    if !state.is_seeded() && state.over.due == Due::Card {
        legal["over_card"] = json!(state.cards_left());
    }
    if state.is_express() {
        return legal;
    }
    let usual = Chosen::usual(state);
    legal["bowl"] = bowls(state);
    legal["attitude"] = attitudes();
    legal["stroke"] = zones();
    legal["field"] = state.limits().written();
    legal["skills"] = json!({"bowler": state.skills_left(Duelist::Bowler, &usual), "batter": state.skills_left(Duelist::Batter, &usual)});
    legal
}

/// What is taken where it is left out.
fn default_ball(state: &State) -> Value {
    let usual = Chosen::read(state, &Choices::new());
    usual.map(|usual| Value::Object(usual.written(state))).unwrap_or_default()
}

/// How a batter may play.
pub fn attitudes() -> Value {
    Attitude::ALL.iter().map(|(_, word)| *word).collect()
}

/// The bowls of the style.
pub fn bowls(state: &State) -> Value {
    state.edition().bowls.of(state.style()).iter().map(|bowl| bowl.id.as_str()).collect()
}

/// Where a stroke may go.
pub fn zones() -> Value {
    Zone::strokes().map(Zone::word).collect()
}

/// Whether a choice of this name is for this side to make.
pub fn belongs(state: &State, choice: &str, side: Side) -> bool {
    let batting = match choice {
        "next_batter" | "next_attitude" | "openers" | "attitudes" | "attitude" | "stroke" | "power_play"
        | "reroll_batter" | "longer" | "run" => true,
        "bowler" | "field" | "bowl" | "reroll_bowler" | "chance" => false,
        _ => return false,
    };
    batting == (side == state.side_batting())
}

/// The choice that is asked for after dice.
pub fn asked_of(state: &State) -> Option<&'static str> {
    let asked = state.pending.as_deref()?.asked.as_ref()?;
    Some(asked.name)
}

/// The choices of a ball with those that were locked before; refuses what changes them, and what nobody has asked for.
pub fn with_pending(state: &State, given: &Choices, recorded: bool) -> Result<Choices, Refusal> {
    let pending = state.pending.as_deref();
    let asked = asked_of(state);
    if state.is_seeded() && !recorded {
        let locked = |name: &str| pending.is_some_and(|pending| pending.choices.contains_key(name));
        let unasked = |name: &&str| given.contains_key(*name) && asked != Some(*name) && !locked(name);
        if let Some(name) = AFTER_DICE.into_iter().find(unasked) {
            return Err(not_asked(name));
        }
        if given.contains_key("over_card") && !locked("over_card") {
            let message = "the over card is drawn from the seed; leave over_card out";
            return Err(Refusal::choice("over_card", message).by(&BALL_OVER_CARD));
        }
    }
    let Some(pending) = pending else { return Ok(given.clone()) };
    let mut choices = pending.choices.clone();
    for (name, value) in given {
        let is_answer = recorded || asked == Some(name.as_str());
        match choices.get(name) {
            Some(locked) if locked == value => {}
            None if is_answer => {
                choices.insert(name.clone(), value.clone());
            }
            Some(_) | None => {
                let due = asked.unwrap_or("the ball");
                let message = format!("{name} is settled; the match waits for {due}");
                return Err(Refusal::choice(name.as_str(), message).by(&BALL_LOCKED));
            }
        }
    }
    Ok(choices)
}

/// Makes sure that a ball goes on from the dice it has.
pub fn check_locked(state: &State, rolled: &[Die]) -> Result<(), Refusal> {
    match &state.pending {
        Some(pending) if !rolled.starts_with(&pending.dice) => {
            let message = "the ball does not go on from the dice that were rolled";
            Err(Refusal::choice("", message).by(&BALL_LOCKED))
        }
        _ => Ok(()),
    }
}
