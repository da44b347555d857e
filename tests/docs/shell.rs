//! A shell in a folder of its own, in which `third-umpire` and `cargo run` are the program that was built for
//! the tests. Nothing that was started in it outlives it.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

/// Where the pages' service listens; in the tests it listens elsewhere, so that no port has to be free.
const LISTENS: &str = "127.0.0.1:8080";
/// The members that only the answer to a refused request has, as `jq` reads them.
const OF_A_PROBLEM: [&str; 3] = ["jq -r .type", "jq -r .detail", "jq -r .ruling.text"];
/// What the pages' commands take beside the program itself.
const PROGRAMS: [&str; 3] = ["bash", "curl", "jq"];
/// How long everything in a shell has to end when it is told to.
const PATIENCE: Duration = Duration::from_secs(60);

/// Stands in for cargo: `run` runs the program of the tests, and nothing is compiled.
const CARGO: &str = "#!/usr/bin/env bash\n\
    if [ \"$1\" != run ]; then echo \"cargo $1 is not run here\" >&2; exit 2; fi\n\
    while [ \"$1\" != -- ]; do shift || exit 2; done\n\
    shift\n\
    exec third-umpire \"$@\"\n";

/// Stands in for curl, which it runs: it keeps the status of each answer that is a refusal, as curl itself
/// succeeds with one. A command that prints the status itself expects one.
const CURL: &str = "#!/usr/bin/env bash\n\
    PATH=${PATH#*:}\n\
    for argument; do [ \"$argument\" != -w ] || exec curl \"$@\"; done\n\
    exec curl -w '%{stderr}answered %{http_code}\\n' \"$@\"\n";

/// A shell, and what is needed to speak to it.
pub struct Shell {
    process: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    folder: PathBuf,
    /// Where the services listen that were started, the last one last.
    addresses: Vec<String>,
    /// How much of standard error earlier commands have printed.
    told: usize,
}

fn has(program: &str) -> bool {
    Command::new(program).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok()
}

/// Whether there is what pages' commands take; in CI there has to be.
pub fn may_run() -> bool {
    let missing: Vec<&str> = PROGRAMS.into_iter().filter(|program| !has(program)).collect();
    if missing.is_empty() {
        return true;
    }
    assert!(std::env::var_os("CI").is_none(), "{missing:?} are needed to run the commands of the documents");
    let _ =
        writeln!(std::io::stderr(), "skipped: {missing:?} are needed to run the commands of the documents");
    false
}

impl Shell {
    /// Opens a shell.
    pub fn open() -> Shell {
        static OPENED: AtomicU32 = AtomicU32::new(0);
        let number = OPENED.fetch_add(1, Ordering::Relaxed);
        let name = format!("third-umpire-docs-{}-{number}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        let programs = folder.join("programs");
        fs::create_dir_all(&programs).unwrap();
        symlink(env!("CARGO_BIN_EXE_third-umpire"), programs.join("third-umpire")).unwrap();
        for (program, script) in [("cargo", CARGO), ("curl", CURL)] {
            let program = programs.join(program);
            fs::write(&program, script).unwrap();
            fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
        }
        let mut process = shell_command(&folder, &programs).spawn().unwrap();
        let input = process.stdin.take();
        let output = BufReader::new(process.stdout.take().unwrap());
        let mut shell = Shell { process, input, output, folder, addresses: Vec::new(), told: 0 };
        // The shell itself lives on when everything in it is told to end: it waits for what it started.
        shell.run("trap : TERM");
        shell
    }

    /// Runs commands, and gives the lines they printed. Each command has to succeed, and so do the requests
    /// that they send, but for those whose problem they read. A service is started beside the shell.
    pub fn run(&mut self, command: &str) -> Vec<String> {
        let is_service = command.starts_with("third-umpire serve");
        let mut command = command.to_owned();
        if is_service {
            let out = format!("service-{}.out", self.addresses.len());
            command = format!(
                "{command} > {out} & until grep -q listening {out}; do kill -0 $! || break; sleep 0.1; done; cat {out}"
            );
        }
        if let Some(address) = self.addresses.last() {
            command = command.replace(LISTENS, address);
        }
        let mut printed = self.printed(&command);
        if is_service {
            let address = printed.iter().find_map(|line| line.strip_prefix("listening on http://"));
            self.addresses.extend(address.map(str::to_owned));
        }
        for address in &self.addresses {
            for line in &mut printed {
                *line = line.replace(address, LISTENS);
            }
        }
        printed
    }

    fn printed(&mut self, command: &str) -> Vec<String> {
        const END: &str = "--- that was it, with code ";
        let input = self.input.as_mut().expect("the shell is open");
        // What reads standard input reads nothing, and not the commands to come.
        writeln!(
            input,
            "CODE=0; trap 'CODE=$?' ERR; {{ {command}\n}} < /dev/null\ntrap - ERR; echo; echo \"{END}$CODE\""
        )
        .unwrap();
        let mut lines = Vec::new();
        loop {
            let mut line = String::new();
            assert_ne!(self.output.read_line(&mut line).unwrap(), 0, "the shell ended in {command:?}");
            let line = line.trim_end_matches('\n').to_owned();
            if let Some(code) = line.strip_prefix(END) {
                let stderr = fs::read_to_string(self.folder.join("stderr")).unwrap();
                assert_eq!(
                    code, "0",
                    "{command:?} failed with code {code} after printing {lines:#?}\n{stderr}"
                );
                let (begins, news) = (["answered 4", "answered 5"], &stderr[self.told..]);
                let is_refusal = |line: &&str| begins.iter().any(|begin| line.starts_with(begin));
                let refused: Vec<&str> = news.lines().filter(is_refusal).collect();
                let read: usize = OF_A_PROBLEM.iter().map(|member| command.matches(member).count()).sum();
                assert!(refused.len() <= read, "{command:?} was refused: {refused:?}");
                self.told = stderr.len();
                // The blank line before the end is the test's own: curl prints no line end after its answer.
                if lines.last().is_some_and(String::is_empty) {
                    lines.pop();
                }
                return lines;
            }
            lines.push(line);
        }
    }

    /// Ends everything that was started in the shell, and the shell. Gives what is still there after a while.
    pub fn end(mut self) -> Vec<u32> {
        self.end_all()
    }

    fn end_all(&mut self) -> Vec<u32> {
        let Some(mut input) = self.input.take() else { return Vec::new() };
        let group = self.process.id();
        signal(group, "TERM");
        let _ = writeln!(input, "wait; exit");
        drop(input);
        let deadline = Instant::now() + PATIENCE;
        let mut left = members(group);
        while (matches!(self.process.try_wait(), Ok(None)) || !left.is_empty()) && Instant::now() < deadline {
            std::thread::sleep(Duration::from_millis(20));
            left = members(group);
        }
        if !left.is_empty() {
            signal(group, "KILL");
        }
        let _ = self.process.wait();
        let _ = fs::remove_dir_all(&self.folder);
        left
    }
}

impl Drop for Shell {
    fn drop(&mut self) {
        self.end_all();
    }
}

/// A shell that speaks over pipes, with a process group of its own.
fn shell_command(folder: &Path, programs: &Path) -> Command {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let paths = std::iter::once(programs.to_owned()).chain(std::env::split_paths(&path));
    let mut command = Command::new("bash");
    command.current_dir(folder).env("PATH", std::env::join_paths(paths).unwrap());
    for (name, _) in std::env::vars_os() {
        if name == "DATABASE_URL" || name.to_string_lossy().starts_with("THIRD_UMPIRE_") {
            command.env_remove(name);
        }
    }
    command
        // What the demo keeps goes with the folder.
        .env("TMPDIR", folder)
        .env("THIRD_UMPIRE_LISTEN", "127.0.0.1:0")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(fs::File::create(folder.join("stderr")).unwrap())
        .process_group(0);
    command
}

/// Sends a signal to a process group.
fn signal(group: u32, name: &str) {
    let kill = format!("kill -{name} -- -{group}");
    let _ = Command::new("bash").args(["-c", &kill]).stderr(Stdio::null()).status();
}

/// The processes of a group that run; on a system without /proc nobody can say.
fn members(group: u32) -> Vec<u32> {
    let Ok(processes) = fs::read_dir("/proc") else { return Vec::new() };
    let running = |id: u32| {
        let stat = fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
        // The name of the program, in brackets, may have blanks in it.
        let mut fields = stat.rsplit_once(')')?.1.split_whitespace();
        let (state, group_id) = (fields.next()?, fields.nth(1)?);
        // A zombie has ended, and waits for somebody to ask how.
        (state != "Z" && group_id.parse() == Ok(group)).then_some(id)
    };
    let ids = processes.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
    ids.filter_map(running).collect()
}

#[test]
fn nothing_that_was_started_in_a_shell_outlives_it() {
    if !may_run() {
        return;
    }
    let mut shell = Shell::open();
    assert_eq!(
        shell.run("third-umpire serve"),
        [format!("listening on http://{LISTENS}"), format!("open http://{LISTENS}/ in a browser")]
    );
    shell.run("sleep 1000 & ( sleep 1000 & ) ; head -1 <(echo x; sleep 1000)");
    shell.run("curl -s http://127.0.0.1:8080/healthz");
    let (group, folder) = (shell.process.id(), shell.folder.clone());
    if Path::new("/proc/self/stat").exists() {
        assert!(members(group).len() >= 4, "{:?}", members(group));
    }
    assert!(folder.join("third-umpire.db").exists());
    assert_eq!(shell.end(), Vec::<u32>::new());
    assert_eq!(members(group), Vec::<u32>::new());
    assert!(!folder.exists());
}

#[test]
#[should_panic(expected = "was refused")]
fn a_refused_request_fails_the_page() {
    assert!(may_run(), "was refused: there is no shell");
    let mut shell = Shell::open();
    shell.run("third-umpire serve");
    let path = "http://127.0.0.1:8080/v1/matches/none";
    assert_eq!(shell.run(&format!("curl -s -o answer.json -w '%{{http_code}}\\n' {path}")), ["400"]);
    shell.run(&format!("curl -s {path} > answer.json"));
}

#[test]
#[should_panic(expected = "failed with code 1 after printing")]
fn a_command_that_fails_also_fails_the_page() {
    assert!(may_run(), "failed with code 1 after printing nothing: there is no shell");
    Shell::open().run("echo hello; false");
}

#[test]
#[should_panic(expected = "with code 3")]
fn a_failure_before_the_last_command_fails_the_page() {
    assert!(may_run(), "with code 3: there is no shell");
    Shell::open().run("fail() { return 3; }\nfail || echo hello\nfail\necho hello");
}
