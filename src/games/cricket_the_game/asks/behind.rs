//! The rulings behind each question of Cricket: The Game.

use super::super::rulings::*;
use crate::rules::RulingsBehind;

/// The rulings behind each die and each choice.
pub static BEHIND: RulingsBehind = RulingsBehind(&[
    ("drop", &[&SET_UP_DROP, &SQUAD_ROLES]),
    ("pitch", &[&SET_UP_PITCH]),
    ("openers", &[&OVER_OPENERS]),
    ("attitudes", &[&BALL_ATTITUDE]),
    ("bowler_of_over", &[&OVER_BOWLER, &OVER_CONSECUTIVE, &OVER_QUOTA, &OVER_UNFILLABLE]),
    ("power_play", &[&OVER_POWER_PLAY, &FIELD_OUTFIELD]),
    ("field", &[&FIELD_TOKENS, &FIELD_AREA, &FIELD_ZONE, &FIELD_OUTFIELD]),
    ("next_batter", &[&BALL_NEXT_BATTER]),
    ("next_attitude", &[&BALL_ATTITUDE]),
    ("bowl", &[&BALL_BOWL, &ADVANTAGE_FULL]),
    ("stroke", &[&BALL_STROKE, &ADVANTAGE_FULL, &ADVANTAGE_LINES]),
    ("attitude", &[&BALL_ATTITUDE]),
    ("over_card", &[&BALL_OVER_CARD]),
    (
        "express_card",
        &[
            &BALL_OVER_CARD,
            &BALL_EXPRESS,
            &EXPRESS_DOT,
            &EXPRESS_RUNS,
            &EXPRESS_PATIENCE,
            &EXPRESS_THREAT,
            &EXPRESS_BOUNDARY,
        ],
    ),
    ("skills", &[&BALL_SKILL, &SKILL]),
    ("bowler", &[&CLEAN_BOWLED, &BOUNDARY_FOUR_NATURAL, &BOUNDARY_SIX_NATURAL]),
    ("batter", &[&CLEAN_BOWLED, &BOUNDARY_FOUR_NATURAL, &BOUNDARY_SIX_NATURAL, &BLOCK, &STRIKE, &MISS]),
    ("distance", &[&STRIKE_LONGER, &STRIKE_SHORTER]),
    ("red_bounce", BOUNCE),
    ("green_bounce", BOUNCE),
    ("catch", &[&CATCH_HELD, &CATCH_DROPPED]),
    ("run_out", &[&RUN_OUT, &RUN_SAFE]),
    ("bowled", &[&MISS_BOWLED_CHANCE, &MISS_BOWLED, &MISS_NOT_BOWLED]),
    ("slip", &[&SLIPS, &SLIPS_HELD, &SLIPS_MISSED]),
    ("appeal", &[&APPEAL, &APPEAL_OUT, &APPEAL_NOT_OUT]),
    ("threat", &[&EXPRESS_THREAT]),
    ("boundary", &[&EXPRESS_BOUNDARY]),
    ("longer", &[&STRIKE_LONGER]),
    ("run", &[&BALL_RUN, &EXTRA_RUN]),
    ("chance", &[&BALL_CHANCE, &CONFLICT]),
    ("reroll_batter", &[&REROLL]),
    ("reroll_bowler", &[&REROLL]),
]);

const BOUNCE: &[&crate::scorebook::Ruling] =
    &[&STOPPED, &FIELDED, &BOUNDARY_FOUR, &BOUNDARY_SIX, &CATCH_HELD, &CATCH_DROPPED, &CATCH_IMPOSSIBLE];
