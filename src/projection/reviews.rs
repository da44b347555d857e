//! The reviews of a match, folded: each with the decision before and after.

use serde::Serialize;
use utoipa::ToSchema;

use super::describe::decision_words;
use super::innings::{InningsFold, InningsScore};
use crate::dice::Die;
use crate::log::{Ball, DeliveryPlace, ReviewVerdict, Reviewed, delivery_words};
use crate::scorebook::{Outcome, Side, WicketRecord};

/// A review of a decision.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct ReviewEntry {
    /// The number of the review in the match, from 1.
    pub number: u32,
    /// The event of the review.
    pub seq: u64,
    /// The side that reviewed.
    pub by: Side,
    /// The name of that side.
    pub side: String,
    /// The number of the innings.
    pub innings: u16,
    /// The over of the innings, from 1.
    pub over: u16,
    /// The number of the ball in the over, counting every delivery, from 1.
    pub ball: u32,
    /// The ball's number in the match.
    pub delivery: u32,
    /// The place of the ball.
    pub place: DeliveryPlace,
    /// The decision before the review.
    pub original: ReviewDecision,
    /// The decision after the review.
    pub revised: ReviewDecision,
    /// The dice of the review.
    pub dice: Vec<Die>,
    /// The verdict of the review.
    pub verdict: ReviewVerdict,
    /// Whether the decision stands as umpire's call.
    pub umpires_call: bool,
    /// Whether the side keeps the review.
    pub retained: bool,
    /// The score of the innings by the original decision.
    pub before: InningsScore,
    /// The score of the innings after the review.
    pub after: InningsScore,
}

/// A decision on a ball.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = ReviewDecision)]
pub struct ReviewDecision {
    /// The wicket; null where nobody is out.
    pub wicket: Option<WicketRecord>,
    /// The decision in words.
    pub words: String,
}

impl ReviewEntry {
    /// A review of a ball; `before` is the innings by the original decision, `after` by the revised one.
    pub(super) fn of(
        number: u32,
        seq: u64,
        side: &str,
        (ball, made): (&Ball, &Reviewed),
        [before, after]: [&InningsFold; 2],
    ) -> ReviewEntry {
        ReviewEntry {
            number,
            seq,
            by: made.by,
            side: side.to_owned(),
            innings: ball.innings,
            over: ball.over,
            ball: ball.ball,
            delivery: ball.delivery,
            place: DeliveryPlace::of(ball),
            original: ReviewDecision::of(&ball.outcome),
            revised: ReviewDecision::of(&made.outcome),
            dice: made.dice.clone(),
            verdict: made.verdict,
            umpires_call: made.umpires_call,
            retained: made.retained,
            before: InningsScore::of(before),
            after: InningsScore::of(after),
        }
    }

    /// The review in one line: `Wanderers reviewed delivery 12 (innings 1, 2.3), struck down: Ada Marsh lbw b
    /// Voss stands`.
    pub fn text(&self) -> String {
        let ReviewEntry { side, delivery, place, original, revised, .. } = self;
        let verdict = match (self.verdict, self.umpires_call) {
            (ReviewVerdict::Upheld, _) => format!("upheld: {}, now {}", original.words, revised.words),
            (ReviewVerdict::StruckDown, true) => format!("umpire's call: {} stands", original.words),
            (ReviewVerdict::StruckDown, false) => format!("struck down: {} stands", original.words),
        };
        format!("{side} reviewed {}, {verdict}", delivery_words(*delivery, Some(place)))
    }
}

impl ReviewDecision {
    fn of(outcome: &Outcome) -> ReviewDecision {
        ReviewDecision { wicket: outcome.wicket.clone(), words: decision_words(outcome) }
    }
}
