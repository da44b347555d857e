//! The balls that an innings misses which goes on past its last recorded ball, asked one at a time: what each
//! was, that nobody knows, or that the innings ended there.

use serde_json::{Value, json};

use super::ball_answer::{BallAnswer, refusal, within};
use crate::rules::{AskedStep, Choices, Refusal, RefusalKind};

/// The answer to what an innings misses.
#[derive(Debug, Clone, PartialEq)]
pub struct MissingBall {
    /// The number of the innings, from 1.
    pub innings: u16,
    /// What is known of the ball.
    pub known: MissingKnown,
}

/// What is known of a ball that an innings misses.
#[derive(Debug, Clone, PartialEq)]
pub enum MissingKnown {
    /// The ball.
    Bowled(BallAnswer),
    /// Nobody knows it any more: it counts as a legal ball without a run.
    Unknown,
    /// No ball: the innings ended there, by agreement.
    Ended,
}

impl MissingBall {
    /// The answer as a request writes it: what is empty is left out.
    pub(super) fn to_value(&self) -> Value {
        let mut members = Choices::from_iter([("innings".to_owned(), json!(self.innings))]);
        match &self.known {
            MissingKnown::Unknown => members.insert("unknown".to_owned(), json!(true)),
            MissingKnown::Ended => members.insert("ended".to_owned(), json!(true)),
            MissingKnown::Bowled(ball) => {
                ball.write_choices(&mut members);
                members.insert("dice".to_owned(), json!(ball.dice))
            }
        };
        Value::Object(members)
    }
}

/// A ball that an innings misses, of which nothing is known yet, or not all of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AskedMissing {
    /// The number of the innings, from 1.
    pub innings: u16,
    /// The place of its answer among those of the request.
    pub at: usize,
}

impl AskedMissing {
    /// The answers of a request, with a place for the one of this ball, which is known so far.
    pub(super) fn among(self, answers: &[MissingBall], known: MissingKnown) -> Value {
        let mut answers = answers.to_vec();
        if self.at == answers.len() {
            answers.push(MissingBall { innings: self.innings, known });
        }
        answers.iter().map(MissingBall::to_value).collect()
    }

    /// The refusal of the ball, or of the over which it begins, with its place in the request.
    pub(super) fn refused(self, refusal: Refusal, step: AskedStep) -> Refusal {
        let AskedMissing { innings, at } = self;
        let place = within(&format!("missing[{at}]"), &refusal.place, step, 0);
        let message = match refusal.kind {
            RefusalKind::NeedsInput => format!(
                "innings {innings} goes on past its last ball; say what its next ball was, \"unknown\": true, or \"ended\": true: {}",
                refusal.message
            ),
            _ => format!("a ball that innings {innings} misses: {}", refusal.message),
        };
        Refusal { place, message, ..refusal }
    }
}

/// The answers of a request, which are taken in order.
pub(super) struct MissingAnswers<'a> {
    answers: &'a [MissingBall],
    taken: usize,
}

impl<'a> MissingAnswers<'a> {
    pub(super) fn of(answers: &'a [MissingBall]) -> MissingAnswers<'a> {
        MissingAnswers { answers, taken: 0 }
    }

    /// Whether the next answer is for this innings.
    pub(super) fn is_next(&self, innings: u16) -> bool {
        self.answers.get(self.taken).is_some_and(|answer| answer.innings == innings)
    }

    /// The next answer, for a ball that this innings misses, with its place; none where there is none left.
    pub(super) fn take(&mut self, innings: u16) -> Result<(AskedMissing, Option<&'a MissingKnown>), Refusal> {
        let asked = AskedMissing { innings, at: self.taken };
        let Some(answer) = self.answers.get(self.taken) else { return Ok((asked, None)) };
        if answer.innings != innings {
            let message =
                format!("is of innings {}, and innings {innings} misses a ball first", answer.innings);
            return Err(refusal(&format!("missing[{}].innings", self.taken), message));
        }
        self.taken += 1;
        Ok((asked, Some(&answer.known)))
    }

    /// Refuses an answer for an innings that misses nothing.
    pub(super) fn refuse_unasked(&self) -> Result<(), Refusal> {
        let Some(answer) = self.answers.get(self.taken) else { return Ok(()) };
        let message = format!("innings {} misses no ball; leave it out", answer.innings);
        Err(refusal(&format!("missing[{}]", self.taken), message))
    }
}
