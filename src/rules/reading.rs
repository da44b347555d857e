//! Readers that all games share: for choices, options, names and reasons.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{Choices, Place, Refusal, RefusalKind};
use crate::log::{InvalidEvent, Over, is_unsafe, list_of, read_members};

/// Reads choices into the struct that a game has for them.
pub fn choices<T: DeserializeOwned>(given: &Choices, shape: &str) -> Result<T, Refusal> {
    read_members(given)
        .map_err(|fault| Refusal::choice(&fault.path, format!("{}; {shape}", fault.message("this"))))
}

const LONGEST_NAME: usize = 100;

/// The fault of a name of a side, a player or an edition, if it has one.
pub fn name_fault(name: &str) -> Option<String> {
    let length = name.chars().count();
    if length == 0 || length > LONGEST_NAME {
        Some(format!("a name has 1 to {LONGEST_NAME} characters; this has {length}"))
    } else if name.trim() != name || name.chars().any(is_unsafe) {
        Some("a name has no blank at either end, no control characters and no marks of direction".to_owned())
    } else {
        None
    }
}

/// The fault of a recorded event whose kind the game does not have.
pub fn no_such_event() -> InvalidEvent {
    InvalidEvent::new("kind", "is no event of this game")
}

/// The openers of an over whose choice `openers` names two players.
pub fn named_openers(over: &Over) -> Option<[&str; 2]> {
    let named = over.choices.get("openers")?.as_array()?.as_slice();
    let [striker, non_striker] = named else { return None };
    Some([striker.as_str()?, non_striker.as_str()?])
}

/// The bowler of an over whose choice `bowler` names one.
pub fn named_bowler(over: &Over) -> Option<&str> {
    over.choices.get("bowler")?.as_str()
}

/// The refusal of a set-up by a game without one.
pub fn nothing_to_set_up() -> Refusal {
    Refusal::new(RefusalKind::OutOfTurn, Place::Input, "this game has nothing to set up")
}

/// The refusal of an open choice by a game without them.
pub fn no_open_choice() -> Refusal {
    Refusal::new(RefusalKind::OutOfTurn, Place::Input, "this game has no open choices")
}

/// Checks that a field of a recorded event has the expected value.
pub fn expect<T: PartialEq + Serialize>(field: &str, expected: T, found: T) -> Result<(), InvalidEvent> {
    if expected == found { Ok(()) } else { Err(unexpected(field, json!(expected), json!(found))) }
}

/// The fault of an unexpected value; in an object, of its first unexpected member.
#[cold]
fn unexpected(field: &str, expected: Value, found: Value) -> InvalidEvent {
    if let (Value::Object(expected), Value::Object(found)) = (&expected, &found) {
        let differs = |name: &&String| expected.get(*name) != found.get(*name);
        if let Some(name) = expected.keys().chain(found.keys()).find(differs) {
            let member = |of: &Choices| of.get(name).cloned().unwrap_or_default();
            return unexpected(&format!("{field}.{name}"), member(expected), member(found));
        }
    }
    InvalidEvent::new(field, format!("{expected} is due, not {found}"))
}

/// The refusal of an option.
pub fn refuse_option(name: &str, message: impl Into<String>) -> Refusal {
    Refusal::new(RefusalKind::IllegalInput, Place::Field(format!("rules.{name}")), message)
}

/// Refuses an option that the game does not have.
pub fn known_options(game: &str, given: &Choices, known: &[&str]) -> Result<(), Refusal> {
    match given.keys().find(|name| !known.contains(&name.as_str())) {
        None => Ok(()),
        Some(name) => {
            let message = format!("{game} has no option {name:?}; it has {}", list_of(known));
            Err(refuse_option(name, message))
        }
    }
}

/// Reads an option that is a whole number from 1, if it is given.
pub fn number_option(given: &Choices, name: &str, most: u64) -> Result<Option<u64>, Refusal> {
    match given.get(name) {
        None => Ok(None),
        Some(value) => match value.as_u64() {
            Some(n) if (1..=most).contains(&n) => Ok(Some(n)),
            _ => Err(refuse_option(name, format!("{name} is a whole number from 1 to {most}, not {value}"))),
        },
    }
}

/// Reads an option that is one of some words, or true or false, if it is given.
pub fn word_option<T: for<'de> Deserialize<'de>>(
    given: &Choices,
    name: &str,
    legal: &str,
) -> Result<Option<T>, Refusal> {
    match given.get(name) {
        None => Ok(None),
        Some(value) => T::deserialize(value)
            .map(Some)
            .map_err(|_| refuse_option(name, format!("{name} is {legal}, not {value}"))),
    }
}

/// Options, in their form for the log.
pub fn written_options(options: &impl Serialize) -> Choices {
    serde_json::to_value(options).map(object).unwrap_or_default()
}

/// The members of a value that is an object by construction.
pub fn object(value: Value) -> Choices {
    match value {
        Value::Object(members) => members,
        _ => unreachable!("it is written as an object"),
    }
}

const LONGEST_REASON: usize = 1000;

/// Refuses a text that is not one readable line: a reason, a claim, a ruling.
pub fn check_reason(name: &str, reason: &str) -> Result<(), Refusal> {
    let length = reason.chars().count();
    let text_kind = name.rsplit('.').next().unwrap_or(name);
    let refuse = |message: String| {
        Err(Refusal::new(RefusalKind::IllegalInput, Place::Field(name.to_owned()), message))
    };
    if length > LONGEST_REASON || reason.trim().is_empty() {
        return refuse(format!(
            "a {text_kind} has 1 to {LONGEST_REASON} characters, not only blanks; this has {length}"
        ));
    }
    if reason.chars().any(is_unsafe) {
        return refuse(format!(
            "a {text_kind} is one line, without control characters or marks of direction"
        ));
    }
    Ok(())
}
