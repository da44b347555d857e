use std::collections::HashMap;

use serde::Serialize;
use serde_json::{Map, Value, json};
use utoipa::ToSchema;

use crate::log::{EventData, Moment, Played};

/// A choice that was made otherwise after a correction, when what had followed from it was known.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct ChangedChoice {
    /// The number of the correction that took the choice back.
    pub correction: u32,
    /// The event with the choice as it is now.
    pub seq: u64,
    /// The innings and the over, for an over's choice.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub innings: Option<u16>,
    /// The over.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub over: Option<u16>,
    /// The delivery, for a ball's choice.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub delivery: Option<u32>,
    /// Which choice, e.g. `bowler`; of the toss `caller`, `call` and `to`, and of a review `accept`.
    pub choice: String,
    /// What it was; left out where it was not made.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Value>)]
    pub before: Option<Value>,
    /// What it is now; left out where it is not made.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Value>)]
    pub after: Option<Value>,
}

impl ChangedChoice {
    /// The choice in words: `delivery 5, next_batter: "Ned" -> "Abe"`.
    pub fn told(&self) -> String {
        let place = match (self.delivery, self.innings, self.over) {
            (Some(delivery), ..) => format!("delivery {delivery}"),
            (None, Some(innings), Some(over)) => format!("innings {innings}, over {over}"),
            (None, ..) if matches!(self.choice.as_str(), "caller" | "call" | "to") => "the toss".to_owned(),
            (None, ..) => "the set-up".to_owned(),
        };
        let said = |value: &Option<Value>| value.as_ref().map_or("none".to_owned(), Value::to_string);
        format!("{place}, {}: {} -> {}", self.choice, said(&self.before), said(&self.after))
    }
}

/// What was chosen and taken back, and what of it was chosen otherwise since.
#[derive(Debug, Clone, Default)]
pub struct Rethought {
    /// Choices that are void, but what followed from them is known.
    seen: HashMap<Moment, Seen>,
    changed: Vec<ChangedChoice>,
}

/// Choices that are void, but what followed from them is known.
#[derive(Debug, Clone)]
struct Seen {
    /// By which correction.
    correction: u32,
    choices: Map<String, Value>,
    /// Whether there were to be more of them: the ball had only begun.
    so_far: bool,
}

/// The choices of an event of play.
pub fn chosen(data: &EventData) -> Map<String, Value> {
    match (data, data.played()) {
        (_, Some(Played::SetUp(set_up))) => set_up.choices.clone(),
        (_, Some(Played::Over(over))) => over.choices.clone(),
        (_, Some(Played::Roll(roll))) => roll.choices.clone(),
        (_, Some(Played::Choice(choice))) => choice.choice.clone().unwrap_or_default(),
        (_, Some(Played::Ball(ball))) => ball.choices.clone(),
        (EventData::Toss(toss), None) => {
            Map::from_iter([("caller".to_owned(), json!(toss.caller)), ("call".to_owned(), json!(toss.call))])
        }
        (EventData::TossDecided(decided), None) => Map::from_iter([("to".to_owned(), json!(decided.to))]),
        (EventData::Review(review), None) => {
            Map::from_iter([("accept".to_owned(), json!(review.made().is_none()))])
        }
        (_, None) => Map::new(),
    }
}

impl Rethought {
    /// The choices that were changed.
    pub fn changed(&self) -> &[ChangedChoice] {
        &self.changed
    }

    /// A correction takes events back: what each is about, whether it showed anything, and what was chosen in it.
    pub fn void<'a>(
        &mut self,
        correction: u32,
        voided: impl DoubleEndedIterator<Item = (Moment, bool, Map<String, Value>)> + 'a,
    ) {
        let mut seen = false;
        for (moment, shows, choices) in voided.rev() {
            seen |= shows;
            let chosen = !matches!(moment, Moment::Choice | Moment::Completed | Moment::Abandoned);
            let (moment, so_far) = match moment {
                Moment::Roll { delivery } => (Moment::Ball { delivery }, true),
                moment => (moment, false),
            };
            // The last that is known of a ball has all that was chosen before.
            let has_more = |known: &Seen| so_far && known.correction == correction;
            if self.seen.get(&moment).is_some_and(has_more) {
                continue;
            }
            // What was known once is known, also where it is taken back again before anything is shown.
            if chosen && (seen || self.seen.contains_key(&moment)) {
                self.seen.insert(moment, Seen { correction, choices, so_far });
            }
        }
    }

    /// Whether anything was ever taken back that had been seen.
    pub fn is_waiting(&self) -> bool {
        !self.seen.is_empty()
    }

    /// An event of play follows.
    pub fn note(&mut self, seq: u64, data: &EventData) {
        let Some(moment) = data.moment() else { return };
        let Some(seen) = self.seen.get_mut(&moment) else { return };
        let (correction, after) = (seen.correction, chosen(data));
        let so_far = std::mem::take(&mut seen.so_far);
        let before = std::mem::replace(&mut seen.choices, after.clone());
        let added = after.keys().filter(|name| !so_far && !before.contains_key(*name));
        let names = before.keys().chain(added);
        for name in names.filter(|name| before.get(*name) != after.get(*name)) {
            let (innings, over, delivery) = match moment {
                Moment::Over { innings, over } => (Some(innings), Some(over), None),
                Moment::Roll { delivery } | Moment::Ball { delivery } | Moment::Review { delivery } => {
                    (None, None, Some(delivery))
                }
                Moment::SetUp
                | Moment::Toss
                | Moment::TossDecided
                | Moment::Choice
                | Moment::Completed
                | Moment::Abandoned => (None, None, None),
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
        let (ball, rolled) = (Moment::Ball { delivery: 4 }, Moment::Roll { delivery: 4 });
        let bare = choices(json!({"stroke": "cut"}));
        let full = choices(json!({"stroke": "cut", "run": false}));
        let mut rethought = Rethought::default();
        rethought.void(1, [(rolled, true, bare.clone()), (ball, true, full.clone())].into_iter());
        assert_eq!(rethought.seen[&ball].choices, full);
        assert!(!rethought.seen[&ball].so_far);
        let mut rethought = Rethought::default();
        rethought.void(1, [(rolled, true, Map::new()), (rolled, true, bare.clone())].into_iter());
        assert_eq!(rethought.seen[&ball].choices, bare);
        assert!(rethought.seen[&ball].so_far);
        rethought.note(9, &roll(json!({"stroke": "pull"})));
        assert_eq!(rethought.changed(), [], "the ball says what was chosen in the end");
    }
}
