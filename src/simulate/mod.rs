//! Simulation: many matches of a game from one seed, under its options and perhaps under others to compare.
//!
//! Match `k` of a simulation, counted from 1, has the `k`-th server seed of the [series](SeedSeries) of the
//! simulation's seed, and each side chooses by its policy. The counts are sums of whole numbers, so the
//! report is the same, byte for byte, on any number of threads.

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
use crate::editions::Editions;
use crate::log::{EventData, InvalidEvent, MatchCreated, MatchId, SeedSource, TeamSheet};
use crate::matches::{Match, MatchSettings, new_match};
use crate::rules::{Choices, Edition, Game, Place, Refusal, RefusalKind};
use crate::scorebook::{BySide, MatchTally, Side};

/// The number of matches that a thread takes at a time.
const CHUNK: u64 = 64;

/// A simulation: the game, its options, its seed and the number of matches.
#[derive(Debug, Clone)]
pub struct Simulation {
    game: &'static Game,
    editions: Editions,
    edition: Option<Arc<Edition>>,
    base: MatchCreated,
    compared: Option<MatchCreated>,
    policies: BySide<usize>,
    matches: u64,
    seed: ServerSeed,
}

/// The progress of a simulation, which can also be used to stop it.
#[derive(Debug, Default)]
pub struct Progress {
    done: AtomicU64,
    stopped: AtomicBool,
}

/// The reason why a simulation was not finished.
#[derive(Debug, thiserror::Error)]
pub enum Unfinished {
    /// The simulation was stopped.
    #[error("stopped after {done} of {matches} matches")]
    Stopped {
        /// The number of matches played until then.
        done: u64,
        /// The number of matches to play.
        matches: u64,
    },
    /// The rules refuse the default choices.
    #[error("match {k} cannot be played to its end: {refusal}")]
    Refused {
        /// The number of the match.
        k: u64,
        /// The refusal of the rules.
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
    /// A match of the simulation cannot be opened.
    #[error("the match cannot be opened: {0}")]
    Broken(#[from] InvalidEvent),
}

/// Where the logs of a simulation's matches go.
pub trait LogSink: Sync {
    /// Keeps the log of match `k`.
    fn keep(&self, k: u64, log: &str) -> Result<(), Box<dyn Error + Send + Sync>>;
}

impl Progress {
    /// The number of matches played so far.
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
    /// The most matches of a simulation: up to this number sums of squares stay exact.
    pub const MOST: u64 = 1_000_000_000_000;

    /// A simulation of a number of matches of a game under these options and, with the same seeds, under
    /// others to compare with. Options that the game does not have are refused. A game with editions is
    /// played with the built-in one.
    pub fn new(
        editions: &Editions,
        game: &'static Game,
        rules: &Choices,
        compare: Option<&Choices>,
        matches: u64,
        seed: ServerSeed,
    ) -> Result<Simulation, Refusal> {
        let edition = editions.built_in_for(game);
        Self::with_edition(editions, edition, game, rules, compare, matches, seed)
    }

    /// A simulation of matches between the first two teams of this edition.
    pub fn with_edition(
        editions: &Editions,
        edition: Option<Arc<Edition>>,
        game: &'static Game,
        rules: &Choices,
        compare: Option<&Choices>,
        matches: u64,
        seed: ServerSeed,
    ) -> Result<Simulation, Refusal> {
        if !(1..=Self::MOST).contains(&matches) {
            let message = format!("matches is a whole number from 1 to {}, not {matches}", Self::MOST);
            return Err(Refusal::new(RefusalKind::IllegalInput, Place::Field("matches".to_owned()), message));
        }
        let [home, away] = sheets(game, edition.as_deref())?;
        let of_seed = Some((&seed, SeedSource::Creator));
        let created = |rules| {
            let (home, away) = (home.clone(), away.clone());
            new_match(edition.as_deref(), game, rules, home, away, of_seed, MatchSettings::default())
        };
        let compared = compare.map(created).transpose().map_err(of_the_other)?;
        let base = created(rules)?;
        let editions = editions.only(edition.as_ref());
        Ok(Simulation { game, editions, edition, base, compared, policies: BySide::default(), matches, seed })
    }

    /// The simulation with these policies of the sides; the game's default where none is given.
    pub fn with_policies(self, home: Option<&str>, away: Option<&str>) -> Result<Simulation, Refusal> {
        let known = self.game.policies;
        let find = |field: &str, name: Option<&str>| match name {
            None => Ok(0),
            Some(name) => known.iter().position(|policy| *policy == name).ok_or_else(|| {
                let message =
                    format!("{} has the policies {}, not {name:?}", self.game.info.id, known.join(", "));
                Refusal::new(RefusalKind::IllegalInput, Place::Field(field.to_owned()), message)
                    .legal(known.to_vec())
            }),
        };
        let policies = BySide { home: find("home_policy", home)?, away: find("away_policy", away)? };
        Ok(Simulation { policies, ..self })
    }

    /// The policy of a side.
    pub fn policy(&self, side: Side) -> &'static str {
        self.game.policies[self.policies[side]]
    }

    /// The simulated game.
    pub fn game(&self) -> &'static Game {
        self.game
    }

    /// The edition of the matches, where the game has editions.
    pub fn edition(&self) -> Option<&Edition> {
        self.edition.as_deref()
    }

    /// All options of the game.
    pub fn rules(&self) -> &Choices {
        &self.base.rules
    }

    /// All options to compare with.
    pub fn compared_rules(&self) -> Option<&Choices> {
        self.compared.as_ref().map(|created| &created.rules)
    }

    /// The number of matches.
    pub fn matches(&self) -> u64 {
        self.matches
    }

    /// The seed of all matches.
    pub fn seed(&self) -> &ServerSeed {
        &self.seed
    }

    /// Plays the matches on this number of threads, and reports on them. With `logs`, the log of each is
    /// written.
    pub fn run(
        &self,
        threads: usize,
        progress: &Progress,
        logs: Option<&dyn LogSink>,
    ) -> Result<SimulationReport, Unfinished> {
        Ok(SimulationReport::of(self, &self.count(threads, progress, logs)?))
    }

    /// Plays the matches, and returns the bare counts.
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
            // If the system gives no more threads, the others play all matches.
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

    /// Plays matches until none is left, or the simulation is stopped.
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
                    let log = match_log(self, k, &seed)?;
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

/// The matches of one thread, which wait for their toss, and are copied for each match that is played.
struct Table {
    series: SeedSeries,
    base: Match,
    compared: Option<Match>,
    policies: BySide<usize>,
    all_out: u32,
}

impl Table {
    fn laid(simulation: &Simulation) -> Result<Table, InvalidEvent> {
        let open = |created: &MatchCreated| {
            let created = EventData::MatchCreated(created.clone());
            Match::from_log(MatchId::nil(), &created, &simulation.editions)
        };
        Ok(Table {
            series: SeedSeries::new(&simulation.seed),
            base: open(&simulation.base)?,
            compared: simulation.compared.as_ref().map(open).transpose()?,
            policies: simulation.policies,
            all_out: u32::from(simulation.game.info.wickets),
        })
    }

    /// Plays match `k` under the options, and under those to compare with, and counts it.
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

/// The two sides: made-up ones, or in a game with player cards the first two teams of the edition.
fn sheets(game: &Game, edition: Option<&Edition>) -> Result<[TeamSheet; 2], Refusal> {
    let [home, away] = ["Home", "Away"];
    let Some(edition) = edition else {
        let names = |side: &str| (1..=game.info.players).map(|place| format!("{side} {place}")).collect();
        return Ok([home, away].map(|side| TeamSheet::of_names(side, names(side))));
    };
    let teams = edition.teams();
    let [first, second] = match teams.as_slice() {
        [] => {
            let place = Place::Field("edition".to_owned());
            let message = "an edition without teams cannot be simulated: it needs one, or two";
            return Err(Refusal::new(RefusalKind::IllegalInput, place, message));
        }
        [only] => [*only, *only],
        [first, second, ..] => [*first, *second],
    };
    let of_team = |side: &str, team: &str| {
        edition.team(side, team).map_err(|fault| {
            Refusal::new(RefusalKind::IllegalInput, Place::Field("edition".to_owned()), fault)
        })
    };
    Ok([of_team(home, first)?, of_team(away, second)?])
}

/// The refusal with its place in the options to compare with.
fn of_the_other(refusal: Refusal) -> Refusal {
    let place = match refusal.place {
        Place::Field(field) => Place::Field(field.replacen("rules.", "compare.", 1)),
        place @ (Place::Input | Place::Choice(_) | Place::Die(_)) => place,
    };
    Refusal { place, ..refusal }
}
