use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use sqlx::{AssertSqlSafe, Connection as _, Executor, PgConnection, Row, SqliteConnection};
use tokio::runtime::{Builder, Runtime};
use uuid::Uuid;

use super::cluster::Cluster;

/// The two engines the service stores matches in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Engine {
    Sqlite,
    Postgres,
}

/// Tables that are folded from the log, and their columns.
pub const PROJECTIONS: &[(&str, &[&str])] = &[
    ("match_list", &["match_id", "game", "home", "away", "status", "body"]),
    ("views", &["match_id", "name", "hash", "body"]),
];
/// Tables that are not.
pub const SECRETS: &[(&str, &[&str])] = &[
    ("events", &["match_id", "seq", "kind", "at", "body", "hash"]),
    ("heads", &["match_id", "seq", "hash"]),
    ("secrets", &["match_id", "server_seed"]),
    ("tokens", &["match_id", "role", "purpose", "hash"]),
    ("openings", &["match_id", "side", "sealed", "salt", "choice"]),
    ("editions", &["sha256", "game", "id", "body"]),
    ("idempotency", &["match_id", "actor", "key", "request", "first_seq", "last_seq"]),
];

/// The rows of tables as text, by table.
pub type Rows = BTreeMap<&'static str, Vec<String>>;

/// A database of one test's own, dropped with it.
pub struct Database {
    pub engine: Engine,
    pub url: String,
    /// Where the database is made and dropped; for Postgres.
    admin: Option<String>,
    name: String,
    /// Looks at all rows, again and again; for Postgres, where a connection costs something.
    onlooker: RefCell<Option<Session>>,
}

impl Database {
    /// A new one; `None` where there is no Postgres.
    pub fn make(engine: Engine, folder: &Path) -> Option<Database> {
        match engine {
            Engine::Sqlite => {
                let url = format!("sqlite://{}", file_in(folder).display());
                Some(Database { engine, url, admin: None, name: String::new(), onlooker: RefCell::default() })
            }
            Engine::Postgres => {
                Cluster::shared().map(|shared| Database::in_cluster(&shared.url, shared.template.as_deref()))
            }
        }
    }

    /// A new database beside the one of this url: a copy of the template, or an empty one.
    pub fn in_cluster(admin: &str, template: Option<&str>) -> Database {
        let name = format!("third_umpire_test_{}", Uuid::now_v7().simple());
        let from = template.map_or(String::new(), |template| format!(" template {template}"));
        let mut session = Session::open(admin).expect("the cluster answers");
        session.run(&format!("create database {name}{from}")).expect("databases can be created");
        let (url, admin) = (beside(admin, &name), Some(admin.to_owned()));
        Database { engine: Engine::Postgres, url, admin, name, onlooker: RefCell::default() }
    }

    pub fn session(&self) -> Session {
        Session::open(&self.url).expect("the database answers")
    }

    /// Runs statements on a connection of their own.
    pub fn run(&self, sql: &str) -> Result<u64, sqlx::Error> {
        self.session().run(sql)
    }

    /// The first column of a query.
    pub fn texts(&self, sql: &str) -> Vec<String> {
        self.session().texts(sql)
    }

    /// Every row of these tables.
    pub fn rows(&self, tables: &[(&'static str, &[&str])]) -> Rows {
        let select: Vec<String> = tables.iter().map(|(table, columns)| self.select(table, columns)).collect();
        let mut rows: Rows = tables.iter().map(|(table, _)| (*table, Vec::new())).collect();
        for line in self.look(&(select.join(" union all ") + " order by 1")) {
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
        // What the service writes to find out whether it can is of no match.
        let unless = if table == "views" { " where name <> 'probe'" } else { "" };
        format!("select '{table}' || ' | ' || {} from {table}{unless}", parts.join(" || ' | ' || "))
    }

    fn look(&self, sql: &str) -> Vec<String> {
        if self.engine == Engine::Sqlite {
            return self.texts(sql);
        }
        let mut onlooker = self.onlooker.borrow_mut();
        let seen = onlooker.as_mut().and_then(|session| session.try_texts(sql).ok());
        // A connection that was cut is replaced.
        seen.unwrap_or_else(|| onlooker.insert(self.session()).texts(sql))
    }

    /// Every row there is.
    pub fn everything(&self) -> Rows {
        self.rows(&[PROJECTIONS, SECRETS].concat())
    }

    /// A match id as SQL.
    pub fn id(&self, id: &str) -> String {
        match self.engine {
            Engine::Sqlite => format!("x'{}'", id.replace('-', "")),
            Engine::Postgres => format!("'{id}'::uuid"),
        }
    }

    /// Takes away what protects the rows of the log, as somebody with all rights would.
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

impl Drop for Database {
    fn drop(&mut self) {
        drop(self.onlooker.take());
        let dropped = format!("drop database if exists {} with (force)", self.name);
        let session = self.admin.as_ref().and_then(|admin| Session::open(admin).ok());
        session.map(|mut session| session.run(&dropped));
    }
}

/// Where a test's SQLite file is.
pub fn file_in(folder: &Path) -> PathBuf {
    folder.join("matches.db")
}

/// The same address with another database.
pub fn beside(url: &str, name: &str) -> String {
    let (scheme, rest) = url.split_once("://").expect("an address has a scheme");
    let (rest, query) =
        rest.split_once('?').map_or((rest, String::new()), |(rest, q)| (rest, format!("?{q}")));
    let authority = rest.split('/').next().unwrap_or_default();
    format!("{scheme}://{authority}/{name}{query}")
}

/// A connection that is kept for a while.
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

    /// Runs statements and counts the rows they changed.
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
