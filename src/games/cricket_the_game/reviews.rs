//! The decisions that can be reviewed, and the ball that an upheld review makes.

use super::admit;
use super::ball::Ball;
use super::event::Event;
use super::rulings::*;
use super::state::State;
use crate::log;
use crate::rules::{ReviewRulings, Reviewable};
use crate::scorebook::{Dismissal, Outcome};

/// The rulings that a review cites.
pub static RULINGS: ReviewRulings = ReviewRulings {
    struck_down: &REVIEW_STRUCK_DOWN,
    umpires_call: &REVIEW_UMPIRES_CALL,
    upheld: &REVIEW_UPHELD,
    off: &REVIEW_OFF,
    none_left: &REVIEW_NONE_LEFT,
    not_reviewable: &REVIEW_NOT_REVIEWABLE,
    other_side: &REVIEW_OTHER_SIDE,
    too_late: &REVIEW_TOO_LATE,
};

/// The review of a ball: the side that may ask for it, and the outcome when it is upheld. The batting side
/// may review a dismissal other than run out or clean bowled; the ball then becomes a dot. The fielding side
/// may review an appeal that was turned down; the batter is then out.
pub fn reviewable(before: &State, recorded: &log::Ball) -> Option<Reviewable> {
    let outcome = &recorded.outcome;
    if outcome.wicket.is_none() && !outcome.detail.contains_key("appeal") {
        return None;
    }
    let Ok(Event::Ball(ball)) = admit::admit(before, log::RecordedPlay::Ball(recorded)) else { return None };
    let Ball { mut delivery, chosen, .. } = *ball;
    let situation = before.situation();
    let batting = before.side_batting();
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
    let upheld = Outcome::of(&delivery, before.batters(), before.fielders(), detail);
    Some(Reviewable { by, upheld })
}
