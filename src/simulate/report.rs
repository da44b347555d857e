use serde::Serialize;
use utoipa::ToSchema;

use super::Simulation;
use super::counts::{Counts, Differed, InningsDiffered, InningsTotals, Spread, Totals};
use super::estimate::{Difference, Estimate, Quantile, Rate, Share};
use crate::log::EditionRecord;
use crate::rules::{Choices, Edition};
use crate::scorebook::{Overs, Side, WicketKind};

/// The quantiles that are reported, in percent.
const PERCENTS: [u8; 5] = [5, 25, 50, 75, 95];
/// Bins a histogram has at most.
const BINS: u32 = 24;
const BALLS: f64 = Overs::BALLS as f64;

/// What a simulation came to. Every interval is one of 95 % confidence.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
#[schema(as = SimulationReport)]
pub struct Report {
    /// The game's id.
    pub game: String,
    /// How many matches were played.
    pub matches: u64,
    /// The seed they all come from: the server seed of match `k`, from 1, is the HMAC-SHA-256 of `k`, written in decimal,
    /// under it.
    pub seed: String,
    /// The edition they were played with; only where the game has editions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub edition: Option<EditionRecord>,
    /// How the sides chose; only where the game has more than one way.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub policies: Option<Policies>,
    /// What they came to.
    #[serde(flatten)]
    pub summary: Summary,
    /// What they came to under the options to compare with; null without any.
    pub compare: Option<Comparison>,
}

/// How the sides chose.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = SimulationPolicies)]
pub struct Policies {
    /// The home side.
    pub home: &'static str,
    /// The away side.
    pub away: &'static str,
}

impl Policies {
    /// Those of a simulation, where its game has more than one.
    pub fn of(simulation: &Simulation) -> Option<Policies> {
        let policies =
            || Policies { home: simulation.policy(Side::Home), away: simulation.policy(Side::Away) };
        (simulation.game().policies.len() > 1).then(policies)
    }
}

/// What matches came to under one set of options.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
#[schema(as = SimulationSummary)]
pub struct Summary {
    /// The options, every one.
    #[schema(value_type = Object)]
    pub rules: Choices,
    /// The innings, by number.
    pub innings: Vec<InningsReport>,
    /// Who won.
    pub results: Results,
}

/// The same matches under other options, and by how much they differ.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
#[schema(as = SimulationComparison)]
pub struct Comparison {
    /// What they came to.
    #[serde(flatten)]
    pub summary: Summary,
    /// The figures under these options less those under the others, match by match.
    pub differences: Differences,
}

/// All innings of one number.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
#[schema(as = SimulatedInnings)]
pub struct InningsReport {
    /// The number in the match, from 1.
    pub number: u16,
    /// Matches in which it was played; the figures are of these.
    pub matches: u64,
    /// Runs.
    pub runs: RunsReport,
    /// Innings in which the side was all out.
    pub all_out: Share,
    /// Wickets that fell.
    pub wickets: Estimate,
    /// Overs bowled: legal balls by six, so that half an over is 0.5.
    pub overs: Estimate,
    /// Runs an over, of all innings together; null where no legal ball was bowled.
    pub run_rate: Option<Rate>,
    /// Extras.
    pub extras: ExtrasReport,
    /// Wickets by kind.
    pub dismissals: Vec<DismissalReport>,
}

/// The runs of an innings.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
#[schema(as = SimulatedRuns)]
pub struct RunsReport {
    /// Their mean.
    #[serde(flatten)]
    pub estimate: Estimate,
    /// The fewest.
    pub min: u32,
    /// The most.
    pub max: u32,
    /// Values that 5, 25, 50, 75 and 95 in a hundred do not pass.
    pub quantiles: Vec<Quantile>,
    /// How many innings came to how many runs.
    pub histogram: Histogram,
}

/// How often values came up, in bins of one width.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = SimulatedHistogram)]
pub struct Histogram {
    /// The first value of the first bin.
    pub from: u32,
    /// How many values a bin holds.
    pub width: u32,
    /// How many innings fell in each bin.
    pub counts: Vec<u64>,
}

/// Extras an innings, by kind.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, ToSchema)]
#[schema(as = SimulatedExtras)]
pub struct ExtrasReport {
    /// Of all kinds.
    pub total: Estimate,
    /// Wides.
    pub wides: Estimate,
    /// No-balls.
    pub no_balls: Estimate,
    /// Byes.
    pub byes: Estimate,
    /// Leg byes.
    pub leg_byes: Estimate,
    /// Penalty runs.
    pub penalty: Estimate,
}

/// Wickets of one kind.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, ToSchema)]
#[schema(as = SimulatedDismissals)]
pub struct DismissalReport {
    /// The kind.
    pub kind: WicketKind,
    /// How many an innings.
    pub per_innings: Estimate,
    /// How many of all wickets; null where none fell.
    pub of_wickets: Option<Share>,
}

/// Who won.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, ToSchema)]
#[schema(as = SimulatedResults)]
pub struct Results {
    /// Matches won by the side batting first.
    pub batting_first: Option<Share>,
    /// Matches won by the side batting second.
    pub batting_second: Option<Share>,
    /// Matches nobody won.
    pub ties: Option<Share>,
}

/// Differences between two sets of options.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
#[schema(as = SimulatedDifferences)]
pub struct Differences {
    /// The innings, by number.
    pub innings: Vec<InningsDifferences>,
    /// Who won.
    pub results: ResultsDifferences,
}

/// Differences in the innings of one number.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, ToSchema)]
#[schema(as = SimulatedInningsDifferences)]
pub struct InningsDifferences {
    /// The number in the match, from 1.
    pub number: u16,
    /// Matches in which it was played under both sets of options; the differences are of these.
    pub matches: u64,
    /// Runs.
    pub runs: Difference,
    /// Wickets.
    pub wickets: Difference,
    /// Overs bowled.
    pub overs: Difference,
    /// Extras of all kinds.
    pub extras: Difference,
    /// The share of innings in which the side was all out.
    pub all_out: Difference,
}

/// Differences in who won, as shares of all matches.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, ToSchema)]
#[schema(as = SimulatedResultsDifferences)]
pub struct ResultsDifferences {
    /// Won by the side batting first.
    pub batting_first: Difference,
    /// Won by the side batting second.
    pub batting_second: Difference,
    /// Won by nobody.
    pub ties: Difference,
}

impl Report {
    /// The report of what was counted.
    pub(super) fn of(simulation: &Simulation, counts: &Counts) -> Report {
        let compare = simulation.compared_rules().map(|rules| Comparison {
            summary: Summary::of(rules, &counts.compared),
            differences: Differences::of(&counts.differed),
        });
        Report {
            game: simulation.game().id.to_owned(),
            matches: simulation.matches(),
            seed: simulation.seed().reveal(),
            edition: simulation.edition().map(Edition::record),
            policies: Policies::of(simulation),
            summary: Summary::of(simulation.rules(), &counts.base),
            compare,
        }
    }
}

impl Summary {
    fn of(rules: &Choices, totals: &Totals) -> Summary {
        let matches = totals.first + totals.second + totals.ties;
        Summary {
            rules: rules.clone(),
            innings: (1..)
                .zip(&totals.innings)
                .filter_map(|(number, totals)| InningsReport::of(number, totals))
                .collect(),
            results: Results {
                batting_first: Share::of(totals.first, matches),
                batting_second: Share::of(totals.second, matches),
                ties: Share::of(totals.ties, matches),
            },
        }
    }
}

impl InningsReport {
    fn of(number: u16, totals: &InningsTotals) -> Option<InningsReport> {
        let (runs, balls) = (totals.runs.moments(), totals.balls.moments());
        let wickets = totals.wickets.sum();
        let dismissals = WicketKind::ALL.iter().zip(&totals.dismissals);
        Some(InningsReport {
            number,
            matches: runs.n,
            runs: RunsReport::of(&totals.runs),
            all_out: Share::of(totals.all_out, runs.n)?,
            wickets: each(&totals.wickets),
            overs: Estimate::of(balls, BALLS),
            run_rate: Rate::per_over(runs, balls, totals.runs_by_balls),
            extras: ExtrasReport::of(totals),
            dismissals: dismissals
                .map(|(kind, fell)| DismissalReport {
                    kind: *kind,
                    per_innings: each(fell),
                    of_wickets: Share::of(fell.sum(), wickets),
                })
                .collect(),
        })
    }
}

fn each(spread: &Spread) -> Estimate {
    Estimate::of(spread.moments(), 1.0)
}

impl RunsReport {
    fn of(runs: &Spread) -> RunsReport {
        let (min, max) = ends(runs);
        RunsReport {
            estimate: each(runs),
            min,
            max,
            quantiles: PERCENTS.map(|percent| Quantile::of(runs, percent)).to_vec(),
            histogram: Histogram::of(runs),
        }
    }
}

fn ends(spread: &Spread) -> (u32, u32) {
    let value = |end: Option<(u32, u64)>| end.map_or(0, |(value, _)| value);
    (value(spread.values().next()), value(spread.values().next_back()))
}

impl Histogram {
    /// Bins of the least round width with which there are not too many; the first begins on a multiple of it.
    fn of(spread: &Spread) -> Histogram {
        let (min, max) = ends(spread);
        let bins = |width: u32| max / width - min / width + 1;
        let widths = (0..9).flat_map(|zeros| [1, 2, 5].map(|digit| digit * 10_u32.pow(zeros)));
        let width = widths.clone().find(|width| bins(*width) <= BINS).or(widths.last()).unwrap_or(1);
        let mut counts = vec![0; bins(width) as usize];
        for (value, count) in spread.values() {
            counts[(value / width - min / width) as usize] += count;
        }
        Histogram { from: min / width * width, width, counts }
    }
}

impl ExtrasReport {
    fn of(totals: &InningsTotals) -> ExtrasReport {
        let [wides, no_balls, byes, leg_byes, penalty] = totals.extras.each_ref().map(each);
        ExtrasReport { total: each(&totals.all_extras), wides, no_balls, byes, leg_byes, penalty }
    }
}

impl Differences {
    fn of(differed: &Differed) -> Differences {
        let innings = (1..).zip(&differed.innings);
        Differences {
            innings: innings.map(|(number, differed)| InningsDifferences::of(number, differed)).collect(),
            results: ResultsDifferences {
                batting_first: Difference::of(differed.first, 1.0),
                batting_second: Difference::of(differed.second, 1.0),
                ties: Difference::of(differed.ties, 1.0),
            },
        }
    }
}

impl InningsDifferences {
    fn of(number: u16, differed: &InningsDiffered) -> InningsDifferences {
        InningsDifferences {
            number,
            matches: differed.runs.n,
            runs: Difference::of(differed.runs, 1.0),
            wickets: Difference::of(differed.wickets, 1.0),
            overs: Difference::of(differed.balls, BALLS),
            extras: Difference::of(differed.extras, 1.0),
            all_out: Difference::of(differed.all_out, 1.0),
        }
    }
}
