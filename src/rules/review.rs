//! Reviews of a decision: the review card of a game, and the decisions that a review can reverse.

use crate::log::{Ball, ReviewVerdict};
use crate::scorebook::{Outcome, Ruling, Side};

/// The reviews of a game that has them. A state of the game answers for itself.
pub trait ReviewRules {
    /// The rulings that a review cites, and those that refuse one.
    fn rulings(&self) -> &'static ReviewRulings;

    /// The review card of this match; none where its options have no reviews.
    fn card(&self) -> Option<ReviewCard>;

    /// The review that a side can have of a ball, if any, from the state in which the ball was bowled.
    fn reviewable(&self, ball: &Ball) -> Option<Reviewable>;
}

/// The verdict of a face of the review die.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CardVerdict {
    /// The decision stands, and the review is lost.
    StruckDown,
    /// The decision stands, and the review is retained.
    UmpiresCall,
    /// The decision is reversed, and the review is used up.
    Upheld,
}

impl CardVerdict {
    /// The verdict in the log.
    pub const fn written(self) -> ReviewVerdict {
        match self {
            CardVerdict::StruckDown | CardVerdict::UmpiresCall => ReviewVerdict::StruckDown,
            CardVerdict::Upheld => ReviewVerdict::Upheld,
        }
    }
}

/// The review card of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReviewCard {
    /// The number of reviews that a side has in an innings.
    pub reviews: u8,
    /// The verdict of each face of a d6.
    pub faces: [CardVerdict; 6],
}

impl ReviewCard {
    /// The verdict of a face of the review die.
    pub fn says(&self, face: u16) -> CardVerdict {
        let at = usize::from(face.saturating_sub(1)).min(self.faces.len() - 1);
        self.faces[at]
    }
}

/// The rulings that a review cites, and those that refuse one.
#[derive(Debug)]
pub struct ReviewRulings {
    /// The decision stands.
    pub struck_down: &'static Ruling,
    /// The decision stands, by the umpire's call.
    pub umpires_call: &'static Ruling,
    /// The decision is reversed.
    pub upheld: &'static Ruling,
    /// A refusal: the match has no reviews.
    pub off: &'static Ruling,
    /// A refusal: the side has no review left in the innings.
    pub none_left: &'static Ruling,
    /// A refusal: the ball cannot be reviewed.
    pub not_reviewable: &'static Ruling,
    /// A refusal: only the other side can ask for a review.
    pub other_side: &'static Ruling,
    /// A refusal: the next ball has begun, or the decision has been reviewed or accepted.
    pub too_late: &'static Ruling,
}

impl ReviewRulings {
    /// The rulings behind the die of a review.
    pub const fn verdicts(&self) -> [&'static Ruling; 3] {
        [self.struck_down, self.umpires_call, self.upheld]
    }

    /// The rulings behind the question whether to ask for a review.
    pub const fn of_review(&self) -> [&'static Ruling; 2] {
        [self.not_reviewable, self.none_left]
    }

    /// The rulings behind the acceptance of a decision.
    pub const fn of_acceptance(&self) -> [&'static Ruling; 2] {
        [self.not_reviewable, self.too_late]
    }

    /// The ruling that a verdict cites.
    pub const fn of(&self, verdict: CardVerdict) -> &'static Ruling {
        match verdict {
            CardVerdict::StruckDown => self.struck_down,
            CardVerdict::UmpiresCall => self.umpires_call,
            CardVerdict::Upheld => self.upheld,
        }
    }
}

/// A ball whose decision a side can have reviewed.
#[derive(Debug, Clone, PartialEq)]
pub struct Reviewable {
    /// The side that can have it reviewed.
    pub by: Side,
    /// The outcome of the ball if the review is upheld.
    pub upheld: Outcome,
}
