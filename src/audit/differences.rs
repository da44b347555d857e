use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

/// A field in which the log and the expectation differ.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
#[schema(as = Difference)]
pub struct FieldDifference {
    /// The path of the field, e.g. `outcome.runs.batter`.
    pub field: String,
    /// The value in the log; left out where the log has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Value>)]
    pub recorded: Option<Value>,
    /// The value by the rules, the seed or the chain; left out where there should be none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Value>)]
    pub expected: Option<Value>,
}

/// Lists the fields in which two values differ. A missing field differs from null.
pub(super) fn compare(
    field: &str,
    recorded: Option<&Value>,
    expected: Option<&Value>,
    differences: &mut Vec<FieldDifference>,
) {
    match (recorded, expected) {
        (Some(Value::Object(left)), Some(Value::Object(right))) => {
            let added = right.keys().filter(|key| !left.contains_key(*key));
            for key in left.keys().chain(added) {
                let inner = if field.is_empty() { key.clone() } else { format!("{field}.{key}") };
                compare(&inner, left.get(key), right.get(key), differences);
            }
        }
        _ if recorded != expected => differences.push(FieldDifference {
            field: field.to_owned(),
            recorded: recorded.cloned(),
            expected: expected.cloned(),
        }),
        _ => {}
    }
}
