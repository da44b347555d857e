//! The decisions after dice: the trait for their source, and the source that answers with entered choices.

use super::super::rulings::*;
use super::chosen::{AFTER_DICE, Chosen};
use super::contest::Contest;
use super::question::{Question, Stop, not_legal};
use crate::rules::{Choices, Refusal};

/// The source of the decisions that dice ask for: a policy, or choices that were entered.
pub trait DecisionSource {
    /// Answers a question with the index of the answer among the legal ones.
    fn answer(&mut self, contest: &Contest<'_>, question: Question) -> Result<usize, Stop>;
}

/// A decision source that answers with choices that were entered. The ball waits when a choice is missing.
pub struct EnteredDecisions<'a> {
    chosen: &'a Chosen,
    /// The questions that the ball has asked, in order.
    asked: Vec<Question>,
}

impl<'a> EnteredDecisions<'a> {
    /// A decision source with these choices.
    pub fn new(chosen: &'a Chosen) -> EnteredDecisions<'a> {
        EnteredDecisions { chosen, asked: Vec::new() }
    }

    /// The questions that the ball has asked, in order.
    pub fn asked(self) -> Vec<Question> {
        self.asked
    }

    /// Refuses a choice that answers a question the ball has not asked.
    pub fn refuse_unasked(&self, choices: &Choices) -> Result<(), Refusal> {
        let is_asked = |name: &str| self.asked.iter().any(|question| question.name() == name);
        match AFTER_DICE.into_iter().find(|name| choices.contains_key(*name) && !is_asked(name)) {
            None => Ok(()),
            Some(name) => Err(unasked_decision(name)),
        }
    }
}

/// The refusal of a decision that the ball has not asked for.
pub fn unasked_decision(name: &str) -> Refusal {
    let message =
        format!("nobody has asked for {name}: a decision after dice is made when the match asks for it");
    Refusal::choice(name, message).by(&BALL_NOT_ASKED)
}

impl DecisionSource for EnteredDecisions<'_> {
    fn answer(&mut self, contest: &Contest<'_>, question: Question) -> Result<usize, Stop> {
        self.asked.push(question.clone());
        match self.chosen.answer(&question) {
            None => Err(Stop::Waits(question)),
            Some(Some(place)) => Ok(place),
            Some(None) => Err(not_legal(contest.situation.edition, &question)),
        }
    }
}
