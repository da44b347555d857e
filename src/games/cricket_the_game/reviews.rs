//! The decisions that can be reviewed, and the ball that an upheld review makes.

use super::admit;
use super::ball::Ball;
use super::event::Event;
use super::rulings::*;
use super::state::CricketTheGame;
use crate::log;
use crate::rules::{ReviewCard, ReviewRules, ReviewRulings, Reviewable};
use crate::scorebook::{Dismissal, Outcome};

/// The rulings that a review cites.
static RULINGS: ReviewRulings = ReviewRulings {
    struck_down: &REVIEW_STRUCK_DOWN,
    umpires_call: &REVIEW_UMPIRES_CALL,
    upheld: &REVIEW_UPHELD,
    off: &REVIEW_OFF,
    none_left: &REVIEW_NONE_LEFT,
    not_reviewable: &REVIEW_NOT_REVIEWABLE,
    other_side: &REVIEW_OTHER_SIDE,
    too_late: &REVIEW_TOO_LATE,
};

impl ReviewRules for CricketTheGame {
    fn rulings(&self) -> &'static ReviewRulings {
        &RULINGS
    }

    fn card(&self) -> Option<ReviewCard> {
        self.has_reviews().then_some(self.edition().drs)
    }

    /// The batting side may review a dismissal other than run out or clean bowled; the ball then becomes a
    /// dot. The fielding side may review an appeal that was turned down; the batter is then out.
    fn reviewable(&self, recorded: &log::Ball) -> Option<Reviewable> {
        let outcome = &recorded.outcome;
        if outcome.wicket.is_none() && !outcome.detail.contains_key("appeal") {
            return None;
        }
        let Ok(Event::Ball(ball)) = admit::admit(self, log::RecordedPlay::Ball(recorded)) else {
            return None;
        };
        let Ball { mut delivery, chosen, .. } = *ball;
        let situation = self.situation();
        let batting = self.side_batting();
        let by = match (delivery.dismissal, delivery.detail.appeal) {
            (Some(Dismissal::RunOut { .. }), _) => return None,
            (Some(_), _) if delivery.rulings.contains(&&CLEAN_BOWLED) => return None,
            (Some(_), _) => {
                delivery.dismissal = None;
                batting
            }
            (None, Some((how, false))) => {
                delivery.dismissal = Some(situation.dismissal(how));
                batting.other()
            }
            (None, _) => return None,
        };
        delivery.rulings.push(&REVIEW_UPHELD);
        let detail = delivery.detail.written(&situation, &chosen);
        let upheld = Outcome::of(&delivery, self.batters(), self.fielders(), detail);
        Some(Reviewable { by, upheld })
    }
}
