//! The rulings behind each question of Howzat.

use super::rulings::*;
use crate::rules::RulingsBehind;

/// The rulings behind each die and each choice.
pub static BEHIND: RulingsBehind = RulingsBehind(&[
    ("bowl", &[&BOWL_EXTRA, &BOWL_LEGAL]),
    ("extra", &[&EXTRA_NO_BALL, &EXTRA_WIDE, &EXTRA_BYES, &EXTRA_LEG_BYES, &EXTRA_NONE]),
    ("strike", &[&STRIKE_1, &STRIKE_2, &STRIKE_3, &STRIKE_4, &STRIKE_6, &APPEAL]),
    ("appeal_after_1", &[&STRIKE_6_NO_RUN, &APPEAL_NOT_OUT]),
    ("appeal_after_2", &[&APPEAL_BOWLED]),
    ("appeal_after_3", &[&APPEAL_CATCH]),
    ("appeal_after_4", &[&APPEAL_STUMPED]),
    ("appeal_after_5", &[&APPEAL_LBW]),
    ("appeal_after_6", &[&APPEAL_RUN_OUT]),
    ("fielder", &[&APPEAL_CATCH]),
    ("catch", &[&CATCH_HELD, &CATCH_DROPPED]),
    ("next_batter", &[&BALL_NEXT_BATTER]),
    ("openers", &[&OVER_OPENERS, &OVER_PLAYER]),
    ("bowler", &[&OVER_CONSECUTIVE, &OVER_QUOTA, &OVER_KEEPER, &OVER_PLAYER]),
    ("keeper", &[&OVER_KEEPER, &OVER_PLAYER]),
    ("field", &[&OVER_FIELD]),
]);

/// The name of the rulings that the strike die has besides, by the bowl die before it.
pub const fn appeal_after(bowl: i64) -> &'static str {
    match bowl {
        1 => "appeal_after_1",
        2 => "appeal_after_2",
        3 => "appeal_after_3",
        4 => "appeal_after_4",
        5 => "appeal_after_5",
        _ => "appeal_after_6",
    }
}
