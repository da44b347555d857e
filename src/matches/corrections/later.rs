//! The answers to what a refit asks anew of later deliveries, one delivery at a time.

use serde_json::{Value, json};

use super::ball_answer::{BallAnswer, refusal};
use crate::matches::refit::Answers;
use crate::rules::{Choices, Refusal};

/// The answer to what a refit asks anew of a delivery.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct LaterAnswer {
    /// The number of the delivery before the correction.
    pub delivery: u32,
    /// What the delivery is asked about.
    pub ball: BallAnswer,
}

impl LaterAnswer {
    /// The answer as a request writes it: what is empty is left out.
    pub(super) fn to_value(&self) -> Value {
        let mut members = Choices::from_iter([("delivery".to_owned(), json!(self.delivery))]);
        self.ball.write_choices(&mut members);
        if !self.ball.dice.is_empty() {
            members.insert("dice".to_owned(), json!(self.ball.dice));
        }
        Value::Object(members)
    }
}

/// The part of an answer that a step takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum AnswerPart {
    Over,
    Ball,
}

/// The answers of a request, of which each has to be asked for.
pub(super) struct LaterAnswers<'a> {
    answers: &'a [LaterAnswer],
    /// Whether each answer was asked for.
    asked: Vec<bool>,
}

impl<'a> LaterAnswers<'a> {
    pub(super) fn of(answers: &'a [LaterAnswer]) -> Result<LaterAnswers<'a>, Refusal> {
        for (at, answer) in answers.iter().enumerate() {
            if answers[..at].iter().any(|other| other.delivery == answer.delivery) {
                let message = format!("delivery {} is answered twice", answer.delivery);
                return Err(refusal(&format!("later[{at}].delivery"), message));
            }
        }
        Ok(LaterAnswers { answers, asked: vec![false; answers.len()] })
    }

    /// The place in the request where the answer for a delivery stands, or would stand.
    pub(super) fn place(&self, delivery: u32) -> usize {
        let known = self.answers.iter().position(|answer| answer.delivery == delivery);
        known.unwrap_or(self.answers.len())
    }

    /// The answer to what is asked of a delivery.
    pub(super) fn take(&mut self, delivery: u32, part: AnswerPart) -> Answering<'a> {
        let answer = self.answers.get(self.place(delivery));
        Answering { answer, part, dice: 0, choices: Vec::new() }
    }

    /// Refuses an answer of which a part was not asked for.
    pub(super) fn used(&mut self, answering: &Answering<'_>) -> Result<(), Refusal> {
        let Some(answer) = answering.answer else { return Ok(()) };
        let at = self.place(answer.delivery);
        let (place, given) = match answering.part {
            AnswerPart::Over => ("over", &answer.ball.over),
            AnswerPart::Ball => ("choices", &answer.ball.choices),
        };
        self.asked[at] |= answering.dice > 0 || !answering.choices.is_empty();
        if let Some(name) = given.keys().find(|name| !answering.choices.contains(name)) {
            let message = format!("delivery {} does not ask for {name}; leave it out", answer.delivery);
            return Err(refusal(&format!("later[{at}].{place}.{name}"), message));
        }
        if answering.part == AnswerPart::Ball && answer.ball.dice.len() > answering.dice {
            let asked = answering.dice;
            let message = format!(
                "delivery {} asks for {asked} dice, and {} are given",
                answer.delivery,
                answer.ball.dice.len()
            );
            return Err(refusal(&format!("later[{at}].dice[{asked}]"), message));
        }
        Ok(())
    }

    /// Refuses an answer for a delivery that asks for nothing.
    pub(super) fn refuse_unasked(&self) -> Result<(), Refusal> {
        match self.asked.iter().position(|asked| !asked) {
            None => Ok(()),
            Some(at) => {
                let message =
                    format!("delivery {} asks for nothing; leave it out", self.answers[at].delivery);
                Err(refusal(&format!("later[{at}]"), message))
            }
        }
    }
}

/// The answer for one step, as far as it was asked for.
pub(super) struct Answering<'a> {
    answer: Option<&'a LaterAnswer>,
    part: AnswerPart,
    /// The number of dice that were asked for.
    pub dice: usize,
    /// The choices that were asked for.
    choices: Vec<String>,
}

impl Answers for Answering<'_> {
    fn die(&mut self, _: usize) -> Option<i64> {
        let value = self.answer.filter(|_| self.part == AnswerPart::Ball)?.ball.dice.get(self.dice)?;
        self.dice += 1;
        Some(*value)
    }

    fn choice(&mut self, name: &str) -> Option<Value> {
        let answer = self.answer?;
        let given = match self.part {
            AnswerPart::Over => &answer.ball.over,
            AnswerPart::Ball => &answer.ball.choices,
        };
        let value = given.get(name)?.clone();
        self.choices.push(name.to_owned());
        Some(value)
    }
}
