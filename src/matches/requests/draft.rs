use serde_json::Value;

use crate::rules::{Choices, Draft};

/// The choices and the dice of a body with a value at the place of an ask; none where the body has no such
/// place.
pub(super) fn with_value(draft: &Draft<'_>, at: &str, value: &Value) -> Option<(Choices, Vec<i64>)> {
    let (mut choices, mut dice) = (draft.choices.clone(), draft.dice.to_vec());
    if at.starts_with("dice[") {
        dice.push(value.as_i64()?);
        return Some((choices, dice));
    }
    let within = at.strip_prefix(draft.at("").as_str())?;
    let mut members: Vec<&str> = within.split('.').collect();
    let last = members.pop()?;
    let mut object = &mut choices;
    for member in members {
        let inner = object.entry(member).or_insert_with(|| Value::Object(Choices::new()));
        object = inner.as_object_mut()?;
    }
    object.insert(last.to_owned(), value.clone());
    Some((choices, dice))
}

/// The value that a body has at the place of an ask already.
pub(super) fn at<'a>(draft: &Draft<'a>, at: &str) -> Option<&'a Value> {
    let within = at.strip_prefix(draft.at("").as_str())?;
    let mut members = within.split('.');
    let first = draft.choices.get(members.next()?)?;
    members.try_fold(first, |value, member| value.get(member))
}
