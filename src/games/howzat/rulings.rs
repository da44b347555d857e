//! Every ruling and refusal of Extended Howzat, as data.

use crate::scorebook::rulings;

rulings! {
    /// Every ruling and refusal of the game.
    ALL;
    BOWL_EXTRA "howzat.bowl.extra": "A 1 to bowl may be an extra: the bowler rolls again to see which.";
    BOWL_LEGAL "howzat.bowl.legal": "A 2 to 6 to bowl is a legal delivery, and its runs are off the bat.";
    EXTRA_NO_BALL "howzat.extra.no_ball": "Extra 1 is a no-ball: one run to extras, and not one of the six.";
    EXTRA_WIDE "howzat.extra.wide": "Extra 2 is a wide: one run, and not one of the six; there is no strike, and nothing else can happen.";
    EXTRA_BYES "howzat.extra.byes": "Extra 3: any runs are byes.";
    EXTRA_LEG_BYES "howzat.extra.leg_byes": "Extra 4: any runs are leg byes.";
    EXTRA_NONE "howzat.extra.none": "Extra 5 or 6 is no extra: an ordinary legal delivery.";
    STRIKE_1 "howzat.strike.1": "Strike 1: one run, and the batters cross.";
    STRIKE_2 "howzat.strike.2": "Strike 2: two runs.";
    STRIKE_3 "howzat.strike.3": "Strike 3: no run.";
    STRIKE_4 "howzat.strike.4": "Strike 4: a boundary four.";
    STRIKE_6 "howzat.strike.6": "Strike 6: six runs.";
    STRIKE_6_NO_RUN "howzat.strike.6_no_run": "Strike 6 scores nothing off byes and leg byes; with the option sixes_off_extras: never, it scores nothing off any delivery bowled with a 1.";
    APPEAL "howzat.appeal": "Strike 5 is an appeal: the bowl die decides it.";
    APPEAL_NOT_OUT "howzat.appeal.not_out": "An appeal after a 1 to bowl is not out: no run and no byes, but a no-ball still costs its run.";
    APPEAL_BOWLED "howzat.appeal.bowled": "An appeal after a 2 to bowl: out, bowled.";
    APPEAL_CATCH "howzat.appeal.catch": "An appeal after a 3 to bowl is a ball in the air: two dice pick the fielder, and he rolls to catch it.";
    CATCH_HELD "howzat.catch.held": "A 3 to 6 holds the catch: out, caught.";
    CATCH_DROPPED "howzat.catch.dropped": "A 1 or 2 drops the catch: not out, and no run.";
    APPEAL_STUMPED "howzat.appeal.stumped": "An appeal after a 4 to bowl: out, stumped by the keeper.";
    APPEAL_LBW "howzat.appeal.lbw": "An appeal after a 5 to bowl: out, leg before wicket.";
    APPEAL_RUN_OUT "howzat.appeal.run_out": "An appeal after a 6 to bowl: the striker is run out without a run, and it is not the bowler's wicket.";
    OVER_CONSECUTIVE "howzat.over.consecutive": "Nobody bowls two overs running.";
    OVER_QUOTA "howzat.over.quota": "Nobody bowls more overs than the match allows a bowler.";
    OVER_KEEPER "howzat.over.keeper": "The wicketkeeper does not bowl, unless another keeper is named for the over.";
    OVER_PLAYER "howzat.over.player": "Only players of the side can be named, and the two openers are different players.";
    OVER_FIELD "howzat.over.field": "A field puts each of the eleven on one of the positions 2 to 12.";
    OVER_OPENERS "howzat.over.openers": "Openers are named for the first over of an innings, and for no other.";
    REVIEW_STRUCK_DOWN "howzat.review.struck_down": "A review of 1 to 3 is struck down: the batter is out, and the review is lost.";
    REVIEW_UMPIRES_CALL "howzat.review.umpires_call": "A review of 4 is the umpire's call: the batter is out, and the side keeps its review.";
    REVIEW_UPHELD "howzat.review.upheld": "A review of 5 or 6 is upheld: the batter is not out, the ball is a dot, and its extras stay.";
    REVIEW_OFF "howzat.review.off": "Decisions are reviewed only in a match with drs: house.";
    REVIEW_NONE_LEFT "howzat.review.none_left": "A side has one review an innings, and keeps it only by the umpire's call.";
    REVIEW_NOT_REVIEWABLE "howzat.review.not_reviewable": "Only a batter given out caught, leg before wicket or stumped has a review.";
    REVIEW_OTHER_SIDE "howzat.review.other_side": "The batting side reviews its dismissals; the fielding side has nothing to review.";
    REVIEW_TOO_LATE "howzat.review.too_late": "Only the last ball can be reviewed, once, and before anything else happens.";
    BALL_NEXT_BATTER "howzat.ball.next_batter": "A batter who has not batted comes in after a wicket, and at no other time.";
}
