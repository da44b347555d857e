//! The report of a simulation, as data: figures with confidence intervals, made from the counts.

use serde::Serialize;
use utoipa::ToSchema;

use super::Simulation;
use super::counts::{Counts, Differed, InningsDiffered, InningsTotals, Spread, Totals};
use super::estimate::{Estimate, EstimatedDifference, EstimatedShare, Quantile, Rate};
use crate::log::EditionRecord;
use crate::rules::{Choices, Edition};
use crate::scorebook::{Overs, Side, WicketKind};

/// The quantiles that are reported, in percent.
const PERCENTS: [u8; 5] = [5, 25, 50, 75, 95];
/// The most bins of a histogram.
const BINS: u32 = 24;
const BALLS: f64 = Overs::BALLS as f64;

/// The report of a simulation. Every interval has 95 % confidence.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
#[schema(as = SimulationReport)]
pub struct SimulationReport {
    /// The game's id.
    pub game: String,
    /// The number of matches played.
    pub matches: u64,
    /// The seed of all matches: the server seed of match `k`, from 1, is the HMAC-SHA-256 of `k`, written in
    /// decimal, under it.
    pub seed: String,
    /// The edition of the matches; only where the game has editions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub edition: Option<EditionRecord>,
    /// The policies of the sides; only where the game has more than one policy.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub policies: Option<Policies>,
    /// The summary of the matches.
    #[serde(flatten)]
    pub summary: Summary,
    /// The matches under the options to compare with; null without any.
    pub compare: Option<SimulationComparison>,
}

/// The policies by which the sides chose.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = SimulationPolicies)]
pub struct Policies {
    /// The home side's policy.
    pub home: &'static str,
    /// The away side's policy.
    pub away: &'static str,
}

impl Policies {
    /// The policies of a simulation, where its game has more than one.
    pub fn of(simulation: &Simulation) -> Option<Policies> {
        let policies =
            || Policies { home: simulation.policy(Side::Home), away: simulation.policy(Side::Away) };
        (simulation.game().policies.len() > 1).then(policies)
    }
}

/// The summary of matches under one set of options.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
#[schema(as = SimulationSummary)]
pub struct Summary {
    /// All options of the game.
    #[schema(value_type = Object)]
    pub rules: Choices,
    /// The innings, by number.
    pub innings: Vec<InningsReport>,
    /// The results of the matches.
    pub results: Results,
}

/// The summary of the matches under other options, and their differences.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
#[schema(as = SimulationComparison)]
pub struct SimulationComparison {
    /// The summary of the matches.
    #[serde(flatten)]
    pub summary: Summary,
    /// The figures under these options less those under the others, match by match.
    pub differences: Differences,
}

/// The figures of all innings with one number.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
#[schema(as = SimulatedInnings)]
pub struct InningsReport {
    /// The number of the innings in the match, from 1.
    pub number: u16,
    /// The number of matches in which the innings was played, to which the figures refer.
    pub matches: u64,
    /// The runs of an innings.
    pub runs: RunsReport,
    /// The share of innings in which the side was all out.
    pub all_out: EstimatedShare,
    /// The wickets that fell in an innings.
    pub wickets: Estimate,
    /// The overs of an innings: legal balls by six, so that half an over is 0.5.
    pub overs: Estimate,
    /// The runs an over, of all innings together; null where no legal ball was bowled.
    pub run_rate: Option<Rate>,
    /// The extras of an innings.
    pub extras: ExtrasReport,
    /// The wickets by kind.
    pub dismissals: Vec<DismissalReport>,
}

/// The runs of an innings.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
#[schema(as = SimulatedRuns)]
pub struct RunsReport {
    /// The mean of the runs.
    #[serde(flatten)]
    pub estimate: Estimate,
    /// The fewest runs.
    pub min: u32,
    /// The most runs.
    pub max: u32,
    /// The quantiles of 5, 25, 50, 75 and 95 percent.
    pub quantiles: Vec<Quantile>,
    /// The histogram of the runs.
    pub histogram: Histogram,
}

/// A histogram, with bins of one width.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = SimulatedHistogram)]
pub struct Histogram {
    /// The first value of the first bin.
    pub from: u32,
    /// The width of a bin, in values.
    pub width: u32,
    /// The number of innings in each bin.
    pub counts: Vec<u64>,
}

/// The extras of an innings, by kind.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, ToSchema)]
#[schema(as = SimulatedExtras)]
pub struct ExtrasReport {
    /// The extras of all kinds.
    pub total: Estimate,
    /// The runs from wides.
    pub wides: Estimate,
    /// The runs from no-balls.
    pub no_balls: Estimate,
    /// The runs from byes.
    pub byes: Estimate,
    /// The runs from leg byes.
    pub leg_byes: Estimate,
    /// The penalty runs.
    pub penalty: Estimate,
}

/// The wickets of one kind.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, ToSchema)]
#[schema(as = SimulatedDismissals)]
pub struct DismissalReport {
    /// The kind of wicket.
    pub kind: WicketKind,
    /// The number of these wickets in an innings.
    pub per_innings: Estimate,
    /// The share of these in all wickets; null where none fell.
    pub of_wickets: Option<EstimatedShare>,
}

/// The results of the matches.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, ToSchema)]
#[schema(as = SimulatedResults)]
pub struct Results {
    /// The share of matches that the side batting first won.
    pub batting_first: Option<EstimatedShare>,
    /// The share of matches that the side batting second won.
    pub batting_second: Option<EstimatedShare>,
    /// The share of ties.
    pub ties: Option<EstimatedShare>,
}

/// The differences between two sets of options.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
#[schema(as = SimulatedDifferences)]
pub struct Differences {
    /// The innings, by number.
    pub innings: Vec<InningsDifferences>,
    /// The results of the matches.
    pub results: ResultsDifferences,
}

/// The differences in the innings with one number.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, ToSchema)]
#[schema(as = SimulatedInningsDifferences)]
pub struct InningsDifferences {
    /// The number of the innings in the match, from 1.
    pub number: u16,
    /// The number of matches in which the innings was played under both sets of options, to which the
    /// differences refer.
    pub matches: u64,
    /// The difference in runs.
    pub runs: EstimatedDifference,
    /// The difference in wickets.
    pub wickets: EstimatedDifference,
    /// The difference in overs.
    pub overs: EstimatedDifference,
    /// The difference in extras of all kinds.
    pub extras: EstimatedDifference,
    /// The difference in the share of innings in which the side was all out.
    pub all_out: EstimatedDifference,
}

/// The differences in results, as shares of all matches.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, ToSchema)]
#[schema(as = SimulatedResultsDifferences)]
pub struct ResultsDifferences {
    /// The difference in matches that the side batting first won.
    pub batting_first: EstimatedDifference,
    /// The difference in matches that the side batting second won.
    pub batting_second: EstimatedDifference,
    /// The difference in ties.
    pub ties: EstimatedDifference,
}

impl SimulationReport {
    /// The report on the counts of a simulation.
    pub(super) fn of(simulation: &Simulation, counts: &Counts) -> SimulationReport {
        let compare = simulation.compared_rules().map(|rules| SimulationComparison {
            summary: Summary::of(rules, &counts.compared),
            differences: Differences::of(&counts.differed),
        });
        SimulationReport {
            game: simulation.game().info.id.to_owned(),
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
                batting_first: EstimatedShare::of(totals.first, matches),
                batting_second: EstimatedShare::of(totals.second, matches),
                ties: EstimatedShare::of(totals.ties, matches),
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
            all_out: EstimatedShare::of(totals.all_out, runs.n)?,
            wickets: each(&totals.wickets),
            overs: Estimate::of(balls, BALLS),
            run_rate: Rate::per_over(runs, balls, totals.runs_by_balls),
            extras: ExtrasReport::of(totals),
            dismissals: dismissals
                .map(|(kind, fell)| DismissalReport {
                    kind: *kind,
                    per_innings: each(fell),
                    of_wickets: EstimatedShare::of(fell.sum(), wickets),
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
    /// The histogram with the least round width of bins that gives not too many; the first bin begins on a
    /// multiple of it.
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
                batting_first: EstimatedDifference::of(differed.first, 1.0),
                batting_second: EstimatedDifference::of(differed.second, 1.0),
                ties: EstimatedDifference::of(differed.ties, 1.0),
            },
        }
    }
}

impl InningsDifferences {
    fn of(number: u16, differed: &InningsDiffered) -> InningsDifferences {
        InningsDifferences {
            number,
            matches: differed.runs.n,
            runs: EstimatedDifference::of(differed.runs, 1.0),
            wickets: EstimatedDifference::of(differed.wickets, 1.0),
            overs: EstimatedDifference::of(differed.balls, BALLS),
            extras: EstimatedDifference::of(differed.extras, 1.0),
            all_out: EstimatedDifference::of(differed.all_out, 1.0),
        }
    }
}
