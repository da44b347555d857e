use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::adjudication::{DisputeEntry, Exception};
use super::book::Book;
use super::changed_choices::ChangedChoice;
use super::innings::{BatterStatus, FallenWicket, InningsFold, Partnership};
use crate::log::Head;
use crate::scorebook::{MatchResult, Overs, Side, per_hundred, per_over};

/// The scorecard after an event.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct Scorecard {
    /// The match.
    #[serde(rename = "match")]
    pub match_id: Uuid,
    /// The event after which it is true.
    pub at_seq: u64,
    /// That event and its hash.
    pub head: Head,
    /// The home side's name.
    pub home: String,
    /// The away side's name.
    pub away: String,
    /// `created|in_play|completed|abandoned`.
    pub status: &'static str,
    /// The result, once there is one.
    pub result: Option<MatchResult>,
    /// The innings that have begun, in order.
    pub innings: Vec<InningsCard>,
    /// What the side batting last needs to win: the other side's total + 1. From the end of the innings before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target: Option<u32>,
    /// The last correction that was taken into account, where it came after `at_seq`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub as_known_at: Option<u64>,
    /// Balls that stand as the table agreed, and not by the rules; left out where there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub exceptions: Vec<Exception>,
    /// Choices that were made otherwise after a correction, when what had followed from them was known; left out where there
    /// are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub changed_choices: Vec<ChangedChoice>,
    /// Disputes that have not been ruled on; left out where there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub disputes: Vec<DisputeEntry>,
}

/// One innings of a scorecard.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct InningsCard {
    /// From 1.
    pub number: u16,
    /// The side batting.
    pub batting: Side,
    /// The side bowling.
    pub bowling: Side,
    /// The side's total.
    pub total: InningsTotal,
    /// Extras by kind.
    pub extras: ExtrasLine,
    /// In the order they came in; then those who did not bat, in team order.
    pub batters: Vec<BatterLine>,
    /// Those who bowled, in the order they first did.
    pub bowlers: Vec<BowlerLine>,
    /// Wickets in the order they fell.
    pub fall_of_wickets: Vec<FallenWicket>,
    /// Stands in order; the last may be unbroken.
    pub partnerships: Vec<Partnership>,
    /// Runs an over; `0.00` before a ball is bowled.
    pub run_rate: String,
}

/// A side's total.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct InningsTotal {
    /// Runs.
    pub runs: u32,
    /// Wickets lost.
    pub wickets: u32,
    /// Legal balls as overs, e.g. `19.4`.
    pub overs: String,
    /// Legal balls.
    pub balls: u32,
}

/// Extras of an innings by kind.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct ExtrasLine {
    /// Byes.
    pub byes: u32,
    /// Leg byes.
    pub leg_byes: u32,
    /// Wides.
    pub wides: u32,
    /// No-balls.
    pub no_balls: u32,
    /// Penalty runs.
    pub penalty: u32,
    /// Together.
    pub total: u32,
}

/// A batter's line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct BatterLine {
    /// Name.
    pub player: String,
    /// Out, not out, or did not bat.
    pub status: BatterStatus,
    /// As written in a scorebook, e.g. `c X b Y`; null unless out.
    pub how_out: Option<String>,
    /// Runs.
    pub runs: u32,
    /// Balls faced: all but wides and dead balls.
    pub balls: u32,
    /// Fours off the bat.
    pub fours: u32,
    /// Sixes off the bat.
    pub sixes: u32,
    /// Runs a hundred balls; null before a ball is faced.
    pub strike_rate: Option<String>,
}

/// A bowler's line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct BowlerLine {
    /// Name.
    pub player: String,
    /// Legal balls as overs.
    pub overs: String,
    /// Legal balls.
    pub balls: u32,
    /// Overs without a run against the bowler.
    pub maidens: u32,
    /// Runs against the bowler: off the bat, wides, no-balls.
    pub runs: u32,
    /// Wickets: all but run outs.
    pub wickets: u32,
    /// Runs from wides.
    pub wides: u32,
    /// Runs from no-balls.
    pub no_balls: u32,
    /// Runs an over; null before a legal ball.
    pub economy: Option<String>,
}

impl Scorecard {
    /// The card of a folded match.
    pub fn of(book: &Book) -> Scorecard {
        let created = book.created();
        Scorecard {
            match_id: book.match_id(),
            at_seq: book.head().seq,
            head: book.head().clone(),
            home: created.home.name.clone(),
            away: created.away.name.clone(),
            status: book.fixture().status(),
            result: book.fixture().result(),
            innings: book
                .innings()
                .iter()
                .map(|fold| card(fold, &created.sheet(fold.batting).players, book.left_out(fold.batting)))
                .collect(),
            target: book.fixture().target(),
            as_known_at: book.known_at(),
            exceptions: book.exceptions(),
            changed_choices: book.settled().changed_choices().to_vec(),
            disputes: book.settled().open_disputes(),
        }
    }
}

fn card(fold: &InningsFold, sheet: &[String], left_out: &[String]) -> InningsCard {
    let [byes, leg_byes, wides, no_balls, penalty] = fold.extras;
    InningsCard {
        number: fold.number,
        batting: fold.batting,
        bowling: fold.batting.other(),
        total: InningsTotal {
            runs: fold.runs,
            wickets: fold.wickets,
            overs: fold.overs().to_string(),
            balls: fold.balls,
        },
        extras: ExtrasLine { byes, leg_byes, wides, no_balls, penalty, total: fold.extras.iter().sum() },
        batters: batters(fold, sheet, left_out),
        bowlers: bowlers(fold),
        fall_of_wickets: fold.fall_of_wickets.clone(),
        partnerships: fold.partnerships.clone(),
        run_rate: per_over(fold.runs, fold.balls).unwrap_or_else(|| "0.00".to_owned()),
    }
}

fn batters(fold: &InningsFold, sheet: &[String], left_out: &[String]) -> Vec<BatterLine> {
    let batted = fold.batters.iter().map(|batter| BatterLine {
        player: batter.player.clone(),
        status: if batter.how_out.is_some() { BatterStatus::Out } else { BatterStatus::NotOut },
        how_out: batter.how_out.clone(),
        runs: batter.runs,
        balls: batter.balls,
        fours: batter.fours,
        sixes: batter.sixes,
        strike_rate: per_hundred(batter.runs, batter.balls),
    });
    let did_not = sheet
        .iter()
        .filter(|player| !left_out.contains(player))
        .filter(|player| fold.batters.iter().all(|batter| batter.player != **player))
        .map(|player| BatterLine {
            player: player.clone(),
            status: BatterStatus::DidNotBat,
            how_out: None,
            runs: 0,
            balls: 0,
            fours: 0,
            sixes: 0,
            strike_rate: None,
        });
    batted.chain(did_not).collect()
}

fn bowlers(fold: &InningsFold) -> Vec<BowlerLine> {
    let line = |bowler: &super::innings::Bowler| BowlerLine {
        player: bowler.player.clone(),
        overs: Overs::of_balls(bowler.balls).to_string(),
        balls: bowler.balls,
        maidens: bowler.maidens,
        runs: bowler.runs,
        wickets: bowler.wickets,
        wides: bowler.wides,
        no_balls: bowler.no_balls,
        economy: per_over(bowler.runs, bowler.balls),
    };
    fold.bowlers.iter().map(line).collect()
}
