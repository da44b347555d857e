//! The command `simulate`: its arguments, the run with a progress bar on a terminal, and the report that is
//! printed.

use std::io::{IsTerminal, Write, stderr};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

use actix_web::rt;
use clap::Args;
use tokio::signal::unix::{SignalKind, signal};

use super::log_folder::LogFolder;
use super::{Failure, INTERRUPTED, OutputFormat, print};
use crate::dice::{NotASeed, ServerSeed};
use crate::editions::Editions;
use crate::games::BUILT_IN;
use crate::log::{MOST_VALUES_OF_EVENT, plain_json};
use crate::rules::{Choices, Game, Place, Refusal};
use crate::service::random_seed;
use crate::simulate::{LogSink, Progress, Simulation, Unfinished};

/// How often the progress bar is drawn.
const TICK: Duration = Duration::from_millis(200);

#[derive(Args)]
pub(super) struct SimulateArgs {
    /// The game's id
    #[arg(long, env = "THIRD_UMPIRE_GAME", value_name = "ID", value_parser = game)]
    game: &'static Game,
    /// The options of the game, as a JSON object; an option that is left out takes its default
    #[arg(long, env = "THIRD_UMPIRE_RULES", value_name = "JSON", default_value = "{}", value_parser = options)]
    rules: GivenOptions,
    /// The file of the edition to play with, or - for standard input, in a game that has editions; the
    /// built-in edition if left out. The first two teams of the edition play
    #[arg(long, env = "THIRD_UMPIRE_EDITION", value_name = "FILE")]
    edition: Option<String>,
    /// Play the same seeds under these options as well, and compare
    #[arg(long, env = "THIRD_UMPIRE_COMPARE", value_name = "JSON", value_parser = options)]
    compare: Option<GivenOptions>,
    /// The policy by which the home side chooses, in a game with more than one policy; the first of them if
    /// left out
    #[arg(long, env = "THIRD_UMPIRE_HOME_POLICY", value_name = "POLICY")]
    home_policy: Option<String>,
    /// The policy by which the away side chooses; the first of them if left out
    #[arg(long, env = "THIRD_UMPIRE_AWAY_POLICY", value_name = "POLICY")]
    away_policy: Option<String>,
    /// How many matches to play
    #[arg(long, env = "THIRD_UMPIRE_MATCHES", value_name = "N", allow_hyphen_values = true, value_parser = matches)]
    matches: u64,
    /// The seed of all matches, 64 hexadecimal digits; if left out, random bytes of the operating system,
    /// which the report shows
    #[arg(long, env = "THIRD_UMPIRE_SEED", value_name = "HEX", value_parser = seed)]
    seed: Option<ServerSeed>,
    /// How many threads play; as many as there are cores if left out. The number does not change the result
    #[arg(long, env = "THIRD_UMPIRE_THREADS", value_name = "T", allow_hyphen_values = true, value_parser = count)]
    threads: Option<usize>,
    /// How to print the report
    #[arg(long, env = "THIRD_UMPIRE_FORMAT", value_enum, default_value = "text")]
    format: OutputFormat,
    /// Write the log of each match k to <k>.ndjson in this folder, which must be empty or not exist yet
    #[arg(long, env = "THIRD_UMPIRE_LOG_DIR", value_name = "DIR", conflicts_with = "compare")]
    log_dir: Option<PathBuf>,
}

/// The options of a game, as given on the command line.
#[derive(Clone)]
struct GivenOptions(Choices);

fn game(id: &str) -> Result<&'static Game, String> {
    let no_such_game = || format!("there is no such game; the games are {}", BUILT_IN.ids().join(", "));
    BUILT_IN.find(id).ok_or_else(no_such_game)
}

fn options(json: &str) -> Result<GivenOptions, String> {
    plain_json(json.as_bytes(), MOST_VALUES_OF_EVENT).map_err(|fault| format!("this {fault}"))?;
    let not_an_object = |_| "options are a JSON object, like {\"overs\": 5}".to_owned();
    serde_json::from_str(json).map(GivenOptions).map_err(not_an_object)
}

fn matches(text: &str) -> Result<u64, String> {
    let most = Simulation::MOST;
    let number = text.parse().ok().filter(|matches| (1..=most).contains(matches));
    number.ok_or_else(|| format!("the number of matches is a whole number from 1 to {most}"))
}

fn count(text: &str) -> Result<usize, &'static str> {
    text.parse().ok().filter(|count| *count > 0).ok_or("the number of threads is a whole number, 1 or more")
}

fn seed(text: &str) -> Result<ServerSeed, NotASeed> {
    ServerSeed::from_hex(text)
}

/// Plays many matches and prints the report on them.
pub(super) async fn run(args: SimulateArgs, known: &Editions) -> Result<ExitCode, Failure> {
    let seed = match args.seed {
        Some(seed) => seed,
        None => random_seed().map_err(|_| "the operating system gives no random bytes")?,
    };
    let compare = args.compare.as_ref().map(|options| &options.0);
    let edition = match &args.edition {
        Some(_) if args.game.editions.is_none() => {
            return Err(format!("--edition: {} has no editions; leave it out", args.game.info.id).into());
        }
        Some(file) => Some(Arc::new(super::edition::read(file, known)?)),
        None => known.built_in_for(args.game),
    };
    let simulation =
        Simulation::with_edition(known, edition, args.game, &args.rules.0, compare, args.matches, seed)
            .and_then(|simulation| {
                simulation.with_policies(args.home_policy.as_deref(), args.away_policy.as_deref())
            })
            .map_err(with_flag)?;
    let threads = threads(args.threads);
    let logs = args.log_dir.map(|folder| LogFolder::open(&folder, &simulation)).transpose()?;
    let progress = Arc::new(Progress::default());
    let (total, moving) = (simulation.matches(), Arc::clone(&progress));
    let mut playing = rt::task::spawn_blocking(move || {
        simulation.run(threads, &moving, logs.as_ref().map(|folder| folder as &dyn LogSink))
    });
    let (mut terminate, mut interrupt) = (signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?);
    let mut bar = Bar::new(total);
    let ended = loop {
        tokio::select! {
            ended = &mut playing => break ended?,
            _ = interrupt.recv() => progress.stop(),
            _ = terminate.recv() => progress.stop(),
            _ = tokio::time::sleep(TICK) => bar.draw(progress.done()),
        }
    };
    bar.clear();
    match ended {
        Ok(report) if args.format == OutputFormat::Json => {
            print(&(serde_json::to_string_pretty(&report)? + "\n"))
        }
        Ok(report) => print(&report.to_string()),
        Err(stopped @ Unfinished::Stopped { .. }) => {
            eprintln!("third-umpire: {stopped}");
            Ok(ExitCode::from(INTERRUPTED))
        }
        Err(fault) => Err(format!("after {} of {total} matches: {fault}", progress.done()).into()),
    }
}

/// The message of a refused simulation, with the flag that is at fault.
fn with_flag(refusal: Refusal) -> String {
    match &refusal.place {
        Place::Field(field) if field.starts_with("compare.") => format!("--compare: {refusal}"),
        Place::Field(field) if field.starts_with("rules.") => format!("--rules: {refusal}"),
        Place::Field(field) if field == "edition" => format!("--edition: {refusal}"),
        Place::Field(field) if field == "home_policy" => format!("--home-policy: {refusal}"),
        Place::Field(field) if field == "away_policy" => format!("--away-policy: {refusal}"),
        Place::Field(_) | Place::Input | Place::Choice(_) | Place::Die(_) => refusal.to_string(),
    }
}

/// The number of threads to play on: at most as many as there are cores, since more make nothing faster.
fn threads(wanted: Option<usize>) -> usize {
    let cores = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
    let wanted = wanted.unwrap_or(cores);
    if wanted > cores {
        eprintln!("third-umpire: {wanted} threads are more than there are cores; playing on {cores}");
    }
    wanted.min(cores)
}

/// A progress bar on standard error, drawn only on a terminal.
struct Bar {
    total: u64,
    begun: Instant,
    drawn: bool,
    terminal: bool,
}

impl Bar {
    fn new(total: u64) -> Bar {
        Bar { total, begun: Instant::now(), drawn: false, terminal: stderr().is_terminal() }
    }

    fn draw(&mut self, done: u64) {
        const WIDTH: usize = 40;
        if !self.terminal {
            return;
        }
        let share = done as f64 / self.total as f64;
        let bar = "#".repeat((share * WIDTH as f64) as usize);
        let left = match done {
            0 => String::new(),
            _ => format!(", {:.0} s left", self.begun.elapsed().as_secs_f64() * (1.0 - share) / share),
        };
        eprint!("\r\x1b[K[{bar:.<WIDTH$}] {done} of {}{left}", self.total);
        // A bar that cannot be written is no reason to stop the simulation.
        let _ = stderr().flush();
        self.drawn = true;
    }

    fn clear(&mut self) {
        if std::mem::take(&mut self.drawn) {
            eprint!("\r\x1b[K");
        }
    }
}
