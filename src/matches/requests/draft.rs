use serde_json::Value;

use crate::matches::Match;
use crate::rules::{AskedStep, Choices, Draft};

/// The choices of a ball that can be made before its dice, and none that only its dice ask for.
pub fn made_before_dice(before: &Match, choices: &Choices) -> Choices {
    let draft = Draft { step: AskedStep::Ball, choices, dice: &[], lists_values: false };
    let asks = before.play().game().asking().asks(&draft);
    let is_asked = |name: &str| {
        let place = draft.at(name);
        let mut within = asks.iter().filter_map(|ask| ask.at.strip_prefix(place.as_str()));
        within.any(|rest| rest.is_empty() || rest.starts_with('.'))
    };
    let made = choices.iter().filter(|(name, _)| is_asked(name));
    made.map(|(name, value)| (name.clone(), value.clone())).collect()
}

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
