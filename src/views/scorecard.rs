//! The scorecard of a match, as a view: its innings with batters, bowlers, extras and wickets, and what
//! corrections changed.

use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::{FirstFew, MatchSituation, counts_nothing, first_of};
use crate::log::Head;
use crate::projection::{
    AgreedException, BatterStatus, Bowler, ChangedChoice, CorrectionEntry, DisputeEntry, FallenWicket,
    InningsFold, LoadedMatch, Partnership, Wicketkeeper,
};
use crate::rules::ResultView;
use crate::scorebook::{Overs, Side, per_hundred, per_over};

/// The scorecard of a match as of an event.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct Scorecard {
    /// The match's id.
    #[serde(rename = "match")]
    pub match_id: Uuid,
    /// The seq of the event as of which it is true.
    pub at_seq: u64,
    /// The seq of that event, and its hash.
    pub head: Head,
    /// The home side's name.
    pub home: String,
    /// The away side's name.
    pub away: String,
    /// The status: `created|in_play|completed|abandoned`.
    pub status: &'static str,
    /// The result, once there is one.
    pub result: Option<ResultView>,
    /// The innings that have begun, in order.
    pub innings: Vec<InningsCard>,
    /// The total that the side batting last needs to win, from the end of the innings before: the other
    /// side's total + 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target: Option<u32>,
    /// The situation of the match in play; null before the toss is decided, and after the end.
    pub situation: Option<MatchSituation>,
    /// The last correction that counts here, where it came after `at_seq`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub as_known_at: Option<u64>,
    /// The corrections that have taken effect; left out where there are none. These are the first, at most 8
    /// KiB: `GET .../corrections` has all.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(max_items = 20)]
    pub corrections: Vec<CorrectionEntry>,
    /// The number of all such corrections; left out where there are none.
    #[serde(skip_serializing_if = "counts_nothing")]
    pub corrections_total: u32,
    /// The balls with an outcome that the table agreed on, and not by the rules; left out where there are
    /// none. These are the first, at most 8 KiB: `GET .../exceptions` has all.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(max_items = 20)]
    pub exceptions: Vec<AgreedException>,
    /// The number of all balls with such an outcome; left out where there are none.
    #[serde(skip_serializing_if = "counts_nothing")]
    pub exceptions_total: u32,
    /// Choices that differ after a correction from those before it, made when the outcome of the earlier ones
    /// was known; left out where there are none. These are the first, at most 8 KiB: `GET
    /// .../changed-choices` has all.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(max_items = 20)]
    pub changed_choices: Vec<ChangedChoice>,
    /// The number of all such choices; left out where there are none.
    #[serde(skip_serializing_if = "counts_nothing")]
    pub changed_choices_total: u32,
    /// Values that were read off the table, like dice, and read anew after a correction; left out where there
    /// are none. These are the first, at most 8 KiB: `GET .../read-anew` has all.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(max_items = 20)]
    pub read_anew: Vec<ChangedChoice>,
    /// The number of all such values; left out where there are none.
    #[serde(skip_serializing_if = "counts_nothing")]
    pub read_anew_total: u32,
    /// The disputes that have no ruling yet; left out where there are none. These are the first, at most 16
    /// KiB: `GET .../disputes` has all.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(max_items = 20)]
    pub disputes: Vec<DisputeEntry>,
    /// The number of all disputes that have no ruling yet; left out where there are none.
    #[serde(skip_serializing_if = "counts_nothing")]
    pub disputes_open: u32,
}

/// One innings of a scorecard.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct InningsCard {
    /// The number of the innings, from 1.
    pub number: u16,
    /// The side batting.
    pub batting: Side,
    /// The side bowling.
    pub bowling: Side,
    /// The side's total.
    pub total: InningsTotal,
    /// The extras by kind.
    pub extras: ExtrasLine,
    /// The batters in the order they came in; then those who did not bat, in team order.
    pub batters: Vec<BatterLine>,
    /// The bowlers, in the order they first bowled.
    pub bowlers: Vec<BowlerLine>,
    /// The wickets, in the order they fell.
    pub fall_of_wickets: Vec<FallenWicket>,
    /// The partnerships in order; the last may be unbroken.
    pub partnerships: Vec<Partnership>,
    /// Those of the side bowling who kept wicket, the first one first; left out in a game without a
    /// wicketkeeper.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub keepers: Vec<Wicketkeeper>,
    /// The runs an over; `0.00` before a ball is bowled.
    pub run_rate: String,
}

/// A side's total.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct InningsTotal {
    /// The runs of the side.
    pub runs: u32,
    /// The wickets lost.
    pub wickets: u32,
    /// The legal balls as overs, e.g. `19.4`.
    pub overs: String,
    /// The number of legal balls.
    pub balls: u32,
}

/// The extras of an innings by kind, in runs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct ExtrasLine {
    /// The runs from byes.
    pub byes: u32,
    /// The runs from leg byes.
    pub leg_byes: u32,
    /// The runs from wides.
    pub wides: u32,
    /// The runs from no-balls.
    pub no_balls: u32,
    /// The penalty runs.
    pub penalty: u32,
    /// The sum of all extras.
    pub total: u32,
}

/// A batter's line on the scorecard.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct BatterLine {
    /// The batter's name.
    pub player: String,
    /// Whether the batter is out, not out, or did not bat.
    pub status: BatterStatus,
    /// The dismissal as written in a scorebook, e.g. `c X b Y`; null unless out.
    pub how_out: Option<String>,
    /// The runs off the bat.
    pub runs: u32,
    /// The balls faced: all but wides and dead balls.
    pub balls: u32,
    /// The fours off the bat.
    pub fours: u32,
    /// The sixes off the bat.
    pub sixes: u32,
    /// The runs a hundred balls; null before a ball is faced.
    pub strike_rate: Option<String>,
}

/// A bowler's line on the scorecard.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct BowlerLine {
    /// The bowler's name.
    pub player: String,
    /// The legal balls as overs.
    pub overs: String,
    /// The number of legal balls.
    pub balls: u32,
    /// The overs without a run against the bowler.
    pub maidens: u32,
    /// The runs against the bowler: off the bat, wides, no-balls.
    pub runs: u32,
    /// The wickets of the bowler: all but run outs.
    pub wickets: u32,
    /// The runs from wides.
    pub wides: u32,
    /// The runs from no-balls.
    pub no_balls: u32,
    /// The runs an over; null before a legal ball.
    pub economy: Option<String>,
}

impl Scorecard {
    /// The scorecard of a folded match, with every exception, choice, value and dispute.
    pub fn of(loaded: &LoadedMatch) -> Scorecard {
        Scorecard::with(loaded, FirstFew::ALL, FirstFew::ALL)
    }

    /// The scorecard of a folded match without its disputes, which no correction changes.
    pub fn without_disputes(loaded: &LoadedMatch) -> Scorecard {
        Scorecard::with(loaded, FirstFew::ALL, FirstFew::NONE)
    }

    /// The scorecard of a folded match, with the first of each.
    pub fn short(loaded: &LoadedMatch) -> Scorecard {
        Scorecard::with(loaded, FirstFew::OTHERS, FirstFew::DISPUTES)
    }

    fn with(loaded: &LoadedMatch, others: FirstFew, disputes: FirstFew) -> Scorecard {
        let created = loaded.created();
        let adjudication = loaded.adjudication();
        let (corrections, corrections_total) = first_of(adjudication.made(), others);
        let (exceptions, exceptions_total) = first_of(loaded.exceptions(), others);
        let (changed_choices, changed_choices_total) = first_of(adjudication.changed_choices(), others);
        let (read_anew, read_anew_total) = first_of(adjudication.read_anew(), others);
        let (disputes, disputes_open) = first_of(adjudication.open_disputes(), disputes);
        Scorecard {
            match_id: loaded.match_id(),
            at_seq: loaded.head().seq,
            head: loaded.head().clone(),
            home: created.home.name.clone(),
            away: created.away.name.clone(),
            status: loaded.the_match().play().status(),
            result: loaded.result(),
            innings: loaded.projection().innings().iter().map(|fold| card(loaded, fold)).collect(),
            target: loaded.the_match().reviews().target(),
            situation: MatchSituation::of(loaded),
            as_known_at: loaded.known_at(),
            corrections,
            corrections_total,
            exceptions,
            exceptions_total,
            changed_choices,
            changed_choices_total,
            read_anew,
            read_anew_total,
            disputes,
            disputes_open,
        }
    }
}

fn card(loaded: &LoadedMatch, fold: &InningsFold) -> InningsCard {
    let sheet = &loaded.created().sheet(fold.batting).players;
    let dropped_players = loaded.projection().dropped_players(fold.batting);
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
        batters: batters(fold, sheet, dropped_players),
        bowlers: bowlers(fold),
        fall_of_wickets: fold.fall_of_wickets.clone(),
        partnerships: fold.partnerships.clone(),
        keepers: keepers(loaded, fold),
        run_rate: per_over(fold.runs, fold.balls).unwrap_or_else(|| "0.00".to_owned()),
    }
}

fn batters(fold: &InningsFold, sheet: &[String], dropped_players: &[String]) -> Vec<BatterLine> {
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
        .filter(|player| !dropped_players.contains(player))
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

/// Who kept wicket, over by over where the game says so, else throughout.
fn keepers(loaded: &LoadedMatch, fold: &InningsFold) -> Vec<Wicketkeeper> {
    if !fold.keepers.is_empty() {
        return fold.keepers.clone();
    }
    let keeper = loaded.the_match().play().asking().keeper_of(fold.batting.other());
    let throughout = |player: &str| Wicketkeeper { player: player.to_owned(), from_over: 1 };
    keeper.map(throughout).into_iter().collect()
}

fn bowlers(fold: &InningsFold) -> Vec<BowlerLine> {
    let line = |bowler: &Bowler| BowlerLine {
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
