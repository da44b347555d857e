use std::collections::HashSet;
use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};

/// Makes sure that a text is JSON, nested no deeper than serde_json reads, and plain: serde_json has a key of its own
/// which makes it read a string as JSON once more, with no limit to the depth, and nobody else may use it. A key stands
/// once in an object (RFC 7493, on which the canonical form rests): readers differ in which of two they take.
pub fn plain_json(text: &[u8]) -> serde_json::Result<()> {
    serde_json::from_slice::<Plain>(text).map(|Plain| ())
}

const OF_SERDE_JSON: &str = "$serde_json::private::";

struct Plain;

impl<'de> Deserialize<'de> for Plain {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Plain, D::Error> {
        deserializer.deserialize_any(PlainVisitor)
    }
}

struct PlainVisitor;

impl<'de> Visitor<'de> for PlainVisitor {
    type Value = Plain;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E>(self) -> Result<Plain, E> {
        Ok(Plain)
    }

    fn visit_bool<E>(self, _: bool) -> Result<Plain, E> {
        Ok(Plain)
    }

    fn visit_i64<E>(self, _: i64) -> Result<Plain, E> {
        Ok(Plain)
    }

    fn visit_u64<E>(self, _: u64) -> Result<Plain, E> {
        Ok(Plain)
    }

    fn visit_f64<E>(self, _: f64) -> Result<Plain, E> {
        Ok(Plain)
    }

    fn visit_str<E>(self, _: &str) -> Result<Plain, E> {
        Ok(Plain)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Plain, A::Error> {
        while items.next_element::<Plain>()?.is_some() {}
        Ok(Plain)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Plain, A::Error> {
        let mut keys = HashSet::new();
        while let Some(key) = members.next_key::<String>()? {
            if key.starts_with(OF_SERDE_JSON) {
                return Err(A::Error::custom(format!("no object has the key {key:?}")));
            }
            if keys.contains(&key) {
                return Err(A::Error::custom(format!("an object has the key {key:?} twice")));
            }
            keys.insert(key);
            members.next_value::<Plain>()?;
        }
        Ok(Plain)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_is_told_from_what_is_not_and_from_what_only_serde_json_takes_for_it() {
        for json in ["null", "[1, -2, 3.5, \"a\", {\"b\": [true]}]", " {} "] {
            assert!(plain_json(json.as_bytes()).is_ok(), "{json}");
        }
        for other in ["", "{", "nan", "[1,]", "{\"a\":1} x"] {
            assert!(plain_json(other.as_bytes()).is_err(), "{other}");
        }
        let disguised = r#"{"a": {"\u0024serde_json::private::RawValue": "[]"}}"#;
        assert!(plain_json(disguised.as_bytes()).unwrap_err().to_string().contains("no object has the key"));
        let twice = r#"[{"a": 1, "b": {"a": 2}}, {"a": 1, "\u0061": 2}]"#;
        assert!(plain_json(twice.as_bytes()).unwrap_err().to_string().contains("has the key \"a\" twice"));
        let deep = "[".repeat(200) + &"]".repeat(200);
        assert!(plain_json(deep.as_bytes()).unwrap_err().to_string().contains("recursion limit"));
    }
}
