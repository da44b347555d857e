//! Names in a request, as the match has recorded them. Unicode writes one name in several ways, and an old
//! log may have another than the request.

use serde_json::Value;

use super::Match;
use crate::log::{AgreedOutcome, is_same_name};
use crate::rules::Choices;

impl Match {
    /// Choices with every name of a player or a side in the form of the log. Two forms of one name stay as
    /// they are: the game refuses one of them.
    pub fn with_recorded_names(&self, choices: &Choices) -> Choices {
        let named = |(name, value): (&String, &Value)| (self.recorded(name), self.recorded_value(value));
        let recorded: Choices = choices.iter().map(named).collect();
        if recorded.len() < choices.len() { choices.clone() } else { recorded }
    }

    /// An agreed outcome with every name in the form of the log.
    pub fn agreed_with_recorded_names(&self, agreed: &AgreedOutcome) -> AgreedOutcome {
        let AgreedOutcome { outcome, faces, reason } = agreed;
        AgreedOutcome {
            outcome: self.with_recorded_names(outcome),
            faces: faces.as_deref().map(|name| self.recorded(name)),
            reason: reason.clone(),
        }
    }

    fn recorded_value(&self, value: &Value) -> Value {
        match value {
            Value::String(text) => Value::String(self.recorded(text)),
            Value::Array(items) => items.iter().map(|item| self.recorded_value(item)).collect(),
            Value::Object(members) => Value::Object(self.with_recorded_names(members)),
            Value::Null | Value::Bool(_) | Value::Number(_) => value.clone(),
        }
    }

    /// The recorded name that a text is; the text itself where it is none. ASCII has one form, and what a
    /// game calls its choices is ASCII.
    fn recorded(&self, text: &str) -> String {
        if text.is_ascii() {
            return text.to_owned();
        }
        let created = &self.play().info().created;
        let names = || {
            [&created.home, &created.away]
                .into_iter()
                .flat_map(|sheet| sheet.players.iter().chain([&sheet.name]))
        };
        let recorded = match names().any(|name| name == text) {
            true => None,
            false => names().find(|name| is_same_name(name, text)),
        };
        recorded.map_or(text, String::as_str).to_owned()
    }
}
