//! Corrections as requests name them: the delivery by its number or its place, the players by their names.

use super::DeliveryNamed;
use crate::log::{AgreedOutcome, Amendment, Cascade};
use crate::matches::Match;
use crate::matches::corrections::{
    CorrectionRequest, CorrectionTarget, DecidedAnew, Insertion, LaterAnswer, MissingBall, MissingKnown,
    RefitAnswers,
};
use crate::projection::DeliveryPlaces;
use crate::rules::{Choices, Refusal};

/// A correction, with its delivery as the request names it.
#[derive(Debug, Clone, PartialEq)]
pub struct CorrectionCommand {
    /// The part of the match to correct.
    pub target: NamedTarget,
    /// The reason, of 1 to 1,000 characters.
    pub reason: String,
}

/// The part of a match that a correction is about, with its delivery as the request names it.
#[derive(Debug, Clone, PartialEq)]
pub enum NamedTarget {
    /// Everything from this delivery on becomes void.
    FromDelivery(DeliveryNamed),
    /// Everything from this event on becomes void.
    FromEvent(u64),
    /// What this correction, or restoration, made void comes back.
    Restore(u64),
    /// A delivery is amended.
    Amend(DeliveryNamed, Box<NamedAmendment>),
    /// A ball that was missed is put in before a delivery, and the answers to what is asked of later ones.
    Insert(DeliveryNamed, Box<NamedInsertion>, RefitAnswers),
    /// A delivery that was never bowled is taken out, with such answers.
    Remove(DeliveryNamed, RefitAnswers),
    /// A step before the play is decided anew, with such answers.
    Anew(DecidedAnew, RefitAnswers),
}

/// The changes of an amended delivery; what is left out stays as it was.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct NamedAmendment {
    /// The choices of the over, for its first ball.
    pub over: Option<Choices>,
    /// The choices of the ball.
    pub choices: Option<Choices>,
    /// The values of the dice, in the order rolled.
    pub dice: Option<Vec<i64>>,
    /// The outcome that the table agrees on.
    pub as_stood: Option<AgreedOutcome>,
    /// What happens to later deliveries that are not legal any more.
    pub cascade: Cascade,
    /// The answers to what a refit asks anew.
    pub answers: RefitAnswers,
}

/// A ball that was missed, without its place.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct NamedInsertion {
    /// The choices of the over, for its first ball.
    pub over: Option<Choices>,
    /// The choices of the ball.
    pub choices: Choices,
    /// The values of the dice, in the order rolled.
    pub dice: Vec<i64>,
}

impl CorrectionCommand {
    /// The delivery that the correction names.
    pub fn delivery(&self) -> Option<DeliveryNamed> {
        match &self.target {
            NamedTarget::FromDelivery(named)
            | NamedTarget::Amend(named, _)
            | NamedTarget::Insert(named, ..)
            | NamedTarget::Remove(named, _) => Some(*named),
            NamedTarget::FromEvent(_) | NamedTarget::Restore(_) | NamedTarget::Anew(..) => None,
        }
    }

    /// The correction of a match with the number of its delivery, which is found among these, and with names
    /// as the match has recorded them.
    pub fn find(&self, the_match: &Match, places: &DeliveryPlaces) -> Result<CorrectionRequest, Refusal> {
        let named_in_answers = |answers: &RefitAnswers| -> RefitAnswers {
            let with_names = |answer: &LaterAnswer| {
                let ball = answer.ball.with_recorded_names(the_match);
                LaterAnswer { ball, ..answer.clone() }
            };
            let missing_with_names = |answer: &MissingBall| match &answer.known {
                MissingKnown::Bowled(ball) => {
                    let known = MissingKnown::Bowled(ball.with_recorded_names(the_match));
                    MissingBall { known, ..answer.clone() }
                }
                MissingKnown::Unknown | MissingKnown::Ended => answer.clone(),
            };
            RefitAnswers {
                later: answers.later.iter().map(with_names).collect(),
                missing: answers.missing.iter().map(missing_with_names).collect(),
            }
        };
        let target = match &self.target {
            NamedTarget::FromDelivery(named) => {
                CorrectionTarget::FromDelivery(named.find(places, "voids_from")?)
            }
            NamedTarget::FromEvent(seq) => CorrectionTarget::FromEvent(*seq),
            NamedTarget::Restore(seq) => CorrectionTarget::Restore(*seq),
            NamedTarget::Amend(named, changes) => {
                let amends = named.find(places, "amends")?;
                let NamedAmendment { over, choices, dice, as_stood, cascade, answers } = changes.as_ref();
                let named = |given: &Choices| the_match.with_recorded_names(given);
                let amendment = Amendment {
                    amends,
                    over: over.as_ref().map(named),
                    choices: choices.as_ref().map(named),
                    as_stood: as_stood.as_ref().map(|agreed| the_match.agreed_with_recorded_names(agreed)),
                    cascade: *cascade,
                };
                CorrectionTarget::Amend(amendment, dice.clone(), named_in_answers(answers))
            }
            NamedTarget::Insert(named, ball, answers) => {
                let before = named.find(places, "inserts.before")?;
                let NamedInsertion { over, choices, dice } = ball.as_ref();
                let recorded = |given: &Choices| the_match.with_recorded_names(given);
                let (over, choices) = (over.as_ref().map(recorded), recorded(choices));
                let insertion = Insertion { before, over, choices, dice: dice.clone() };
                CorrectionTarget::Insert(insertion, named_in_answers(answers))
            }
            NamedTarget::Remove(named, answers) => {
                CorrectionTarget::Remove(named.find(places, "removes")?, named_in_answers(answers))
            }
            NamedTarget::Anew(anew, answers) => {
                let anew = match anew {
                    DecidedAnew::SetUp(choices) => DecidedAnew::SetUp(the_match.with_recorded_names(choices)),
                    toss => toss.clone(),
                };
                CorrectionTarget::Anew(anew, named_in_answers(answers))
            }
        };
        Ok(CorrectionRequest { target, reason: self.reason.clone() })
    }
}
