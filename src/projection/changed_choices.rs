//! Choices that a correction changed when their outcome was already known. A correction is no way to choose
//! with hindsight in secret: cards and audits list these choices, and beside them the values that were read
//! off the table anew.

use std::collections::HashMap;

use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use super::places::DeliveryPlaces;
use super::seen_choice::SeenChoice;
use crate::log::{DeliveryPlace, LiveEvent, Subject, delivery_words};
use crate::matches::{MadeChoice, MadeChoices};

/// A choice that differs after a correction from the one before it, made when the outcome of the earlier one
/// was known; or a value that was read off the table, and read anew after a correction.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct ChangedChoice {
    /// The number of the last correction that took back what the choice belongs to.
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
    /// The place of that delivery.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<DeliveryPlace>,
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
    /// Of a field the places that differ, before and after, for the text.
    #[serde(skip)]
    moved: Option<Box<(Value, Value)>>,
}

impl ChangedChoice {
    /// The choice in words: `delivery 5 (innings 1, 0.5), next_batter: "Ned" -> "Abe"`. Of a field it has
    /// only what moved.
    pub fn text(&self) -> String {
        let place = match (self.delivery, self.innings, self.over) {
            (Some(delivery), ..) => delivery_words(delivery, self.place.as_ref()),
            (None, Some(innings), Some(over)) => format!("innings {innings}, over {over}"),
            (None, ..) if matches!(self.choice.as_str(), "caller" | "call" | "to") => "the toss".to_owned(),
            (None, ..) => "the set-up".to_owned(),
        };
        let value_text = |value: &Option<Value>| value.as_ref().map_or("none".to_owned(), Value::to_string);
        let [before, after] = match &self.moved {
            Some(moved) => [moved.0.to_string(), moved.1.to_string()],
            None => [value_text(&self.before), value_text(&self.after)],
        };
        format!("{place}, {}: {before} -> {after}", self.choice)
    }
}

/// The record of void choices whose outcome is known, and of those that differ since.
#[derive(Debug, Clone, Default)]
pub struct ChoiceChanges {
    /// The void choices whose outcome is known, by their subject.
    seen: HashMap<Subject, SeenChoices>,
    changed: Vec<ChangedChoice>,
    read_anew: Vec<ChangedChoice>,
}

/// The void choices of a subject, whose outcome is known.
#[derive(Debug, Clone)]
struct SeenChoices {
    /// The number of the last correction that voided them.
    correction: u32,
    choices: Vec<SeenChoice>,
    /// Whether the ball had only begun each time, so that more choices were to come.
    so_far: bool,
    /// The choices that stand instead. They count once their own outcome is known.
    now: Option<NewChoices>,
}

/// The choices that stand instead of void ones.
#[derive(Debug, Clone)]
struct NewChoices {
    choices: MadeChoices,
    /// Whether the ball has only begun, so that more choices are to come.
    so_far: bool,
}

impl ChoiceChanges {
    /// The choices that were changed.
    pub fn changed(&self) -> &[ChangedChoice] {
        &self.changed
    }

    /// The values that were read off the table anew, like dice, and differ.
    pub fn read_anew(&self) -> &[ChangedChoice] {
        &self.read_anew
    }

    /// Records the events that a correction voids, in order, each with its choices.
    pub fn void(&mut self, correction: u32, voided: Vec<LiveEvent<MadeChoices>>) {
        let mut seen = false;
        for LiveEvent { seq, subject, shows, kept: choices } in voided.into_iter().rev() {
            // A card or a cube that was read off the table has been seen like a die.
            seen |= shows || choices.iter().any(MadeChoice::was_read);
            let chosen = !matches!(subject, Subject::Choice | Subject::Completed | Subject::Abandoned);
            let (subject, so_far) = whole(subject);
            // Of a ball its last void event comes first here, which has all choices so far.
            match self.seen.get_mut(&subject) {
                Some(known) => match known.now.take() {
                    Some(now) if seen => known.see(correction, now),
                    Some(_) => self.forget(seq),
                    None => {}
                },
                None if chosen && seen => {
                    let mut first = SeenChoices { correction, choices: Vec::new(), so_far: true, now: None };
                    first.see(correction, NewChoices { choices, so_far });
                    self.seen.insert(subject, first);
                }
                None => {}
            }
        }
    }

    /// Forgets the changes of an event that is void before it had an outcome: nobody has seen what it brings.
    fn forget(&mut self, seq: u64) {
        for list in [&mut self.changed, &mut self.read_anew] {
            list.retain(|change| change.seq != seq);
        }
    }

    /// Whether choices with a known outcome are recorded for a subject, so that its next ones are compared
    /// with them.
    pub fn has_seen(&self, subject: Subject) -> bool {
        self.seen.contains_key(&whole(subject).0)
    }

    /// Whether no void choices are recorded.
    pub fn is_empty(&self) -> bool {
        self.seen.is_empty()
    }

    /// Keeps the choices of an event that follows from those recorded under a key, and changes none.
    pub fn keep(&mut self, key: Subject, now: MadeChoices) {
        let (key, so_far) = whole(key);
        if let Some(seen) = self.seen.get_mut(&key) {
            seen.now = Some(NewChoices { choices: now, so_far });
        }
    }

    /// Compares the choices of an event of play with those recorded under a key, which is its subject where
    /// no number has moved. `places` are those after the event.
    pub fn note(
        &mut self,
        (seq, subject): (u64, Subject),
        key: Subject,
        now: MadeChoices,
        places: &DeliveryPlaces,
    ) {
        let (subject, so_far) = whole(subject);
        let Some(seen) = self.seen.get_mut(&whole(key).0) else { return };
        // A ball was compared before when it began.
        let begun = seen.now.take().map(|begun| begun.choices).unwrap_or_default();
        for choice in now.iter().filter(|choice| begun.get(&choice.name).is_none()) {
            if let Some(then) = seen.changed_by(choice) {
                let list = if choice.is_read { &mut self.read_anew } else { &mut self.changed };
                list.push(changed_choice((seen.correction, seq, subject), places, then, choice));
            }
        }
        seen.now = Some(NewChoices { choices: now.or(&begun), so_far });
    }
}

impl SeenChoices {
    /// The choice before, where this choice is a change of mind; a choice that could not be made before has
    /// none.
    fn changed_by(&self, now: &MadeChoice) -> Option<Option<&MadeChoice>> {
        match self.choices.iter().find(|seen| seen.is_of(now)) {
            Some(seen) => seen.changed_by(now).map(Some),
            // Of a ball that had only begun the other choices were still to come.
            None => (!self.so_far && now.is_against_default()).then_some(None),
        }
    }

    /// Records choices whose outcome is known, void by this correction.
    fn see(&mut self, correction: u32, now: NewChoices) {
        self.correction = correction;
        self.so_far &= now.so_far;
        for choice in now.choices {
            match self.choices.iter_mut().find(|seen| seen.is_of(&choice)) {
                Some(seen) => seen.see(choice),
                None => self.choices.push(SeenChoice::first(choice)),
            }
        }
    }
}

/// The subject under which an event's choices are recorded, and whether they are only those so far: a roll
/// has the choices with which its ball begins.
fn whole(subject: Subject) -> (Subject, bool) {
    match subject {
        Subject::Roll { delivery } => (Subject::Ball { delivery }, true),
        subject => (subject, false),
    }
}

fn changed_choice(
    (correction, seq, subject): (u32, u64, Subject),
    places: &DeliveryPlaces,
    then: Option<&MadeChoice>,
    now: &MadeChoice,
) -> ChangedChoice {
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
    ChangedChoice {
        correction,
        seq,
        innings,
        over,
        delivery,
        place: delivery.and_then(|delivery| places.place_of_begun(delivery)),
        choice: now.name.to_string(),
        before: then.and_then(|then| then.given.clone()),
        after: now.given.clone(),
        moved: then.filter(|_| now.name == "field").and_then(|then| moved(then.value()?, now.value()?)),
    }
}

/// The part of a field that moved, before and after; none for a value in another form.
fn moved(before: &Value, after: &Value) -> Option<Box<(Value, Value)>> {
    match (before, after) {
        (Value::Object(before), Value::Object(after)) => {
            let differs = |(name, _): &(&String, &Value)| before.get(*name) != after.get(*name);
            let pick = |all: &serde_json::Map<String, Value>| {
                all.iter().filter(differs).map(|(name, value)| (name.clone(), value.clone())).collect()
            };
            Some(Box::new((Value::Object(pick(before)), Value::Object(pick(after)))))
        }
        (Value::Array(before), Value::Array(after)) if before.len() == after.len() => {
            let pairs = before.iter().zip(after).filter(|(before, after)| before != after);
            let (before, after): (Vec<Value>, Vec<Value>) =
                pairs.map(|(before, after)| (before.clone(), after.clone())).unzip();
            Some(Box::new((before.into(), after.into())))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::rules::ChoiceOffers;
    use crate::rules::reading::object;

    const BALL: Subject = Subject::Ball { delivery: 4 };
    const ROLL: Subject = Subject::Roll { delivery: 4 };

    /// The choices of a ball that offers a stroke, by default a drive.
    fn made(given: Value) -> MadeChoices {
        MadeChoices::of_offers(ChoiceOffers::default().with("stroke", json!("drive")), object(given))
    }

    fn voided(events: Vec<(Subject, MadeChoices)>) -> ChoiceChanges {
        let live = |(subject, kept)| LiveEvent { seq: 1, subject, shows: true, kept };
        let mut choice_changes = ChoiceChanges::default();
        choice_changes.void(1, events.into_iter().map(live).collect());
        choice_changes
    }

    #[test]
    fn a_voided_ball_is_compared_by_its_last_event() {
        let (bare, full) = (|| made(json!({})), || made(json!({"stroke": "cut"})));
        for voided_events in [vec![(ROLL, bare()), (BALL, full())], vec![(ROLL, bare()), (ROLL, full())]] {
            let mut choice_changes = voided(voided_events);
            choice_changes.note((8, BALL), BALL, made(json!({"stroke": "pull"})), &DeliveryPlaces::default());
            let before: Vec<_> = choice_changes.changed().iter().map(|one| one.before.clone()).collect();
            assert_eq!(before, [Some(json!("cut"))]);
        }
    }

    #[test]
    fn a_ball_that_begins_anew_is_compared_at_once_and_keeps_the_choices_that_are_still_to_come() {
        let of = |choices: Value| {
            let offers = ChoiceOffers::default().with("stroke", json!("drive"));
            let asked = choices.get("run").map(|_| Value::Null);
            let offers = asked.into_iter().fold(offers, |offers, none| offers.with("run", none));
            MadeChoices::of_offers(offers, object(choices))
        };
        let mut choice_changes = voided(vec![(BALL, of(json!({"stroke": "cut", "run": 2})))]);
        let places = DeliveryPlaces::default();
        let texts = |choice_changes: &ChoiceChanges| -> Vec<String> {
            let changed = choice_changes.changed().iter();
            changed.map(|one| format!("{} {} {:?}", one.correction, one.seq, one.choice)).collect()
        };
        choice_changes.note((8, ROLL), ROLL, of(json!({"stroke": "pull"})), &places);
        assert_eq!(texts(&choice_changes), ["1 8 \"stroke\""]);
        choice_changes.void(2, vec![LiveEvent { seq: 8, subject: ROLL, shows: true, kept: of(json!({})) }]);
        choice_changes.note((11, BALL), BALL, of(json!({"stroke": "pull", "run": 1})), &places);
        assert_eq!(texts(&choice_changes)[1..], ["2 11 \"run\""]);
    }

    #[test]
    fn a_choice_that_a_begun_ball_had_not_reached_is_not_compared() {
        let cut = || made(json!({"stroke": "cut"}));
        for (subject, changes) in [(ROLL, 0), (BALL, 1)] {
            let mut choice_changes = voided(vec![(subject, MadeChoices::default())]);
            choice_changes.note((9, BALL), BALL, cut(), &DeliveryPlaces::default());
            assert_eq!(choice_changes.changed().len(), changes, "{subject:?}");
        }
    }
}
