//! Which decisions can be reviewed, and what an upheld review makes of a ball.

use super::ball::Ball;
use super::rulings::*;
use super::state::State;
use super::{Event, admit};
use crate::log;
use crate::rules::{ReviewRulings, Reviewable};
use crate::scorebook::{Dismissal, Outcome};

/// What a review cites.
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

/// Who may have a ball reviewed, and what it then comes to: the batting side a dismissal that is no run out and not clean
/// bowled, which becomes a dot ball; the fielding side an appeal that was turned down, which becomes what was appealed for.
pub fn reviewable(before: &State, recorded: &log::Ball) -> Option<Reviewable> {
    let outcome = &recorded.outcome;
    if outcome.wicket.is_none() && !outcome.detail.contains_key("appeal") {
        return None;
    }
    let Ok(Event::Ball(ball)) = admit::admit(before, log::Played::Ball(recorded)) else { return None };
    let Ball { mut delivery, chosen, .. } = *ball;
    let batting = before.side_batting();
    let by = match (delivery.dismissal, delivery.detail.appeal) {
        (Some(Dismissal::RunOut { .. }), _) => return None,
        (Some(_), _) if delivery.rulings.contains(&&CLEAN_BOWLED) => return None,
        (Some(_), _) => {
            delivery.dismissal = None;
            batting
        }
        (None, Some((how, false))) => {
            delivery.dismissal = Some(before.dismissal(how));
            batting.other()
        }
        (None, _) => return None,
    };
    delivery.rulings.push(&REVIEW_UPHELD);
    let detail = delivery.detail.written(before, &chosen);
    let upheld = Outcome::of(&delivery, before.batters(), before.fielders(), detail);
    Some(Reviewable { by, upheld })
}
