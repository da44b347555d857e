use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;

use uuid::Uuid;

/// A shell script that removes a folder when the other end of its standard input is closed, however the tests
/// end.
const SWEEPER: &str = r#"read -r _; rm -rf "$1""#;

/// A folder that is removed with everything in it.
pub struct Folder(PathBuf);

impl Folder {
    pub fn make() -> Folder {
        let folder = of_this_process().join(Uuid::now_v7().simple().to_string());
        std::fs::create_dir(&folder).expect("the folder around it is there");
        Folder(folder)
    }

    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// The folder for all files of this process, removed when the process ends.
pub fn of_this_process() -> &'static Path {
    static FOLDER: OnceLock<(PathBuf, Child)> = OnceLock::new();
    let (folder, _sweeper) = FOLDER.get_or_init(|| {
        let folder = std::env::temp_dir().join(format!("tu-{}", Uuid::now_v7().simple()));
        std::fs::create_dir(&folder).expect("there is a folder for temporary files");
        // The group is its own: ctrl-C is for the tests, and the sweeper ends with them.
        let sweeper = Command::new("sh")
            .args(["-c", SWEEPER, "sh"])
            .arg(&folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .process_group(0)
            .spawn();
        (folder, sweeper.expect("there is a shell"))
    });
    folder
}
