//! The command line: its commands, and how each is run. Every flag has an environment variable.

mod browser;
mod demo;
mod diff;
mod edition;
mod log_folder;
mod logging;
mod migrate;
mod simulate;
mod sweep;
mod table;

use std::convert::Infallible;
use std::fs::File;
use std::io::{BufRead, BufReader, Read, Write, stdin, stdout};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use clap::builder::BoolishValueParser;
use clap::{Args, Parser, Subcommand, ValueEnum};
use futures_util::future::try_join;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::Mutex;

use crate::audit::{Verdict, audit_with};
use crate::editions::{Editions, MatchLog};
use crate::games::BUILT_IN;
use crate::http::{Access, Host, bind, bind_table, document_text, serve};
use crate::log::{BrokenLine, Entry, MatchId, given_hash, printable};
use crate::projection::{AsOf, CommentaryAsOf, CommentaryBuilder, CommentaryLine};
use crate::service::{ClockOff, all_editions, now, rows_of};
use crate::store::{self, CommitMode, EventStore, Fold, Migrate, Rebuilt, StoreError};
use crate::views::{Score, Scorecard, newspaper_card};

/// The exit code of a command that failed: its arguments are wrong, or it could not be done.
const FAILED: u8 = 2;
/// The exit code of an audit with findings, of two match logs that differ, and of a rebuild that left a match
/// out.
const DIVERGES: u8 = 1;
/// The exit code of a demo or a simulation that was interrupted before it had a result.
const INTERRUPTED: u8 = 130;

/// Records tabletop cricket ball by ball, settles disputes by replaying it, and serves scorecards.
#[derive(Parser)]
#[command(name = "third-umpire", version)]
struct Cli {
    #[command(subcommand)]
    command: CliCommand,
}

#[derive(Subcommand)]
enum CliCommand {
    /// Serve the HTTP API; stops on SIGTERM or ctrl-C, with requests in flight finished
    Serve(Box<ServeArgs>),
    /// Print the key of a table (`serve --table`), with the links and the code that make matches
    TableKey(table::TableKeyArgs),
    /// Audit a match log, and name the first event that diverges (exit 0: no event diverges; 1: an event
    /// diverges; 2: the file is not a match log)
    Audit {
        /// The match log file, or - for standard input
        file: String,
        /// The expected hash of the last event
        #[arg(long, env = "THIRD_UMPIRE_EXPECT_HEAD", value_name = "HASH")]
        expect_head: Option<String>,
        /// How to print the report
        #[arg(long, env = "THIRD_UMPIRE_FORMAT", value_enum, default_value = "text")]
        format: OutputFormat,
    },
    /// Print the commentary on a match from its log, ball by ball, and the score
    Replay {
        /// The match log file, or - for standard input
        file: String,
        #[command(flatten)]
        as_of: AsOfArgs,
    },
    /// Print the scorecard of a match log
    Scorecard {
        /// The match log file, or - for standard input
        file: String,
        #[command(flatten)]
        as_of: AsOfArgs,
        /// How to print the scorecard
        #[arg(long, env = "THIRD_UMPIRE_FORMAT", value_enum, default_value = "text")]
        format: OutputFormat,
    },
    /// Compare two scorers' logs of one match: the first ball in which they differ, the log that the rules
    /// support, and the difference on the scorecard (exit 0: the logs agree; 1: they differ; 2: a file is not
    /// a match log)
    Diff(diff::DiffArgs),
    /// Work with editions: the components of a game, as data
    #[command(subcommand)]
    Edition(edition::EditionCommand),
    /// Rebuild all projections from the logs
    Rebuild(StoreArgs),
    /// Remove the idempotency keys of requests older than 30 days
    Sweep(StoreArgs),
    /// Print the OpenAPI document
    Openapi,
    /// Bring the tables of the store up to this version, and stop
    Migrate(migrate::MigrateArgs),
    /// Play a seeded match over HTTP on a temporary store, print its scorecard and audit its log
    Demo,
    /// Play many matches from one seed, and report the figures with confidence intervals
    Simulate(simulate::SimulateArgs),
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum OutputFormat {
    Text,
    Json,
}

#[derive(Args)]
struct AsOfArgs {
    /// Read the match only up to this event
    #[arg(long, env = "THIRD_UMPIRE_AT", value_name = "SEQ", allow_hyphen_values = true, value_parser = seq)]
    at: Option<u64>,
    /// Leave out corrections that came after this event
    #[arg(long, env = "THIRD_UMPIRE_AS_KNOWN_AT", value_name = "SEQ", allow_hyphen_values = true, value_parser = seq)]
    as_known_at: Option<u64>,
}

fn seq(text: &str) -> Result<u64, &'static str> {
    text.parse().map_err(|_| "the seq of an event is a whole number, 1 or more")
}

fn seconds(text: &str) -> Result<u64, &'static str> {
    let seconds = text.parse().ok().filter(|seconds| (1..=3_600).contains(seconds));
    seconds.ok_or("the timeout is a whole number of seconds from 1 to 3600")
}

fn writers(text: &str) -> Result<u16, &'static str> {
    let writers = text.parse().ok().filter(|writers| (1..=64).contains(writers));
    writers.ok_or("the number of writers is a whole number from 1 to 64")
}

impl From<AsOfArgs> for AsOf {
    fn from(args: AsOfArgs) -> AsOf {
        AsOf { seq: args.at, known_at: args.as_known_at }
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
    /// Write each append in a transaction of its own, and rebuild and sweep match by match, for engines that
    /// spread matches over machines
    #[arg(long, env = "THIRD_UMPIRE_NO_GROUP_COMMIT", value_parser = BoolishValueParser::new())]
    no_group_commit: bool,
}

impl StoreArgs {
    /// The way to commit, with so many writes at the same time where each append has its own transaction.
    fn commit(&self, writers: u16) -> CommitMode {
        if self.no_group_commit { CommitMode::Single { writers } } else { CommitMode::Group }
    }
}

#[derive(Args)]
struct ServeArgs {
    /// Where to listen: 127.0.0.1:8080 if left out, and with --table 0.0.0.0:8080. An address that is not
    /// loopback needs --admin-token or --table
    #[arg(long, env = "THIRD_UMPIRE_LISTEN", value_name = "HOST:PORT")]
    listen: Option<String>,
    #[command(flatten)]
    table: table::TableArgs,
    /// The token that is needed to create a match
    #[arg(long, env = "THIRD_UMPIRE_ADMIN_TOKEN", hide_env_values = true, value_name = "TOKEN")]
    admin_token: Option<String>,
    /// A host name of this service, such as the name of its proxy, or scorer.local; repeat the flag, or
    /// separate names by commas. Requests to other names are refused, except localhost and addresses. With
    /// --admin-token and no --host, every name is accepted
    #[arg(long = "host", env = "THIRD_UMPIRE_HOST", value_name = "NAME", value_delimiter = ',')]
    hosts: Vec<String>,
    /// Close a connection whose client keeps its receive window shut for this many seconds, 1 to 3600. On
    /// loopback a client has to take about 130 kB of a large answer in this time, so give more time to a slow
    /// one, or to a proxy on this machine that hands on bytes at the pace of a slow one
    #[arg(long, env = "THIRD_UMPIRE_SEND_TIMEOUT", value_name = "SECONDS", default_value = "30",
        allow_hyphen_values = true, value_parser = seconds)]
    send_timeout: u64,
    /// Open the pages in the browser of this machine
    #[arg(long, env = "THIRD_UMPIRE_OPEN", value_parser = BoolishValueParser::new())]
    open: bool,
    /// Do not migrate the tables; only check that `migrate` has been run
    #[arg(long, env = "THIRD_UMPIRE_NO_MIGRATE", value_parser = BoolishValueParser::new())]
    no_migrate: bool,
    /// With --no-group-commit: how many appends are written at once, 1 to 64. The service has 8 connections
    /// more than that
    #[arg(long, env = "THIRD_UMPIRE_WRITERS", value_name = "N", default_value_t = CommitMode::WRITERS,
        requires = "no_group_commit", allow_hyphen_values = true, value_parser = writers)]
    writers: u16,
    /// What to log to standard error: error, warn, info, debug, or a filter. info if left out, and with
    /// --table warn, so that the lines of requests do not drown the codes
    #[arg(long, env = "THIRD_UMPIRE_LOG")]
    log: Option<String>,
    #[command(flatten)]
    store: StoreArgs,
}

/// The error of a command, which the program prints before it exits.
type Failure = Box<dyn std::error::Error>;

/// Runs the command line of this process.
pub fn main() -> ExitCode {
    let cli = Cli::parse();
    let done = Editions::of(BUILT_IN).map_err(Failure::from).and_then(|known| run(cli.command, known));
    done.unwrap_or_else(|failure| {
        eprintln!("third-umpire: {}", printable(&failure.to_string()));
        ExitCode::from(FAILED)
    })
}

/// Runs a command with the games and editions that the program knows.
fn run(command: CliCommand, known: Editions) -> Result<ExitCode, Failure> {
    match command {
        CliCommand::Audit { file, expect_head, format } => {
            run_audit(&file, expect_head.as_deref(), format, known)
        }
        CliCommand::Replay { file, as_of } => run_replay(&file, as_of.into(), known),
        CliCommand::Scorecard { file, as_of, format } => run_scorecard(&file, as_of.into(), format, known),
        CliCommand::Diff(args) => diff::run(args, &known),
        CliCommand::Edition(command) => edition::run(&command, &known),
        CliCommand::Openapi => print(&document_text(known.registry())),
        CliCommand::Serve(args) => actix_web::rt::System::new().block_on(run_serve(*args, known)),
        CliCommand::TableKey(args) => table::run(args),
        CliCommand::Rebuild(args) => actix_web::rt::System::new().block_on(run_rebuild(args, &known)),
        CliCommand::Migrate(args) => actix_web::rt::System::new().block_on(migrate::run(args)),
        CliCommand::Sweep(args) => actix_web::rt::System::new().block_on(sweep::run(args)),
        CliCommand::Demo => actix_web::rt::System::new().block_on(demo::run(known)),
        CliCommand::Simulate(args) => actix_web::rt::System::new().block_on(simulate::run(args, &known)),
    }
}

/// Prints to standard output; a reader who has gone away (`| head`) is no failure.
fn print(text: &str) -> Result<ExitCode, Failure> {
    print_to_reader(text).map(|_is_read| ExitCode::SUCCESS)
}

/// Prints to standard output, and says whether there is still a reader.
fn print_to_reader(text: &str) -> Result<bool, Failure> {
    match stdout().write_all(text.as_bytes()).and_then(|()| stdout().flush()) {
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Ok(false),
        printed => Ok(printed.map(|()| true)?),
    }
}

fn open(file: &str) -> Result<BufReader<Box<dyn Read>>, Failure> {
    let source: Box<dyn Read> = if file == "-" {
        Box::new(stdin())
    } else {
        Box::new(File::open(file).map_err(|error| format!("{file} cannot be read: {error}"))?)
    };
    let mut source = BufReader::new(source);
    let begin = source.fill_buf().map_err(|error| format!("{file} cannot be read: {error}"))?;
    if begin.trim_ascii_start().starts_with(b"<") {
        return Err(format!(
            "{file} is not a match log: it is a page. A card that was saved as a file has the log of its match in \
             it: open it in a browser, and take what \"Save the log\" gives"
        )
        .into());
    }
    Ok(source)
}

fn run_audit(
    file: &str,
    expect_head: Option<&str>,
    format: OutputFormat,
    known: Editions,
) -> Result<ExitCode, Failure> {
    let no_hash = |head| format!("--expect-head {head:?} is not a hash: 64 hexadecimal digits");
    let expect_head = expect_head.map(|head| given_hash(head).ok_or_else(|| no_hash(head))).transpose()?;
    let report = audit_with(open(file)?, expect_head.as_deref(), known)
        .map_err(|broken| format!("{file} is not a match log: {broken}"))?;
    print(&match format {
        OutputFormat::Text => report.to_string(),
        OutputFormat::Json => serde_json::to_string_pretty(&report)? + "\n",
    })?;
    Ok(match report.verdict {
        Verdict::Clean => ExitCode::SUCCESS,
        Verdict::Diverges => ExitCode::from(DIVERGES),
    })
}

/// The commentary on a match from its log file, as of an event.
fn commentary(file: &str, as_of: AsOf, known: Editions) -> Result<CommentaryAsOf, Failure> {
    if as_of.seq == Some(0) || as_of.known_at == Some(0) {
        return Err("there is no event 0; events are numbered from 1".into());
    }
    let not_a_log = |broken: BrokenLine| format!("{file} is not a match log: {broken}");
    let (mut lines, mut builder) = (MatchLog::new(open(file)?, known), None);
    while let Some(line) = lines.next() {
        let (raw, entry) = line.map_err(not_a_log)?;
        if builder.is_none()
            && let Some(misfit) = lines.misfit(&raw, &entry)
        {
            return Err(format!("{file} cannot be read: {misfit}").into());
        }
        let builder = builder.get_or_insert_with(|| CommentaryBuilder::new(as_of, lines.editions().clone()));
        let seq = raw.seq;
        let broken = |broken: crate::log::InvalidEvent| {
            format!("event {seq} is not valid: {broken}; `audit` says more")
        };
        let event = raw.read().map_err(broken)?;
        builder.follow(event).map_err(broken)?;
        if Some(seq) == as_of.known_at {
            break;
        }
    }
    let builder = builder.unwrap_or_else(|| CommentaryBuilder::new(as_of, lines.editions().clone()));
    Ok(builder.end().map_err(|fault| format!("{file}: {fault}"))?)
}

fn run_replay(file: &str, as_of: AsOf, known: Editions) -> Result<ExitCode, Failure> {
    let CommentaryAsOf { loaded, lines } = commentary(file, as_of, known)?;
    let text_of = |line: &CommentaryLine| {
        let place = match (line.delivery, &line.ball) {
            (Some(delivery), Some(place)) => format!("{delivery:>3} {place:>5}  "),
            (None, _) | (_, None) => String::new(),
        };
        let void = if line.void.is_some() { "(void) " } else { "" };
        format!("{place}{void}{}\n", printable(&line.text))
    };
    let commentary: String = lines.iter().map(text_of).collect();
    print(&format!("{commentary}\n{}\n", Score::of(&loaded).text))
}

fn run_scorecard(
    file: &str,
    as_of: AsOf,
    format: OutputFormat,
    known: Editions,
) -> Result<ExitCode, Failure> {
    let loaded = commentary(file, as_of, known)?.loaded;
    print(&match format {
        OutputFormat::Text => newspaper_card(&loaded),
        OutputFormat::Json => serde_json::to_string_pretty(&Scorecard::of(&loaded))? + "\n",
    })
}

async fn open_store(args: &StoreArgs, migrate: Migrate) -> Result<Arc<dyn EventStore>, Failure> {
    open_store_as(args, migrate, args.commit(CommitMode::WRITERS)).await
}

async fn open_store_as(
    args: &StoreArgs,
    migrate: Migrate,
    commit: CommitMode,
) -> Result<Arc<dyn EventStore>, Failure> {
    let migrate =
        if migrate == Migrate::Apply && args.no_migration_lock { Migrate::ApplyWithoutLock } else { migrate };
    Ok(store::open(&args.database, migrate, commit).await?)
}

/// Where a service listens, if nothing else is said.
const LISTEN: &str = "127.0.0.1:8080";
/// How long the start waits for the store. A service that then still has none answers `/healthz` alone.
const AT_ONCE: Duration = Duration::from_secs(1);

async fn run_serve(args: ServeArgs, known: Editions) -> Result<ExitCode, Failure> {
    let usual = if args.table.is_table() { "warn" } else { "info" };
    logging::start(args.log.as_deref().unwrap_or(usual))?;
    if args.admin_token.as_deref() == Some("") {
        return Err("--admin-token is empty; leave it out, or give a token that cannot be guessed".into());
    }
    args.table.check(&args.store.database, args.admin_token.as_deref())?;
    now()?;
    let hosts = args.hosts.iter().map(|name| Host::named(name.trim())).collect::<Result<_, _>>()?;
    let send_timeout = Duration::from_secs(args.send_timeout);
    let listeners = match (args.table.is_table(), args.listen.as_deref()) {
        (true, listen) => bind_table(listen.unwrap_or(table::LISTEN))?,
        (false, listen) => vec![bind(listen.unwrap_or(LISTEN), args.admin_token.is_some())?],
    };
    // A signal that comes while the store is being opened stops the service, too.
    let (mut terminate, mut interrupt) = (signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?);
    let migrate = if args.no_migrate { Migrate::Check } else { Migrate::Apply };
    let commit = args.store.commit(args.writers);
    let mut opening = Box::pin(open_store_as(&args.store, migrate, commit));
    // Most stores open or fail within this time. Clients that connect meanwhile wait in the queue of the
    // listener.
    let at_once = tokio::time::timeout(AT_ONCE, &mut opening).await;
    let early = at_once.ok().transpose()?;
    let port =
        listeners.first().map(TcpListener::local_addr).transpose()?.map_or(0, |address| address.port());
    let table = args.table.table(&args.store.database, args.admin_token.as_deref(), port)?;
    let admin_token = table.as_ref().map(|table| table.key.clone()).or(args.admin_token);
    let of_table = table.as_ref().map(|served| Arc::clone(&served.table));
    let access = Access { admin_token, hosts, send_timeout, table: of_table };
    let (served, running) = serve(listeners, access, known)?;
    if served.takes_any_host() {
        tracing::warn!("requests to any Host are answered; name the hosts of this service with --host");
    }
    let mut running = actix_web::rt::spawn(running);
    let to_listen = async {
        let store = match early {
            Some(store) => store,
            None => {
                // Another instance may lock the tables for as long as it migrates them.
                tracing::info!(
                    "http://{} answers /healthz only, until the tables are migrated",
                    served.address
                );
                opening.await?
            }
        };
        served.open(store, commit)?;
        let address = page_address(served.address);
        let here = table.as_ref().map_or_else(|| address.clone(), |table| table.here(&address));
        let places = table.as_ref().map_or_else(String::new, table::ServedTable::places);
        print(&format!("listening on http://{}\nopen {here} in a browser\n{places}", served.address))?;
        if args.open {
            // Other users of the machine can read the arguments of a program, so the key is not among them.
            browser::open(&address);
        }
        match table {
            Some(table) => Ok(table.follow().await),
            None => std::future::pending::<Result<Infallible, Failure>>().await,
        }
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

/// The address of the pages. An address of no machine in particular is answered on this one, too.
fn page_address(listens: SocketAddr) -> String {
    let on_this = match listens.ip() {
        ip if !ip.is_unspecified() => listens,
        IpAddr::V4(_) => (Ipv4Addr::LOCALHOST, listens.port()).into(),
        IpAddr::V6(_) => (Ipv6Addr::LOCALHOST, listens.port()).into(),
    };
    format!("http://{on_this}/")
}

/// Waits until the system's clock shows a time that no log can have. The service ends then, since it could
/// not go on: actix-web writes a date into each answer, and on such a clock it soon answers nothing any more,
/// even when the clock is set right later.
async fn clock_off() -> ClockOff {
    const INTERVAL: Duration = Duration::from_millis(300);
    /// How long the service still answers requests with the fault.
    const GRACE: Duration = Duration::from_secs(2);
    loop {
        tokio::time::sleep(INTERVAL).await;
        if let Err(off) = now() {
            tracing::error!("{off}; until then nothing can be stored, and the service ends");
            tokio::time::sleep(GRACE).await;
            return off;
        }
    }
}

async fn run_rebuild(args: StoreArgs, known: &Editions) -> Result<ExitCode, Failure> {
    let store = open_store(&args, Migrate::Apply).await?;
    let editions = all_editions(store.as_ref(), known).await?;
    let fold: Fold = Arc::new(move |entries: &[Entry]| rows_of(entries, &editions));
    store.drop_orphans().await?;
    // Two tasks take batches in turn: while one folds its batch, the database reads or writes the other's.
    let last = Mutex::new(None);
    let (one, other) =
        try_join(rebuild_on(store.as_ref(), &fold, &last), rebuild_on(store.as_ref(), &fold, &last)).await?;
    store.close().await;
    let (done, broken) = (one.0 + other.0, one.1 + other.1);
    print(&format!("projections rebuilt: {done} matches; left unchanged: {broken}\n"))?;
    Ok(if broken == 0 { ExitCode::SUCCESS } else { ExitCode::from(DIVERGES) })
}

/// Rebuilds a batch of matches. A rebuild that conflicts with the writes of a running service is tried again.
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

/// Rebuilds batch after batch until no match is left, and returns how many matches were rebuilt and how many
/// could not be. `last` is the last match of the batch taken last, by this task or by the other.
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
                    eprintln!("third-umpire: match {match_id} is left unchanged: {reason}");
                }
            }
        }
    }
}
