use serde_json::{Value, json};

use crate::rules::{Choices, Place, Refusal};

/// A ball that was missed when the match was recorded.
#[derive(Debug, Clone, PartialEq)]
pub struct Insertion {
    /// The number of the delivery in whose place the ball comes.
    pub before: u32,
    /// The choices of the over, where the ball is its first one and these change.
    pub over: Option<Choices>,
    /// The choices of the ball.
    pub choices: Choices,
    /// The values of its dice, in the order rolled.
    pub dice: Vec<i64>,
}

impl Insertion {
    /// The ball as a request has it.
    pub fn to_value(&self) -> Value {
        let Insertion { before, over, choices, dice } = self;
        let mut members = json!({"before": before, "choices": choices, "dice": dice});
        if let (Some(over), Some(members)) = (over, members.as_object_mut()) {
            members.insert("over".to_owned(), json!(over));
        }
        members
    }
}

/// The refusal of a ball that is put in, with its place in the request.
pub(super) fn within_inserts(refusal: Refusal) -> Refusal {
    let place = match &refusal.place {
        Place::Die(die) => format!("inserts.dice[{die}]"),
        Place::Choice(name) => format!("inserts.choices.{name}"),
        Place::Field(field) => format!("inserts.{field}"),
        Place::Input => "inserts".to_owned(),
    };
    Refusal { place: Place::Field(place), ..refusal }
}
