//! The canonical form of a JSON tree, written by RFC 8785.

use std::cmp::Ordering;

use serde_json::{Map, Value};

/// A value that has no canonical form, and so cannot be in a hashed event.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotCanonical {
    /// A float; hashed events hold none.
    #[error("{0} is not an integer; hashed events hold no floats")]
    Float(String),
    /// An integer that other JSON readers would round.
    #[error("{0} is beyond 2^53; such values are written as strings")]
    TooLarge(String),
}

pub(super) const LARGEST: u64 = 1 << 53;

/// The RFC 8785 (JCS) form of a value without floats or integers beyond 2^53: no blanks, keys in the order of
/// their UTF-16 code units, shortest escapes. Within those limits any JCS implementation writes equal bytes
/// (a test compares with one). General libraries round larger integers silently, so they are refused.
pub fn canonical(value: &Value) -> Result<String, NotCanonical> {
    let mut out = String::with_capacity(1024);
    write(value, &mut out)?;
    Ok(out)
}

fn write(value: &Value, out: &mut String) -> Result<(), NotCanonical> {
    match value {
        Value::Null => out.push_str("null"),
        Value::Bool(true) => out.push_str("true"),
        Value::Bool(false) => out.push_str("false"),
        Value::Number(number) => {
            let magnitude = number.as_u64().or_else(|| number.as_i64().map(i64::unsigned_abs));
            match magnitude {
                None => return Err(NotCanonical::Float(number.to_string())),
                Some(n) if n > LARGEST => return Err(NotCanonical::TooLarge(number.to_string())),
                Some(_) => out.push_str(&number.to_string()),
            }
        }
        Value::String(text) => write_string(text, out),
        Value::Array(items) => {
            out.push('[');
            for (i, item) in items.iter().enumerate() {
                if i > 0 {
                    out.push(',');
                }
                write(item, out)?;
            }
            out.push(']');
        }
        Value::Object(members) => write_members(members, out)?,
    }
    Ok(())
}

pub(super) fn write_members(members: &Map<String, Value>, out: &mut String) -> Result<(), NotCanonical> {
    let mut sorted: Vec<(&String, &Value)> = members.iter().collect();
    sorted.sort_unstable_by(|(a, _), (b, _)| by_utf16(a, b));
    out.push('{');
    for (i, (key, member)) in sorted.into_iter().enumerate() {
        if i > 0 {
            out.push(',');
        }
        write_string(key, out);
        out.push(':');
        write(member, out)?;
    }
    out.push('}');
    Ok(())
}

/// The canonical order of keys, by their UTF-16 code units.
pub(super) fn by_utf16(a: &str, b: &str) -> Ordering {
    a.encode_utf16().cmp(b.encode_utf16())
}

pub(crate) fn write_string(text: &str, out: &mut String) {
    out.push('"');
    let mut plain_from = 0;
    for (i, byte) in text.bytes().enumerate() {
        if byte >= 0x20 && byte != b'"' && byte != b'\\' {
            continue;
        }
        out.push_str(&text[plain_from..i]);
        plain_from = i + 1;
        match byte {
            b'"' => out.push_str("\\\""),
            b'\\' => out.push_str("\\\\"),
            0x08 => out.push_str("\\b"),
            0x09 => out.push_str("\\t"),
            0x0a => out.push_str("\\n"),
            0x0c => out.push_str("\\f"),
            0x0d => out.push_str("\\r"),
            control => out.push_str(&format!("\\u{control:04x}")),
        }
    }
    out.push_str(&text[plain_from..]);
    out.push('"');
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    fn hashable() -> impl Strategy<Value = Value> {
        let key = prop_oneof!["[a-z_]{0,6}", "\\PC{0,4}", any::<String>()];
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            (-(1i64 << 53)..=1 << 53).prop_map(Value::from),
            any::<String>().prop_map(Value::from),
        ];
        leaf.prop_recursive(4, 40, 6, move |inner| {
            prop_oneof![
                proptest::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
                proptest::collection::btree_map(key.clone(), inner, 0..6)
                    .prop_map(|members| Value::Object(members.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn the_form_is_what_an_independent_jcs_library_writes(value in hashable()) {
            prop_assert_eq!(canonical(&value).unwrap(), serde_json_canonicalizer::to_string(&value).unwrap());
        }
    }

    #[test]
    fn keys_are_sorted_by_utf16_code_units() {
        let value = json!({"\u{fb33}": 1, "\u{1f600}": 2, "\r": 3, "1": 4});
        assert_eq!(canonical(&value).unwrap(), "{\"\\r\":3,\"1\":4,\"\u{1f600}\":2,\"\u{fb33}\":1}");
    }

    #[test]
    fn floats_and_integers_that_others_would_round_are_refused() {
        for value in [json!(1.5), json!(1.0), json!(1e300)] {
            assert!(matches!(canonical(&value), Err(NotCanonical::Float(_))), "{value}");
        }
        for value in [json!((1u64 << 53) + 1), json!(u64::MAX), json!(i64::MIN)] {
            assert!(matches!(canonical(&value), Err(NotCanonical::TooLarge(_))), "{value}");
        }
        assert_eq!(canonical(&json!(-(1i64 << 53))).unwrap(), "-9007199254740992");
    }
}
