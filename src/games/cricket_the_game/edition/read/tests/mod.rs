//! Tests of reading editions, each on the house edition with something in it changed.

mod house;
mod language;
mod refused;
mod unbroken;

use serde_json::Value;

use super::read;
use crate::games::cricket_the_game::edition::BUILT_IN;
use crate::rules::EditionFault;

fn house() -> Value {
    serde_json::from_str(BUILT_IN).expect("the house edition is JSON")
}

/// The mistakes of a value, as `place: what is said`.
fn faults(value: &Value) -> Vec<String> {
    let told = |EditionFault { path, reason }| format!("{path}: {reason}");
    read(value).err().unwrap_or_default().into_iter().map(told).collect()
}
