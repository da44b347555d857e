//! Reviews of a decision: what a game's review card says, and what a review can turn round.

use crate::log::ReviewVerdict;
use crate::scorebook::{Outcome, Ruling, Side};

/// What a face of the review die says.
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
    /// What the log says of it.
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
    /// Reviews a side has in an innings.
    pub reviews: u8,
    /// What each face of a d6 says.
    pub faces: [CardVerdict; 6],
}

impl ReviewCard {
    /// What a face of the review die says.
    pub fn says(&self, face: u16) -> CardVerdict {
        let at = usize::from(face.saturating_sub(1)).min(self.faces.len() - 1);
        self.faces[at]
    }
}

/// The rulings a review cites, and those that refuse one.
#[derive(Debug)]
pub struct ReviewRulings {
    /// The decision stands.
    pub struck_down: &'static Ruling,
    /// The decision stands, by the umpire's call.
    pub umpires_call: &'static Ruling,
    /// The decision is turned round.
    pub upheld: &'static Ruling,
    /// Refuses: nothing is reviewed in this match.
    pub off: &'static Ruling,
    /// Refuses: the side has no review left in the innings.
    pub none_left: &'static Ruling,
    /// Refuses: the ball is none that can be reviewed.
    pub not_reviewable: &'static Ruling,
    /// Refuses: it is for the other side to ask.
    pub other_side: &'static Ruling,
    /// Refuses: the next ball has begun, or the decision has been reviewed or accepted.
    pub too_late: &'static Ruling,
}

impl ReviewRulings {
    /// The one that a verdict cites.
    pub const fn of(&self, verdict: CardVerdict) -> &'static Ruling {
        match verdict {
            CardVerdict::StruckDown => self.struck_down,
            CardVerdict::UmpiresCall => self.umpires_call,
            CardVerdict::Upheld => self.upheld,
        }
    }
}

/// A ball whose decision a side may have reviewed.
#[derive(Debug, Clone, PartialEq)]
pub struct Reviewable {
    /// Which side.
    pub by: Side,
    /// What the ball comes to if the review is upheld.
    pub upheld: Outcome,
}
