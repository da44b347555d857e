/// A known reason why a database stores nothing. Its texts are shown to clients, so they reveal no internals.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Obstacle {
    /// No room is left on the disk.
    #[error("the disk is full")]
    DiskFull,
    /// The disk fails, or a limit other than its size is reached.
    #[error("the disk refuses writes")]
    DiskRefuses,
    /// The file, its file system, the server or the role is set to be read only.
    #[error("the database is read-only")]
    ReadOnly,
    /// The server is a standby of another one, and refuses writes.
    #[error("the database is a hot standby, which takes no writes")]
    Standby,
    /// The stored data cannot be read as a database any more.
    #[error("the database is corrupt")]
    Corrupt,
    /// The server refuses the service's name or password.
    #[error("the database refuses the service's name or password")]
    LoginRefused,
    /// The main file of the database is not where it was opened.
    #[error("the database file has been moved, removed or replaced under the running service")]
    FileGone,
    /// A file that SQLite keeps beside the main one is not the one that was opened.
    #[error(
        "a file beside the database, in which it keeps its journal, has been removed or replaced under the running \
         service, which has to be restarted; where several services share the file, all are stopped first"
    )]
    JournalGone,
}

impl Obstacle {
    /// Whether only one match may be affected: a broken page leaves the others readable.
    pub fn may_be_of_one_match(self) -> bool {
        self == Obstacle::Corrupt
    }

    /// Whether a commit that meets the obstacle has certainly stored nothing. SQLite recognises a
    /// transaction by the last page that it writes, for which a full disk had no room; Postgres refuses a
    /// commit only after it has undone the transaction.
    pub fn undoes_commits(self) -> bool {
        self == Obstacle::DiskFull
    }

    /// Whether the obstacle stays until somebody repairs the database or the service's settings, so that a
    /// retry is no use.
    pub fn is_fault(self) -> bool {
        match self {
            Obstacle::Corrupt | Obstacle::LoginRefused => true,
            Obstacle::DiskFull
            | Obstacle::DiskRefuses
            | Obstacle::ReadOnly
            | Obstacle::Standby
            | Obstacle::FileGone
            | Obstacle::JournalGone => false,
        }
    }
}
