//! Who decides what comes after dice, and the one who answers with what was entered.

use super::super::rulings::*;
use super::chosen::{AFTER_DICE, Chosen};
use super::contest::Contest;
use super::question::{Question, Stop, not_legal};
use crate::rules::{Choices, Refusal};

/// Who decides what comes after dice.
pub trait DecisionSource {
    /// Answers a question: the place of the answer among the legal ones.
    fn answer(&mut self, contest: &Contest<'_>, question: Question) -> Result<usize, Stop>;
}

/// Answers with what was entered; what was not is asked for.
pub struct Entered<'a> {
    chosen: &'a Chosen,
    /// The names of the choices that were asked for.
    asked: Vec<&'static str>,
}

impl<'a> Entered<'a> {
    /// Answers with these choices.
    pub fn new(chosen: &'a Chosen) -> Entered<'a> {
        Entered { chosen, asked: Vec::new() }
    }

    /// Refuses an answer to what was not asked.
    pub fn refuse_unasked(&self, choices: &Choices) -> Result<(), Refusal> {
        let unasked = |name: &&&str| choices.contains_key(**name) && !self.asked.contains(name);
        match AFTER_DICE.iter().find(unasked) {
            None => Ok(()),
            Some(name) => Err(not_asked(name)),
        }
    }
}

/// Refuses a decision nobody has asked for.
pub fn not_asked(name: &str) -> Refusal {
    let message =
        format!("nobody has asked for {name}: what follows from dice is decided when it is asked for");
    Refusal::choice(name, message).by(&BALL_NOT_ASKED)
}

impl DecisionSource for Entered<'_> {
    fn answer(&mut self, contest: &Contest<'_>, question: Question) -> Result<usize, Stop> {
        self.asked.push(question.name());
        match self.chosen.answer(&question) {
            None => Err(Stop::Waits(question)),
            Some(Some(place)) => Ok(place),
            Some(None) => Err(not_legal(contest.situation.edition, &question)),
        }
    }
}
