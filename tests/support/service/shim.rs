use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use super::folder::of_this_process;

/// A shim that fakes a full disk and another time for one service, without any rights: it replaces calls of
/// the C library. See `shim.c`.
pub struct Shim {
    folder: PathBuf,
    arguments: [String; 3],
}

impl Shim {
    /// A shim with its settings in this folder.
    pub fn in_folder(folder: &Path) -> Shim {
        let arguments = [
            "env".to_owned(),
            format!("LD_PRELOAD={}", library().display()),
            format!("SHIM={}", folder.display()),
        ];
        Shim { folder: folder.to_owned(), arguments }
    }

    /// The command line in front of the program, for `Serving::through`.
    pub fn through(&self) -> [&str; 3] {
        self.arguments.each_ref().map(String::as_str)
    }

    /// Fills the disk, or makes room on it.
    pub fn fill_disk(&self, full: bool) {
        let file = self.folder.join("full");
        let done = if full { std::fs::write(file, "") } else { std::fs::remove_file(file) };
        done.expect("the folder is ours");
    }

    /// Sets the clock to seconds since 1970, or back to the true time.
    pub fn set_clock(&self, seconds: Option<i64>) {
        let (file, next) = (self.folder.join("clock"), self.folder.join("clock.next"));
        let done = match seconds {
            // A rename, so that nobody reads half a number.
            Some(seconds) => {
                std::fs::write(&next, seconds.to_string()).and_then(|()| std::fs::rename(next, file))
            }
            None => std::fs::remove_file(file),
        };
        done.expect("the folder is ours");
    }
}

/// The compiled shim. A C compiler is there, since SQLite is compiled with it.
fn library() -> &'static Path {
    static LIBRARY: OnceLock<PathBuf> = OnceLock::new();
    LIBRARY.get_or_init(|| {
        let library = of_this_process().join("shim.so");
        let mut compiler = Command::new("cc");
        compiler.args(["-shared", "-fPIC", "-O1", "-x", "c", "-o"]).arg(&library).arg("-");
        let mut compiling = compiler.stdin(Stdio::piped()).spawn().expect("there is a C compiler");
        let mut input = compiling.stdin.take().expect("the input is a pipe");
        input.write_all(include_bytes!("shim.c")).expect("the compiler reads");
        drop(input);
        assert!(compiling.wait().is_ok_and(|status| status.success()), "the shim compiles");
        library
    })
}
