//! The setup of a measurement: a database of its own, and the program as a process of its own.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

use third_umpire_test_support::service::{Cluster, Fsync};
use third_umpire_test_support::service::{Engine, beside};

/// A database that waits for the disk, with its folder or cluster; removed when this value is dropped.
pub struct Stage {
    pub engine: Engine,
    pub url: String,
    pub folder: PathBuf,
    cluster: Option<Cluster>,
}

impl Stage {
    /// An empty database; `None` where there is no Postgres.
    pub fn set(engine: Engine) -> Option<Stage> {
        static STAGES: AtomicU32 = AtomicU32::new(0);
        let number = STAGES.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("tu-bench-{}-{number}", std::process::id()));
        std::fs::create_dir(&folder).expect("there is a folder for temporary files");
        let (url, cluster) = match engine {
            Engine::Sqlite => (format!("sqlite://{}", folder.join("matches.db").display()), None),
            Engine::Postgres => {
                let cluster = Cluster::start_with(Fsync::On)?;
                (beside(&cluster.url(), "postgres"), Some(cluster))
            }
        };
        Some(Stage { engine, url, folder, cluster })
    }

    /// The folder of Postgres's socket.
    pub fn socket(&self) -> Option<&Path> {
        self.cluster.as_ref().map(Cluster::folder)
    }

    /// Starts the program on this database.
    pub fn serve(&self) -> Service {
        Service::start(&self.url)
    }
}

impl Drop for Stage {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// The program in the process of serving.
pub struct Service {
    child: Child,
    /// The address of the service, as HOST:PORT.
    pub address: String,
    _printed: BufReader<ChildStdout>,
}

impl Service {
    fn start(database: &str) -> Service {
        let mut child = Command::new(env!("CARGO_BIN_EXE_third-umpire"))
            .args(["serve", "--listen", "127.0.0.1:0", "--log", "warn", "--database", database])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut printed = BufReader::new(child.stdout.take().expect("the output is a pipe"));
        let mut line = String::new();
        printed.read_line(&mut line).expect("the output is text");
        let address =
            line.trim_end().strip_prefix("listening on http://").expect("the service listens").to_owned();
        Service { child, address, _printed: printed }
    }

    /// The resident memory of the service, in bytes.
    pub fn memory(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
        let kilobytes = line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<u64>().ok());
        kilobytes.expect("the kernel shows the memory of a process") * 1024
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
