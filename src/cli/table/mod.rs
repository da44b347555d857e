//! `serve --table` and `table-key`: a service in the network of the people around a table. It keeps a key of
//! its own, prints where other devices find it, and notices when this machine moves.

mod firewall;
mod interfaces;
mod key;
mod words;

use std::convert::Infallible;
use std::io::{IsTerminal, stdout};
use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use clap::builder::BoolishValueParser;
use tokio::time::{Instant, MissedTickBehavior, interval, sleep_until};

use self::interfaces::{AddressSource, own_names};
use self::key::KeyFile;
use super::{Failure, page_address, print, print_to_reader};
use crate::http::{NetworkTable, TableSetup};
use crate::store;

/// Where a table listens, if nothing else is said.
pub const LISTEN: &str = "0.0.0.0:8080";
/// The interval at which the addresses of this machine are looked up.
const LOOK: Duration = Duration::from_secs(3);
/// How long a table waits for another device, before it says what to look at.
const PATIENCE: Duration = Duration::from_secs(30);

#[derive(Args)]
pub struct TableArgs {
    /// Serve the network around: other devices open the pages by a link or a code that is printed. A key of
    /// the table's own, in a file beside the database, makes matches and replaces tokens. On Postgres, and
    /// wherever it is given, --admin-token is that key
    #[arg(long, env = "THIRD_UMPIRE_TABLE", value_parser = BoolishValueParser::new())]
    table: bool,
    /// With --table: replace the table's key, so that the old one opens nothing any more
    #[arg(long, env = "THIRD_UMPIRE_NEW_TABLE_KEY", value_parser = BoolishValueParser::new(), requires = "table")]
    new_table_key: bool,
    #[command(flatten)]
    addresses: AddressArgs,
}

#[derive(Args)]
struct AddressArgs {
    /// Read the addresses of this machine from a file, one a line with the name of its interface, in place of
    /// asking its interfaces: for a container, whose own addresses no phone reaches. A table reads it again
    /// every 3 seconds
    #[arg(long, env = "THIRD_UMPIRE_ADDRESSES", value_name = "FILE")]
    addresses: Option<PathBuf>,
}

impl AddressArgs {
    fn source(self) -> AddressSource {
        self.addresses.map_or(AddressSource::Interfaces, AddressSource::File)
    }
}

#[derive(Args)]
pub struct TableKeyArgs {
    /// The database of the table, beside which its key is
    #[arg(long, env = "DATABASE_URL", hide_env_values = true, default_value = "sqlite://third-umpire.db")]
    database: String,
    /// The admin token of the service, where it has one: it is the table's key
    #[arg(long, env = "THIRD_UMPIRE_ADMIN_TOKEN", hide_env_values = true, value_name = "TOKEN")]
    admin_token: Option<String>,
    /// Where the table listens: as it was served last if left out, or else 0.0.0.0:8080
    #[arg(long, env = "THIRD_UMPIRE_LISTEN", value_name = "HOST:PORT")]
    listen: Option<String>,
    #[command(flatten)]
    addresses: AddressArgs,
}

/// A table that is about to be served: its key, and what it says of itself.
pub struct ServedTable {
    /// The key of the table.
    pub key: String,
    /// The network around it, as it is now.
    pub table: Arc<NetworkTable>,
    source: AddressSource,
    /// Whether the key may be printed: whoever reads standard output sits at this machine.
    shows_key: bool,
}

impl TableArgs {
    /// Whether the service is a table.
    pub fn is_table(&self) -> bool {
        self.table
    }

    /// Checks that the table has one key: the admin token, or one in a file beside the database.
    pub fn check(&self, database: &str, admin_token: Option<&str>) -> Result<(), Failure> {
        match admin_token {
            Some(_) if self.new_table_key => {
                Err("the key of this table is its --admin-token: change that, and leave out --new-table-key"
                    .into())
            }
            None if self.table => key_file(database).map(drop),
            Some(_) | None => Ok(()),
        }
    }

    /// The table on a port; none where the service is no table. Its key is the admin token, or else in the
    /// file beside the database, where it is made if there is none.
    pub fn table(
        self,
        database: &str,
        admin_token: Option<&str>,
        port: u16,
    ) -> Result<Option<ServedTable>, Failure> {
        if !self.table {
            return Ok(None);
        }
        let source = self.addresses.source();
        let addresses = source.look()?;
        let key = match admin_token {
            Some(token) => token.to_owned(),
            None => {
                let file = key_file(database)?;
                if self.new_table_key { file.replace()? } else { file.read_or_make()? }
            }
        };
        if let Ok(file) = key_file(database)
            && let Err(error) = file.note_port(port)
        {
            tracing::warn!("the port of the table cannot be noted beside its database: {error}");
        }
        let table = Arc::new(NetworkTable::new(TableSetup {
            port,
            names: own_names(),
            addresses,
            firewall: firewall::command(port),
            admin_token_is_key: admin_token.is_some(),
        }));
        Ok(Some(ServedTable { key, table, source, shows_key: stdout().is_terminal() }))
    }
}

/// The file of the key of a table with this database.
fn key_file(database: &str) -> Result<KeyFile, Failure> {
    match store::sqlite_file(database)? {
        Some(file) => Ok(KeyFile::beside(&file)),
        None => Err(
            "a table keeps its key beside a file of SQLite, and Postgres has none: add --admin-token, which \
                     is then the table's key"
                .into(),
        ),
    }
}

impl ServedTable {
    /// The key, where it may be printed.
    fn shown_key(&self) -> Option<&str> {
        Some(self.key.as_str()).filter(|_| self.shows_key)
    }

    /// The link on this machine, with the key where it may be printed.
    pub fn here(&self, page: &str) -> String {
        self.shown_key().map_or_else(|| page.to_owned(), |key| words::with_key(page, key))
    }

    /// What is printed once the table is served.
    pub fn places(&self) -> String {
        format!("\n{}{}", words::places(&self.table, self.shown_key()), words::NOBODY_CAME)
    }

    /// Follows the addresses of this machine, and says when another device comes, or what to look at where
    /// none does.
    pub async fn follow(self) -> Infallible {
        let mut visited = self.table.visited();
        let patience = sleep_until(Instant::now() + PATIENCE);
        tokio::pin!(patience);
        let mut look = interval(LOOK);
        look.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let (mut is_alone, mut is_patient, mut last_fault) = (true, true, None);
        loop {
            tokio::select! {
                _ = look.tick() => self.look(&mut last_fault),
                changed = visited.changed(), if is_alone => {
                    // The table has the sender, so the channel stays open.
                    is_alone = changed.is_err();
                    say(words::SOMEBODY_CAME);
                }
                () = &mut patience, if is_alone && is_patient => {
                    is_patient = false;
                    say(&words::hints(&self.table));
                }
            }
        }
    }

    /// Looks the addresses up. A fault is logged once, and the table stays where it was.
    fn look(&self, last_fault: &mut Option<String>) {
        let found = self.source.look();
        if let Err(fault) = &found
            && last_fault.as_ref() != Some(fault)
        {
            tracing::warn!("{fault}; the table goes on with the addresses that it has");
        }
        *last_fault = match found {
            Ok(addresses) => {
                let had_link = !self.table.links().is_empty();
                if self.table.moves_to(addresses) {
                    say(&words::moved(&self.table, self.shown_key(), had_link));
                }
                None
            }
            Err(fault) => Some(fault),
        };
    }
}

/// Prints. A table whose terminal is gone goes on serving.
fn say(text: &str) {
    if let Err(error) = print_to_reader(text) {
        tracing::debug!(%error, "nothing more can be printed");
    }
}

/// Prints the key of a table, with the links and the code that have it.
pub fn run(args: TableKeyArgs) -> Result<ExitCode, Failure> {
    let key = match args.admin_token.filter(|token| !token.is_empty()) {
        Some(token) => token,
        None => {
            let file = key_file(&args.database)?;
            let missing = || format!("{} is not there: `serve --table` makes it", file.path().display());
            file.read()?.ok_or_else(missing)?
        }
    };
    let noted = || key_file(&args.database).ok().and_then(|file| file.noted_port());
    let port = match args.listen.as_deref() {
        Some(listen) => port_of(listen)?,
        None => noted().map_or_else(|| port_of(LISTEN), Ok)?,
    };
    let (addresses, admin_token_is_key) = (args.addresses.source().look()?, false);
    let firewall = firewall::command(port);
    let setup = TableSetup { port, names: Vec::new(), addresses, firewall, admin_token_is_key };
    let here = page_address(SocketAddr::from((Ipv4Addr::LOCALHOST, port)));
    print(&words::key(&NetworkTable::new(setup), &here, &key))
}

/// The port of HOST:PORT.
fn port_of(listen: &str) -> Result<u16, Failure> {
    let port = listen.rsplit_once(':').and_then(|(_, port)| port.parse().ok()).filter(|port| *port != 0);
    port.ok_or_else(|| {
        format!("{listen:?} is not HOST:PORT with the port of the table, as in {LISTEN}").into()
    })
}
