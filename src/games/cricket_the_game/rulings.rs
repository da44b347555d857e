//! Every ruling and refusal of Cricket: The Game, as data.

use crate::rules::QuestionRulings;
use crate::scorebook::rulings;

rulings! {
    /// Every ruling and refusal of the game.
    ALL;
    ADVANTAGE_FULL "ctg.advantage.full": "The stroke goes into a zone the bowl feeds: the batter has the full advantage of three.";
    ADVANTAGE_LINES "ctg.advantage.lines": "The stroke goes elsewhere: the advantage is one less for each zone line to the nearest zone the bowl feeds, not through the bye zone.";
    CLEAN_BOWLED "ctg.clean_bowled": "The batter's die shows 1 and the bowler's its top face at the first roll: out, bowled, whatever the cards say; a dot on a no-ball or a free hit.";
    BOUNDARY_SIX_NATURAL "ctg.boundary.six_natural": "The bowler's die shows 1 and the batter's 8: six runs.";
    BOUNDARY_FOUR_NATURAL "ctg.boundary.four_natural": "The bowler's die shows 1 and the batter's 6 or 7: four runs.";
    BLOCK "ctg.block": "The dice, or the totals, are equal: blocked, no run.";
    STRIKE "ctg.strike": "The batter's total is higher: the ball is struck.";
    MISS "ctg.miss": "The batter's total is lower: the ball is missed.";
    MISS_BOWLED_CHANCE "ctg.miss.bowled_chance": "Missed by the threshold or more: the bowler rolls to bowl the batter.";
    MISS_BOWLED "ctg.miss.bowled": "The roll to bowl the batter is high enough: out, bowled.";
    MISS_NOT_BOWLED "ctg.miss.not_bowled": "The roll to bowl the batter is too low: no run.";
    SLIPS "ctg.slips": "The slips roll for a catch one by one, the innermost first, until one holds it.";
    SLIPS_HELD "ctg.slips.held": "A slip rolls a 6: out, caught.";
    SLIPS_MISSED "ctg.slips.missed": "No slip rolls a 6: no run.";
    SNICK "ctg.snick": "A card shows the snick: the slips may catch a ball that is missed, too.";
    APPEAL "ctg.appeal": "A card gives the fielding side an appeal, and it rolls for it.";
    APPEAL_OUT "ctg.appeal.out": "The appeal is upheld: out.";
    APPEAL_NOT_OUT "ctg.appeal.not_out": "The appeal is turned down: not out.";
    CONFLICT "ctg.conflict": "Of several chances the fielding side takes one, and rolls only for that.";
    STRIKE_LONGER "ctg.strike.longer": "Struck well: the batter adds one to the distance, to 6 at most.";
    STRIKE_SHORTER "ctg.strike.shorter": "Struck badly: one is taken off the distance, to 1 at least.";
    CATCH_HELD "ctg.catch.held": "The ball is in the air to a fielder, and the d6 is at or above the value of the area: out, caught.";
    CATCH_DROPPED "ctg.catch.dropped": "The ball is in the air to a fielder, and the d6 is below the value of the area: dropped, and the fielder takes no further part in this ball.";
    CATCH_IMPOSSIBLE "ctg.catch.impossible": "The ball is in the air to a fielder, but the catch would take more than a 6, or the area allows none: nobody tries.";
    BOUNDARY_FOUR "ctg.boundary.four": "The ball runs past the last area: four runs.";
    BOUNDARY_SIX "ctg.boundary.six": "The ball lands in the last area and bounces two areas on over the ground: six runs.";
    STOPPED "ctg.stopped": "The ball stops where no fielder stands: one run in the infield, two in the outfield.";
    FIELDED "ctg.fielded": "The ball stops at a fielder: off the ground one run in the infield and two in the outfield, out of the air one less.";
    EXTRA_RUN "ctg.extra_run": "The batters try one run more than is safe.";
    RUN_OUT "ctg.run_out": "The throw is good: the batter running to the end nearer the fielder is out, and one run fewer counts than was tried.";
    RUN_SAFE "ctg.run_safe": "The throw is late: the runs that were tried count.";
    NO_RUN "ctg.no_run": "A card allows no run off a ball that stays in the field.";
    OVERTHROWS "ctg.overthrows": "A card gives overthrows off a ball that a fielder has stopped.";
    NO_BALL "ctg.no_ball": "A no-ball: one run to extras, not one of the six, and a batter can be out only by a run out.";
    FREE_HIT "ctg.free_hit": "The delivery after a no-ball: no over card, and a batter can be out only by a run out.";
    DEAD_BALL "ctg.dead_ball": "A dead ball: nothing counts, and it is bowled again without an over card.";
    CARD_RUNS "ctg.card.runs": "A card decides the ball: the runs on the card.";
    CARD_OUT "ctg.card.out": "A card decides the ball: out, or a dot on a no-ball or a free hit.";
    SKILL "ctg.skill": "A skill card is played.";
    REROLL "ctg.reroll": "A side has a die rolled once more, and the first roll no longer counts.";
    CONFIDENCE "ctg.confidence": "The batter's confidence changes from the next ball on, within -1 and 3.";
    EXPRESS_DOT "ctg.express.dot": "Express play: no run.";
    EXPRESS_RUNS "ctg.express.runs": "Express play: the runs on the card.";
    EXPRESS_PATIENCE "ctg.express.patience": "Express play: no run, and the bowler rolls a d8 on the next ball that is not express.";
    EXPRESS_THREAT "ctg.express.threat": "Express play: no run; with the second threat of an over the bowler rolls a d6, and 5 or more bowls the batter.";
    EXPRESS_BOUNDARY "ctg.express.boundary": "Express play: the batter rolls a d8 against the table of the bowler's style.";
    PATIENCE "ctg.patience": "The bowler has shown patience, and rolls a d8.";
    REVIEW_STRUCK_DOWN "ctg.review.struck_down": "The decision stands, and the review is lost.";
    REVIEW_UMPIRES_CALL "ctg.review.umpires_call": "The decision stands by the umpire's call, and the review is retained.";
    REVIEW_UPHELD "ctg.review.upheld": "The decision is reversed, and the review is used up.";
    REVIEW_OFF "ctg.review.off": "Decisions are reviewed only in a match with drs on.";
    REVIEW_NONE_LEFT "ctg.review.none_left": "A side has the reviews of the edition's card in an innings, and keeps one only by the umpire's call.";
    REVIEW_NOT_REVIEWABLE "ctg.review.not_reviewable": "The batting side may review any dismissal except run out and clean bowled, the fielding side an appeal that was turned down.";
    REVIEW_OTHER_SIDE "ctg.review.other_side": "A dismissal is for the batting side to review, and an appeal turned down for the fielding side.";
    REVIEW_TOO_LATE "ctg.review.too_late": "Only the last ball can be reviewed, once, and before anything else happens.";
    SQUAD_SIZE "ctg.squad.size": "A squad is twelve players.";
    SQUAD_CARD "ctg.squad.card": "Each player has a role, and a confidence from -1 to 3.";
    SQUAD_ROLES "ctg.squad.roles": "A squad is two pace bowlers, two spin bowlers, three batters, four all-rounders and a keeper.";
    SET_UP_DROP "ctg.set_up.drop": "Each side drops one specialist bowler, of pace or spin.";
    SET_UP_PITCH "ctg.set_up.pitch": "The pitch card is drawn: at the table it is entered, and in a seeded match it follows from the seed.";
    OVER_BOWLER "ctg.over.bowler": "Specialist bowlers and all-rounders bowl.";
    OVER_CONSECUTIVE "ctg.over.consecutive": "Nobody bowls two overs running.";
    OVER_QUOTA "ctg.over.quota": "A bowler has two overs in T10 and three in T20.";
    OVER_UNFILLABLE "ctg.over.unfillable": "A bowler may bowl only if the overs left after his can still be filled.";
    OVER_OPENERS "ctg.over.openers": "Two different players of the eleven open, in the first over of an innings.";
    OVER_POWER_PLAY "ctg.over.power_play": "In T10 the batting side may call the power play once an innings, in overs 3 to 10.";
    FIELD_TOKENS "ctg.field.tokens": "Nine fielders stand in the field.";
    FIELD_AREA "ctg.field.area": "An area of the board takes one fielder.";
    FIELD_ZONE "ctg.field.zone": "A zone takes two fielders; in T20 one zone may take three.";
    FIELD_OUTFIELD "ctg.field.outfield": "Two fielders may stand in the outfield in the first overs and in the power play, five in other overs.";
    BALL_NEXT_BATTER "ctg.ball.next_batter": "After a wicket a batter who has not batted comes in.";
    BALL_BOWL "ctg.ball.bowl": "A bowl is a card of the bowler's style.";
    BALL_STROKE "ctg.ball.stroke": "A stroke goes into any zone but the bye zone.";
    BALL_ATTITUDE "ctg.ball.attitude": "A batter is aggressive or defensive.";
    BALL_EXPRESS "ctg.ball.express": "In express play nothing is chosen: only the symbol on the over card counts.";
    BALL_OVER_CARD "ctg.ball.over_card": "Each ball turns one card of the style's over deck, and no card twice in an over; a free hit and a ball bowled again turn none.";
    BALL_SKILL "ctg.ball.skill": "A specialist batter may use each skill once an innings, any other batter only one of them; a bowler may use each of his skills once an over.";
    BALL_NOT_ASKED "ctg.ball.not_asked": "A decision after dice is made when the match asks for it, and not before.";
    BALL_LOCKED "ctg.ball.locked": "A choice that has been made cannot be changed.";
    BALL_RUN "ctg.ball.run": "The batters take the runs that are safe, or try one more.";
    BALL_CHANCE "ctg.ball.chance": "The fielding side takes one of the chances the ball offers.";
}

/// The rulings behind each question.
pub const QUESTIONS: &[QuestionRulings] = &[
    ("drop", &[&SET_UP_DROP]),
    ("pitch", &[&SET_UP_PITCH]),
    ("openers", &[&OVER_OPENERS]),
    ("attitudes", &[&BALL_ATTITUDE]),
    ("bowler", &[&OVER_BOWLER, &OVER_CONSECUTIVE, &OVER_QUOTA, &OVER_UNFILLABLE]),
    ("power_play", &[&OVER_POWER_PLAY, &FIELD_OUTFIELD]),
    ("field", &[&FIELD_TOKENS, &FIELD_AREA, &FIELD_ZONE, &FIELD_OUTFIELD]),
    ("next_batter", &[&BALL_NEXT_BATTER]),
    ("next_attitude", &[&BALL_ATTITUDE]),
    ("bowl", &[&BALL_BOWL]),
    ("stroke", &[&BALL_STROKE, &ADVANTAGE_FULL, &ADVANTAGE_LINES]),
    ("attitude", &[&BALL_ATTITUDE]),
    ("over_card", &[&BALL_OVER_CARD]),
    ("skills", &[&BALL_SKILL]),
    ("longer", &[&STRIKE_LONGER]),
    ("run", &[&BALL_RUN, &EXTRA_RUN, &RUN_OUT, &RUN_SAFE]),
    ("chance", &[&BALL_CHANCE, &CONFLICT]),
    ("reroll_bowler", &[&REROLL]),
    ("reroll_batter", &[&REROLL]),
    ("dice.bowler", &[&CLEAN_BOWLED, &BOUNDARY_SIX_NATURAL, &BOUNDARY_FOUR_NATURAL, &BLOCK, &STRIKE, &MISS]),
    ("dice.batter", &[&CLEAN_BOWLED, &BOUNDARY_SIX_NATURAL, &BOUNDARY_FOUR_NATURAL, &BLOCK, &STRIKE, &MISS]),
    ("dice.distance", &[&STRIKE, &STRIKE_LONGER, &STRIKE_SHORTER]),
    ("dice.red_bounce", &[&STOPPED, &FIELDED, &BOUNDARY_FOUR, &BOUNDARY_SIX]),
    ("dice.green_bounce", &[&STOPPED, &FIELDED, &BOUNDARY_FOUR, &BOUNDARY_SIX]),
    ("dice.catch", &[&CATCH_HELD, &CATCH_DROPPED, &CATCH_IMPOSSIBLE]),
    ("dice.run_out", &[&RUN_OUT, &RUN_SAFE]),
    ("dice.bowled", &[&MISS_BOWLED_CHANCE, &MISS_BOWLED, &MISS_NOT_BOWLED]),
    ("dice.slip", &[&SLIPS, &SLIPS_HELD, &SLIPS_MISSED]),
    ("dice.appeal", &[&APPEAL, &APPEAL_OUT, &APPEAL_NOT_OUT]),
    ("dice.threat", &[&EXPRESS_THREAT]),
    ("dice.boundary", &[&EXPRESS_BOUNDARY]),
    ("dice.review", &[&REVIEW_STRUCK_DOWN, &REVIEW_UMPIRES_CALL, &REVIEW_UPHELD]),
];
