//! How games read what they are given: choices into their shape, options into numbers and words.

use std::fmt;
use std::marker::PhantomData;

use serde::de::value::MapAccessDeserializer;
use serde::de::{DeserializeOwned, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Value, json};

use super::{Choices, Place, Refusal, Why};
use crate::log::{Broken, is_unsafe};

/// Reads a choices object into the shape a game has for it.
pub fn choices<T: for<'de> Deserialize<'de>>(given: &Choices, shape: &str) -> Result<T, Refusal> {
    serde_path_to_error::deserialize(given).map_err(|error| {
        let path = error.path().to_string();
        Refusal::choice(if path == "." { "" } else { &path }, format!("{}; {shape}", error.into_inner()))
    })
}

/// Reads a part of the choices that is an object; a list is not taken for one.
pub fn only_object<'de, D: Deserializer<'de>, T: DeserializeOwned>(deserializer: D) -> Result<T, D::Error> {
    deserializer.deserialize_map(OnlyObject(PhantomData))
}

/// Hands the members on one by one, so that a fault is told at the member it is in.
struct OnlyObject<T>(PhantomData<T>);

impl<'de, T: DeserializeOwned> Visitor<'de> for OnlyObject<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, members: A) -> Result<T, A::Error> {
        T::deserialize(MapAccessDeserializer::new(members))
    }
}

const LONGEST_NAME: usize = 100;

/// What is wrong with a name of a side, a player or an edition.
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

/// What is wrong with a recorded event of a kind that does not happen in a game.
pub fn no_such_event() -> Broken {
    Broken::new("kind", "is no event of this game")
}

/// Refuses to prepare a match of a game that has nothing to prepare.
pub fn nothing_to_set_up() -> Refusal {
    Refusal::new(Why::OutOfTurn, Place::Input, "this game has nothing to set up")
}

/// Refuses to choose in the open in a game that knows nothing of the kind.
pub fn nothing_in_the_open() -> Refusal {
    Refusal::new(Why::OutOfTurn, Place::Input, "nothing is chosen in the open in this game")
}

/// Makes sure that a field of a recorded event holds what is due.
pub fn expect<T: PartialEq + Serialize>(field: &str, due: T, found: T) -> Result<(), Broken> {
    if due == found { Ok(()) } else { Err(not_due(field, json!(due), json!(found))) }
}

/// Says so of the first member of an object that is not what is due.
#[cold]
fn not_due(field: &str, due: Value, found: Value) -> Broken {
    if let (Value::Object(due), Value::Object(found)) = (&due, &found) {
        let differs = |name: &&String| due.get(*name) != found.get(*name);
        if let Some(name) = due.keys().chain(found.keys()).find(differs) {
            let member = |of: &Choices| of.get(name).cloned().unwrap_or_default();
            return not_due(&format!("{field}.{name}"), member(due), member(found));
        }
    }
    Broken::new(field, format!("{due} is due, not {found}"))
}

/// A refusal of an option.
pub fn refuse_option(name: &str, message: impl Into<String>) -> Refusal {
    Refusal::new(Why::IllegalInput, Place::Field(format!("rules.{name}")), message)
}

/// Refuses an option the game does not have.
pub fn known_options(game: &str, given: &Choices, known: &[&str]) -> Result<(), Refusal> {
    match given.keys().find(|name| !known.contains(&name.as_str())) {
        None => Ok(()),
        Some(name) => {
            let message = format!("{game} has no option {name:?}; it has {}", list(known));
            Err(refuse_option(name, message))
        }
    }
}

/// `a, b and c`.
fn list(words: &[&str]) -> String {
    match words {
        [some @ .., last] if !some.is_empty() => format!("{} and {last}", some.join(", ")),
        _ => words.concat(),
    }
}

/// An option that is a whole number from 1, if it is given.
pub fn number_option(given: &Choices, name: &str, most: u64) -> Result<Option<u64>, Refusal> {
    match given.get(name) {
        None => Ok(None),
        Some(value) => match value.as_u64() {
            Some(n) if (1..=most).contains(&n) => Ok(Some(n)),
            _ => Err(refuse_option(name, format!("{name} is a whole number from 1 to {most}, not {value}"))),
        },
    }
}

/// An option that is one of some words, or true or false, if it is given.
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

/// Options as the log has them.
pub fn written_options(options: &impl Serialize) -> Choices {
    serde_json::to_value(options).map(object).unwrap_or_default()
}

/// The members of a value that is written as an object.
pub fn object(value: Value) -> Choices {
    match value {
        Value::Object(members) => members,
        _ => unreachable!("it is written as an object"),
    }
}

const LONGEST_REASON: usize = 1000;

/// Refuses words that nobody could read, or not in a line: a reason, a claim, a ruling.
pub fn check_reason(name: &str, reason: &str) -> Result<(), Refusal> {
    let length = reason.chars().count();
    let what = name.rsplit('.').next().unwrap_or(name);
    let refuse =
        |message: String| Err(Refusal::new(Why::IllegalInput, Place::Field(name.to_owned()), message));
    if length > LONGEST_REASON || reason.trim().is_empty() {
        return refuse(format!(
            "a {what} has 1 to {LONGEST_REASON} characters, not only blanks; this has {length}"
        ));
    }
    if reason.chars().any(is_unsafe) {
        return refuse(format!("a {what} is one line, without control characters or marks of direction"));
    }
    Ok(())
}
