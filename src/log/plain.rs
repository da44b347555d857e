//! What has to hold of a JSON text before anything is made of it.

use std::cell::Cell;
use std::collections::HashSet;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};

/// Why a text is not taken for JSON.
#[derive(Debug, thiserror::Error)]
pub enum NotPlain {
    /// It is no JSON, or not plain.
    #[error("is not JSON: {0}")]
    Json(#[from] serde_json::Error),
    /// It has more values than this.
    #[error("has more than {0} JSON values")]
    TooMany(usize),
}

/// Makes sure that a text is JSON of at most `most` values, nested no deeper than serde_json reads, and
/// plain; says how many values it has. Nothing is kept of the text meanwhile but the keys of the objects that
/// are open.
///
/// Values are counted because a tree is far larger than its text: an object of one member takes 7 bytes of a
/// text and 660 of memory.
///
/// Plain means two things. serde_json has a key of its own which makes it read a string as JSON once more,
/// with no limit to the depth, and nobody else may use it. A key stands once in an object (RFC 7493, on which
/// the canonical form rests): readers differ in which of two they take.
pub fn plain_json(text: &[u8], most: usize) -> Result<usize, NotPlain> {
    let seen = Cell::new(0);
    let mut json = serde_json::Deserializer::from_slice(text);
    let read = Plain { seen: &seen, most }.deserialize(&mut json).and_then(|()| json.end());
    if seen.get() > most {
        return Err(NotPlain::TooMany(most));
    }
    Ok(read.map(|()| seen.get())?)
}

/// The most values a JSON text can have, found by looking at its bytes alone: a comma in a string counts,
/// too.
pub fn values_at_most(text: &[u8]) -> usize {
    1 + text.iter().filter(|byte| matches!(byte, b',' | b'[' | b'{')).count()
}

const OF_SERDE_JSON: &str = "$serde_json::private::";

/// Reads a value and builds nothing.
#[derive(Clone, Copy)]
struct Plain<'c> {
    /// How many values have been read.
    seen: &'c Cell<usize>,
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
        while items.next_element_seed(self)?.is_some() {}
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<(), A::Error> {
        let mut keys = HashSet::new();
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
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_is_told_from_what_is_not_and_from_what_only_serde_json_takes_for_it() {
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
        let deep = "[".repeat(200) + &"]".repeat(200);
        assert!(plain_json(deep.as_bytes(), 1_000).unwrap_err().to_string().contains("recursion limit"));
    }

    #[test]
    fn values_are_counted_and_no_more_are_read_than_may_be() {
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
        // What is no JSON before there are too many values is told as that.
        let broken = format!("[1,{}", many.replace("]", ",]"));
        assert!(matches!(plain_json(b"[1,}", 1), Err(NotPlain::TooMany(1))));
        assert!(matches!(plain_json(broken.as_bytes(), 1_000_000), Err(NotPlain::Json(_))));
    }
}
