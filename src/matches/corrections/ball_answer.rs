//! What a request says of a ball that a refit asks about: the parts of an answer, and their places in it.

use serde_json::json;

use crate::matches::Match;
use crate::rules::{AskedStep, Choices, Place, Refusal, RefusalKind};

/// What a request says of a ball that a refit asks about.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct BallAnswer {
    /// The choices that are asked for the over which the ball begins.
    pub over: Choices,
    /// The choices that are asked for the ball.
    pub choices: Choices,
    /// The dice that are asked for the ball, after those that it keeps, in the order rolled.
    pub dice: Vec<i64>,
}

impl BallAnswer {
    /// The answer with names as the match has recorded them.
    pub fn with_recorded_names(&self, the_match: &Match) -> BallAnswer {
        BallAnswer {
            over: the_match.with_recorded_names(&self.over),
            choices: the_match.with_recorded_names(&self.choices),
            dice: self.dice.clone(),
        }
    }

    /// Writes its choices as a request does: what is empty is left out.
    pub(super) fn write_choices(&self, members: &mut Choices) {
        for (name, choices) in [("over", &self.over), ("choices", &self.choices)] {
            if !choices.is_empty() {
                members.insert(name.to_owned(), json!(choices));
            }
        }
    }
}

/// The refusal of an answer, with its place in the request.
pub(super) fn refusal(place: &str, message: String) -> Refusal {
    Refusal::new(RefusalKind::IllegalInput, Place::Field(place.to_owned()), message)
}

/// The place in the request of what is refused of a step, whose answer is this member, after so many dice
/// that are kept.
pub(super) fn within(answer: &str, place: &Place, step: AskedStep, kept: usize) -> Place {
    Place::Field(match place {
        Place::Die(die) => format!("{answer}.dice[{}]", die.saturating_sub(kept)),
        Place::Choice(name) if step == AskedStep::Over => format!("{answer}.over.{name}"),
        Place::Choice(name) => format!("{answer}.choices.{name}"),
        Place::Field(_) | Place::Input => answer.to_owned(),
    })
}
