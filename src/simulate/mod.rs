//! Many matches from one seed: how a game comes out under its options, and under others.
//!
//! Match `k` of a simulation, counted from 1, has the `k`-th server seed of the [series](SeedSeries) of the
//! simulation's seed, and is played as autoplay plays it. What is counted are whole numbers, and they are added up;
//! so the result is the same, byte for byte, on any number of threads.

mod counts;
mod estimate;
mod match_log;
mod report;
mod text;

use std::error::Error;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;

pub use counts::{Counts, InningsTotals, Moments, Spread, Totals};
pub use estimate::{Estimate, EstimatedDifference, EstimatedShare, Quantile, Rate};
pub use match_log::match_log;
pub use report::{
    Differences, DismissalReport, ExtrasReport, Histogram, InningsDifferences, InningsReport, Policies,
    Results, ResultsDifferences, RunsReport, SimulationComparison, SimulationReport, Summary,
};

use crate::dice::{SeedSeries, ServerSeed};
use crate::editions::{self, Edition, Editions};
use crate::log::{EventData, InvalidEvent, MatchCreated, MatchId, SeedSource, TeamSheet};
use crate::matches::{Match, MatchSettings, new_match_with};
use crate::rules::{Choices, Game, Place, Refusal, Why};
use crate::scorebook::{BySide, MatchTally, Side};

/// Matches a thread takes at a time.
const CHUNK: u64 = 64;

/// What to simulate.
#[derive(Debug, Clone)]
pub struct Simulation {
    game: &'static Game,
    edition: Option<Arc<Edition>>,
    base: MatchCreated,
    compared: Option<MatchCreated>,
    policies: BySide<usize>,
    matches: u64,
    seed: ServerSeed,
}

/// How far a simulation has come; and the way to stop it.
#[derive(Debug, Default)]
pub struct Progress {
    done: AtomicU64,
    stopped: AtomicBool,
}

/// Why a simulation did not come to its end.
#[derive(Debug, thiserror::Error)]
pub enum Unfinished {
    /// It was stopped.
    #[error("stopped after {done} of {matches} matches")]
    Stopped {
        /// Matches played until then.
        done: u64,
        /// Matches there were to play.
        matches: u64,
    },
    /// The rules refuse to go on with default choices.
    #[error("match {k} cannot be played to its end: {refusal}")]
    Refused {
        /// The match.
        k: u64,
        /// What the rules say.
        refusal: Box<Refusal>,
    },
    /// The log of a match could not be made.
    #[error("match {k} cannot be recorded: {reason}")]
    Unrecorded {
        /// The number of the match.
        k: u64,
        /// The fault, in words.
        reason: String,
    },
    /// The log of a match could not be kept.
    #[error("{0}")]
    Log(Box<dyn Error + Send + Sync>),
    /// The match of the simulation does not open.
    #[error("the match cannot be opened: {0}")]
    Broken(#[from] InvalidEvent),
}

/// Where the logs of a simulation's matches go.
pub trait LogSink: Sync {
    /// Keeps the log of match `k`.
    fn keep(&self, k: u64, log: &str) -> Result<(), Box<dyn Error + Send + Sync>>;
}

impl Progress {
    /// Matches played so far.
    pub fn done(&self) -> u64 {
        self.done.load(Ordering::Relaxed)
    }

    /// Asks the simulation to stop after the matches that are being played.
    pub fn stop(&self) {
        self.stopped.store(true, Ordering::Relaxed);
    }

    fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }
}

impl Simulation {
    /// The most matches a simulation may have: sums of squares over so many stay exact.
    pub const MOST: u64 = 1_000_000_000_000;

    /// A simulation of so many matches of a game under these options and, where there are others to compare with,
    /// under those with the same seeds. Refuses options the game does not take. A game with editions is played with
    /// the built-in one.
    pub fn new(
        game: &'static Game,
        rules: &Choices,
        compare: Option<&Choices>,
        matches: u64,
        seed: ServerSeed,
    ) -> Result<Simulation, Refusal> {
        Self::with_edition(editions::built_in_for(game), game, rules, compare, matches, seed)
    }

    /// A simulation of matches that the first two teams of this edition play.
    pub fn with_edition(
        edition: Option<Arc<Edition>>,
        game: &'static Game,
        rules: &Choices,
        compare: Option<&Choices>,
        matches: u64,
        seed: ServerSeed,
    ) -> Result<Simulation, Refusal> {
        if !(1..=Self::MOST).contains(&matches) {
            let message = format!("matches is a whole number from 1 to {}, not {matches}", Self::MOST);
            return Err(Refusal::new(Why::IllegalInput, Place::Field("matches".to_owned()), message));
        }
        let [home, away] = sheets(game, edition.as_deref())?;
        let of_seed = Some((&seed, SeedSource::Creator));
        let created = |rules| {
            let (home, away) = (home.clone(), away.clone());
            new_match_with(edition.as_deref(), game, rules, home, away, of_seed, MatchSettings::default())
        };
        let compared = compare.map(created).transpose().map_err(of_the_other)?;
        let base = created(rules)?;
        Ok(Simulation { game, edition, base, compared, policies: BySide::default(), matches, seed })
    }

    /// The same with sides that choose by these policies, where they are not the game's default.
    pub fn with_policies(self, home: Option<&str>, away: Option<&str>) -> Result<Simulation, Refusal> {
        let known = self.game.policies;
        let find = |field: &str, name: Option<&str>| match name {
            None => Ok(0),
            Some(name) => known.iter().position(|policy| *policy == name).ok_or_else(|| {
                let message = format!("{} has the policies {}, not {name:?}", self.game.id, known.join(", "));
                Refusal::new(Why::IllegalInput, Place::Field(field.to_owned()), message).legal(known.to_vec())
            }),
        };
        let policies = BySide { home: find("home_policy", home)?, away: find("away_policy", away)? };
        Ok(Simulation { policies, ..self })
    }

    /// The policy of a side.
    pub fn policy(&self, side: Side) -> &'static str {
        self.game.policies[self.policies[side]]
    }

    /// The game.
    pub fn game(&self) -> &'static Game {
        self.game
    }

    /// The edition it is played with, where the game has editions.
    pub fn edition(&self) -> Option<&Edition> {
        self.edition.as_deref()
    }

    /// Its options, every one.
    pub fn rules(&self) -> &Choices {
        &self.base.rules
    }

    /// The options it is compared with, every one.
    pub fn compared_rules(&self) -> Option<&Choices> {
        self.compared.as_ref().map(|created| &created.rules)
    }

    /// How many matches.
    pub fn matches(&self) -> u64 {
        self.matches
    }

    /// The seed of all of them.
    pub fn seed(&self) -> &ServerSeed {
        &self.seed
    }

    /// Plays the matches on so many threads and reports what they came to. With `logs`, the log of each is written.
    pub fn run(
        &self,
        threads: usize,
        progress: &Progress,
        logs: Option<&dyn LogSink>,
    ) -> Result<SimulationReport, Unfinished> {
        Ok(SimulationReport::of(self, &self.count(threads, progress, logs)?))
    }

    /// The same, up to the bare counts.
    pub fn count(
        &self,
        threads: usize,
        progress: &Progress,
        logs: Option<&dyn LogSink>,
    ) -> Result<Counts, Unfinished> {
        let next = AtomicU64::new(1);
        let work = || {
            let counted = self.work(&next, progress, logs);
            if counted.is_err() {
                progress.stop();
            }
            counted
        };
        let parts: Vec<Result<Counts, Unfinished>> = thread::scope(|scope| {
            // Where the system gives no more threads, those there are play on.
            let another = |_| thread::Builder::new().spawn_scoped(scope, work).ok();
            let others: Vec<_> = (1..threads).map_while(another).collect();
            let mine = work();
            let joined = others.into_iter().map(|other| match other.join() {
                Ok(counted) => counted,
                Err(panic) => std::panic::resume_unwind(panic),
            });
            std::iter::once(mine).chain(joined).collect()
        });
        let mut counts = Counts::default();
        for part in parts {
            counts.merge(part?);
        }
        match progress.done() {
            done if done < self.matches => Err(Unfinished::Stopped { done, matches: self.matches }),
            _ => Ok(counts),
        }
    }

    /// Takes matches until there are none left, or until it is stopped.
    fn work(
        &self,
        next: &AtomicU64,
        progress: &Progress,
        logs: Option<&dyn LogSink>,
    ) -> Result<Counts, Unfinished> {
        let table = Table::laid(self)?;
        let mut counts = Counts::default();
        loop {
            let first = next.fetch_add(CHUNK, Ordering::Relaxed);
            let mut played = 0;
            let mut one = |k| -> Result<(), Unfinished> {
                let seed = table.series.server_seed(k);
                table.play(k, &seed, &mut counts)?;
                if let Some(sink) = logs {
                    let log =
                        match_log(self, &seed).map_err(|reason| Unfinished::Unrecorded { k, reason })?;
                    sink.keep(k, &log).map_err(Unfinished::Log)?;
                }
                played += 1;
                Ok(())
            };
            let some = (first..=self.matches).take(CHUNK as usize).take_while(|_| !progress.is_stopped());
            let came_to = some.into_iter().try_for_each(&mut one);
            progress.done.fetch_add(played, Ordering::Relaxed);
            came_to?;
            if played < CHUNK {
                return Ok(counts);
            }
        }
    }
}

/// What one thread plays on: matches that wait for their toss, to be played again and again.
struct Table {
    series: SeedSeries,
    base: Match,
    compared: Option<Match>,
    policies: BySide<usize>,
    all_out: u32,
}

impl Table {
    fn laid(simulation: &Simulation) -> Result<Table, InvalidEvent> {
        let editions = Editions::from(simulation.edition.as_ref());
        let open = |created: &MatchCreated| {
            Match::from_log(MatchId::nil(), &EventData::MatchCreated(created.clone()), &editions)
        };
        Ok(Table {
            series: SeedSeries::new(&simulation.seed),
            base: open(&simulation.base)?,
            compared: simulation.compared.as_ref().map(open).transpose()?,
            policies: simulation.policies,
            all_out: u32::from(simulation.game.wickets),
        })
    }

    /// Plays match `k` under its options, and under those to compare with, and counts it.
    fn play(&self, k: u64, seed: &ServerSeed, counts: &mut Counts) -> Result<(), Unfinished> {
        let seed = seed.match_seed(&[]);
        let played = |the_match: &Match| -> Result<MatchTally, Unfinished> {
            the_match
                .simulate_match(&seed, self.policies)
                .map_err(|refusal| Unfinished::Refused { k, refusal: Box::new(refusal) })
        };
        let base = played(&self.base)?;
        counts.base.add(&base, self.all_out);
        if let Some(the_match) = &self.compared {
            counts.add_compared(&base, &played(the_match)?, self.all_out);
        }
        Ok(())
    }
}

/// Two made-up sides; where there are player cards, the first two teams of the edition.
fn sheets(game: &Game, edition: Option<&Edition>) -> Result<[TeamSheet; 2], Refusal> {
    let [home, away] = ["Home", "Away"];
    let Some(edition) = edition else {
        let names = |side: &str| (1..=game.players).map(|place| format!("{side} {place}")).collect();
        return Ok([home, away].map(|side| TeamSheet::of_names(side, names(side))));
    };
    let teams = edition.teams();
    let [first, second] = match teams.as_slice() {
        [] => {
            let place = Place::Field("edition".to_owned());
            let message = "an edition without teams cannot be simulated: it needs one, or two";
            return Err(Refusal::new(Why::IllegalInput, place, message));
        }
        [only] => [*only, *only],
        [first, second, ..] => [*first, *second],
    };
    let of_team = |side: &str, team: &str| {
        edition
            .team(side, team)
            .map_err(|fault| Refusal::new(Why::IllegalInput, Place::Field("edition".to_owned()), fault))
    };
    Ok([of_team(home, first)?, of_team(away, second)?])
}

/// A refusal of the options to compare with is about those.
fn of_the_other(refusal: Refusal) -> Refusal {
    let place = match refusal.place {
        Place::Field(field) => Place::Field(field.replacen("rules.", "compare.", 1)),
        place @ (Place::Input | Place::Choice(_) | Place::Die(_)) => place,
    };
    Refusal { place, ..refusal }
}
