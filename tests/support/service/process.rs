//! The program as a process: started, stopped, killed and measured.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Output, Stdio};
use std::time::{Duration, Instant};

use uuid::Uuid;

use super::client::Client;
use crate::program::program;

/// The options of a process that serves.
#[derive(Debug, Clone, Copy)]
pub struct Serving<'a> {
    pub listen: &'a str,
    pub log: &'a str,
    pub arguments: &'a [&'a str],
    /// A command line in front of the program, which has to execute it in the end.
    pub through: &'a [&'a str],
}

impl Default for Serving<'_> {
    fn default() -> Self {
        Serving { listen: "127.0.0.1:0", log: "warn", arguments: &[], through: &[] }
    }
}

/// The program in the process of serving, killed when this value is dropped.
pub struct Process {
    child: Child,
    client: Client,
    log: PathBuf,
    // An open pipe, so that the program can go on printing.
    printed: Option<BufReader<ChildStdout>>,
}

impl Process {
    /// Starts the program, and waits until it prints that it listens.
    pub fn start(database: &str, folder: &Path, serving: Serving<'_>) -> Process {
        let log = folder.join(format!("{}.log", Uuid::now_v7()));
        let mut child =
            serve(database, &log, serving).stdout(Stdio::piped()).spawn().expect("the program starts");
        let mut printed = BufReader::new(child.stdout.take().expect("the output is a pipe"));
        let mut line = String::new();
        printed.read_line(&mut line).expect("the output is text");
        let Some(base) = line.strip_prefix("listening on ") else {
            let _ = child.wait();
            panic!(
                "the program does not listen: {line:?}, {}",
                std::fs::read_to_string(log).unwrap_or_default()
            );
        };
        Process { child, client: Client::new(base.trim_end()), log, printed: Some(printed) }
    }

    pub fn client(&self) -> &Client {
        &self.client
    }

    /// Limits the size of the files that the process writes, in bytes, from now on.
    pub fn limit_files(&self, most: &str) {
        let limit = format!("--fsize={most}:unlimited");
        let exited = Command::new("prlimit").args(["--pid", &self.child.id().to_string(), &limit]).status();
        assert!(exited.is_ok_and(|status| status.success()), "the limit is set");
    }

    /// A figure of the process's memory in MiB: `VmRSS` for now, or `VmHWM` for its peak. `None` on systems
    /// without `/proc`.
    pub fn memory(&self, figure: &str) -> Option<usize> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).ok()?;
        let line = status.lines().find_map(|line| line.strip_prefix(figure)?.strip_prefix(':'))?;
        line.trim().trim_end_matches(" kB").parse::<usize>().ok().map(|kilobytes| kilobytes / 1024)
    }

    /// The standard error of the process so far.
    pub fn log(&self) -> String {
        std::fs::read_to_string(&self.log).expect("the log is there")
    }

    /// Ends the process with `kill -9`, and returns what it has printed since it listens, and logged.
    pub fn kill(mut self) -> String {
        self.child.kill().expect("the process runs");
        self.child.wait().expect("the process is a child");
        let mut printed = String::new();
        if let Some(mut pipe) = self.printed.take() {
            pipe.read_to_string(&mut printed).expect("the output is text");
        }
        printed + &self.log()
    }

    /// Asks the process to stop, with SIGTERM.
    pub fn terminate(&self) {
        let exited = Command::new("kill").args(["-TERM", &self.child.id().to_string()]).status();
        assert!(exited.is_ok_and(|status| status.success()), "the signal is sent");
    }

    /// Waits for the end of the process, and returns its exit code.
    pub fn ended(mut self) -> Option<i32> {
        let child = &mut self.child;
        until("the service has stopped", || child.try_wait().expect("the process is a child").is_some());
        self.child.wait().expect("the process is a child").code()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("the service logged:\n{}", self.log());
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// An instance that is starting, and may have to wait for its tables.
pub struct Starting {
    service: Process,
    printed: PathBuf,
}

impl Starting {
    /// Starts the program, and waits until it has its address.
    pub fn begin(database: &str, folder: &Path) -> Starting {
        let (log, printed) =
            (folder.join(format!("{}.log", Uuid::now_v7())), folder.join(Uuid::now_v7().to_string()));
        let serving = Serving { log: "info", ..Serving::default() };
        let output = File::create(&printed).expect("the folder is ours");
        let child = serve(database, &log, serving).stdout(output).spawn().expect("the program starts");
        let mut service = Process { child, client: Client::new(""), log, printed: None };
        let mut base = None;
        until("the service has an address", || {
            base =
                service.log().split_whitespace().find(|word| word.starts_with("http://")).map(str::to_owned);
            base.is_some()
        });
        service.client = Client::new(&base.unwrap_or_default());
        Starting { service, printed }
    }

    pub fn service(&self) -> &Process {
        &self.service
    }

    /// The standard output of the process so far.
    pub fn printed(&self) -> String {
        std::fs::read_to_string(&self.printed).expect("the file is there")
    }

    /// Waits for the end of the process, and returns its exit code.
    pub fn ended(self) -> Option<i32> {
        self.service.ended()
    }
}

/// The command that serves a database.
fn serve(database: &str, log: &Path, serving: Serving<'_>) -> Command {
    let program = program().display().to_string();
    let program = program.as_str();
    let (first, rest) = serving.through.split_first().unwrap_or((&program, &[]));
    let become_it = if serving.through.is_empty() { None } else { Some(program) };
    let mut command = bare(first);
    command
        .args(rest)
        .args(become_it)
        .args(["serve", "--listen", serving.listen, "--database", database])
        .args(serving.arguments)
        .env("THIRD_UMPIRE_LOG", serving.log)
        .stdin(Stdio::null())
        .stderr(File::create(log).expect("the folder is ours"));
    command
}

/// Runs the program to its end.
pub fn run(arguments: &[&str]) -> Output {
    command(arguments).stdin(Stdio::null()).output().expect("the program starts")
}

/// The command for the program.
fn command(arguments: &[&str]) -> Command {
    let mut command = bare(&program().display().to_string());
    command.args(arguments);
    command
}

/// The command for a program, without the environment variables that ours reads.
fn bare(program: &str) -> Command {
    let mut command = Command::new(program);
    command.env_remove("DATABASE_URL");
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("THIRD_UMPIRE_") {
            command.env_remove(name);
        }
    }
    command
}

/// Polls until a condition holds, less and less often: what takes long leaves the machine to other tests. The
/// limit is only there so that a test ends.
#[track_caller]
pub fn until(condition: &str, mut holds: impl FnMut() -> bool) {
    let begun = Instant::now();
    let mut pause = Duration::from_millis(2);
    while !holds() {
        assert!(begun.elapsed() < Duration::from_secs(30), "this did not happen in time: {condition}");
        std::thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(64));
    }
}
