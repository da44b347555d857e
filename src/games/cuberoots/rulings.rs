//! Every ruling and refusal of CubeRoots cricket, as data.

use crate::scorebook::rulings;

rulings! {
    /// Every ruling and refusal of the game.
    ALL;
    BAG_REFILLED "cuberoots.bag.refilled": "With fewer than twelve cubes in the bag, all of them go back in before the next over is dealt.";
    WICKET "cuberoots.wicket": "The bowler's number is ahead by as much as is needed: out, bowled.";
    DOT "cuberoots.dot": "The bowler's number is level or ahead, but not by enough: no run, and one less is needed on the next ball.";
    RUNS_1 "cuberoots.runs.1": "The batter's number is one ahead: one run.";
    RUNS_2 "cuberoots.runs.2": "The batter's number is two ahead: two runs.";
    RUNS_3 "cuberoots.runs.3": "The batter's number is three ahead: three runs.";
    RUNS_4 "cuberoots.runs.4": "The batter's number is four or five ahead: a boundary four.";
    RUNS_6 "cuberoots.runs.6": "The batter's number is six or more ahead: six runs.";
    OVER_BOWLER "cuberoots.over.bowler": "An over is bowled by any of the eleven, or in the name of the side.";
    OVER_ORDER "cuberoots.over.order": "A side puts all of its six cubes in order, each of them once.";
    OVER_DEAL "cuberoots.over.deal": "The deal follows from the seed and from the overs before.";
    OVER_ROLL "cuberoots.over.roll": "A side may roll one of its six cubes in an over, and no more, in a match with the option roll_a_cube.";
    BALL_NUMBER "cuberoots.ball.number": "A ball is played with two numbers from 0 to 9.";
    BALL_ORDER "cuberoots.ball.order": "The orders of an over do not change once they are chosen: each ball is played with the cube whose turn it is.";
}
