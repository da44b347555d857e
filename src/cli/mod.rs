//! The command line. Every flag can also be given as an environment variable.

mod demo;
mod diff;
mod edition;
mod log_folder;
mod simulate;

use std::convert::Infallible;
use std::fs::File;
use std::io::{BufReader, IsTerminal, Read, Write, stderr, stdin, stdout};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use clap::builder::BoolishValueParser;
use clap::{Args, Parser, Subcommand, ValueEnum};
use futures_util::future::try_join;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::Mutex;
use tracing_subscriber::EnvFilter;

use crate::audit::{Verdict, audit};
use crate::editions::{Editions, MatchLog, check_built_in};
use crate::http::{Access, Host, bind, document_text, serve};
use crate::log::{BrokenLine, Entry, MatchId, is_hash, printable};
use crate::service::{ClockOff, all_editions, now, rows_of};
use crate::store::{self, CommitMode, EventStore, Fold, Migrate, Rebuilt, StoreError};
use crate::views::{AsOf, CommentaryAsOf, CommentaryBuilder};
use crate::views::{CommentaryLine, Score, Scorecard, newspaper_card};

/// Something is wrong with what was asked for, or it could not be done.
const FAILED: u8 = 2;
/// The audit found something, or two books differ.
const DIVERGES: u8 = 1;

/// Records tabletop cricket ball by ball, settles disputes by replaying it, and serves scorecards.
#[derive(Parser)]
#[command(name = "third-umpire", version)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Serve the HTTP API; stops on SIGTERM or ctrl-C, with requests in flight finished
    Serve(ServeArgs),
    /// Prove a match log, or name the first event that diverges (exit 0: nothing does; 1: something does; 2: no match log)
    Audit {
        /// The match log file, or - for standard input
        file: String,
        /// The hash the last event should have
        #[arg(long, env = "THIRD_UMPIRE_EXPECT_HEAD", value_name = "HASH")]
        expect_head: Option<String>,
        /// How to print the report
        #[arg(long, env = "THIRD_UMPIRE_FORMAT", value_enum, default_value = "text")]
        format: Format,
    },
    /// Tell a match from its log, ball by ball, and give the score
    Replay {
        /// The match log file, or - for standard input
        file: String,
        #[command(flatten)]
        moment: MomentArgs,
    },
    /// Print the scorecard of a match log
    Scorecard {
        /// The match log file, or - for standard input
        file: String,
        #[command(flatten)]
        moment: MomentArgs,
        /// How to print it
        #[arg(long, env = "THIRD_UMPIRE_FORMAT", value_enum, default_value = "text")]
        format: Format,
    },
    /// Compare two scorers' books of one match: the first ball in which they differ, which of them the rules support, and
    /// what it changes on the card (exit 0: they say the same; 1: they differ; 2: one is no match log)
    Diff(diff::DiffArgs),
    /// Look into editions: the components of a game, as data
    #[command(subcommand)]
    Edition(edition::EditionCommand),
    /// Drop the projections and fold them again from the logs
    Rebuild(StoreArgs),
    /// Print the OpenAPI document
    Openapi,
    /// Bring the tables up to this version, and do nothing else
    Migrate(StoreArgs),
    /// Play a seeded match on a temporary store through the real service, print its card and audit its log
    Demo,
    /// Play many matches from one seed, and report what they came to with confidence intervals
    Simulate(simulate::SimulateArgs),
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    Text,
    Json,
}

#[derive(Args)]
struct MomentArgs {
    /// Only up to this event
    #[arg(long, env = "THIRD_UMPIRE_AT", value_name = "SEQ")]
    at: Option<u64>,
    /// As it was known after this event, before later corrections
    #[arg(long, env = "THIRD_UMPIRE_AS_KNOWN_AT", value_name = "SEQ")]
    as_known_at: Option<u64>,
}

impl From<MomentArgs> for AsOf {
    fn from(asked: MomentArgs) -> AsOf {
        AsOf { seq: asked.at, known_at: asked.as_known_at }
    }
}

#[derive(Args)]
struct StoreArgs {
    /// sqlite:///absolute/path, sqlite://relative or postgres://user@host/name
    #[arg(long, env = "DATABASE_URL", hide_env_values = true, default_value = "sqlite://third-umpire.db")]
    database: String,
    /// Do not lock the database while migrating, for engines without advisory locks
    #[arg(long, env = "THIRD_UMPIRE_NO_MIGRATION_LOCK", value_parser = BoolishValueParser::new())]
    no_migration_lock: bool,
    /// Write each append in a transaction of its own, for engines that spread matches over machines
    #[arg(long, env = "THIRD_UMPIRE_NO_GROUP_COMMIT", value_parser = BoolishValueParser::new())]
    no_group_commit: bool,
}

impl StoreArgs {
    fn commit(&self) -> CommitMode {
        if self.no_group_commit { CommitMode::Single } else { CommitMode::Group }
    }
}

#[derive(Args)]
struct ServeArgs {
    /// Where to listen; an address that is not loopback needs --admin-token
    #[arg(long, env = "THIRD_UMPIRE_LISTEN", value_name = "HOST:PORT", default_value = "127.0.0.1:8080")]
    listen: String,
    /// Whoever creates a match has to show this token
    #[arg(long, env = "THIRD_UMPIRE_ADMIN_TOKEN", hide_env_values = true, value_name = "TOKEN")]
    admin_token: Option<String>,
    /// A host name this service is known by, as behind a proxy; repeat it, or separate names by commas.
    /// Requests to other names are refused, but for localhost, addresses and *.local; without one, and with
    /// --admin-token, any name is taken
    #[arg(long = "host", env = "THIRD_UMPIRE_HOST", value_name = "NAME", value_delimiter = ',')]
    hosts: Vec<String>,
    /// Do not touch the tables: check that `migrate` has been run
    #[arg(long, env = "THIRD_UMPIRE_NO_MIGRATE", value_parser = BoolishValueParser::new())]
    no_migrate: bool,
    /// What to log to standard error: error, warn, info, debug, or a filter
    #[arg(long, env = "THIRD_UMPIRE_LOG", default_value = "info")]
    log: String,
    #[command(flatten)]
    store: StoreArgs,
}

/// A failure in words.
type Failure = Box<dyn std::error::Error>;

/// Runs the command line of this process.
pub fn main() -> ExitCode {
    let cli = Cli::parse();
    let done = check_built_in().map_err(Failure::from).and_then(|()| run(cli.command));
    done.unwrap_or_else(|failure| {
        eprintln!("third-umpire: {}", printable(&failure.to_string()));
        ExitCode::from(FAILED)
    })
}

fn run(command: Command) -> Result<ExitCode, Failure> {
    match command {
        Command::Audit { file, expect_head, format } => run_audit(&file, expect_head.as_deref(), format),
        Command::Replay { file, moment } => run_replay(&file, moment.into()),
        Command::Scorecard { file, moment, format } => run_scorecard(&file, moment.into(), format),
        Command::Diff(args) => diff::run(args),
        Command::Edition(command) => edition::run(&command),
        Command::Openapi => print(&document_text()),
        Command::Serve(args) => actix_web::rt::System::new().block_on(run_serve(args)),
        Command::Rebuild(args) => actix_web::rt::System::new().block_on(run_rebuild(args)),
        Command::Migrate(args) => actix_web::rt::System::new().block_on(run_migrate(args)),
        Command::Demo => actix_web::rt::System::new().block_on(demo::run()),
        Command::Simulate(args) => actix_web::rt::System::new().block_on(simulate::run(args)),
    }
}

/// Prints to standard output; a reader who has gone away (`| head`) is no failure.
fn print(text: &str) -> Result<ExitCode, Failure> {
    match stdout().write_all(text.as_bytes()).and_then(|()| stdout().flush()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => Err(error.into()),
        _ => Ok(ExitCode::SUCCESS),
    }
}

fn open(file: &str) -> Result<BufReader<Box<dyn Read>>, Failure> {
    let source: Box<dyn Read> = if file == "-" {
        Box::new(stdin())
    } else {
        Box::new(File::open(file).map_err(|error| format!("{file} cannot be read: {error}"))?)
    };
    Ok(BufReader::new(source))
}

fn run_audit(file: &str, expect_head: Option<&str>, format: Format) -> Result<ExitCode, Failure> {
    if let Some(head) = expect_head.filter(|head| !is_hash(head)) {
        return Err(format!("--expect-head {head:?} is not a hash: 64 lower-case hexadecimal digits").into());
    }
    let report =
        audit(open(file)?, expect_head).map_err(|broken| format!("{file} is not a match log: {broken}"))?;
    print(&match format {
        Format::Text => report.to_string(),
        Format::Json => serde_json::to_string_pretty(&report)? + "\n",
    })?;
    Ok(match report.verdict {
        Verdict::Clean => ExitCode::SUCCESS,
        Verdict::Diverges => ExitCode::from(DIVERGES),
    })
}

/// Tells a log file, at the moment asked for.
fn told(file: &str, moment: AsOf) -> Result<CommentaryAsOf, Failure> {
    if moment.seq == Some(0) || moment.known_at == Some(0) {
        return Err("there is no event 0; events count from 1".into());
    }
    let no_log = |broken: BrokenLine| format!("{file} is not a match log: {broken}");
    let (mut lines, mut telling) = (MatchLog::new(open(file)?, Editions::default()), None);
    while let Some(line) = lines.next() {
        let (raw, entry) = line.map_err(no_log)?;
        if telling.is_none()
            && let Some(misfit) = lines.misfit(&raw, &entry)
        {
            return Err(format!("{file} cannot be read: {misfit}").into());
        }
        let telling = telling.get_or_insert_with(|| CommentaryBuilder::new(moment, lines.editions().clone()));
        let seq = raw.seq;
        let broken = |broken: crate::log::InvalidEvent| {
            format!("event {seq} does not hold: {broken}; audit says more")
        };
        let event = raw.read().map_err(broken)?;
        telling.follow(event).map_err(broken)?;
        if Some(seq) == moment.known_at {
            break;
        }
    }
    let telling = telling.unwrap_or_else(|| CommentaryBuilder::new(moment, Editions::default()));
    Ok(telling.end().map_err(|fault| format!("{file}: {fault}"))?)
}

fn run_replay(file: &str, moment: AsOf) -> Result<ExitCode, Failure> {
    let CommentaryAsOf { projection, lines } = told(file, moment)?;
    let tell = |line: &CommentaryLine| {
        let place = line.ball.as_ref().map_or_else(String::new, |ball| format!("{ball:>5}  "));
        let void = if line.void.is_some() { "(void) " } else { "" };
        format!("{place}{void}{}\n", printable(&line.text))
    };
    let told: String = lines.iter().map(tell).collect();
    print(&format!("{told}\n{}\n", Score::of(&projection).text))
}

fn run_scorecard(file: &str, moment: AsOf, format: Format) -> Result<ExitCode, Failure> {
    let projection = told(file, moment)?.projection;
    print(&match format {
        Format::Text => newspaper_card(&projection),
        Format::Json => serde_json::to_string_pretty(&Scorecard::of(&projection))? + "\n",
    })
}

fn write_logs(filter: &str) -> Result<(), Failure> {
    let filter =
        EnvFilter::try_new(filter).map_err(|error| format!("--log {filter:?} is no filter: {error}"))?;
    tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(stderr)
        .with_ansi(stderr().is_terminal())
        .init();
    Ok(())
}

async fn open_store(args: &StoreArgs, migrate: Migrate) -> Result<Arc<dyn EventStore>, Failure> {
    let migrate =
        if migrate == Migrate::Apply && args.no_migration_lock { Migrate::ApplyWithoutLock } else { migrate };
    Ok(store::open(&args.database, migrate, args.commit()).await?)
}

/// How long a store may take to open before the service answers without it.
const AT_ONCE: Duration = Duration::from_secs(1);

async fn run_serve(args: ServeArgs) -> Result<ExitCode, Failure> {
    write_logs(&args.log)?;
    if args.admin_token.as_deref() == Some("") {
        return Err("--admin-token is empty; leave it out or give one that cannot be guessed".into());
    }
    now()?;
    let hosts = args.hosts.iter().map(|name| Host::named(name.trim())).collect::<Result<_, _>>()?;
    let access = Access { admin_token: args.admin_token, hosts };
    let listener = bind(&args.listen, access.admin_token.is_some())?;
    // Who is told to stop while the store is opened stops, too.
    let (mut terminate, mut interrupt) = (signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?);
    let migrate = if args.no_migrate { Migrate::Check } else { Migrate::Apply };
    let mut opening = Box::pin(open_store(&args.store, migrate));
    // Most stores are open at once, or say at once why not; who connects meanwhile waits.
    let at_once = tokio::time::timeout(AT_ONCE, &mut opening).await;
    let early = at_once.ok().transpose()?;
    let (served, running) = serve(listener, access)?;
    if served.takes_any_host() {
        tracing::warn!("requests to any Host are answered; name this service's own with --host");
    }
    let mut running = actix_web::rt::spawn(running);
    let to_listen = async {
        let store = match early {
            Some(store) => store,
            None => {
                // Another instance may hold the tables for as long as it changes them.
                tracing::info!("http://{} answers /healthz; the rest waits for the tables", served.address);
                opening.await?
            }
        };
        served.open(store, args.store.commit())?;
        print(&format!("listening on http://{}\n", served.address))?;
        std::future::pending::<Result<Infallible, Failure>>().await
    };
    let why: Result<(), ClockOff> = tokio::select! {
        _ = terminate.recv() => Ok(()),
        _ = interrupt.recv() => Ok(()),
        off = clock_off() => Err(off),
        failed = to_listen => match failed? {},
        ended = &mut running => {
            ended??;
            return Err("the service ended by itself".into());
        }
    };
    tracing::info!("stopping: finishing the requests in flight");
    served.stop().await;
    running.await??;
    tracing::info!("stopped");
    Ok(why.map(|()| ExitCode::SUCCESS)?)
}

/// Waits until the system's clock shows a time that no log can have. Answers over HTTP have a date as well:
/// actix-web stops keeping time on such a clock, and some seconds later answers nothing any more, also when
/// the clock is set right.
async fn clock_off() -> ClockOff {
    const LOOK: Duration = Duration::from_millis(300);
    /// How long the service goes on to say what is wrong.
    const LAST_WORDS: Duration = Duration::from_secs(2);
    loop {
        tokio::time::sleep(LOOK).await;
        if let Err(off) = now() {
            tracing::error!("{off}; until then nothing can be stored, and the service ends");
            tokio::time::sleep(LAST_WORDS).await;
            return off;
        }
    }
}

async fn run_migrate(args: StoreArgs) -> Result<ExitCode, Failure> {
    open_store(&args, Migrate::Apply).await?.close().await;
    print("the tables are those of this version\n")
}

async fn run_rebuild(args: StoreArgs) -> Result<ExitCode, Failure> {
    let store = open_store(&args, Migrate::Apply).await?;
    let editions = all_editions(store.as_ref()).await?;
    let fold: Fold = Arc::new(move |entries: &[Entry]| rows_of(entries, &editions));
    store.drop_orphans().await?;
    // While one batch is folded the database reads or writes another.
    let last = Mutex::new(None);
    let (one, other) =
        try_join(rebuild_on(store.as_ref(), &fold, &last), rebuild_on(store.as_ref(), &fold, &last)).await?;
    store.close().await;
    let (done, broken) = (one.0 + other.0, one.1 + other.1);
    print(&format!("projections rebuilt: {done} matches, {broken} left as they were\n"))?;
    Ok(if broken == 0 { ExitCode::SUCCESS } else { ExitCode::from(DIVERGES) })
}

/// Rebuilds a batch, again where a service that writes was in the way.
async fn rebuild_batch(
    store: &dyn EventStore,
    fold: &Fold,
    match_ids: &[MatchId],
) -> Result<Vec<(MatchId, Rebuilt)>, StoreError> {
    const TRIES: u32 = 10;
    for tries in 1..TRIES {
        match store.rebuild(match_ids, Arc::clone(fold)).await {
            Err(StoreError::Conflict | StoreError::Unavailable(_)) => {
                tokio::time::sleep(Duration::from_millis(u64::from(50 * tries))).await;
            }
            rebuilt => return rebuilt,
        }
    }
    store.rebuild(match_ids, Arc::clone(fold)).await
}

/// Rebuilds batch after batch until none is left, `last` being the last match that was taken; how many were folded, and
/// how many could not be.
async fn rebuild_on(
    store: &dyn EventStore,
    fold: &Fold,
    last: &Mutex<Option<MatchId>>,
) -> Result<(u64, u64), Failure> {
    const BATCH: u32 = 40;
    let (mut done, mut broken) = (0, 0);
    loop {
        let match_ids = {
            let mut last = last.lock().await;
            let match_ids = store.match_ids(*last, BATCH).await?;
            *last = match_ids.last().copied().or(*last);
            match_ids
        };
        if match_ids.is_empty() {
            return Ok((done, broken));
        }
        for (match_id, rebuilt) in rebuild_batch(store, fold, &match_ids).await? {
            match rebuilt {
                Rebuilt::Done => done += 1,
                Rebuilt::Broken(reason) => {
                    broken += 1;
                    eprintln!("third-umpire: match {match_id} is left as it was: {reason}");
                }
            }
        }
    }
}
