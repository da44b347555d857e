//! The files of the project.

use std::fs;
use std::path::{Path, PathBuf};

/// The project's root.
fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the project's root")
}

/// All files below a folder of the project, in the order of their paths.
pub fn paths_below(folder: &str) -> Vec<PathBuf> {
    let (mut found, mut folders) = (Vec::new(), vec![root().join(folder)]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() { folders.push(path) } else { found.push(path) }
        }
    }
    found.sort();
    found
}

/// All files below a folder of the project whose names end so, in the order of their paths: each path from
/// the project's root, and the text.
pub fn files_below(folder: &str, extension: &str) -> Vec<(PathBuf, String)> {
    let named_so =
        paths_below(folder).into_iter().filter(|path| path.extension().is_some_and(|one| one == extension));
    let read = |path: PathBuf| {
        let text = fs::read_to_string(&path).expect("a text");
        (path.strip_prefix(root()).expect("a file of the project").to_owned(), text)
    };
    named_so.map(read).collect()
}
