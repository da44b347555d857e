//! Runs the program as a user would, and checks how it ended.

use std::env;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::SystemTime;

/// The exit code and output of a finished run.
#[derive(Debug)]
pub struct ProgramRun {
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
}

impl ProgramRun {
    /// A finished run, which must not have panicked, whatever its input.
    pub fn of(output: Output) -> ProgramRun {
        let err = String::from_utf8(output.stderr).unwrap();
        assert!(!err.contains("panicked at"), "{err}");
        ProgramRun { code: output.status.code(), out: String::from_utf8(output.stdout).unwrap(), err }
    }

    /// The standard output of a run that has to have succeeded.
    pub fn succeeded(self) -> String {
        assert_eq!(self.code, Some(0), "{self:?}");
        self.out
    }

    /// Asserts that the run exited with 2 and gave its reason in one line that begins with the program's name
    /// and contains all of `with`.
    pub fn failed(self, with: &[&str]) -> ProgramRun {
        assert_eq!(self.code, Some(2), "{self:?}");
        assert!(
            self.err.starts_with("third-umpire: ") && self.err.trim_end().lines().count() == 1,
            "{self:?}"
        );
        for text in with {
            assert!(self.err.contains(text), "{text:?} is missing in: {}", self.err);
        }
        self
    }
}

/// The folder that this test and the program were built into; `deps` is in it.
fn built_into() -> PathBuf {
    let this = env::current_exe().expect("a test has a file");
    this.ancestors().nth(2).expect("the test is in `deps`").to_owned()
}

/// The program's file, which cargo builds before the tests: all of them, or those that name it. For another
/// test that is run alone it has to be there, and to be of these sources.
pub fn program() -> &'static Path {
    static PROGRAM: LazyLock<PathBuf> = LazyLock::new(|| {
        let named = env::var_os("CARGO_BIN_EXE_third-umpire").map(PathBuf::from);
        let file = named.unwrap_or_else(|| built_into().join("third-umpire"));
        assert!(file.exists(), "{} is not there; `cargo build` makes it", file.display());
        let built = changed(&file);
        for source in sources_of(&file) {
            let stale = changed(&source) > built;
            assert!(!stale, "the program is older than {}; `cargo build` makes it anew", source.display());
        }
        file
    });
    &PROGRAM
}

/// The folder of the files of the pages.
fn pages() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .map(|project| project.join("src/web/assets"))
        .unwrap_or_default()
}

/// The files that cargo says the program was built from, as far as they are still there. Only `cargo build`
/// leaves that list, so there is none where cargo built the program for the tests.
fn sources_of(program: &Path) -> Vec<PathBuf> {
    let list = fs::read_to_string(program.with_extension("d")).unwrap_or_default();
    let sources = list.split_once(": ").map_or("", |(_, sources)| sources.trim_end());
    // A blank in a path stands behind a backslash.
    let sources = sources.replace("\\ ", "\n");
    let sources = sources.split(' ').map(|source| PathBuf::from(source.replace('\n', " ")));
    // The files of the pages are read from disk by a debug build, as it answers.
    let is_read_later = |source: &PathBuf| cfg!(debug_assertions) && source.starts_with(pages());
    sources.filter(|source| source.is_file() && !is_read_later(source)).collect()
}

/// When a file was last changed.
fn changed(file: &Path) -> SystemTime {
    let changed = file.metadata().and_then(|known| known.modified());
    changed.unwrap_or_else(|error| panic!("{}: {error}", file.display()))
}

/// The command for the program, with nothing from the environment of the test run.
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
pub fn run(args: &[&str]) -> ProgramRun {
    ProgramRun::of(command(args).output().unwrap())
}

/// Runs the program with these bytes on standard input, which it may stop reading before their end.
pub fn run_with_input(args: &[&str], input: &[u8]) -> ProgramRun {
    let mut child =
        command(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    std::thread::scope(|scope| {
        scope.spawn(move || stdin.write_all(input).ok());
        ProgramRun::of(child.wait_with_output().unwrap())
    })
}

/// A folder for one test, removed when the test ends.
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

    /// The path of a file in this folder.
    pub fn file(&self, name: &str) -> String {
        self.0.join(name).display().to_string()
    }

    /// Writes a file in this folder, and returns its path.
    pub fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> String {
        let path = self.file(name);
        std::fs::write(&path, bytes).unwrap();
        path
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // A folder that stays does no harm: it is under cargo's own.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
