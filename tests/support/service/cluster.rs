//! A Postgres cluster that the tests run for themselves.

use std::io::Write;
use std::os::unix::fs::{PermissionsExt, chown};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, OnceLock};

use uuid::Uuid;

use super::database::{Database, Engine, Session, beside, migrate};
use super::process::until;

/// A shell script that runs Postgres until the other end of its standard input is closed, and then removes
/// the cluster; so nothing is left, however the tests end. Until then it reads the orders `stop` and `start`.
const WARDEN: &str = r#"
start() { "$1/postgres" -D "$2/data" -k "$2" -c listen_addresses= -c max_connections=300 -c "fsync=$3" &
          server=$!; }
stop() { kill -INT "$server"; wait "$server"; }
start "$1" "$2" "$3"
while read -r order; do "$order" "$1" "$2" "$3"; done
kill -QUIT "$server"; wait "$server"
rm -rf "$2"
"#;

/// The cluster that most tests share.
pub struct Shared {
    /// The cluster's own database.
    pub admin: Database,
    /// The name of a database with migrated tables, to be copied; only in a cluster of our own.
    pub template: Option<String>,
    // Kept to the end of this process.
    _cluster: Option<Mutex<Cluster>>,
}

impl Shared {
    fn of(cluster: Cluster) -> Shared {
        let (admin, template) = (Database::at(Engine::Postgres, cluster.url()), "third_umpire_template");
        admin.run(&format!("create database {template}")).expect("databases can be created");
        migrate(&beside(&admin.url, template));
        Shared { admin, template: Some(template.to_owned()), _cluster: Some(Mutex::new(cluster)) }
    }
}

/// Whether a commit waits for the disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fsync {
    On,
    Off,
}

/// A Postgres cluster that lives as long as this value, and no longer than this process.
pub struct Cluster {
    folder: PathBuf,
    warden: Child,
}

impl Cluster {
    /// The cluster for databases of tests: the one at `TEST_DATABASE_URL`, or one of this process. `None`
    /// where Postgres is not installed; `REQUIRE_POSTGRES=1` makes that a failure.
    pub fn shared() -> Option<&'static Shared> {
        static SHARED: OnceLock<Option<Shared>> = OnceLock::new();
        let made = SHARED.get_or_init(|| match std::env::var("TEST_DATABASE_URL") {
            Ok(url) => {
                let admin = Database::at(Engine::Postgres, url);
                Some(Shared { admin, template: None, _cluster: None })
            }
            Err(_) => Cluster::start().map(Shared::of),
        });
        made.as_ref()
    }

    /// A new cluster that does not wait for the disk, since nothing in it has to survive the machine.
    pub fn start() -> Option<Cluster> {
        Cluster::start_with(Fsync::Off)
    }

    /// A new cluster with this setting of `fsync`.
    pub fn start_with(fsync: Fsync) -> Option<Cluster> {
        let Some(programs) = programs() else {
            let required = std::env::var("REQUIRE_POSTGRES").is_ok_and(|value| value == "1");
            assert!(!required, "REQUIRE_POSTGRES=1, and there is no initdb in PATH or where pg_config says");
            // The test runner captures what `eprintln!` prints.
            let _ = writeln!(
                std::io::stderr(),
                "Postgres is not installed: its half of the scenarios is skipped"
            );
            return None;
        };
        let user = server_user();
        let folder = std::env::temp_dir().join(format!("tu-pg-{}", Uuid::now_v7().simple()));
        make_folder(&folder, user);
        let log = std::fs::File::create(folder.join("log")).expect("the folder is ours");
        let made = as_user(&programs.join("initdb"), user, &folder)
            .args(["-U", "umpire", "-A", "trust", "-E", "UTF8", "--no-locale", "--no-sync", "-D"])
            .arg(folder.join("data"))
            .stdout(log.try_clone().expect("a log can be shared"))
            .stderr(log)
            .status()
            .expect("initdb runs");
        assert!(made.success(), "initdb fails; see {}", folder.join("log").display());
        Some(Cluster::run(&programs, folder, user, fsync))
    }

    /// Runs the cluster in a folder.
    fn run(programs: &Path, folder: PathBuf, user: Option<(u32, u32)>, fsync: Fsync) -> Cluster {
        let log = std::fs::OpenOptions::new().create(true).append(true).open(folder.join("log"));
        let log = log.expect("the folder is ours");
        let warden = as_user(Path::new("sh"), user, &folder)
            .args(["-c", WARDEN, "sh"])
            .args([programs, &folder])
            .arg(if fsync == Fsync::On { "on" } else { "off" })
            .stdin(Stdio::piped())
            .stdout(log.try_clone().expect("a log can be shared"))
            .stderr(log)
            .spawn()
            .expect("there is a shell");
        let cluster = Cluster { folder, warden };
        cluster.wait_for(true);
        cluster
    }

    /// The folder of the cluster and of its socket.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The URL of the cluster's own database.
    pub fn url(&self) -> String {
        format!("postgres://umpire@localhost/postgres?host={}", self.folder.display())
    }

    /// The folder of the socket, as a URL's `host`.
    pub fn host(&self) -> String {
        self.folder.display().to_string()
    }

    /// Requires a password of this role, from the server's next reload of its settings on.
    pub fn require_password(&self, role: &str) {
        let file = self.folder.join("data/pg_hba.conf");
        let before = std::fs::read_to_string(&file).expect("the file is there");
        // A file that is written over keeps its owner.
        std::fs::write(&file, format!("local all {role} scram-sha-256\n{before}")).expect("the file is ours");
    }

    /// Starts a hot standby of this cluster.
    pub fn standby(&self) -> Cluster {
        let programs = programs().expect("the cluster was started with them");
        let user = server_user();
        let folder = std::env::temp_dir().join(format!("tu-pg-{}", Uuid::now_v7().simple()));
        make_folder(&folder, user);
        // The program in PATH may be a link into the folder that has all of them.
        let initdb = programs.join("initdb").canonicalize().expect("initdb is there");
        let copied = as_user(&initdb.with_file_name("pg_basebackup"), user, &folder)
            .args(["-U", "umpire", "-h", &self.host(), "-R", "-c", "fast", "--no-sync", "-D"])
            .arg(folder.join("data"))
            .output()
            .expect("pg_basebackup runs");
        assert!(copied.status.success(), "{}", String::from_utf8_lossy(&copied.stderr));
        Cluster::run(&programs, folder, user, Fsync::Off)
    }

    /// Sends the order `stop` or `start`, and waits until the server has followed it.
    pub fn order(&mut self, order: &str) {
        let orders = self.warden.stdin.as_mut().expect("the pipe is open");
        writeln!(orders, "{order}").expect("the warden listens");
        self.wait_for(order == "start");
    }

    fn wait_for(&self, running: bool) {
        until("Postgres has started or stopped", || Session::open(&self.url()).is_ok() == running);
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        drop(self.warden.stdin.take());
        let _ = self.warden.wait();
    }
}

/// The folder with `initdb` and `postgres`.
pub fn programs() -> Option<PathBuf> {
    let in_path = std::env::var_os("PATH").map(|path| std::env::split_paths(&path).collect::<Vec<_>>());
    let pg_config = Command::new("pg_config").arg("--bindir").output().ok();
    let pg_config = pg_config.and_then(|output| String::from_utf8(output.stdout).ok());
    let debian = std::fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let mut candidates = in_path.unwrap_or_default();
    candidates.extend(pg_config.map(|text| PathBuf::from(text.trim())));
    candidates.extend(debian.map(|version| version.path().join("bin")));
    candidates.into_iter().find(|folder| folder.join("initdb").exists() && folder.join("postgres").exists())
}

/// The user and group for Postgres, which does not run as root: `postgres` or `nobody`. `None` where the
/// tests do not run as root.
pub fn server_user() -> Option<(u32, u32)> {
    let id = |arguments: &[&str]| -> Option<u32> {
        let output = Command::new("id").args(arguments).output().ok()?;
        String::from_utf8(output.stdout).ok()?.trim().parse().ok()
    };
    if id(&["-u"]) != Some(0) {
        return None;
    }
    ["postgres", "nobody"].into_iter().find_map(|name| Some((id(&["-u", name])?, id(&["-g", name])?)))
}

fn make_folder(folder: &Path, user: Option<(u32, u32)>) {
    std::fs::create_dir(folder).expect("there is a folder for temporary files");
    std::fs::set_permissions(folder, PermissionsExt::from_mode(0o755)).expect("the folder is ours");
    if let Some((uid, gid)) = user {
        chown(folder, Some(uid), Some(gid)).expect("root can give a folder away");
    }
}

/// A command that runs as this user, in this folder.
pub fn as_user(program: &Path, user: Option<(u32, u32)>, folder: &Path) -> Command {
    let mut command = Command::new(program);
    // The group is its own: ctrl-C is for the tests, and the server ends with them.
    command.current_dir(folder).process_group(0).env("HOME", folder).stdin(Stdio::null());
    if let Some((uid, gid)) = user {
        command.gid(gid).uid(uid);
    }
    command
}
