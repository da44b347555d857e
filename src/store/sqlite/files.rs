//! The files of a database: the main one, and the two that SQLite keeps beside it.
//!
//! SQLite goes on writing to a file that was deleted or moved away; what it acknowledged then would be lost.
//! The journal (`-wal`) and its index (`-shm`) come with the first connection and go with the last. In
//! between a checkpoint empties the journal, and other processes come and go, but each stays the file it is.

use std::ffi::OsString;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use crate::store::{Obstacle, StoreError};

/// The identity of a file: its device and inode number. No other file gets them as long as SQLite holds the
/// file open, even if it is deleted.
type Identity = (u64, u64);

/// A place where a file was when the database was opened.
#[derive(Debug)]
struct FilePlace {
    path: PathBuf,
    opened: Option<Identity>,
}

/// The files of a database, with their identities when it was opened.
#[derive(Debug)]
pub(super) struct Files {
    main: FilePlace,
    beside: [FilePlace; 2],
}

impl Files {
    /// Records the identity of each file, while a connection holds them all open.
    pub(super) fn opened(path: &Path) -> Files {
        // SQLite keeps its files beside the one that a link leads to.
        let real = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let beside = |ending: &str| {
            let mut name = OsString::from(&real);
            name.push(ending);
            FilePlace::opened(name.into())
        };
        Files { main: FilePlace::opened(path.to_owned()), beside: [beside("-wal"), beside("-shm")] }
    }

    /// Checks that each file is still the one that was opened.
    pub(super) fn are_there(&self) -> Result<(), StoreError> {
        let gone = |place: &FilePlace| format!("{} is not the file that was opened", place.path.display());
        if !self.main.is_there() {
            return Err(StoreError::Hindered(Obstacle::FileGone, gone(&self.main)));
        }
        match self.beside.iter().find(|place| !place.is_there()) {
            None => Ok(()),
            Some(place) => Err(StoreError::Hindered(Obstacle::JournalGone, gone(place))),
        }
    }
}

impl FilePlace {
    fn opened(path: PathBuf) -> FilePlace {
        let opened = identity(&path);
        FilePlace { path, opened }
    }

    fn is_there(&self) -> bool {
        identity(&self.path) == self.opened
    }
}

fn identity(path: &Path) -> Option<Identity> {
    std::fs::metadata(path).ok().map(|file| (file.dev(), file.ino()))
}
