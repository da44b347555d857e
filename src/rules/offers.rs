//! The choices that could be made for an event of play. A fold of the log compares them before and after a
//! correction.

use std::borrow::Cow;

use serde_json::Value;

use super::Next;

/// A choice that could be made for an event of play.
#[derive(Debug, Clone, PartialEq)]
pub struct ChoiceOffer {
    /// The name of the choice.
    pub name: Cow<'static, str>,
    /// The value that counts where the choice is left out; none for a choice without a default.
    pub default: Option<Value>,
    /// Whether the value is read off the table, like a die, so that nobody chooses it.
    pub is_read: bool,
    /// The values that may have been chosen, where the event has the value with another choice worked into
    /// it, like a field with the bowler in his place. Empty where the event has it as it was chosen.
    pub sources: Vec<Value>,
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
            Next::Choose { what, default, .. } => ChoiceOffers::default().with(what, default),
            Next::Roll { .. } | Next::Finished { .. } => ChoiceOffers::default(),
        }
    }

    /// The choices that are members of `legal`, each with its member of `default`.
    pub fn of_legal(legal: &Value, mut default: Value) -> ChoiceOffers {
        let names = legal.as_object().into_iter().flat_map(|legal| legal.keys());
        names.fold(ChoiceOffers::default(), |offers, name| {
            let default = default.get_mut(name).map(Value::take).unwrap_or_default();
            offers.with(name.clone(), default)
        })
    }

    /// These choices and another, or the same with another default. Null stands for no default.
    #[must_use]
    pub fn with(mut self, name: impl Into<Cow<'static, str>>, default: Value) -> ChoiceOffers {
        let name = name.into();
        self.0.retain(|offer| offer.name != name);
        let default = Some(default).filter(|default| !default.is_null());
        self.0.push(ChoiceOffer { name, default, is_read: false, sources: Vec::new() });
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

impl IntoIterator for ChoiceOffers {
    type Item = ChoiceOffer;
    type IntoIter = std::vec::IntoIter<ChoiceOffer>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}
