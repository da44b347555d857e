//! The choices of an event of play, with what could have been chosen: what a comparison before and after a
//! correction needs.

use std::borrow::Cow;

use serde_json::Value;

use super::Match;
use crate::log::Subject;
use crate::rules::{ChoiceOffer, ChoiceOffers, Choices, OfferedValue};

/// The choices that could be made for an event of play, and how they were made.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct MadeChoices(Vec<MadeChoice>);

/// A choice that could be made, and how it was made.
#[derive(Debug, Clone, PartialEq)]
pub struct MadeChoice {
    /// The name of the choice.
    pub(crate) name: Cow<'static, str>,
    /// The value in the event; none where the choice was left out.
    pub(crate) given: Option<Value>,
    /// The default at that moment, where there was one.
    default: Option<Value>,
    /// The values to choose from at that moment; empty for a choice without a list.
    list: Vec<OfferedValue>,
    /// Whether the value is read off the table, like a die.
    pub(crate) is_read: bool,
    /// The values that may have been chosen, where another choice is worked into the value.
    sources: Vec<Value>,
}

impl MadeChoices {
    /// The choices of an event of play whose dice show these faces, on the match before it. Those of the toss
    /// and of a review have no default.
    pub fn of(
        before: &Match,
        subject: Subject,
        given: Choices,
        faces: impl Iterator<Item = u16>,
    ) -> MadeChoices {
        let offers = match subject {
            Subject::SetUp | Subject::Over { .. } | Subject::Roll { .. } | Subject::Ball { .. } => {
                before.play().offers(&given, &faces.map(i64::from).collect::<Vec<_>>())
            }
            Subject::Toss | Subject::TossDecided | Subject::Review { .. } => {
                given.keys().fold(ChoiceOffers::default(), |all, name| all.with(name.clone(), Value::Null))
            }
            Subject::Choice | Subject::Completed | Subject::Abandoned => ChoiceOffers::default(),
        };
        MadeChoices::of_offers(offers, given)
    }

    /// The choices that were offered, as they were made.
    pub(crate) fn of_offers(offers: ChoiceOffers, mut given: Choices) -> MadeChoices {
        let made = |ChoiceOffer { name, default, list, is_read, sources }: ChoiceOffer| {
            let given = given.remove(name.as_ref());
            MadeChoice { name, given, default, list, is_read, sources }
        };
        let mut choices: Vec<MadeChoice> = offers.into_iter().map(made).collect();
        choices.sort_by(|one, other| one.name.cmp(&other.name));
        MadeChoices(choices)
    }

    /// These choices, and of `others` those with another name.
    pub(crate) fn or(mut self, others: &MadeChoices) -> MadeChoices {
        let more: Vec<MadeChoice> =
            others.iter().filter(|other| self.get(&other.name).is_none()).cloned().collect();
        self.0.extend(more);
        self.0.sort_by(|one, other| one.name.cmp(&other.name));
        self
    }

    /// The choices, by name.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &MadeChoice> {
        self.0.iter()
    }

    /// The choice with this name, if it could be made.
    pub(crate) fn get(&self, name: &str) -> Option<&MadeChoice> {
        self.iter().find(|choice| choice.name == name)
    }
}

impl IntoIterator for MadeChoices {
    type Item = MadeChoice;
    type IntoIter = std::vec::IntoIter<MadeChoice>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl MadeChoice {
    /// The value that counts: the default of a choice that was left out.
    pub(crate) fn value(&self) -> Option<&Value> {
        self.given.as_ref().or(self.default.as_ref())
    }

    /// Whether a value was read off the table.
    pub(crate) fn was_read(&self) -> bool {
        self.is_read && self.given.is_some()
    }

    fn is_default(&self) -> bool {
        self.value() == self.default.as_ref()
    }

    /// Whether the choice was offered as another was: the same list with the same default.
    pub(crate) fn is_offered_as(&self, other: &MadeChoice) -> bool {
        self.default == other.default && self.list == other.list
    }

    /// Whether the choice is a change of mind from what it was before. It is none where the value is the
    /// same, where both are defaults, each of its own moment, or where both may have been chosen as the same.
    /// Where something else is offered than before, it is none either if the value from before is not offered
    /// any more, or if both have the same place in their lists, or the same title.
    pub(crate) fn is_changed_from(&self, then: &MadeChoice) -> bool {
        let may_be_same = self.sources.iter().any(|source| then.sources.contains(source));
        let are_defaults = self.is_default() && then.is_default();
        if self.value() == then.value() || are_defaults || may_be_same {
            return false;
        }
        if self.is_offered_as(then) || self.list.is_empty() || then.list.is_empty() {
            return true;
        }
        let [was, is] = [then.chosen_of(&then.list), self.chosen_of(&self.list)];
        let still_offered = then.value().is_none() || then.chosen_of(&self.list).is_some();
        still_offered && !was.zip(is).is_some_and(|(was, is)| is_alike(&was, &is))
    }

    /// Whether the choice goes against its default: of a choice that could not be made before, only that is a
    /// change of mind.
    pub(crate) fn is_against_default(&self) -> bool {
        self.given.is_some() && self.default.is_some() && !self.is_default()
    }

    /// The value as it stands in a list: each of its parts with its place. None where a part is not in it.
    fn chosen_of<'a>(&self, list: &'a [OfferedValue]) -> Option<Vec<(usize, &'a str)>> {
        let place = |part: &Value| {
            let (place, offered) = list.iter().enumerate().find(|(_, offered)| offered.value == *part)?;
            Some((place, offered.title.as_str()))
        };
        parts(self.value()?).into_iter().map(place).collect()
    }
}

/// Whether two values have the same places in their lists, or the same titles.
fn is_alike(one: &[(usize, &str)], other: &[(usize, &str)]) -> bool {
    one.len() == other.len()
        && (one.iter().zip(other).all(|(one, other)| one.0 == other.0)
            || one.iter().zip(other).all(|(one, other)| one.1 == other.1))
}

/// The values of which a choice is made: of two openers, or of the orders of both sides, each one.
fn parts(value: &Value) -> Vec<&Value> {
    match value {
        Value::Array(values) => values.iter().flat_map(parts).collect(),
        Value::Object(members) => members.values().flat_map(parts).collect(),
        one => vec![one],
    }
}
