//! A service to play matches on, wherever it runs, and the one that most scenarios share.

use std::sync::{Arc, OnceLock};

use serde_json::Value;
use uuid::Uuid;

use super::answer::Answer;
use super::client::{Client, Request};
use super::database::{Database, Engine, Rows};
use super::folder::of_this_process;
use super::in_process::InProcess;
use super::play::Match;

/// A service, and the database it stores matches in.
pub struct Service {
    client: Client,
    database: Arc<Database>,
    /// Whether others store something in the database at the same time.
    is_shared: bool,
}

impl Service {
    /// The service of a database that is one scenario's own.
    pub(super) fn alone(client: Client, database: Arc<Database>) -> Service {
        Service { client, database, is_shared: false }
    }

    /// Plays a scenario on the service that scenarios share; not at all where its engine is not installed.
    pub fn shared_by(engine: Engine, scenario: impl FnOnce(&Service)) {
        static SQLITE: OnceLock<Option<(Service, InProcess)>> = OnceLock::new();
        static POSTGRES: OnceLock<Option<(Service, InProcess)>> = OnceLock::new();
        let place = match engine {
            Engine::Sqlite => &SQLITE,
            Engine::Postgres => &POSTGRES,
        };
        let shared = place.get_or_init(|| {
            let database = Arc::new(Database::make(engine, of_this_process())?.looked_at_by_many());
            let running = InProcess::start(&database.url);
            Some((Service { client: running.client().clone(), database, is_shared: true }, running))
        });
        if let Some((service, _)) = shared {
            // Connections of its own: those of a scenario end with it.
            let (client, database) = (service.client.apart(), Arc::clone(&service.database));
            scenario(&Service { client, database, is_shared: true });
        }
    }

    pub fn client(&self) -> &Client {
        &self.client
    }

    pub fn engine(&self) -> Engine {
        self.database.engine
    }

    /// A new match of this shape.
    pub fn create(&self, asked: &Value) -> Match {
        Match::create(&self.client, asked)
    }

    /// Sends what has to be refused, and makes sure that not a row was stored for it: none of its match in
    /// any table where others store theirs meanwhile, none at all in a database of its own.
    #[track_caller]
    pub fn untouched_by(&self, request: Request) -> Answer {
        let looked_at = self.is_shared.then(|| match_of(&request));
        let before = self.rows(looked_at.as_deref());
        let answer = request.send();
        assert!(answer.status >= 400, "{} answered {}: {}", answer.asked, answer.status, answer.text());
        let after = self.rows(looked_at.as_deref());
        assert_eq!(before, after, "{} was refused, and something was stored", answer.asked);
        answer
    }

    /// All rows of a match, or of all there are.
    #[track_caller]
    fn rows(&self, match_id: Option<&str>) -> Rows {
        let Some(id) = match_id else { return self.database.everything() };
        let rows = self.database.everything_of(id);
        assert!(!rows["events"].is_empty(), "there is no match {id} whose rows could be compared");
        rows
    }
}

/// The match that a request is about.
#[track_caller]
fn match_of(request: &Request) -> String {
    let id = request.path().strip_prefix("/v1/matches/").and_then(|rest| rest.split(['/', '?']).next());
    let id = id.filter(|id| Uuid::parse_str(id).is_ok());
    id.unwrap_or_else(|| panic!("{} is about no match: `on_own_stores!`", request.path())).to_owned()
}
