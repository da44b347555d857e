//! The files of the project.

use std::fs;
use std::path::{Path, PathBuf};

/// All files below a folder of the project whose names end so, in the order of their paths: each path from
/// the project's root, and the text.
pub fn files_below(folder: &str, extension: &str) -> Vec<(PathBuf, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the project's root");
    let mut found = Vec::new();
    let mut folders = vec![root.join(folder)];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|one| one == extension) {
                let text = fs::read_to_string(&path).expect("a text");
                found.push((path.strip_prefix(root).expect("a file of the project").to_owned(), text));
            }
        }
    }
    found.sort();
    found
}
