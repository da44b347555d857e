//! Runs the program as a user would, and judges how it ended.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

/// What the program is given by the environment, all of which a test sets itself or goes without.
const ENVIRONMENT: [&str; 19] = [
    "DATABASE_URL",
    "RUST_LOG",
    "THIRD_UMPIRE_ADMIN_TOKEN",
    "THIRD_UMPIRE_AT",
    "THIRD_UMPIRE_COMPARE",
    "THIRD_UMPIRE_EDITION",
    "THIRD_UMPIRE_EXPECT_HEAD",
    "THIRD_UMPIRE_FORMAT",
    "THIRD_UMPIRE_GAME",
    "THIRD_UMPIRE_HOST",
    "THIRD_UMPIRE_LISTEN",
    "THIRD_UMPIRE_LOG",
    "THIRD_UMPIRE_LOG_DIR",
    "THIRD_UMPIRE_MATCHES",
    "THIRD_UMPIRE_NO_MIGRATE",
    "THIRD_UMPIRE_NO_MIGRATION_LOCK",
    "THIRD_UMPIRE_RULES",
    "THIRD_UMPIRE_SEED",
    "THIRD_UMPIRE_THREADS",
];

/// A run that has ended.
#[derive(Debug)]
pub struct Ran {
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
}

impl Ran {
    /// Whatever the program was given, it never panics.
    pub fn of(output: Output) -> Ran {
        let err = String::from_utf8(output.stderr).unwrap();
        assert!(!err.contains("panicked at"), "{err}");
        Ran { code: output.status.code(), out: String::from_utf8(output.stdout).unwrap(), err }
    }

    /// It ended well; what it printed.
    pub fn well(self) -> String {
        assert_eq!(self.code, Some(0), "{self:?}");
        self.out
    }

    /// It said why it could not do what was asked, in one line that begins with its name, and exited with 2.
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

/// The program, with nothing from the environment of whoever runs the tests.
pub fn command(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_third-umpire"));
    ENVIRONMENT.iter().for_each(|name| {
        command.env_remove(name);
    });
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
    pub fn new() -> Scratch {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let name = format!("cli-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
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
