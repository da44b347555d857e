//! The check of a JSON text before it is parsed: plain, not too deep, and not too many values.

use std::cell::Cell;
use std::collections::HashSet;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::error::Category;

/// The reason why a text is not accepted as JSON.
#[derive(Debug, thiserror::Error)]
pub enum NotPlain {
    /// The text is no JSON, or not plain, with the reason.
    #[error("is not JSON: {0}")]
    Json(String),
    /// The text is nested deeper than it can be read.
    #[error("is JSON nested deeper than {MOST_DEPTH} levels")]
    TooDeep,
    /// The text has more values than this.
    #[error("has more than {0} JSON values")]
    TooMany(usize),
}

/// Checks that a text is plain JSON of at most `most` values, nested no deeper than serde_json reads; returns
/// the number of its values. Only the keys of open objects are kept in memory meanwhile.
///
/// Values are counted because a tree is far larger than its text: an object of one member takes 7 bytes of
/// text and 660 bytes of memory.
///
/// Plain means two things. serde_json has a key of its own that makes it read a string as JSON again, with no
/// limit on the depth; nobody else may use that key. And a key comes once in an object (RFC 7493, which the
/// canonical form requires), because readers differ in which of two they take.
pub fn plain_json(text: &[u8], most: usize) -> Result<usize, NotPlain> {
    let (seen, depth) = (Cell::new(0), Cell::new(0));
    let mut json = serde_json::Deserializer::from_slice(text);
    let read = Plain { seen: &seen, depth: &depth, most }.deserialize(&mut json).and_then(|()| json.end());
    match read {
        _ if seen.get() > most => Err(NotPlain::TooMany(most)),
        Err(error) if depth.get() == MOST_DEPTH && opens_at(text, &error) => Err(NotPlain::TooDeep),
        Err(error) => Err(error.into()),
        Ok(()) => Ok(seen.get()),
    }
}

/// The depth to which serde_json reads.
const MOST_DEPTH: usize = 127;

/// Whether a list or an object opens at the place of an error.
fn opens_at(text: &[u8], error: &serde_json::Error) -> bool {
    let line = text.split(|byte| *byte == b'\n').nth(error.line().saturating_sub(1));
    let byte = line.and_then(|line| line.get(error.column().saturating_sub(1)));
    matches!(byte, Some(b'[' | b'{'))
}

impl From<serde_json::Error> for NotPlain {
    /// Says where the JSON goes wrong, in words of our own.
    fn from(error: serde_json::Error) -> NotPlain {
        let (line, column) = (error.line(), error.column());
        NotPlain::Json(match error.classify() {
            Category::Eof if (line, column) == (1, 0) => "it is empty".to_owned(),
            Category::Eof => format!("it breaks off at line {line}, column {column}"),
            Category::Syntax => format!("it goes wrong at line {line}, column {column}"),
            // The check below has said this.
            Category::Data => error.to_string(),
            Category::Io => "it cannot be read".to_owned(),
        })
    }
}

/// The most values that a JSON text can have, counted from its bytes alone: a comma in a string counts too.
pub fn values_at_most(text: &[u8]) -> usize {
    1 + text.iter().filter(|byte| matches!(byte, b',' | b'[' | b'{')).count()
}

const OF_SERDE_JSON: &str = "$serde_json::private::";

/// A deserializer seed that reads a value and builds nothing.
#[derive(Clone, Copy)]
struct Plain<'c> {
    /// The number of values read so far.
    seen: &'c Cell<usize>,
    /// The number of lists and objects around the value that is read now.
    depth: &'c Cell<usize>,
    most: usize,
}

impl<'de> DeserializeSeed<'de> for Plain<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        self.seen.set(self.seen.get() + 1);
        if self.seen.get() > self.most {
            return Err(D::Error::custom("has too many values"));
        }
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Plain<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_bool<E>(self, _: bool) -> Result<(), E> {
        Ok(())
    }

    fn visit_i64<E>(self, _: i64) -> Result<(), E> {
        Ok(())
    }

    fn visit_u64<E>(self, _: u64) -> Result<(), E> {
        Ok(())
    }

    fn visit_f64<E>(self, _: f64) -> Result<(), E> {
        Ok(())
    }

    fn visit_str<E>(self, _: &str) -> Result<(), E> {
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        self.depth.set(self.depth.get() + 1);
        while items.next_element_seed(self)?.is_some() {}
        self.depth.set(self.depth.get() - 1);
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<(), A::Error> {
        let mut keys = HashSet::new();
        self.depth.set(self.depth.get() + 1);
        while let Some(key) = members.next_key::<String>()? {
            if key.starts_with(OF_SERDE_JSON) {
                return Err(A::Error::custom(format!("no object has the key {key:?}")));
            }
            if keys.contains(&key) {
                return Err(A::Error::custom(format!("an object has the key {key:?} twice")));
            }
            keys.insert(key);
            members.next_value_seed(self)?;
        }
        self.depth.set(self.depth.get() - 1);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_that_are_no_json_or_only_for_serde_json_are_refused() {
        for json in ["null", "[1, -2, 3.5, \"a\", {\"b\": [true]}]", " {} "] {
            assert!(plain_json(json.as_bytes(), 100).is_ok(), "{json}");
        }
        for other in ["", "{", "nan", "[1,]", "{\"a\":1} x"] {
            assert!(plain_json(other.as_bytes(), 100).is_err(), "{other}");
        }
        let disguised = r#"{"a": {"\u0024serde_json::private::RawValue": "[]"}}"#;
        assert!(
            plain_json(disguised.as_bytes(), 100).unwrap_err().to_string().contains("no object has the key")
        );
        let twice = r#"[{"a": 1, "b": {"a": 2}}, {"a": 1, "\u0061": 2}]"#;
        assert!(
            plain_json(twice.as_bytes(), 100).unwrap_err().to_string().contains("has the key \"a\" twice")
        );
    }

    #[test]
    fn a_text_that_is_no_json_is_refused_with_the_place() {
        for (text, reason) in [
            ("", "it is empty"),
            ("{\"a\":\n[1,", "it breaks off at line 2, column 3"),
            ("[1,]", "it goes wrong at line 1, column 4"),
            ("{\"a\": nan}", "it goes wrong at line 1, column 8"),
            ("{} {}", "it goes wrong at line 1, column 4"),
            ("\"\u{1}\"", "it goes wrong at line 1, column 2"),
            ("1e999", "it goes wrong at line 1, column 5"),
        ] {
            let refused = plain_json(text.as_bytes(), 100).unwrap_err();
            assert_eq!(refused.to_string(), format!("is not JSON: {reason}"), "{text}");
        }
    }

    #[test]
    fn a_text_is_refused_beyond_the_depth_that_is_read() {
        for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
            let nested = |depth: usize| open.repeat(depth) + "0" + &close.repeat(depth);
            assert!(plain_json(nested(MOST_DEPTH).as_bytes(), 1_000).is_ok());
            let refused = plain_json(nested(MOST_DEPTH + 1).as_bytes(), 1_000);
            assert!(matches!(refused, Err(NotPlain::TooDeep)), "{open}");
        }
        // Many lists side by side are no depth.
        let wide = format!("[{}", "[[]],".repeat(200));
        assert!(matches!(plain_json(wide.as_bytes(), 1_000), Err(NotPlain::Json(_))));
    }

    #[test]
    fn values_are_counted_and_no_more_than_the_bound_are_read() {
        let many = format!("[{}]", ["{\"\":0}"; 100_000].join(","));
        for (json, values) in
            [("null", 1), ("[]", 1), ("{}", 1), ("[1, 2]", 3), ("{\"a\": {\"b\": [true, \",[{\"]}}", 5)]
        {
            assert_eq!(plain_json(json.as_bytes(), values).unwrap(), values, "{json}");
            assert!(values_at_most(json.as_bytes()) >= values, "{json}");
            let refused = plain_json(json.as_bytes(), values - 1);
            assert!(matches!(refused, Err(NotPlain::TooMany(most)) if most == values - 1), "{json}");
        }
        assert!(matches!(plain_json(many.as_bytes(), 5_000), Err(NotPlain::TooMany(5_000))));
        assert_eq!(plain_json(many.as_bytes(), 200_001).unwrap(), 200_001);
        // A text that is no JSON before it has too many values is reported as no JSON.
        let broken = format!("[1,{}", many.replace("]", ",]"));
        assert!(matches!(plain_json(b"[1,}", 1), Err(NotPlain::TooMany(1))));
        assert!(matches!(plain_json(broken.as_bytes(), 1_000_000), Err(NotPlain::Json(_))));
    }
}
