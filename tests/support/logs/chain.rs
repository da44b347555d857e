//! The chain of hashes as the log's specification defines it, by libraries that the program does not use.

use serde_json::Value;
use sha2::{Digest, Sha256};

/// Lower-case hexadecimal SHA-256.
pub fn sha256(bytes: impl AsRef<[u8]>) -> String {
    hex::encode(Sha256::digest(bytes))
}

/// The RFC 8785 form of a value.
pub fn canonical(value: &Value) -> String {
    serde_json_canonicalizer::to_string(value).expect("events can be canonicalized")
}

/// An event without its member `hash`.
pub fn without_hash(event: &Value) -> Value {
    let mut members = event.as_object().expect("an event is an object").clone();
    members.remove("hash");
    Value::Object(members)
}

/// The hash of an event, from its members without `hash`.
pub fn hash_of(event: &Value) -> String {
    sha256(canonical(&without_hash(event)))
}

/// Asserts that these are the events of one match from the first on, without a gap and chained.
#[track_caller]
pub fn chained(events: &[Value]) {
    let mut before = String::new();
    for (due, event) in (1..).zip(events) {
        assert_eq!(event["seq"], due, "there is a gap, or an event stands there twice");
        assert_eq!(event["match"], events[0]["match"], "event {due} is of another match");
        assert_eq!(event["prev"], before.as_str(), "event {due} does not follow the one before it");
        assert_eq!(event["hash"], hash_of(event), "event {due} is not what was hashed");
        before = event["hash"].as_str().expect("a hash is text").to_owned();
    }
}
