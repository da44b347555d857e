//! A service with a database for one scenario.

use std::cell::OnceCell;
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::cluster::Cluster;
use super::database::{Database, Engine, file_in};
use super::folder::Folder;
use super::in_process::InProcess;
use super::process::{Process, Serving};
use super::shared::Service;

/// A database for one scenario, and the instances that serve it. It derefs to the main service of the
/// scenario, which starts on first use.
pub struct Deployment {
    // The instances come first, so that they are dropped before the database and the folder.
    service: OnceCell<(Service, Running)>,
    is_process: bool,
    database: Arc<Database>,
    folder: Folder,
}

/// The instance behind a service.
enum Running {
    InProcess(#[allow(dead_code, reason = "kept until it is dropped")] InProcess),
    Process(Process),
}

impl Deployment {
    /// Plays a scenario on a service in this process; skips it where its engine is not installed.
    pub fn in_process(engine: Engine, scenario: impl FnOnce(&Deployment)) {
        Deployment::with(engine, false, scenario);
    }

    /// Plays a scenario on the program as a process; skips it where its engine is not installed.
    pub fn as_process(engine: Engine, scenario: impl FnOnce(&Deployment)) {
        Deployment::with(engine, true, scenario);
    }

    fn with(engine: Engine, is_process: bool, scenario: impl FnOnce(&Deployment)) {
        let folder = Folder::make();
        if let Some(database) = Database::make(engine, folder.path()) {
            scenario(&Deployment::of(Arc::new(database), folder, is_process));
        }
    }

    /// Plays a scenario on a service in this process, over a database that an earlier version has filled;
    /// skips it where its engine is not installed.
    pub fn of_an_earlier_version(engine: Engine, scenario: impl FnOnce(&Deployment)) {
        let folder = Folder::make();
        if let Some(database) = Database::of_an_earlier_version(engine, folder.path()) {
            scenario(&Deployment::of(Arc::new(database), folder, false));
        }
    }

    /// Plays a scenario on the program with its own Postgres, which it may stop and start.
    pub fn with_own_cluster(scenario: impl FnOnce(&Deployment, &mut Cluster)) {
        if let Some(mut cluster) = Cluster::start() {
            let database = Arc::new(Database::in_own_cluster(&cluster.url()));
            scenario(&Deployment::of(database, Folder::make(), true), &mut cluster);
        }
    }

    fn of(database: Arc<Database>, folder: Folder, is_process: bool) -> Deployment {
        Deployment { service: OnceCell::new(), is_process, database, folder }
    }

    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// The path of the SQLite file.
    pub fn file(&self) -> PathBuf {
        file_in(self.folder())
    }

    pub fn database(&self) -> &Database {
        &self.database
    }

    fn started(&self) -> &(Service, Running) {
        self.service.get_or_init(|| {
            let running = match self.is_process {
                true => Running::Process(self.serve()),
                false => Running::InProcess(InProcess::start(&self.database.url)),
            };
            let client = match &running {
                Running::Process(process) => process.client(),
                Running::InProcess(service) => service.client(),
            };
            (Service::on_own_database(client.with_own_connections(), Arc::clone(&self.database)), running)
        })
    }

    /// The process of the main service.
    #[track_caller]
    pub fn process(&self) -> &Process {
        match &self.started().1 {
            Running::Process(process) => process,
            Running::InProcess(_) => panic!("the service is no process of its own: `on_own_processes!`"),
        }
    }

    /// Starts the program as one more instance on the same database.
    pub fn serve(&self) -> Process {
        self.serve_as(Serving::default())
    }

    /// Starts the program on the same database, in a given way.
    pub fn serve_as(&self, serving: Serving<'_>) -> Process {
        Process::start(&self.database.url, self.folder(), serving)
    }
}

impl Deref for Deployment {
    type Target = Service;

    fn deref(&self) -> &Service {
        &self.started().0
    }
}
