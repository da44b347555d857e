//! Properties of the reader of editions: whatever it is given, it reads an edition or lists some mistakes.

use proptest::prelude::*;
use serde_json::{Map, Value, json};

use super::built_in_edition;
use crate::games::cricket_the_game::edition::read::read;
use crate::rules::EditionFault;

/// A strategy for any JSON of limited size.
fn any_json() -> impl Strategy<Value = Value> {
    let words = ["", "pace", "bye", "bye.1", "cut.9", "d8", "no_ball", "miss", "runs", "t10", "é\u{202e}"];
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        (-5i64..10).prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<f64>().prop_map(|n| json!(n)),
        prop::sample::select(words.to_vec()).prop_map(Value::from),
        ".{0,60}".prop_map(Value::from),
    ];
    let key =
        prop::sample::select(vec!["then", "when", "runs", "out", "so_far", "appeal", "id", "effects", "x"]);
    leaf.prop_recursive(4, 40, 8, move |inner| {
        let field = (key.clone().prop_map(str::to_owned), inner.clone());
        prop_oneof![
            prop::collection::vec(inner, 0..8).prop_map(Value::from),
            prop::collection::vec(field, 0..8).prop_map(|fields| Value::Object(Map::from_iter(fields))),
        ]
    })
}

/// Goes down from a value by some steps, and returns the value there.
fn descend<'v>(value: &'v mut Value, steps: &[usize]) -> &'v mut Value {
    let Some((step, rest)) = steps.split_first() else { return value };
    let many = match value {
        Value::Array(items) => items.len(),
        Value::Object(fields) => fields.len(),
        _ => 0,
    };
    if many == 0 {
        return value;
    }
    let below = match value {
        Value::Array(items) => items.get_mut(step % many),
        Value::Object(fields) => fields.values_mut().nth(step % many),
        _ => None,
    };
    descend(below.expect("there are so many"), rest)
}

/// Replaces the value, removes an item or a field, or repeats an item.
fn mutate(spot: &mut Value, way: u8, other: Value) {
    match (way % 4, spot) {
        (0, Value::Array(items)) if !items.is_empty() => drop(items.remove(0)),
        (1, Value::Array(items)) if !items.is_empty() => items.push(items[0].clone()),
        (0, Value::Object(fields)) if !fields.is_empty() => {
            let first = fields.keys().next().cloned().unwrap_or_default();
            fields.remove(&first);
        }
        (1, Value::Object(fields)) => drop(fields.insert("more".to_owned(), other)),
        (_, spot) => *spot = other,
    }
}

/// Checks that refused values have mistakes, and not too many of them.
fn check_faults(read: Result<impl Sized, Vec<EditionFault>>) -> Result<(), TestCaseError> {
    if let Err(faults) = read {
        prop_assert!((1..=101).contains(&faults.len()));
        prop_assert!(faults.iter().all(|fault| !fault.reason.is_empty() && fault.reason.len() < 1_000));
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn the_built_in_edition_with_anything_changed_is_read_or_refused(
        changes in prop::collection::vec((prop::collection::vec(any::<usize>(), 1..8), any::<u8>(), any_json()), 1..6),
    ) {
        let mut edition = built_in_edition();
        for (steps, way, other) in changes {
            mutate(descend(&mut edition, &steps), way, other);
        }
        check_faults(read(&edition))?;
    }

    #[test]
    fn anything_at_all_is_refused(value in any_json()) {
        prop_assert!(read(&value).is_err());
        check_faults(read(&value))?;
    }
}
