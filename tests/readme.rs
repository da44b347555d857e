//! Runs README's commands, in its order, and compares what they print with what README says they print.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

const REPOSITORY: &str = env!("CARGO_MANIFEST_DIR");
/// Where README's service listens; the test listens elsewhere, so that it does not depend on a free port.
const LISTENS: &str = "127.0.0.1:8080";

/// A command of README, and the lines it prints; `...` stands for any number of lines.
struct Shown {
    command: String,
    prints: Vec<String>,
}

/// The commands of all `console` blocks: `$ ` begins one, `> ` goes on with it.
fn commands(readme: &str) -> Vec<Shown> {
    let mut shown: Vec<Shown> = Vec::new();
    let mut in_console = false;
    for line in readme.lines() {
        if let Some(language) = line.strip_prefix("```") {
            in_console = !in_console && language == "console";
        } else if in_console {
            if let Some(command) = line.strip_prefix("$ ") {
                shown.push(Shown { command: command.to_owned(), prints: Vec::new() });
            } else if let Some(more) = line.strip_prefix("> ") {
                let last = shown.last_mut().expect("a command goes on that has not begun");
                last.command.push('\n');
                last.command.push_str(more);
            } else {
                shown.last_mut().expect("output without a command").prints.push(line.to_owned());
            }
        }
    }
    shown
}

/// What differs from one run to the next is masked: ids, hashes, times.
fn masked(line: &str) -> String {
    let is_part = |letter: char| letter.is_ascii_alphanumeric() || "-:.".contains(letter);
    let mut out = String::new();
    let mut word = String::new();
    for letter in line.chars().chain(['\n']) {
        if is_part(letter) {
            word.push(letter);
            continue;
        }
        let hash = word.len() == 64 && word.chars().all(|letter| letter.is_ascii_hexdigit());
        let id = word.len() == 36 && word.matches('-').count() == 4;
        let time = word.len() == 24 && word.ends_with('Z') && word.contains('T');
        out.push_str(match (hash, id, time) {
            (true, ..) => "<hash>",
            (_, true, _) => "<id>",
            (_, _, true) => "<time>",
            _ => &word,
        });
        word.clear();
        out.push(letter);
    }
    out.trim_end().to_owned()
}

/// Whether lines are those expected, where `...` stands for any number of lines.
fn fits(expected: &[String], found: &[String]) -> bool {
    match expected.split_first() {
        None => found.is_empty(),
        Some((first, rest)) if first == "..." => (0..=found.len()).any(|from| fits(rest, &found[from..])),
        Some((first, rest)) => {
            found.split_first().is_some_and(|(line, others)| is_line(first, line) && fits(rest, others))
        }
    }
}

/// Whether a line is the one expected, which may leave its end open with `...`.
fn is_line(expected: &str, found: &str) -> bool {
    match expected.strip_suffix("...") {
        Some(beginning) => masked(found).starts_with(&masked(beginning)),
        None => masked(found) == masked(expected),
    }
}

/// A shell in a folder of its own, in which `cargo` means this project.
struct Shell {
    process: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    folder: PathBuf,
}

impl Shell {
    fn open(address: &str) -> Shell {
        let folder = std::env::temp_dir().join(format!("third-umpire-readme-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let mut process = Command::new("bash")
            .current_dir(&folder)
            .env_remove("DATABASE_URL")
            // What the demo keeps goes with the folder.
            .env("TMPDIR", &folder)
            .env("THIRD_UMPIRE_LISTEN", address)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(fs::File::create(folder.join("stderr")).unwrap())
            .spawn()
            .unwrap();
        let input = process.stdin.take().unwrap();
        let output = BufReader::new(process.stdout.take().unwrap());
        let mut shell = Shell { process, input, output, folder };
        let cargo = "cargo() { local verb=$1; shift; \
                     command cargo \"$verb\" --quiet --manifest-path \"$REPOSITORY/Cargo.toml\" \"$@\"; }";
        shell.run(&format!("REPOSITORY='{REPOSITORY}'; {cargo}; trap 'kill $(jobs -p) 2>/dev/null' EXIT"));
        shell
    }

    /// Runs a command, and gives the lines it printed; it has to succeed.
    fn run(&mut self, command: &str) -> Vec<String> {
        const END: &str = "--- that was it, with code ";
        writeln!(self.input, "{command}\nCODE=$?; echo; echo \"{END}$CODE\"").unwrap();
        let mut lines = Vec::new();
        loop {
            let mut line = String::new();
            assert_ne!(self.output.read_line(&mut line).unwrap(), 0, "the shell ended in {command:?}");
            let line = line.trim_end_matches('\n').to_owned();
            if let Some(code) = line.strip_prefix(END) {
                let stderr = fs::read_to_string(self.folder.join("stderr")).unwrap();
                assert_eq!(code, "0", "{command:?} failed after printing {lines:#?}\n{stderr}");
                // The blank line before the end is the test's own: curl prints no line end after its answer.
                if lines.last().is_some_and(String::is_empty) {
                    lines.pop();
                }
                return lines;
            }
            lines.push(line);
        }
    }

    /// Runs a service beside the shell, and gives what it printed once it listens.
    fn run_beside(&mut self, command: &str) -> Vec<String> {
        let wait =
            "until grep -q listening serve.out; do kill -0 $! || break; sleep 0.2; done; cat serve.out";
        self.run(&format!("{command} > serve.out & {wait}"))
    }
}

impl Drop for Shell {
    fn drop(&mut self) {
        let _ = writeln!(self.input, "exit");
        let _ = self.process.wait();
        let _ = fs::remove_dir_all(&self.folder);
    }
}

fn has(program: &str) -> bool {
    Command::new(program).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok()
}

#[test]
fn the_commands_of_readme_print_what_it_says() {
    if !has("bash") || !has("curl") {
        assert!(std::env::var_os("CI").is_none(), "bash and curl are needed to run README's commands");
        eprintln!("skipped: bash and curl are needed to run README's commands");
        return;
    }
    let readme = fs::read_to_string(Path::new(REPOSITORY).join("README.md")).unwrap();
    let shown = commands(&readme);
    assert!(shown.len() > 10, "README has lost its commands");
    let address = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string();
    let mut shell = Shell::open(&address);
    for Shown { command, prints } in shown {
        let command = command.replace(LISTENS, &address);
        let prints: Vec<String> = prints.iter().map(|line| line.replace(LISTENS, &address)).collect();
        let beside = command.ends_with("-- serve");
        let found = if beside { shell.run_beside(&command) } else { shell.run(&command) };
        assert!(fits(&prints, &found), "{command}\nprints\n{}\nnot\n{}", found.join("\n"), prints.join("\n"));
    }
}
