//! The situation of a match in play: who is on the field for the next delivery, what this over has been, what
//! is due, and what is needed to win. It is the same for every game.

use std::sync::Arc;

use serde::Serialize;
use utoipa::ToSchema;

use super::cell::DeliveryCell;
use crate::dice::Die;
use crate::log::{DeliveryPlace, at_format};
use crate::matches::Phase;
use crate::projection::{CountedBall, InningsFold, LoadedMatch};
use crate::rules::{GameNote, OnField};
use crate::scorebook::{Overs, Side, WicketRecord, per_over};

/// The situation of a match in play. Whoever is not decided yet is null, and `due` says who decides.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct MatchSituation {
    /// The innings of the next delivery, from 1.
    pub innings: u16,
    /// The side that bats in it.
    pub batting: Side,
    /// The batter who faces the next delivery.
    pub striker: Option<BatterNow>,
    /// The batter at the other end.
    pub non_striker: Option<BatterNow>,
    /// The bowler of the over in progress.
    pub bowler: Option<BowlerNow>,
    /// The wicketkeeper, in a game that has one.
    pub keeper: Option<String>,
    /// What has to be decided before the next delivery, in the order in which it is asked.
    pub due: Vec<Due>,
    /// The over of the next delivery. After the last ball of an over it is still that over, until the next
    /// one begins.
    pub over: OverNow,
    /// The partnership of the two batters at the wicket.
    pub partnership: PartnershipNow,
    /// The last delivery.
    pub last: Option<LastDelivery>,
    /// The total that the side batting last needs to win.
    pub target: Option<u32>,
    /// What the side batting last still needs; null while no target is chased, and once it is reached.
    pub need: Option<RunsNeeded>,
    /// The runs an over so far in the innings; `0.00` before a ball is bowled.
    pub current_rate: String,
    /// The runs an over that are needed, where the balls are limited and a target is chased.
    pub required_rate: Option<String>,
    /// The legal balls of an innings, where they are limited.
    pub balls_limit: Option<u32>,
    /// The over that has just ended, until the next one begins.
    pub over_ended: Option<EndedPart>,
    /// The innings that has just ended, until the next one begins.
    pub innings_ended: Option<EndedPart>,
    /// What the game has to say of the next delivery: a free hit, a power play.
    pub notes: Vec<GameNote>,
}

/// A batter at the wicket.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct BatterNow {
    /// The batter's name.
    pub player: String,
    /// The runs off the bat.
    pub runs: u32,
    /// The balls faced.
    pub balls: u32,
}

/// The bowler of the over in progress.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct BowlerNow {
    /// The bowler's name.
    pub player: String,
    /// The legal balls in this innings, as overs.
    pub overs: String,
    /// The overs without a run against the bowler.
    pub maidens: u32,
    /// The runs against the bowler.
    pub runs: u32,
    /// The wickets of the bowler.
    pub wickets: u32,
    /// What kind of bowler it is, in a game that tells: `medium`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

/// What has to be decided before the next delivery.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Due {
    /// The review of a decision, or its acceptance.
    Review,
    /// The two batters who open the innings.
    Openers,
    /// The over, with its bowler.
    Over,
    /// The batter who comes in for one who is out.
    NextBatter,
}

/// The over of the next delivery.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct OverNow {
    /// The over of the innings, from 1.
    pub number: u16,
    /// The legal balls that are still to be bowled.
    pub legal_left: u32,
    /// The deliveries so far, in order.
    pub deliveries: Vec<DeliveryCell>,
}

/// The partnership of the two batters at the wicket; 0 and 0 before its first ball.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, ToSchema)]
pub struct PartnershipNow {
    /// The runs of the partnership, with extras.
    pub runs: u32,
    /// The balls faced.
    pub balls: u32,
}

/// The last delivery, with its outcome after a review.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct LastDelivery {
    /// The event of the delivery.
    pub seq: u64,
    /// The number of the delivery in the match, from 1.
    pub delivery: u32,
    /// The place of the delivery.
    pub place: DeliveryPlace,
    /// The time of the event: RFC 3339, UTC, milliseconds.
    pub at: String,
    /// The delivery in words, as in the commentary.
    pub text: String,
    /// The runs of the delivery, with extras.
    pub runs: u16,
    /// The boundary, 4 or 6, if the ball reached it.
    pub boundary: Option<u8>,
    /// The wicket, if one fell.
    pub wicket: Option<WicketRecord>,
    /// The dice, in the order rolled.
    pub dice: Vec<Die>,
}

/// What a side still needs to win.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct RunsNeeded {
    /// The runs that are needed.
    pub runs: u32,
    /// The legal balls that are left, where they are limited.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub balls: Option<u32>,
    /// The wickets in hand.
    pub wickets: u32,
    /// The need in words: `47 off 31 to win`, `17 to win`.
    pub text: String,
}

/// An over or an innings that has just ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct EndedPart {
    /// The number of the over or innings, from 1.
    pub number: u16,
    /// The runs of the over or innings.
    pub runs: u32,
    /// The wickets of the over or innings.
    pub wickets: u32,
    /// The end in words: `over 5 is done: 21 runs, 1 wicket`.
    pub text: String,
}

impl RunsNeeded {
    /// The runs an over that are needed, where the balls are limited.
    fn per_over(&self) -> Option<String> {
        per_over(self.runs, self.balls?)
    }
}

/// The runs an over that the side batting in this innings needs after the last delivery, as the situation has
/// them; none in an innings without a target.
pub(super) fn required_rate(loaded: &LoadedMatch, innings: u16) -> Option<String> {
    // Most balls chase no target.
    loaded.the_match().reviews().target()?;
    let standing = Standing::of(loaded);
    standing.need().filter(|_| standing.next.0 == innings)?.per_over()
}

impl MatchSituation {
    /// The situation of a folded match; none before the toss is decided, and after the end.
    pub fn of(loaded: &LoadedMatch) -> Option<MatchSituation> {
        (loaded.the_match().play().phase() == Phase::Play).then(|| Standing::of(loaded).situation())
    }
}

impl LastDelivery {
    /// The last delivery of a folded match; none before the first.
    pub fn of(loaded: &LoadedMatch) -> Option<LastDelivery> {
        let CountedBall { seq, at, ball } = loaded.projection().last_over().last()?.as_ref();
        Some(LastDelivery {
            seq: *seq,
            delivery: ball.delivery,
            place: DeliveryPlace::of(ball),
            at: at_format::write(at),
            text: loaded.describe_last_delivery().unwrap_or_default(),
            runs: ball.outcome.runs.total,
            boundary: ball.outcome.boundary,
            wicket: ball.outcome.wicket.clone(),
            dice: ball.dice.clone(),
        })
    }
}

/// A match in play, with what most parts of its situation are about.
struct Standing<'a> {
    loaded: &'a LoadedMatch,
    field: OnField<'a>,
    /// The innings and the over of the next delivery.
    next: (u16, u16),
    /// The innings of the next delivery, once it has begun.
    innings: Option<&'a InningsFold>,
    /// The over of the last delivery, if it is of the innings of the next one.
    last_over: &'a [Arc<CountedBall>],
    last_ball_is_bowled: bool,
}

impl<'a> Standing<'a> {
    fn of(loaded: &'a LoadedMatch) -> Standing<'a> {
        let play = loaded.the_match().play();
        let next = play.next_over();
        let folds = loaded.projection().innings();
        let last_over = loaded.projection().last_over();
        let is_of_next = last_over.last().is_some_and(|last| last.ball.innings == next.0);
        Standing {
            loaded,
            field: play.asking().on_field(),
            next,
            innings: folds.iter().find(|fold| fold.number == next.0).map(Arc::as_ref),
            last_over: if is_of_next { last_over } else { &[] },
            last_ball_is_bowled: play.last_ball_is_bowled(),
        }
    }

    fn situation(&self) -> MatchSituation {
        let [runs, balls] = self.innings.map_or([0, 0], |fold| [fold.runs, fold.balls]);
        let need = self.need();
        MatchSituation {
            innings: self.next.0,
            batting: self.field.batting,
            striker: self.batter(self.field.striker),
            non_striker: self.batter(self.field.non_striker),
            bowler: self.bowler(),
            keeper: self.field.keeper.map(str::to_owned),
            due: self.due(),
            over: self.over(),
            partnership: self.partnership(),
            last: LastDelivery::of(self.loaded),
            target: self.loaded.the_match().reviews().target(),
            required_rate: need.as_ref().and_then(RunsNeeded::per_over),
            need,
            current_rate: per_over(runs, balls).unwrap_or_else(|| "0.00".to_owned()),
            balls_limit: self.field.balls_limit,
            over_ended: self.over_ended(),
            innings_ended: self.innings_ended(),
            notes: self.notes(),
        }
    }

    fn batter(&self, player: Option<&str>) -> Option<BatterNow> {
        let player = player?;
        let batted = self.innings.and_then(|fold| fold.batters.iter().find(|batter| batter.player == player));
        let (runs, balls) = batted.map_or((0, 0), |batter| (batter.runs, batter.balls));
        Some(BatterNow { player: player.to_owned(), runs, balls })
    }

    fn bowler(&self) -> Option<BowlerNow> {
        let player = self.field.bowler?;
        let bowled = self.innings.and_then(|fold| fold.bowlers.iter().find(|bowler| bowler.player == player));
        let figures = |figure: fn(&crate::projection::Bowler) -> u32| bowled.map_or(0, figure);
        Some(BowlerNow {
            player: player.to_owned(),
            overs: Overs::of_balls(figures(|bowler| bowler.balls)).to_string(),
            maidens: figures(|bowler| bowler.maidens),
            runs: figures(|bowler| bowler.runs),
            wickets: figures(|bowler| bowler.wickets),
            text: self.field.style.as_deref().map(str::to_owned),
        })
    }

    fn due(&self) -> Vec<Due> {
        let OnField { striker, non_striker, bowler, .. } = &self.field;
        let is_open = self.loaded.the_match().reviews().open().is_some();
        let goes_on = !self.last_ball_is_bowled;
        let batters = striker.iter().chain(non_striker).count();
        [
            (is_open, Due::Review),
            (goes_on && batters == 0, Due::Openers),
            (goes_on && bowler.is_none(), Due::Over),
            (goes_on && batters == 1, Due::NextBatter),
        ]
        .into_iter()
        .filter_map(|(is_due, due)| is_due.then_some(due))
        .collect()
    }

    /// The over that is shown: the one in progress, or between overs the one that has just ended.
    fn over(&self) -> OverNow {
        let shown = match self.last_over.last() {
            Some(last) if self.field.bowler.is_none() => last.ball.over,
            _ => self.next.1,
        };
        let deliveries: Vec<DeliveryCell> = self
            .last_over
            .iter()
            .filter(|counted| counted.ball.over == shown)
            .map(|one| DeliveryCell::of(one))
            .collect();
        let legal = deliveries.iter().filter(|delivery| delivery.legal).count() as u32;
        OverNow { number: shown, legal_left: Overs::BALLS.saturating_sub(legal), deliveries }
    }

    fn partnership(&self) -> PartnershipNow {
        let last = self.innings.and_then(|fold| fold.partnerships.last()).filter(|stand| stand.unbroken);
        last.map_or(PartnershipNow::default(), |stand| PartnershipNow {
            runs: stand.runs,
            balls: stand.balls,
        })
    }

    fn need(&self) -> Option<RunsNeeded> {
        let target = self.loaded.the_match().reviews().target().filter(|_| !self.last_ball_is_bowled)?;
        let [scored, lost, bowled] =
            self.innings.map_or([0; 3], |fold| [fold.runs, fold.wickets, fold.balls]);
        let runs = target.checked_sub(scored).filter(|runs| *runs > 0)?;
        let balls = self.field.balls_limit.map(|limit| limit.saturating_sub(bowled));
        let text = match balls {
            Some(balls) => format!("{runs} off {balls} to win"),
            None => format!("{runs} to win"),
        };
        let all_out = u32::from(self.loaded.the_match().play().info().game.info.wickets);
        Some(RunsNeeded { runs, balls, wickets: all_out.saturating_sub(lost), text })
    }

    fn over_ended(&self) -> Option<EndedPart> {
        let number = self.last_over.last().filter(|_| self.field.bowler.is_none())?.ball.over;
        let outcomes = || self.last_over.iter().map(|counted| &counted.ball.outcome);
        let runs: u32 = outcomes().map(|outcome| u32::from(outcome.runs.total)).sum();
        let wickets = outcomes().filter(|outcome| outcome.wicket.is_some()).count() as u32;
        let scored = if runs == 0 { "no run".to_owned() } else { counted(runs, "run") };
        let fallen = if wickets == 0 { String::new() } else { format!(", {}", counted(wickets, "wicket")) };
        Some(EndedPart { number, runs, wickets, text: format!("over {number} is done: {scored}{fallen}") })
    }

    fn innings_ended(&self) -> Option<EndedPart> {
        let is_between = self.innings.is_none() && self.field.bowler.is_none();
        let fold = self.loaded.projection().innings().last().filter(|_| is_between)?;
        let InningsFold { number, runs, wickets, batting, balls, .. } = fold.as_ref();
        let side = |side: Side| &self.loaded.created().sheet(side).name;
        let all_out = u32::from(self.loaded.the_match().play().info().game.info.wickets);
        let fallen = if *wickets >= all_out { "all out".to_owned() } else { format!("for {wickets}") };
        let overs = Overs { balls: *balls };
        let need = match self.loaded.the_match().reviews().target() {
            Some(target) => format!(" {} need {target}.", side(batting.other())),
            None => String::new(),
        };
        let text = format!("{} {runs} {fallen}, {overs} overs.{need}", side(*batting));
        Some(EndedPart { number: *number, runs: *runs, wickets: *wickets, text })
    }

    fn notes(&self) -> Vec<GameNote> {
        if self.last_ball_is_bowled { Vec::new() } else { self.loaded.the_match().play().asking().notes() }
    }
}

fn counted(many: u32, one: &str) -> String {
    if many == 1 { format!("1 {one}") } else { format!("{many} {one}s") }
}
