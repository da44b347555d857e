//! Reviews of a decision: what a game's review card says, and what a review can turn round.

use crate::scorebook::{Outcome, Ruling, Side};

/// What a face of the review die says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// The decision stands, and the review is lost.
    StruckDown,
    /// The decision stands, and the review is retained.
    UmpiresCall,
    /// The decision is turned round, and the review is used up.
    Upheld,
}

/// The review card of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReviewCard {
    /// Reviews a side has in an innings.
    pub reviews: u8,
    /// What each face of a d6 says.
    pub faces: [Verdict; 6],
}

/// The rulings a review cites.
#[derive(Debug)]
pub struct ReviewRulings {
    /// The decision stands.
    pub struck_down: &'static Ruling,
    /// The decision stands, by the umpire's call.
    pub umpires_call: &'static Ruling,
    /// The decision is turned round.
    pub upheld: &'static Ruling,
}

/// A ball whose decision a side may have reviewed.
#[derive(Debug, Clone, PartialEq)]
pub struct Reviewable {
    /// Which side.
    pub by: Side,
    /// What the ball comes to if the review is upheld.
    pub upheld: Outcome,
}
