//! A spot of an edition: a value with its path, which is read as what it has to be, or noted as a mistake.

use std::collections::HashSet;
use std::ops::RangeInclusive;

use serde_json::{Map, Value};

use super::faults::Faults;
use crate::games::cricket_the_game::edition::model::{Each, EditionWord};
use crate::log::printable;

/// The most characters of a value that a reason shows.
const SHOWN: usize = 60;

/// A value of the edition, with its path.
///
/// Every reader gives `None` when there is a mistake, and has then noted it.
#[derive(Debug, Clone)]
pub struct ValueAt<'v> {
    pub(super) value: &'v Value,
    path: String,
    faults: &'v Faults,
}

/// The fields of an object; missing and unknown ones have already been noted.
#[derive(Debug)]
pub struct Fields<'v> {
    spot: ValueAt<'v>,
    members: Option<&'v Map<String, Value>>,
}

impl<'v> ValueAt<'v> {
    /// The spot of the whole edition.
    pub fn whole(value: &'v Value, faults: &'v Faults) -> ValueAt<'v> {
        ValueAt { value, path: String::new(), faults }
    }

    /// Notes a mistake at this spot.
    pub fn fault<T>(&self, reason: impl FnOnce() -> String) -> Option<T> {
        self.faults.note(&self.path, reason);
        None
    }

    /// Notes that the value here is not as `expected`.
    pub fn is_not<T>(&self, expected: impl FnOnce() -> String) -> Option<T> {
        self.fault(|| format!("is {}, not {}", expected(), self.shown()))
    }

    /// The value here as text, cut short.
    pub fn shown(&self) -> String {
        match self.value {
            Value::Array(items) => format!("a list of {}", items.len()),
            Value::Object(fields) if fields.len() == 1 => "an object with 1 field".to_owned(),
            Value::Object(fields) => format!("an object with {} fields", fields.len()),
            Value::String(text) => format!("{:?}", cut(text)),
            other => cut(&other.to_string()),
        }
    }

    /// Reads an object that must have exactly these fields.
    pub fn object(&self, fields: &[&str]) -> Fields<'v> {
        self.object_with(fields, &[])
    }

    /// Reads an object that must have the required fields and may have the optional ones.
    pub fn object_with(&self, required: &[&str], optional: &[&str]) -> Fields<'v> {
        let known = || [required, optional].concat();
        let members = self.value.as_object();
        if members.is_none() {
            self.is_not::<()>(|| format!("an object with {}", quoted(&known(), "and")));
        }
        for name in members.into_iter().flat_map(Map::keys) {
            if !required.contains(&name.as_str()) && !optional.contains(&name.as_str()) {
                self.unknown(name, &known());
            }
        }
        for name in required {
            if members.is_some_and(|members| !members.contains_key(*name)) {
                self.faults.note(&self.below(name), || "is missing".to_owned());
            }
        }
        Fields { spot: self.clone(), members }
    }

    fn unknown(&self, name: &str, known: &[&str]) {
        let reason = || format!("is not a field here; the known fields are {}", quoted(known, "and"));
        self.faults.note(&self.below(&cut(name)), reason);
    }

    fn below(&self, name: &str) -> String {
        if self.path.is_empty() { name.to_owned() } else { format!("{}.{name}", self.path) }
    }

    /// The only field of an object that has one field, with its name.
    pub fn only_field(&self) -> Option<(&'v str, ValueAt<'v>)> {
        let mut members = self.value.as_object()?.iter();
        let (name, value) = members.next()?;
        let spot = ValueAt { value, path: self.below(&cut(name)), faults: self.faults };
        members.next().is_none().then_some((name, spot))
    }

    /// Reads a list of this length. Of a list that is too long, the surplus items are not read.
    pub fn list(&self, many: RangeInclusive<usize>, of: &str) -> Option<Vec<ValueAt<'v>>> {
        let expected = || match (many.start(), many.end()) {
            (least, most) if least == most => format!("a list of {most} {of}"),
            (least, most) => format!("a list of {least} to {most} {of}"),
        };
        let Some(items) = self.value.as_array() else { return self.is_not(expected) };
        if !many.contains(&items.len()) {
            self.fault::<()>(|| format!("is {}; this has {}", expected(), items.len()));
        }
        let spot = |(k, value)| ValueAt { value, path: format!("{}[{k}]", self.path), faults: self.faults };
        Some(items.iter().enumerate().take(*many.end()).map(spot).collect())
    }

    /// Reads every item of a list of this length; gives none when one of them has a mistake.
    pub fn each_of<T>(
        &self,
        many: RangeInclusive<usize>,
        of: &str,
        read: impl Fn(&ValueAt<'v>) -> Option<T>,
    ) -> Option<Vec<T>> {
        let spots = self.list(many, of)?;
        let read: Vec<Option<T>> = spots.iter().map(read).collect();
        read.into_iter().collect()
    }

    /// Reads every item of a list of exactly `N` items.
    pub fn exactly<T, const N: usize>(
        &self,
        of: &str,
        read: impl Fn(&ValueAt<'v>) -> Option<T>,
    ) -> Option<[T; N]> {
        self.each_of(N..=N, of, read)?.try_into().ok()
    }

    /// Reads an object with a field for each word of an enumeration.
    pub fn each_word<W: EditionWord, T, const N: usize>(
        &self,
        read: impl Fn(&ValueAt<'v>) -> Option<T>,
    ) -> Option<Each<T, N>> {
        let words: Vec<&str> = W::ALL.iter().map(|(_, word)| *word).collect();
        let fields = self.object(&words);
        let values: Vec<Option<T>> = words.iter().map(|word| fields.read(word, &read)).collect();
        values.into_iter().collect::<Option<Vec<T>>>()?.try_into().ok().map(Each)
    }

    /// Notes that the value here is already in its list.
    pub fn twice<T>(&self) -> Option<T> {
        self.fault(|| format!("{} is already in the list; each may be there once", self.shown()))
    }

    /// Notes every item of a list whose text in a field is that of an earlier item.
    pub fn no_two_alike(&self, field: &str) -> Option<()> {
        let mut seen = HashSet::new();
        let mut unique = Some(());
        for (k, item) in self.value.as_array().into_iter().flatten().enumerate() {
            if item.get(field).and_then(Value::as_str).is_some_and(|text| !seen.insert(text)) {
                let path = format!("{}[{k}].{field}", self.path);
                unique = ValueAt { value: &item[field], path, faults: self.faults }.twice();
            }
        }
        unique
    }
}

impl<'v> Fields<'v> {
    /// Notes a mistake at a field, or at one below it.
    pub fn fault<T>(&self, name: &str, reason: impl FnOnce() -> String) -> Option<T> {
        self.spot.faults.note(&self.spot.below(name), reason);
        None
    }

    /// The field of this name, if the object has it.
    pub fn spot(&self, name: &str) -> Option<ValueAt<'v>> {
        let value = self.members?.get(name)?;
        Some(ValueAt { value, path: self.spot.below(name), faults: self.spot.faults })
    }

    /// Reads a required field.
    pub fn read<T>(&self, name: &str, read: impl FnOnce(&ValueAt<'v>) -> Option<T>) -> Option<T> {
        self.spot(name).and_then(|spot| read(&spot))
    }

    /// Reads an optional field: `Some(None)` when it is left out.
    pub fn read_if<T>(&self, name: &str, read: impl FnOnce(&ValueAt<'v>) -> Option<T>) -> Option<Option<T>> {
        match self.spot(name) {
            Some(spot) => read(&spot).map(Some),
            None => Some(None),
        }
    }
}

/// The beginning of a text that may be long, made safe to print.
pub fn cut(text: &str) -> String {
    let mut shown: String = printable(&text.chars().take(SHOWN).collect::<String>()).into_owned();
    if text.chars().nth(SHOWN).is_some() {
        shown.push_str("...");
    }
    shown
}

/// A list of words for a message: `"a", "b" or "c"`.
pub fn any_of(words: impl IntoIterator<Item = &'static str>) -> String {
    quoted(&words.into_iter().collect::<Vec<_>>(), "or")
}

fn quoted(words: &[&str], and: &str) -> String {
    let quoted: Vec<String> = words.iter().map(|word| format!("{word:?}")).collect();
    match quoted.as_slice() {
        [some @ .., last] if !some.is_empty() => format!("{} {and} {last}", some.join(", ")),
        _ => quoted.concat(),
    }
}
