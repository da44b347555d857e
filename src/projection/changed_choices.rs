//! Choices that a correction changed when their outcome was already known. A correction is no way to choose
//! with hindsight in secret: cards and audits list these choices.

use std::collections::HashMap;

use serde::Serialize;
use serde_json::{Map, Value};
use utoipa::ToSchema;

use crate::log::{EventData, Subject};

/// A choice that differs after a correction from the one before it, made when the outcome of the earlier one
/// was known.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct ChangedChoice {
    /// The number of the correction that voided the earlier choice.
    pub correction: u32,
    /// The event with the choice as it is now.
    pub seq: u64,
    /// The number of the innings, for an over's choice.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub innings: Option<u16>,
    /// The number of the over, for an over's choice.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub over: Option<u16>,
    /// The number of the delivery, for a ball's choice.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub delivery: Option<u32>,
    /// The name of the choice, e.g. `bowler`; for the toss `caller`, `call` and `to`, and for a review
    /// `accept`.
    pub choice: String,
    /// The choice before the correction; left out where none was made.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Value>)]
    pub before: Option<Value>,
    /// The choice now; left out where none is made.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Value>)]
    pub after: Option<Value>,
}

impl ChangedChoice {
    /// The choice in words: `delivery 5, next_batter: "Ned" -> "Abe"`.
    pub fn text(&self) -> String {
        let place = match (self.delivery, self.innings, self.over) {
            (Some(delivery), ..) => format!("delivery {delivery}"),
            (None, Some(innings), Some(over)) => format!("innings {innings}, over {over}"),
            (None, ..) if matches!(self.choice.as_str(), "caller" | "call" | "to") => "the toss".to_owned(),
            (None, ..) => "the set-up".to_owned(),
        };
        let value_text = |value: &Option<Value>| value.as_ref().map_or("none".to_owned(), Value::to_string);
        format!("{place}, {}: {} -> {}", self.choice, value_text(&self.before), value_text(&self.after))
    }
}

/// The record of void choices whose outcome is known, and of those that were changed since.
#[derive(Debug, Clone, Default)]
pub struct ChoiceChanges {
    /// The void choices whose outcome is known, by their subject.
    seen: HashMap<Subject, SeenChoices>,
    changed: Vec<ChangedChoice>,
}

/// The void choices of a subject, whose outcome is known.
#[derive(Debug, Clone)]
struct SeenChoices {
    /// The number of the correction that voided them.
    correction: u32,
    choices: Map<String, Value>,
    /// Whether the ball had only begun, so that more choices were to come.
    so_far: bool,
}

impl ChoiceChanges {
    /// The choices that were changed.
    pub fn changed(&self) -> &[ChangedChoice] {
        &self.changed
    }

    /// Records the events that a correction voids, each with its subject, whether it showed a result, and its
    /// choices.
    pub fn void<'a>(
        &mut self,
        correction: u32,
        voided: impl DoubleEndedIterator<Item = (Subject, bool, Map<String, Value>)> + 'a,
    ) {
        let mut seen = false;
        for (subject, shows, choices) in voided.rev() {
            seen |= shows;
            let chosen = !matches!(subject, Subject::Choice | Subject::Completed | Subject::Abandoned);
            let (subject, so_far) = match subject {
                Subject::Roll { delivery } => (Subject::Ball { delivery }, true),
                subject => (subject, false),
            };
            // The last void event of a ball has all choices of the ball so far.
            let has_more = |known: &SeenChoices| so_far && known.correction == correction;
            if self.seen.get(&subject).is_some_and(has_more) {
                continue;
            }
            // An outcome that was known once stays known, even if its subject is voided again before it shows
            // anything.
            if chosen && (seen || self.seen.contains_key(&subject)) {
                self.seen.insert(subject, SeenChoices { correction, choices, so_far });
            }
        }
    }

    /// Whether any voided choice with a known outcome is recorded.
    pub fn is_waiting(&self) -> bool {
        !self.seen.is_empty()
    }

    /// Compares the choices of an event of play with the recorded ones.
    pub fn note(&mut self, seq: u64, data: &EventData) {
        let Some(subject) = data.subject() else { return };
        let Some(seen) = self.seen.get_mut(&subject) else { return };
        let (correction, after) = (seen.correction, data.chosen());
        let so_far = std::mem::take(&mut seen.so_far);
        let before = std::mem::replace(&mut seen.choices, after.clone());
        let added = after.keys().filter(|name| !so_far && !before.contains_key(*name));
        let names = before.keys().chain(added);
        for name in names.filter(|name| before.get(*name) != after.get(*name)) {
            let (innings, over, delivery) = match subject {
                Subject::Over { innings, over } => (Some(innings), Some(over), None),
                Subject::Roll { delivery } | Subject::Ball { delivery } | Subject::Review { delivery } => {
                    (None, None, Some(delivery))
                }
                Subject::SetUp
                | Subject::Toss
                | Subject::TossDecided
                | Subject::Choice
                | Subject::Completed
                | Subject::Abandoned => (None, None, None),
            };
            self.changed.push(ChangedChoice {
                correction,
                seq,
                innings,
                over,
                delivery,
                choice: name.clone(),
                before: before.get(name).cloned(),
                after: after.get(name).cloned(),
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::log::Roll;

    fn choices(plain: Value) -> Map<String, Value> {
        plain.as_object().cloned().unwrap_or_default()
    }

    fn roll(plain: Value) -> EventData {
        let choices = choices(plain);
        EventData::Roll(Roll { delivery: 4, choices, dice: Vec::new(), reveals: Vec::new() })
    }

    #[test]
    fn of_a_ball_and_its_rolls_the_last_that_was_chosen_is_known() {
        let (ball, rolled) = (Subject::Ball { delivery: 4 }, Subject::Roll { delivery: 4 });
        let bare = choices(json!({"stroke": "cut"}));
        let full = choices(json!({"stroke": "cut", "run": false}));
        let mut choice_changes = ChoiceChanges::default();
        choice_changes.void(1, [(rolled, true, bare.clone()), (ball, true, full.clone())].into_iter());
        assert_eq!(choice_changes.seen[&ball].choices, full);
        assert!(!choice_changes.seen[&ball].so_far);
        let mut choice_changes = ChoiceChanges::default();
        choice_changes.void(1, [(rolled, true, Map::new()), (rolled, true, bare.clone())].into_iter());
        assert_eq!(choice_changes.seen[&ball].choices, bare);
        assert!(choice_changes.seen[&ball].so_far);
        choice_changes.note(9, &roll(json!({"stroke": "pull"})));
        assert_eq!(choice_changes.changed(), [], "the ball says what was chosen in the end");
    }
}
