//! The review card of Howzat, and the dismissals that the batting side can have reviewed.

use super::options::Drs;
use super::rulings;
use super::state::Howzat;
use crate::log::Ball;
use crate::rules::{CardVerdict, ReviewCard, ReviewRules, ReviewRulings, Reviewable};
use crate::scorebook::{Outcome, RunsRecord, WicketKind};

/// The rulings that a review cites.
static RULINGS: ReviewRulings = ReviewRulings {
    struck_down: &rulings::REVIEW_STRUCK_DOWN,
    umpires_call: &rulings::REVIEW_UMPIRES_CALL,
    upheld: &rulings::REVIEW_UPHELD,
    off: &rulings::REVIEW_OFF,
    none_left: &rulings::REVIEW_NONE_LEFT,
    not_reviewable: &rulings::REVIEW_NOT_REVIEWABLE,
    other_side: &rulings::REVIEW_OTHER_SIDE,
    too_late: &rulings::REVIEW_TOO_LATE,
};

const HOUSE: ReviewCard = ReviewCard {
    reviews: 1,
    faces: [
        CardVerdict::StruckDown,
        CardVerdict::StruckDown,
        CardVerdict::StruckDown,
        CardVerdict::UmpiresCall,
        CardVerdict::Upheld,
        CardVerdict::Upheld,
    ],
};

impl ReviewRules for Howzat {
    fn rulings(&self) -> &'static ReviewRulings {
        &RULINGS
    }

    fn card(&self) -> Option<ReviewCard> {
        match self.options.drs {
            Drs::Off => None,
            Drs::House => Some(HOUSE),
        }
    }

    /// The batting side may review a dismissal caught, leg before or stumped; when the review is upheld, the
    /// ball becomes a dot and its extras stay.
    fn reviewable(&self, ball: &Ball) -> Option<Reviewable> {
        let outcome = &ball.outcome;
        match outcome.wicket.as_ref()?.kind {
            WicketKind::Caught | WicketKind::CaughtAndBowled | WicketKind::Lbw | WicketKind::Stumped => {}
            WicketKind::Bowled | WicketKind::RunOut => return None,
        }
        let extras = outcome.runs.extras;
        let mut rulings = outcome.rulings.clone();
        rulings.push(rulings::REVIEW_UPHELD.id.to_owned());
        let upheld = Outcome {
            runs: RunsRecord { batter: 0, extras, total: extras },
            boundary: None,
            wicket: None,
            rulings,
            ..outcome.clone()
        };
        Some(Reviewable { by: self.batting(), upheld })
    }
}
