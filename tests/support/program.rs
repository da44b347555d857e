//! Runs the program as a user would, and judges how it ended.

use std::env;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

/// A run that has ended.
#[derive(Debug)]
pub struct Ran {
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
}

impl Ran {
    /// A run that has ended, whatever the program was given: without a panic.
    pub fn of(output: Output) -> Ran {
        let err = String::from_utf8(output.stderr).unwrap();
        assert!(!err.contains("panicked at"), "{err}");
        Ran { code: output.status.code(), out: String::from_utf8(output.stdout).unwrap(), err }
    }

    /// What the program printed, which has to have ended well.
    pub fn well(self) -> String {
        assert_eq!(self.code, Some(0), "{self:?}");
        self.out
    }

    /// The program said why it could not do what was asked, in one line that begins with its name, and exited
    /// with 2.
    pub fn failed(self, with: &[&str]) -> Ran {
        assert_eq!(self.code, Some(2), "{self:?}");
        assert!(
            self.err.starts_with("third-umpire: ") && self.err.trim_end().lines().count() == 1,
            "{self:?}"
        );
        for part in with {
            assert!(self.err.contains(part), "{part:?} is missing in: {}", self.err);
        }
        self
    }
}

/// The folder that this test and the program have been built into: `deps` lies in it.
fn built_into() -> PathBuf {
    let this = env::current_exe().expect("a test has a file");
    this.ancestors().nth(2).expect("it lies in `deps`").to_owned()
}

/// The file of the program, which cargo builds before the tests.
pub fn program() -> PathBuf {
    let named = env::var_os("CARGO_BIN_EXE_third-umpire").map(PathBuf::from);
    let file = named.unwrap_or_else(|| built_into().join("third-umpire"));
    assert!(file.exists(), "{} is not there; `cargo build` makes it", file.display());
    file
}

/// The program, with nothing from the environment of the test run.
pub fn command(args: &[&str]) -> Command {
    let mut command = Command::new(program());
    for (name, _) in env::vars_os() {
        let of_the_program = name.to_string_lossy().starts_with("THIRD_UMPIRE_");
        if of_the_program || name == "DATABASE_URL" || name == "RUST_LOG" {
            command.env_remove(name);
        }
    }
    command.args(args).stdin(Stdio::null());
    command
}

/// Runs the program.
pub fn run(args: &[&str]) -> Ran {
    Ran::of(command(args).output().unwrap())
}

/// Runs the program with these bytes on standard input. It may stop reading before their end.
pub fn fed(args: &[&str], input: &[u8]) -> Ran {
    let mut child =
        command(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    std::thread::scope(|scope| {
        scope.spawn(move || stdin.write_all(input).ok());
        Ran::of(child.wait_with_output().unwrap())
    })
}

/// A folder of a test's own, gone when the test is done.
pub struct Scratch(PathBuf);

impl Scratch {
    #[expect(clippy::new_without_default, reason = "it makes a folder")]
    pub fn new() -> Scratch {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let name = format!("scratch-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let path = built_into().join("tmp").join(name);
        std::fs::create_dir_all(&path).unwrap();
        Scratch(path)
    }

    pub fn path(&self) -> &Path {
        &self.0
    }

    /// The path of a file in here.
    pub fn file(&self, name: &str) -> String {
        self.0.join(name).display().to_string()
    }

    /// Writes a file in here.
    pub fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> String {
        let path = self.file(name);
        std::fs::write(&path, bytes).unwrap();
        path
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // Nothing depends on it: the folder lies under cargo's own.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
