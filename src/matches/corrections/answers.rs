use super::ball_answer::refusal;
use super::later::LaterAnswer;
use super::missing::MissingBall;
use crate::rules::Refusal;

/// The most answers that a correction takes. With more, the later balls are quicker typed again.
pub const MOST_ANSWERS: usize = 100;

/// The answers to what a refit asks anew.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct RefitAnswers {
    /// Those of later deliveries.
    pub later: Vec<LaterAnswer>,
    /// Those of innings that go on past their last ball, in order.
    pub missing: Vec<MissingBall>,
}

impl RefitAnswers {
    /// Whether nothing is answered.
    pub fn is_empty(&self) -> bool {
        self.later.is_empty() && self.missing.is_empty()
    }

    /// Refuses more answers than are taken.
    pub(super) fn refuse_many(&self) -> Result<(), Refusal> {
        let given = self.later.len() + self.missing.len();
        if given <= MOST_ANSWERS {
            return Ok(());
        }
        let message = format!(
            "there are {given} answers, and at most {MOST_ANSWERS} are taken; take back the play from the first of them, and type it again"
        );
        Err(refusal(if self.later.is_empty() { "missing" } else { "later" }, message))
    }
}
