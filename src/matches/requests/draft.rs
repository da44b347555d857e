use serde_json::Value;

use crate::rules::{Choices, Draft};

/// The fault of a place at which a body asks for nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoSuchAsk;

/// Puts a value at the place of an ask into the choices and the dice of a body.
pub fn put(draft: &Draft<'_>, at: &str, value: &Value) -> Result<(Choices, Vec<i64>), NoSuchAsk> {
    let (mut choices, mut dice) = (draft.choices.clone(), draft.dice.to_vec());
    if at.starts_with("dice[") {
        dice.push(value.as_i64().ok_or(NoSuchAsk)?);
        return Ok((choices, dice));
    }
    let within = at.strip_prefix(draft.at("").as_str()).ok_or(NoSuchAsk)?;
    let mut members: Vec<&str> = within.split('.').collect();
    let last = members.pop().ok_or(NoSuchAsk)?;
    let mut object = &mut choices;
    for member in members {
        let inner = object.entry(member).or_insert_with(|| Value::Object(Choices::new()));
        object = inner.as_object_mut().ok_or(NoSuchAsk)?;
    }
    object.insert(last.to_owned(), value.clone());
    Ok((choices, dice))
}

/// The value that a body has at the place of an ask already.
pub(super) fn at<'a>(draft: &Draft<'a>, at: &str) -> Option<&'a Value> {
    let within = at.strip_prefix(draft.at("").as_str())?;
    let mut members = within.split('.');
    let first = draft.choices.get(members.next()?)?;
    members.try_fold(first, |value, member| value.get(member))
}
