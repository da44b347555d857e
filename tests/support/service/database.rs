//! Databases of tests: copied from a template, read as a whole, and changed behind the service's back.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::Duration;

use sqlx::{AssertSqlSafe, Connection as _, Executor, PgConnection, Row, SqliteConnection};
use third_umpire::store::{self, CommitMode, Migrate};
use tokio::runtime::{Builder, Runtime};
use uuid::Uuid;

use super::cluster::Cluster;
use super::folder::of_this_process;
use super::process::until;

/// The two engines of the service's store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Engine {
    Sqlite,
    Postgres,
}

/// The name of a table, and its columns.
pub type Table = (&'static str, &'static [&'static str]);

/// The tables that are folded from the log, and their columns.
pub const PROJECTIONS: &[Table] = &[
    ("match_list", &["match_id", "game", "home", "away", "status", "body", "form", "last_at", "seq"]),
    ("views", &["match_id", "name", "hash", "body", "form"]),
];
/// The tables that are not folded from the log, and their columns.
pub const SECRETS: &[Table] = &[
    ("events", &["match_id", "seq", "kind", "at", "body", "hash"]),
    ("heads", &["match_id", "seq", "hash"]),
    ("secrets", &["match_id", "server_seed"]),
    ("tokens", &["match_id", "role", "purpose", "hash", "ends_at"]),
    ("openings", &["match_id", "side", "sealed", "salt", "choice"]),
    ("editions", &["sha256", "game", "id", "body"]),
    ("store_identity", &["id"]),
    ("idempotency", &["match_id", "actor", "key", "request", "first_seq", "last_seq"]),
];

/// The rows of tables as text, by table.
pub type Rows = BTreeMap<&'static str, Vec<String>>;

/// A database of a test. It is removed with its folder or its cluster; in a cluster that others use, too, it
/// is dropped.
pub struct Database {
    pub engine: Engine,
    pub url: String,
    /// The URL of the cluster in which the database is to be dropped, and its name.
    to_drop: Option<(String, String)>,
    /// Open connections that nobody uses now.
    sessions: Mutex<Vec<Session>>,
    keeps_sessions: bool,
}

impl Database {
    /// Makes a database; `None` where Postgres is needed and not installed.
    pub fn make(engine: Engine, folder: &Path) -> Option<Database> {
        match engine {
            Engine::Sqlite => {
                let file = file_in(folder);
                std::fs::copy(sqlite_template(), &file).expect("the folder is ours");
                Some(Database::at(engine, format!("sqlite://{}", file.display())))
            }
            Engine::Postgres => Cluster::shared().map(|shared| match shared.template.as_deref() {
                Some(template) => Database::create(&shared.admin, Some(template)),
                None => Database::in_foreign_cluster(&shared.admin),
            }),
        }
    }

    /// Makes a database as an earlier version has filled it, which had no forms; `None` where Postgres is
    /// needed and not installed. Its matches are of all games, in play and over. In two the dice of a
    /// delivery were corrected.
    pub fn of_an_earlier_version(engine: Engine, folder: &Path) -> Option<Database> {
        let (database, filled) = match engine {
            Engine::Sqlite => {
                let url = format!("sqlite://{}", file_in(folder).display());
                std::fs::File::create(file_in(folder)).expect("the folder is ours");
                (Database::at(engine, url), include_str!("../stores/form_0.sqlite.sql"))
            }
            Engine::Postgres => {
                let shared = Cluster::shared()?;
                let database = match shared.template {
                    Some(_) => Database::create(&shared.admin, None),
                    None => Database::in_foreign_cluster(&shared.admin),
                };
                (database, include_str!("../stores/form_0.postgres.sql"))
            }
        };
        database.run(filled).expect("an empty database can be filled");
        Some(database)
    }

    /// A database that is there.
    pub fn at(engine: Engine, url: String) -> Database {
        // An SQLite connection is cheap to open, and an open one keeps the file and those beside it.
        let keeps_sessions = engine == Engine::Postgres;
        Database { engine, url, to_drop: None, sessions: Mutex::default(), keeps_sessions }
    }

    /// Makes an empty database in a cluster that is removed as a whole.
    pub fn in_own_cluster(admin: &str) -> Database {
        Database::create(&Database::at(Engine::Postgres, admin.to_owned()), None)
    }

    /// Makes a database in a cluster that others use, too.
    fn in_foreign_cluster(admin: &Database) -> Database {
        let mut database = Database::create(admin, None);
        let name = database.texts("select current_database()::text").remove(0);
        database.to_drop = Some((admin.url.clone(), name));
        database
    }

    /// Makes a database beside another one: a copy of the template, or an empty one.
    fn create(admin: &Database, template: Option<&str>) -> Database {
        let name = format!("third_umpire_test_{}", Uuid::now_v7().simple());
        let from = template.map_or(String::new(), |template| format!(" template {template}"));
        admin.run(&format!("create database {name}{from}")).expect("databases can be created");
        Database::at(Engine::Postgres, beside(&admin.url, &name))
    }

    /// Keeps connections open on either engine, for a database that many scenarios read.
    pub fn keeping_sessions(mut self) -> Database {
        self.keeps_sessions = true;
        self
    }

    pub fn session(&self) -> Session {
        Session::open(&self.url).expect("the database answers")
    }

    /// Runs statements, on a connection of their own: what may have been stored is never tried again.
    pub fn run(&self, sql: &str) -> Result<u64, sqlx::Error> {
        self.session().run(sql)
    }

    /// The first column of a query, asked on a kept connection, or on a new one where none is kept or the
    /// kept one was cut.
    pub fn texts(&self, sql: &str) -> Vec<String> {
        let kept = self.sessions().pop();
        let (answer, session) = match kept.map(|mut session| (session.try_texts(sql), session)) {
            Some((answer, session)) if !is_cut(&answer) => (answer, session),
            _ => {
                let mut session = self.session();
                (session.try_texts(sql), session)
            }
        };
        // After an error a connection is not kept: it may be in a state that the next query does not expect.
        let texts = answer.expect("the query runs");
        if self.keeps_sessions {
            self.sessions().push(session);
        }
        texts
    }

    /// Every row of these tables, once no row of the match list is behind any more.
    pub fn rows(&self, tables: &[Table]) -> Rows {
        self.rows_where(tables, "")
    }

    fn rows_where(&self, tables: &[Table], condition: &str) -> Rows {
        self.waits_for_list_where(condition);
        let select: Vec<String> =
            tables.iter().map(|(table, columns)| self.select(table, columns) + condition).collect();
        let mut rows: Rows = tables.iter().map(|(table, _)| (*table, Vec::new())).collect();
        for line in self.texts(&(select.join(" union all ") + " order by 1")) {
            let (table, row) = line.split_once(" | ").expect("a line begins with its table");
            rows.get_mut(table).expect("the table was asked for").push(row.to_owned());
        }
        rows
    }

    fn select(&self, table: &str, columns: &[&str]) -> String {
        let parts: Vec<String> = match self.engine {
            Engine::Sqlite => columns.iter().map(|column| format!("quote({column})")).collect(),
            Engine::Postgres => columns.iter().map(|column| format!("{column}::text")).collect(),
        };
        // The rows that the service's probe of the store writes belong to no match.
        let unless = if table == "views" { "name <> 'probe'" } else { "true" };
        format!("select '{table}' || ' | ' || {} from {table} where {unless}", parts.join(" || ' | ' || "))
    }

    fn sessions(&self) -> std::sync::MutexGuard<'_, Vec<Session>> {
        self.sessions.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Every row of every table.
    pub fn everything(&self) -> Rows {
        self.rows(&[PROJECTIONS, SECRETS].concat())
    }

    /// Waits until no row of the match list is behind its log.
    pub fn waits_for_list(&self) {
        self.waits_for_list_where("");
    }

    fn waits_for_list_where(&self, condition: &str) {
        until("the rows of the match list are written", || self.rows_behind_where(condition) == 0);
    }

    /// The number of rows of the match list that are behind their logs.
    pub fn rows_behind(&self) -> usize {
        self.rows_behind_where("")
    }

    fn rows_behind_where(&self, condition: &str) -> usize {
        let behind = "select 'behind' from match_list join heads using (match_id) \
                      where match_list.seq <> heads.seq";
        self.texts(&format!("{behind}{condition}")).len()
    }

    /// Every row of a match, in all tables with rows of matches.
    pub fn everything_of(&self, match_id: &str) -> Rows {
        let has_matches = |(_, columns): &Table| columns.contains(&"match_id");
        let tables: Vec<Table> = [PROJECTIONS, SECRETS].concat().into_iter().filter(has_matches).collect();
        self.rows_where(&tables, &format!(" and match_id = {}", self.id(match_id)))
    }

    /// A match id as an SQL literal.
    pub fn id(&self, id: &str) -> String {
        match self.engine {
            Engine::Sqlite => format!("x'{}'", id.replace('-', "")),
            Engine::Postgres => format!("'{id}'::uuid"),
        }
    }

    /// Makes new connections to a Postgres database read-only, or not, and cuts those there are.
    pub fn make_read_only(&self, on: bool) {
        let mut session = self.session();
        let name = session.texts("select current_database()::text").remove(0);
        session.run("set default_transaction_read_only = off").expect("for this session");
        let sql = format!("alter database {name} set default_transaction_read_only = {on}");
        session.run(&sql).expect("the owner can");
        session.cut_others();
        // A connection that was used a moment ago counts as alive; lost in the middle of an append, it would
        // leave open whether that was stored.
        std::thread::sleep(Duration::from_millis(100));
    }

    /// Drops the triggers that protect the log, as somebody with all rights could.
    pub fn drop_triggers(&self) {
        let statements: &[&str] = match self.engine {
            Engine::Sqlite => &[
                "drop trigger events_no_update",
                "drop trigger events_no_delete",
                "drop trigger events_no_replace",
            ],
            Engine::Postgres => {
                &["drop trigger events_no_change on events", "drop trigger events_no_truncate on events"]
            }
        };
        let mut session = self.session();
        statements.iter().for_each(|sql| {
            session.run(sql).expect("the owner can drop triggers");
        });
    }
}

/// Whether a connection was cut, by the server or with it.
fn is_cut<T>(answer: &Result<T, sqlx::Error>) -> bool {
    match answer {
        Err(sqlx::Error::Database(error)) => error.code().is_some_and(|code| code.starts_with("57P")),
        Err(sqlx::Error::Io(_) | sqlx::Error::Protocol(_)) => true,
        _ => false,
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        self.sessions().clear();
        if let Some((admin, name)) = &self.to_drop {
            let session = Session::open(admin).ok();
            session.map(|mut session| session.run(&format!("drop database if exists {name} with (force)")));
        }
    }
}

/// An SQLite file with migrated tables, to be copied.
fn sqlite_template() -> &'static Path {
    static TEMPLATE: OnceLock<PathBuf> = OnceLock::new();
    TEMPLATE.get_or_init(|| {
        let file = of_this_process().join("template.db");
        migrate(&format!("sqlite://{}", file.display()));
        file
    })
}

/// Makes the tables of a database.
pub fn migrate(url: &str) {
    let runtime = Builder::new_current_thread().enable_all().build().expect("a runtime can be built");
    runtime.block_on(async {
        let store =
            store::open(url, Migrate::Apply, CommitMode::Group).await.expect("the tables can be made");
        store.close().await;
    });
}

/// The SQLite file of a test, in its folder.
pub fn file_in(folder: &Path) -> PathBuf {
    folder.join("matches.db")
}

/// The URL of another database in the same cluster.
pub fn beside(url: &str, name: &str) -> String {
    let (scheme, rest) = url.split_once("://").expect("an address has a scheme");
    let (rest, query) =
        rest.split_once('?').map_or((rest, String::new()), |(rest, q)| (rest, format!("?{q}")));
    let authority = rest.split('/').next().unwrap_or_default();
    format!("{scheme}://{authority}/{name}{query}")
}

/// An open connection to a database.
pub struct Session {
    connection: Connection,
    runtime: Runtime,
}

enum Connection {
    Sqlite(SqliteConnection),
    Postgres(PgConnection),
}

impl Session {
    pub fn open(url: &str) -> Result<Session, sqlx::Error> {
        let runtime = Builder::new_current_thread().enable_all().build().expect("a runtime can be built");
        let connection = if url.starts_with("sqlite:") {
            Connection::Sqlite(runtime.block_on(SqliteConnection::connect(url))?)
        } else {
            Connection::Postgres(runtime.block_on(PgConnection::connect(url))?)
        };
        Ok(Session { connection, runtime })
    }

    /// Runs statements, and returns the number of changed rows.
    pub fn run(&mut self, sql: &str) -> Result<u64, sqlx::Error> {
        let query = sqlx::raw_sql(AssertSqlSafe(sql.to_owned()));
        Ok(match &mut self.connection {
            Connection::Sqlite(on) => self.runtime.block_on(on.execute(query))?.rows_affected(),
            Connection::Postgres(on) => self.runtime.block_on(on.execute(query))?.rows_affected(),
        })
    }

    /// The first column of a query, as text.
    pub fn texts(&mut self, sql: &str) -> Vec<String> {
        self.try_texts(sql).expect("the query runs")
    }

    /// Cuts all other connections to this Postgres database, and returns how many there were.
    pub fn cut_others(&mut self) -> usize {
        let cut = "select pg_terminate_backend(pid)::text from pg_stat_activity \
                   where datname = current_database() and pid <> pg_backend_pid()";
        self.texts(cut).len()
    }

    fn try_texts(&mut self, sql: &str) -> Result<Vec<String>, sqlx::Error> {
        let query = sqlx::raw_sql(AssertSqlSafe(sql.to_owned()));
        match &mut self.connection {
            Connection::Sqlite(on) => {
                let rows = self.runtime.block_on(on.fetch_all(query))?;
                rows.iter().map(|row| row.try_get(0)).collect()
            }
            Connection::Postgres(on) => {
                let rows = self.runtime.block_on(on.fetch_all(query))?;
                rows.iter().map(|row| row.try_get(0)).collect()
            }
        }
    }
}
