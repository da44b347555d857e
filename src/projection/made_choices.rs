//! The choices of an event of play, with what could have been chosen: what a comparison before and after a
//! correction needs.

use std::borrow::Cow;

use serde_json::Value;

use crate::log::Subject;
use crate::matches::Match;
use crate::rules::{ChoiceOffer, ChoiceOffers, Choices};

/// The choices that could be made for an event of play, and how they were made.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct MadeChoices(Vec<MadeChoice>);

/// A choice that could be made, and how it was made.
#[derive(Debug, Clone, PartialEq)]
pub struct MadeChoice {
    /// The name of the choice.
    pub(super) name: Cow<'static, str>,
    /// The value in the event; none where the choice was left out.
    pub(super) given: Option<Value>,
    /// The default at that moment, where there was one.
    default: Option<Value>,
    /// Whether the value is read off the table, like a die.
    pub(super) is_read: bool,
    /// The values that may have been chosen, where another choice is worked into the value.
    sources: Vec<Value>,
}

impl MadeChoices {
    /// The choices of an event of play, on the match before it. Those of the toss and of a review have no
    /// default.
    pub fn of(before: &Match, subject: Subject, given: Choices) -> MadeChoices {
        let offers = match subject {
            Subject::SetUp | Subject::Over { .. } | Subject::Roll { .. } | Subject::Ball { .. } => {
                before.play().offers(&given)
            }
            Subject::Toss | Subject::TossDecided | Subject::Review { .. } => {
                given.keys().fold(ChoiceOffers::default(), |all, name| all.with(name.clone(), Value::Null))
            }
            Subject::Choice | Subject::Completed | Subject::Abandoned => ChoiceOffers::default(),
        };
        MadeChoices::of_offers(offers, given)
    }

    /// The choices that were offered, as they were made.
    pub(super) fn of_offers(offers: ChoiceOffers, mut given: Choices) -> MadeChoices {
        let made = |ChoiceOffer { name, default, is_read, sources }: ChoiceOffer| {
            let given = given.remove(name.as_ref());
            MadeChoice { name, given, default, is_read, sources }
        };
        let mut choices: Vec<MadeChoice> = offers.into_iter().map(made).collect();
        choices.sort_by(|one, other| one.name.cmp(&other.name));
        MadeChoices(choices)
    }

    /// These choices, and of `others` those with another name.
    pub(super) fn or(mut self, others: &MadeChoices) -> MadeChoices {
        let more: Vec<MadeChoice> =
            others.iter().filter(|other| self.get(&other.name).is_none()).cloned().collect();
        self.0.extend(more);
        self.0.sort_by(|one, other| one.name.cmp(&other.name));
        self
    }

    /// The choices, by name.
    pub(super) fn iter(&self) -> impl Iterator<Item = &MadeChoice> {
        self.0.iter()
    }

    /// The choice with this name, if it could be made.
    pub(super) fn get(&self, name: &str) -> Option<&MadeChoice> {
        self.iter().find(|choice| choice.name == name)
    }
}

impl MadeChoice {
    /// The value that counts: the default of a choice that was left out.
    pub(super) fn value(&self) -> Option<&Value> {
        self.given.as_ref().or(self.default.as_ref())
    }

    /// Whether a value was read off the table.
    pub(super) fn was_read(&self) -> bool {
        self.is_read && self.given.is_some()
    }

    fn is_default(&self) -> bool {
        self.value() == self.default.as_ref()
    }

    /// Whether the choice was changed from what it was before, if it could be made then. Two defaults may
    /// differ, since each was the default of its own moment, and so may two values that were chosen as the
    /// same. A choice that could not be made before is
    /// changed only if it is made now, has a default, and is not it.
    pub(super) fn is_changed_from(&self, then: Option<&MadeChoice>) -> bool {
        match then {
            Some(then) => {
                let may_be_same = self.sources.iter().any(|source| then.sources.contains(source));
                let are_defaults = self.is_default() && then.is_default();
                self.value() != then.value() && !are_defaults && !may_be_same
            }
            None => self.given.is_some() && self.default.is_some() && !self.is_default(),
        }
    }
}
