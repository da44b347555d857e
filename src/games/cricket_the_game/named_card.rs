//! Cards that a choice may name: by the id, or by the name that is printed on the card.

use std::fmt;

use super::edition::model::{Bowl, EditionWord, OverCard, PitchCard, Skill};
use crate::log::is_same_name;

/// A card that a choice may name.
pub trait NamedCard {
    /// The id of the card, as the log has it.
    fn id(&self) -> &str;

    /// The printed name of the card.
    fn name(&self) -> &str;
}

macro_rules! named_cards {
    ($($Card:ident),+) => {$(
        impl NamedCard for $Card {
            fn id(&self) -> &str {
                &self.id
            }

            fn name(&self) -> &str {
                &self.name
            }
        }
    )+};
}

named_cards! { Bowl, OverCard, Skill }

impl NamedCard for PitchCard {
    fn id(&self) -> &str {
        self.condition.word()
    }

    fn name(&self) -> &str {
        &self.name
    }
}

/// The fault of a name that several cards have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SeveralCards {
    name: String,
    ids: Vec<String>,
}

impl fmt::Display for SeveralCards {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let SeveralCards { name, ids } = self;
        write!(f, "{} cards are named {name:?}; name one by its id: {}", ids.len(), ids.join(", "))
    }
}

/// The index of the card with this id; without one, of the only card with this printed name.
pub fn find_card<C: NamedCard>(cards: &[C], given: &str) -> Result<Option<usize>, SeveralCards> {
    let by_id = cards.iter().position(|card| card.id() == given);
    let at = |fits: fn(&str, &str) -> bool| -> Vec<usize> {
        (0..cards.len()).filter(|at| fits(cards[*at].name(), given)).collect()
    };
    // Who prints a name as it was given comes before who prints one that looks alike.
    let exact = at(|name, given| name == given);
    let named = if exact.is_empty() { at(is_same_name) } else { exact };
    match (by_id, named.as_slice()) {
        (Some(at), _) => Ok(Some(at)),
        (None, []) => Ok(None),
        (None, [only]) => Ok(Some(*only)),
        (None, several) => {
            let ids = several.iter().map(|at| cards[*at].id().to_owned()).collect();
            Err(SeveralCards { name: given.to_owned(), ids })
        }
    }
}
