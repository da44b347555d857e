//! The choices that could be made for an event of play. A fold of the log compares them before and after a
//! correction.

use std::borrow::Cow;

use serde_json::Value;

use super::{AskOption, Next};

/// A choice that could be made for an event of play.
#[derive(Debug, Clone, PartialEq)]
pub struct ChoiceOffer {
    /// The name of the choice.
    pub name: Cow<'static, str>,
    /// The value that counts where the choice is left out; none for a choice without a default.
    pub default: Option<Value>,
    /// The values to choose from, in order. Empty for a choice without a list, like a field, and for a value
    /// that is read.
    pub list: Vec<OfferedValue>,
    /// Whether the value is read off the table, like a die, so that nobody chooses it.
    pub is_read: bool,
    /// The values that may have been chosen, where the event has the value with another choice worked into
    /// it, like a field with the bowler in his place. Empty where the event has it as it was chosen.
    pub sources: Vec<Value>,
}

/// A value that a list offers. A choice of several has each of them in the list.
#[derive(Debug, Clone, PartialEq)]
pub struct OfferedValue {
    /// The value, as the event has it.
    pub value: Value,
    /// The value in words, as a screen shows it.
    pub title: String,
}

impl OfferedValue {
    /// A value whose words are the value itself: a name.
    fn named(value: &Value) -> OfferedValue {
        let title = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        OfferedValue { value: value.clone(), title }
    }
}

impl From<AskOption> for OfferedValue {
    fn from(option: AskOption) -> OfferedValue {
        OfferedValue { value: option.value, title: option.title }
    }
}

/// The choices that could be made for an event of play.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ChoiceOffers(Vec<ChoiceOffer>);

impl ChoiceOffers {
    /// The choices that the next step of a match offers, with their defaults.
    pub fn of(next: Next) -> ChoiceOffers {
        match next {
            Next::Choose { legal: legal @ Value::Object(_), default, .. } => {
                ChoiceOffers::of_legal(&legal, default)
            }
            Next::Choose { what, legal, default, .. } => {
                ChoiceOffers::default().with(what, default).listing(what, listed(&legal))
            }
            Next::Roll { .. } | Next::Finished { .. } => ChoiceOffers::default(),
        }
    }

    /// The choices that are members of `legal`, each with its member of `default`.
    pub fn of_legal(legal: &Value, mut default: Value) -> ChoiceOffers {
        let members = legal.as_object().into_iter().flatten();
        members.fold(ChoiceOffers::default(), |offers, (name, legal)| {
            let default = default.get_mut(name).map(Value::take).unwrap_or_default();
            offers.with(name.clone(), default).listing(name, listed(legal))
        })
    }

    /// These choices and another, or the same with another default. Null stands for no default.
    #[must_use]
    pub fn with(mut self, name: impl Into<Cow<'static, str>>, default: Value) -> ChoiceOffers {
        let name = name.into();
        let default = Some(default).filter(|default| !default.is_null());
        match self.0.iter_mut().find(|offer| offer.name == name) {
            Some(offer) => offer.default = default,
            None => {
                let (list, sources) = (Vec::new(), Vec::new());
                self.0.push(ChoiceOffer { name, default, list, is_read: false, sources });
            }
        }
        self
    }

    /// These choices; where they have this one, its value is one of this list, or several of it.
    #[must_use]
    pub fn listing<V: Into<OfferedValue>>(mut self, name: &str, list: impl IntoIterator<Item = V>) -> Self {
        if let Some(offer) = self.0.iter_mut().find(|offer| offer.name == name) {
            offer.list = list.into_iter().map(V::into).collect();
        }
        self
    }

    /// These choices without one.
    #[must_use]
    pub fn without(mut self, name: &str) -> ChoiceOffers {
        self.0.retain(|offer| offer.name != name);
        self
    }

    /// These choices; where they have this one, its value is read off the table.
    #[must_use]
    pub fn reading(mut self, name: &str) -> ChoiceOffers {
        for offer in self.0.iter_mut().filter(|offer| offer.name == name) {
            offer.is_read = true;
            offer.list.clear();
        }
        self
    }

    /// These choices; the value of this one may have been chosen as any of these.
    #[must_use]
    pub fn chosen_as(mut self, name: &str, sources: Vec<Value>) -> ChoiceOffers {
        if let Some(offer) = self.0.iter_mut().find(|offer| offer.name == name) {
            offer.sources = sources;
        }
        self
    }

    /// These choices without defaults, as they are made in secret.
    #[must_use]
    pub fn without_defaults(mut self) -> ChoiceOffers {
        self.0.iter_mut().for_each(|offer| offer.default = None);
        self
    }
}

/// The values of a list of legal choices; none where the legal choices are no list.
fn listed(legal: &Value) -> impl Iterator<Item = OfferedValue> {
    legal.as_array().into_iter().flatten().map(OfferedValue::named)
}

impl IntoIterator for ChoiceOffers {
    type Item = ChoiceOffer;
    type IntoIter = std::vec::IntoIter<ChoiceOffer>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}
