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
    /// The names of the choices that the ball has asked for.
    asked: Vec<&'static str>,
}

impl<'a> EnteredDecisions<'a> {
    /// A decision source with these choices.
    pub fn new(chosen: &'a Chosen) -> EnteredDecisions<'a> {
        EnteredDecisions { chosen, asked: Vec::new() }
    }

    /// Refuses a choice that answers a question the ball has not asked.
    pub fn refuse_unasked(&self, choices: &Choices) -> Result<(), Refusal> {
        let unasked = |name: &&&str| choices.contains_key(**name) && !self.asked.contains(name);
        match AFTER_DICE.iter().find(unasked) {
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
        self.asked.push(question.name());
        match self.chosen.answer(&question) {
            None => Err(Stop::Waits(question)),
            Some(Some(place)) => Ok(place),
            Some(None) => Err(not_legal(contest.situation.edition, &question)),
        }
    }
}
