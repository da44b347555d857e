//! Tests of the reader of editions, each on the built-in edition with something changed.

mod built_in;
mod language;
mod refused;
mod unbroken;

use serde_json::Value;

use super::read;
use crate::games::cricket_the_game::edition::BUILT_IN;
use crate::rules::EditionFault;

fn built_in_edition() -> Value {
    serde_json::from_str(BUILT_IN).expect("the built-in edition is JSON")
}

/// The mistakes of a value, each as `path: reason`.
fn faults(value: &Value) -> Vec<String> {
    let found = |EditionFault { path, reason }| format!("{path}: {reason}");
    read(value).err().unwrap_or_default().into_iter().map(found).collect()
}
