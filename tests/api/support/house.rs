use std::cell::OnceCell;
use std::path::{Path, PathBuf};

use serde_json::Value;
use uuid::Uuid;

use super::answer::Answer;
use super::client::{Client, Request};
use super::cluster::Cluster;
use super::database::{Database, Engine, file_in};
use super::play::Match;
use super::service::{Service, Serving};

/// A database of its own, and the instances that serve it.
pub struct House {
    // Instances first: they are stopped before the database and the folder go.
    service: OnceCell<Service>,
    database: Database,
    _folder: Folder,
}

/// A folder that is removed with everything in it.
struct Folder(PathBuf);

impl Folder {
    fn make() -> Folder {
        let folder = std::env::temp_dir().join(format!("tu-{}", Uuid::now_v7().simple()));
        std::fs::create_dir(&folder).expect("there is a folder for temporary files");
        Folder(folder)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

impl House {
    /// Plays a scenario in a new house; not at all where its engine is not installed.
    pub fn with(engine: Engine, scenario: impl FnOnce(&House)) {
        let folder = Folder::make();
        if let Some(database) = Database::make(engine, &folder.0) {
            scenario(&House { service: OnceCell::new(), database, _folder: folder });
        }
    }

    /// A house whose Postgres is its own, to be stopped and started.
    pub fn with_own_cluster(scenario: impl FnOnce(&House, &mut Cluster)) {
        if let Some(mut cluster) = Cluster::start() {
            let database = Database::in_cluster(&cluster.url(), None);
            scenario(&House { service: OnceCell::new(), database, _folder: Folder::make() }, &mut cluster);
        }
    }

    pub fn folder(&self) -> &Path {
        &self._folder.0
    }

    /// The SQLite file.
    pub fn file(&self) -> PathBuf {
        file_in(self.folder())
    }

    pub fn database(&self) -> &Database {
        &self.database
    }

    /// The instance most scenarios need; started when it is first asked for.
    pub fn service(&self) -> &Service {
        self.service.get_or_init(|| self.serve())
    }

    pub fn client(&self) -> &Client {
        self.service().client()
    }

    /// One more instance on the same database.
    pub fn serve(&self) -> Service {
        self.serve_as(Serving::default())
    }

    pub fn serve_as(&self, serving: Serving<'_>) -> Service {
        Service::start(&self.database.url, self.folder(), serving)
    }

    /// A new match of this shape.
    pub fn create(&self, asked: &Value) -> Match {
        Match::create(self.client(), asked)
    }

    /// Sends what has to be refused, and makes sure that not a row was stored for it.
    #[track_caller]
    pub fn untouched_by(&self, request: Request) -> Answer {
        let before = self.database.everything();
        let answer = request.send();
        assert!(answer.status >= 400, "{} answered {}: {}", answer.asked, answer.status, answer.text());
        assert_eq!(
            before,
            self.database.everything(),
            "{} was refused, and something was stored",
            answer.asked
        );
        answer
    }
}
