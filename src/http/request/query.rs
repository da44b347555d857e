//! Reading the query of a request, strictly: an unknown parameter, a parameter that is given twice, and a
//! value of the wrong form are refused.
//!
//! Values are read from text here, and not by another crate, so that a fault keeps its kind and its
//! parameter, and is not known by its message. The fields of a query struct are plain: text, `bool`, `u32`,
//! `u64`, or an enum, an `Option` of these, and a `Vec` for a parameter that may be repeated.

use std::borrow::Cow;
use std::num::{IntErrorKind, ParseIntError};
use std::str::FromStr;

use actix_web::HttpRequest;
use percent_encoding::percent_decode_str;
use serde::de::value::{CowStrDeserializer, MapDeserializer, SeqDeserializer};
use serde::de::{DeserializeOwned, Deserializer, IntoDeserializer, Visitor};
use serde::forward_to_deserialize_any;

use crate::commands::{Problem, ProblemType};
use crate::log::{self, Misfit, ValueFault};

/// The query of a request.
pub fn query<T: DeserializeOwned>(request: &HttpRequest) -> Result<T, Problem> {
    read(request.query_string()).map_err(|fault| {
        let location = fault.path_below("query");
        Problem::at(ProblemType::InvalidParameter, location, fault.message("the query"))
    })
}

fn read<T: DeserializeOwned>(query: &str) -> Result<T, ValueFault> {
    let mut parameters: Vec<(Cow<'_, str>, QueryValue<'_>)> = Vec::new();
    let raw = query.split('&').filter(|raw| !raw.is_empty());
    for ((name, text), raw) in url::form_urlencoded::parse(query.as_bytes()).zip(raw) {
        // Bytes that are not UTF-8 would be read as a sign that stands for any of them.
        let text = percent_decode_str(raw).decode_utf8().is_ok().then_some(text);
        match parameters.iter_mut().find(|(known, _)| *known == name) {
            Some((_, value)) => value.repeated.push(text),
            None => parameters.push((name, QueryValue { first: text, repeated: Vec::new() })),
        }
    }
    log::read(MapDeserializer::new(parameters.into_iter()))
}

/// The value of a parameter, as text until the type of its field is known. Only a list may have more values
/// than the first. There is none where it is not UTF-8.
struct QueryValue<'q> {
    first: Option<Cow<'q, str>>,
    repeated: Vec<Option<Cow<'q, str>>>,
}

impl<'q> QueryValue<'q> {
    /// The text of a parameter that takes one value.
    fn only(self) -> Result<Cow<'q, str>, Misfit> {
        if !self.repeated.is_empty() {
            return Err(Misfit::Fault("is given more than once".to_owned()));
        }
        self.first.ok_or_else(|| Misfit::Fault("is text in UTF-8, percent-encoded".to_owned()))
    }

    fn whole<N: FromStr<Err = ParseIntError>>(self) -> Result<N, Misfit> {
        self.only()?.parse().map_err(|error: ParseIntError| match error.kind() {
            IntErrorKind::PosOverflow => Misfit::Fault("is too large a number".to_owned()),
            _ => Misfit::Fault("is a whole number, 0 or more".to_owned()),
        })
    }
}

impl<'de> IntoDeserializer<'de, Misfit> for QueryValue<'_> {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

impl<'de> Deserializer<'de> for QueryValue<'_> {
    type Error = Misfit;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misfit> {
        CowStrDeserializer::new(self.only()?).deserialize_any(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misfit> {
        visitor.visit_some(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Misfit> {
        visitor.visit_enum(CowStrDeserializer::new(self.only()?))
    }

    /// A list takes every value of its parameter.
    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misfit> {
        let texts = std::iter::once(self.first).chain(self.repeated);
        visitor.visit_seq(SeqDeserializer::new(texts.map(|first| QueryValue { first, repeated: Vec::new() })))
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misfit> {
        let not_a_bool = |_| Misfit::Fault("is true or false".to_owned());
        visitor.visit_bool(self.only()?.parse().map_err(not_a_bool)?)
    }

    fn deserialize_u32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misfit> {
        visitor.visit_u32(self.whole()?)
    }

    fn deserialize_u64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misfit> {
        visitor.visit_u64(self.whole()?)
    }

    forward_to_deserialize_any! {
        i8 i16 i32 i64 i128 u8 u16 u128 f32 f64 char str string bytes byte_buf unit unit_struct newtype_struct
        tuple tuple_struct map struct identifier ignored_any
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    #[derive(Debug, PartialEq, Eq, Deserialize)]
    #[serde(rename_all = "lowercase")]
    enum Format {
        Text,
    }

    #[derive(Debug, Default, PartialEq, Eq, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Query {
        at: Option<u64>,
        limit: Option<u32>,
        dry_run: Option<bool>,
        format: Option<Format>,
        team: Option<String>,
        #[serde(default)]
        status: Vec<String>,
    }

    #[test]
    fn each_parameter_is_read_as_its_field_wants_it() {
        let text = "at=%2B18446744073709551615&limit=4294967295&dry_run=true&format=text&team=New+Forest%21";
        let all = Query {
            at: Some(u64::MAX),
            limit: Some(u32::MAX),
            dry_run: Some(true),
            format: Some(Format::Text),
            team: Some("New Forest!".to_owned()),
            status: Vec::new(),
        };
        assert_eq!((read(""), read(text)), (Ok(Query::default()), Ok(all)));
        assert_eq!(
            read("team=&dry_run=false"),
            Ok(Query { dry_run: Some(false), team: Some(String::new()), ..Query::default() })
        );
    }

    #[test]
    fn a_list_takes_every_value_of_its_parameter() {
        let all = Query {
            at: Some(1),
            status: vec!["created".to_owned(), "in play".to_owned()],
            ..Query::default()
        };
        assert_eq!(read("status=created&at=1&status=in+play"), Ok(all));
    }

    /// The parameter at fault, and the message.
    fn fault_of(query: &str) -> (String, String) {
        let fault = read::<Query>(query).expect_err("a fault");
        (fault.path.clone(), fault.message("the query"))
    }

    #[test]
    fn a_fault_names_its_parameter_and_what_would_be_right() {
        for (query, parameter, message) in [
            ("at=x", "at", "at is a whole number, 0 or more"),
            ("team=a%ED%A0%80", "team", "team is text in UTF-8, percent-encoded"),
            ("&at=1&&team=%FF&", "team", "team is text in UTF-8, percent-encoded"),
            ("status=in+play&status=%C3", "status[1]", "status[1] is text in UTF-8, percent-encoded"),
            ("at=", "at", "at is a whole number, 0 or more"),
            ("at", "at", "at is a whole number, 0 or more"),
            ("at=-1", "at", "at is a whole number, 0 or more"),
            ("at=1.5", "at", "at is a whole number, 0 or more"),
            ("at=1&limit=+2", "limit", "limit is a whole number, 0 or more"),
            ("at=18446744073709551616", "at", "at is too large a number"),
            ("limit=4294967296", "limit", "limit is too large a number"),
            ("dry_run=1", "dry_run", "dry_run is true or false"),
            ("dry_run=True", "dry_run", "dry_run is true or false"),
        ] {
            assert_eq!(fault_of(query), (parameter.to_owned(), message.to_owned()), "{query}");
        }
    }

    #[test]
    fn a_refusal_names_a_parameter_that_is_unknown_repeated_or_another_word() {
        for (query, parameter, message) in [
            ("seq=1", "seq", "seq is unknown here; known are at, limit, dry_run, format, team and status"),
            ("at=1&at=2", "at", "at is given more than once"),
            ("format=xml", "format", "format is \"text\", not \"xml\""),
        ] {
            assert_eq!(fault_of(query), (parameter.to_owned(), message.to_owned()), "{query}");
        }
    }
}
