//! The key of a table, in a file beside its database that only its owner reads.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Read, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

/// The beginning of a key, as of every token.
const BEGIN: &str = "tu_";
/// The random bytes of a key. Few enough for a code that a phone reads off a terminal, and too many to guess.
const BYTES: usize = 16;
/// What the name of the file adds to that of the database.
const ENDING: &str = "-table-key";
/// What the name of the file with the port adds to that of the database.
const PORT_ENDING: &str = "-table-port";
/// The bits of a mode by which others than the owner may do anything.
const OF_OTHERS: u32 = 0o077;

/// Why a key cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum KeyFault {
    /// The file cannot be read or written.
    #[error("the table's key cannot be kept in {}: {error}", file.display())]
    File {
        /// The file of the key.
        file: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// Others than the owner can read the file, or write it.
    #[error(
        "others can use {} (mode {mode:04o}), which holds the table's key: run `chmod 600` on it, and make another key \
         with `serve --table --new-table-key`",
        file.display()
    )]
    OpenToOthers {
        /// The file of the key.
        file: PathBuf,
        /// The mode of the file.
        mode: u32,
    },
    /// The file holds something else.
    #[error(
        "{} holds no key of a table: remove it, or make another key with `serve --table --new-table-key`",
        .0.display()
    )]
    NoKey(PathBuf),
}

/// The file of the key, beside the file of the database.
#[derive(Debug)]
pub struct KeyFile {
    key: PathBuf,
    port: PathBuf,
}

impl KeyFile {
    /// The key file of a database. Where that is a link, it is beside the file that the link leads to, as the
    /// files of SQLite are.
    pub fn beside(database: &Path) -> KeyFile {
        let real = fs::canonicalize(database).unwrap_or_else(|_| database.to_owned());
        let with = |ending: &str| {
            let mut name = OsString::from(&real);
            name.push(ending);
            PathBuf::from(name)
        };
        KeyFile { key: with(ENDING), port: with(PORT_ENDING) }
    }

    /// The path of the file.
    pub fn path(&self) -> &Path {
        &self.key
    }

    /// Notes the port on which the table is served, in a file beside the key. It is only a help to whoever
    /// asks for the links.
    pub fn note_port(&self, port: u16) -> io::Result<()> {
        // A link in its place goes, and what it leads to stays.
        match fs::remove_file(&self.port) {
            Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        File::create_new(&self.port)?.write_all(format!("{port}\n").as_bytes())
    }

    /// The port on which the table was served last, as far as it was noted.
    pub fn noted_port(&self) -> Option<u16> {
        let mut text = String::new();
        // Another file may be of any size.
        File::open(&self.port).ok()?.take(16).read_to_string(&mut text).ok()?;
        text.trim_end().parse().ok().filter(|port| *port != 0)
    }

    /// The key; none where there is no file.
    pub fn read(&self) -> Result<Option<String>, KeyFault> {
        let file = match File::open(&self.key) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            opened => opened.map_err(|error| self.fault(error))?,
        };
        let mode = file.metadata().map_err(|error| self.fault(error))?.mode() & 0o7777;
        if mode & OF_OTHERS != 0 {
            return Err(KeyFault::OpenToOthers { file: self.key.clone(), mode });
        }
        let mut bytes = Vec::new();
        // Another file may be of any size.
        file.take(1_024).read_to_end(&mut bytes).map_err(|error| self.fault(error))?;
        let text = String::from_utf8(bytes).ok();
        let key = text.as_deref().map(str::trim_end).filter(|text| is_key(text)).map(str::to_owned);
        key.map(Some).ok_or_else(|| KeyFault::NoKey(self.key.clone()))
    }

    /// The key, which is made where there is none yet. Where two services start at once, both have the same.
    pub fn read_or_make(&self) -> Result<String, KeyFault> {
        if let Some(key) = self.read()? {
            return Ok(key);
        }
        let made = self.beside_it()?;
        let placed = fs::hard_link(&made.path, &self.key);
        drop(made.remove());
        match placed {
            Err(error) if error.kind() != ErrorKind::AlreadyExists => Err(self.fault(error)),
            Ok(()) | Err(_) => self.read()?.ok_or_else(|| KeyFault::NoKey(self.key.clone())),
        }
    }

    /// Another key in place of the one that is there.
    pub fn replace(&self) -> Result<String, KeyFault> {
        let made = self.beside_it()?;
        if let Err(error) = fs::rename(&made.path, &self.key) {
            drop(made.remove());
            return Err(self.fault(error));
        }
        Ok(made.key)
    }

    /// A new key in a file of its own, which takes the place of the other one only when it is whole.
    fn beside_it(&self) -> Result<NewKey, KeyFault> {
        let key = new_key().map_err(|error| self.fault(error))?;
        let mut name = OsString::from(&self.key);
        name.push(format!("-{}", std::process::id()));
        let made = NewKey { path: name.into(), key };
        match made.write() {
            Ok(()) => Ok(made),
            Err(error) => {
                drop(made.remove());
                Err(self.fault(error))
            }
        }
    }

    fn fault(&self, error: io::Error) -> KeyFault {
        KeyFault::File { file: self.key.clone(), error }
    }
}

/// A key that is not in its place yet.
struct NewKey {
    path: PathBuf,
    key: String,
}

impl NewKey {
    fn write(&self) -> io::Result<()> {
        // One that a process of the same number has left is no key of anybody.
        drop(self.remove());
        let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&self.path)?;
        file.write_all(format!("{}\n", self.key).as_bytes())?;
        file.sync_all()
    }

    fn remove(&self) -> io::Result<()> {
        fs::remove_file(&self.path)
    }
}

fn new_key() -> io::Result<String> {
    let mut bytes = [0; BYTES];
    getrandom::fill(&mut bytes).map_err(io::Error::other)?;
    Ok(format!("{BEGIN}{}", hex::encode(bytes)))
}

fn is_key(text: &str) -> bool {
    let is_digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
    text.strip_prefix(BEGIN).is_some_and(|rest| rest.len() == 2 * BYTES && rest.bytes().all(is_digit))
}
