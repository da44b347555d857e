//! The rulings behind each question of CubeRoots cricket.

use super::rulings::*;
use crate::rules::RulingsBehind;

/// The rulings behind each choice.
pub static BEHIND: RulingsBehind = RulingsBehind(&[
    ("bowler", &[&OVER_BOWLER]),
    ("order", &[&OVER_ORDER, &BALL_ORDER]),
    ("order_dealt", &[&OVER_ORDER, &OVER_DEAL, &BAG_REFILLED, &BALL_ORDER]),
    ("roll", &[&OVER_ROLL]),
    ("number", &[&BALL_NUMBER, &WICKET, &DOT, &RUNS_1, &RUNS_2, &RUNS_3, &RUNS_4, &RUNS_6]),
]);
