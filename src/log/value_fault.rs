//! Reading a JSON value into a type, with a fault in plain words: the member at fault, by its path, what was
//! wrong there, and what would be right.
//!
//! serde's own messages name types of Rust. The reader here is asked for a type by serde, and checks the type
//! of the value itself, so that a fault keeps its kind and is not known by its message.

use std::fmt::{self, Display};

use serde::de::value::{MapDeserializer, SeqDeserializer, StrDeserializer};
use serde::de::{self, Deserialize, Deserializer, Expected, IntoDeserializer, Unexpected, Visitor};
use serde::forward_to_deserialize_any;
use serde_json::{Map, Value};

/// The most characters of a text that a message repeats.
const MOST_REPEATED: usize = 40;

/// Reads a value.
pub fn read_value<'v, T: Deserialize<'v>>(value: &'v Value) -> Result<T, ValueFault> {
    read(ValueReader(value))
}

/// Reads an object.
pub fn read_members<'v, T: Deserialize<'v>>(members: &'v Map<String, Value>) -> Result<T, ValueFault> {
    read(MapDeserializer::new(readers_of(members)))
}

/// Reads what a deserializer gives, whose errors are misfits.
pub fn read<'v, T, D>(deserializer: D) -> Result<T, ValueFault>
where
    T: Deserialize<'v>,
    D: Deserializer<'v, Error = Misfit>,
{
    serde_path_to_error::deserialize(deserializer).map_err(|error| {
        let path = error.path().to_string();
        ValueFault::at(if path == "." { "" } else { &path }, error.into_inner())
    })
}

/// The fault of a value that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ValueFault {
    /// The path of the member at fault, such as `home.players[3]`; empty where the whole value is at fault.
    pub path: String,
    misfit: Misfit,
}

impl ValueFault {
    pub(super) fn at(path: &str, misfit: Misfit) -> ValueFault {
        let member = match &misfit {
            Misfit::Missing(name) | Misfit::Repeated(name) => *name,
            Misfit::Fault(_) | Misfit::Sentence(_) => "",
        };
        let joint = if path.is_empty() || member.is_empty() { "" } else { "." };
        ValueFault { path: format!("{path}{joint}{member}"), misfit }
    }

    /// Whether the member at fault is missing.
    pub fn is_missing(&self) -> bool {
        matches!(self.misfit, Misfit::Missing(_))
    }

    /// The message: what is wrong, and what would be right. `whole` names the whole value.
    pub fn message(&self, whole: &str) -> String {
        match &self.misfit {
            Misfit::Sentence(sentence) => sentence.clone(),
            fault if self.path.is_empty() => format!("{whole} {fault}"),
            fault => format!("{} {fault}", shortened(&self.path)),
        }
    }

    /// The message without the path: `is a list, not 5`.
    pub fn reason(&self) -> String {
        self.misfit.to_string()
    }

    /// The path of the fault in a value around this one, in which this one is at `place`.
    pub fn path_below(&self, place: &str) -> String {
        let joint = if self.path.is_empty() || self.path.starts_with('[') { "" } else { "." };
        format!("{place}{joint}{}", self.path)
    }
}

impl Display for ValueFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message("it"))
    }
}

/// The reason why a value does not fit its type, without its path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Misfit {
    /// The member with this name is missing.
    Missing(&'static str),
    /// The member with this name is given more than once.
    Repeated(&'static str),
    /// The value is wrong; the text follows its path: `is a list, not 5`.
    Fault(String),
    /// A sentence that a type of our own says of its value.
    Sentence(String),
}

impl Misfit {
    fn wanted(wanted: impl Display, found: impl Display) -> Misfit {
        Misfit::Fault(format!("is {wanted}, not {found}"))
    }
}

impl Display for Misfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Misfit::Missing(_) => f.write_str("is missing"),
            Misfit::Repeated(_) => f.write_str("is given more than once"),
            Misfit::Fault(text) | Misfit::Sentence(text) => f.write_str(text),
        }
    }
}

impl std::error::Error for Misfit {}

impl de::Error for Misfit {
    fn custom<M: Display>(message: M) -> Misfit {
        Misfit::Sentence(message.to_string())
    }

    /// The reader checks the types of Rust itself, so only the visitors of our own types say this, in their
    /// own words.
    fn invalid_type(found: Unexpected<'_>, wanted: &dyn Expected) -> Misfit {
        Misfit::wanted(wanted, named(found))
    }

    fn invalid_value(found: Unexpected<'_>, wanted: &dyn Expected) -> Misfit {
        Misfit::wanted(wanted, named(found))
    }

    fn invalid_length(length: usize, wanted: &dyn Expected) -> Misfit {
        Misfit::wanted(wanted, format!("one of {length}"))
    }

    fn unknown_variant(found: &str, known: &'static [&'static str]) -> Misfit {
        Misfit::wanted(one_of(known), quoted(found))
    }

    fn unknown_field(_: &str, known: &'static [&'static str]) -> Misfit {
        Misfit::Fault(match known {
            [] => "is unknown here; nothing is known here".to_owned(),
            [one] => format!("is unknown here; only {one} is known"),
            many => format!("is unknown here; known are {}", list_of(many)),
        })
    }

    fn missing_field(name: &'static str) -> Misfit {
        Misfit::Missing(name)
    }

    fn duplicate_field(name: &'static str) -> Misfit {
        Misfit::Repeated(name)
    }
}

/// A list of words for a message: `a, b and c`.
pub fn list_of(words: &[&str]) -> String {
    match words {
        [some @ .., last] if !some.is_empty() => format!("{} and {last}", some.join(", ")),
        _ => words.concat(),
    }
}

/// One of some words, each in quotes: `"a"`, `"a" or "b"`, or `one of "a", "b" and "c"`.
pub fn one_of(words: &[&str]) -> String {
    let quoted: Vec<String> = words.iter().map(|word| quoted(word)).collect();
    match &quoted.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [one, other] => format!("{one} or {other}"),
        few @ ([] | [_]) => few.concat(),
        many => format!("one of {}", list_of(many)),
    }
}

fn named(found: Unexpected<'_>) -> String {
    match found {
        Unexpected::Bool(value) => value.to_string(),
        Unexpected::Unsigned(value) => value.to_string(),
        Unexpected::Signed(value) => value.to_string(),
        Unexpected::Float(value) => value.to_string(),
        Unexpected::Str(text) => quoted(text),
        Unexpected::Unit | Unexpected::Option => "null".to_owned(),
        Unexpected::Seq => "a list".to_owned(),
        Unexpected::Map => "an object".to_owned(),
        Unexpected::Char(_)
        | Unexpected::Bytes(_)
        | Unexpected::NewtypeStruct
        | Unexpected::Enum
        | Unexpected::UnitVariant
        | Unexpected::NewtypeVariant
        | Unexpected::TupleVariant
        | Unexpected::StructVariant
        | Unexpected::Other(_) => "this value".to_owned(),
    }
}

/// A text in quotes, cut off where it is long.
pub fn quoted(text: &str) -> String {
    format!("{:?}", shortened(text))
}

fn shortened(text: &str) -> String {
    match text.char_indices().nth(MOST_REPEATED) {
        None => text.to_owned(),
        Some((at, _)) => format!("{}...", text.get(..at).unwrap_or_default()),
    }
}

/// A deserializer of a value whose errors are misfits.
#[derive(Clone, Copy)]
struct ValueReader<'v>(&'v Value);

/// The members of an object, each with a reader of its value.
fn readers_of(members: &Map<String, Value>) -> impl Iterator<Item = (&str, ValueReader<'_>)> {
    members.iter().map(|(name, value)| (name.as_str(), ValueReader(value)))
}

impl ValueReader<'_> {
    fn not(self, wanted: impl Display) -> Misfit {
        let found = match self.0 {
            Value::Null => "null".to_owned(),
            Value::Bool(value) => value.to_string(),
            Value::Number(number) => number.to_string(),
            Value::String(text) => quoted(text),
            Value::Array(_) => "a list".to_owned(),
            Value::Object(_) => "an object".to_owned(),
        };
        Misfit::wanted(wanted, found)
    }

    fn whole<N: TryFrom<i128>>(self, least: impl Into<i128>, most: impl Into<i128>) -> Result<N, Misfit> {
        let (least, most) = (least.into(), most.into());
        let given = self.0.as_u64().map(i128::from).or_else(|| self.0.as_i64().map(i128::from));
        given.and_then(|given| N::try_from(given).ok()).ok_or_else(|| match (given, least) {
            (Some(given), _) if given > most => self.not(format!("a whole number of at most {most}")),
            (_, 0) => self.not("a whole number, 0 or more"),
            _ => self.not("a whole number"),
        })
    }
}

impl<'de> IntoDeserializer<'de, Misfit> for ValueReader<'de> {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

macro_rules! whole_numbers {
    ($($deserialize:ident $visit:ident $type:ident;)+) => {
        $(fn $deserialize<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misfit> {
            visitor.$visit(self.whole($type::MIN, $type::MAX)?)
        })+
    };
}

impl<'de> Deserializer<'de> for ValueReader<'de> {
    type Error = Misfit;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misfit> {
        match self.0 {
            Value::Null => visitor.visit_unit(),
            Value::Bool(value) => visitor.visit_bool(*value),
            Value::Number(number) => match (number.as_u64(), number.as_i64()) {
                (Some(whole), _) => visitor.visit_u64(whole),
                (None, Some(whole)) => visitor.visit_i64(whole),
                (None, None) => visitor.visit_f64(number.as_f64().unwrap_or_default()),
            },
            Value::String(text) => visitor.visit_borrowed_str(text),
            Value::Array(items) => visitor.visit_seq(SeqDeserializer::new(items.iter().map(ValueReader))),
            Value::Object(members) => visitor.visit_map(MapDeserializer::new(readers_of(members))),
        }
    }

    whole_numbers! {
        deserialize_i8 visit_i8 i8;
        deserialize_i16 visit_i16 i16;
        deserialize_i32 visit_i32 i32;
        deserialize_i64 visit_i64 i64;
        deserialize_u8 visit_u8 u8;
        deserialize_u16 visit_u16 u16;
        deserialize_u32 visit_u32 u32;
        deserialize_u64 visit_u64 u64;
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misfit> {
        if self.0.is_boolean() { self.deserialize_any(visitor) } else { Err(self.not("true or false")) }
    }

    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misfit> {
        if self.0.is_number() { self.deserialize_any(visitor) } else { Err(self.not("a number")) }
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misfit> {
        if self.0.is_string() { self.deserialize_any(visitor) } else { Err(self.not("text")) }
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misfit> {
        self.deserialize_str(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misfit> {
        if self.0.is_null() { visitor.visit_none() } else { visitor.visit_some(self) }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Misfit> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misfit> {
        if self.0.is_array() { self.deserialize_any(visitor) } else { Err(self.not("a list")) }
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, length: usize, visitor: V) -> Result<V::Value, Misfit> {
        let wanted = format!("a list of {length}");
        match self.0.as_array().map(Vec::len) {
            Some(given) if given != length => Err(Misfit::wanted(wanted, format!("of {given}"))),
            Some(_) => self.deserialize_any(visitor),
            None => Err(self.not(wanted)),
        }
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misfit> {
        if self.0.is_object() { self.deserialize_any(visitor) } else { Err(self.not("an object")) }
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _members: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Misfit> {
        self.deserialize_map(visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _name: &'static str,
        words: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Misfit> {
        match self.0 {
            Value::String(word) => visitor.visit_enum(StrDeserializer::new(word)),
            _ => Err(self.not(one_of(words))),
        }
    }

    forward_to_deserialize_any! {
        i128 u128 f32 char bytes byte_buf unit unit_struct tuple_struct identifier ignored_any
    }
}

#[cfg(test)]
mod tests;
