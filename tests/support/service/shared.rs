//! A service to play matches on, in this process or another, and the one that most scenarios share.

use std::sync::{Arc, OnceLock};

use serde_json::Value;
use uuid::Uuid;

use super::answer::Answer;
use super::client::{Client, Request};
use super::database::{Database, Engine, Rows};
use super::folder::of_this_process;
use super::in_process::InProcess;
use super::play::Match;
use super::rebuild::Rebuilder;

/// A running service, and its database.
pub struct Service {
    client: Client,
    database: Arc<Database>,
    rebuilder: Arc<OnceLock<Rebuilder>>,
    /// Whether other scenarios store something in the database at the same time.
    is_shared: bool,
}

impl Service {
    /// A service whose database belongs to one scenario.
    pub(super) fn on_own_database(client: Client, database: Arc<Database>) -> Service {
        Service { client, database, rebuilder: Arc::default(), is_shared: false }
    }

    /// Plays a scenario on the service that scenarios share; skips it where its engine is not installed.
    pub fn shared_by(engine: Engine, scenario: impl FnOnce(&Service)) {
        static SQLITE: OnceLock<Option<(Service, InProcess)>> = OnceLock::new();
        static POSTGRES: OnceLock<Option<(Service, InProcess)>> = OnceLock::new();
        let place = match engine {
            Engine::Sqlite => &SQLITE,
            Engine::Postgres => &POSTGRES,
        };
        let shared = place.get_or_init(|| {
            let database = Arc::new(Database::make(engine, of_this_process())?.keeping_sessions());
            let running = InProcess::start(&database.url);
            let (client, rebuilder) = (running.client().clone(), Arc::default());
            Some((Service { client, database, rebuilder, is_shared: true }, running))
        });
        if let Some((service, _)) = shared {
            // The connections of a scenario end with it.
            let client = service.client.with_own_connections();
            let (database, rebuilder) = (Arc::clone(&service.database), Arc::clone(&service.rebuilder));
            scenario(&Service { client, database, rebuilder, is_shared: true });
        }
    }

    pub fn client(&self) -> &Client {
        &self.client
    }

    pub fn engine(&self) -> Engine {
        self.database.engine
    }

    /// Creates a match with this request.
    pub fn create(&self, request: &Value) -> Match {
        Match::create(&self.client, request)
    }

    /// Sends a request that has to be refused, and asserts that no row was stored for it: none of its match
    /// where others use the database, none at all otherwise.
    #[track_caller]
    pub fn untouched_by(&self, request: Request) -> Answer {
        let looked_at = self.is_shared.then(|| match_of(&request));
        let before = self.rows(looked_at.as_deref());
        let answer = request.send();
        assert!(answer.status >= 400, "{} answered {}: {}", answer.request, answer.status, answer.text());
        let after = self.rows(looked_at.as_deref());
        assert_eq!(before, after, "{} was refused, and something was stored", answer.request);
        answer
    }

    /// Every row of a match.
    #[track_caller]
    pub fn rows_of(&self, played: &Match) -> Rows {
        self.rows(Some(&played.id))
    }

    /// Drops the pages that were stored at an end which was corrected later. They are not read any more, and
    /// a rebuild drops them, too.
    pub fn drop_outdated_pages(&self, played: &Match) {
        let id = self.database.id(&played.id);
        let outdated =
            format!("delete from views where match_id = {id} and hash not in (select hash from heads)");
        self.database.run(&outdated).expect("projections may be dropped");
    }

    /// Asserts that a rebuild leaves every row of a match as it is.
    #[track_caller]
    pub fn is_rebuilt_alike(&self, played: &Match) {
        let before = self.rows_of(played);
        self.rebuilder.get_or_init(|| Rebuilder::open(&self.database.url)).rebuild(&played.id);
        assert_eq!(self.rows_of(played), before, "a rebuild comes to something else");
    }

    /// All rows of a match or, without one, of the database. The rows of the match list that are behind are
    /// written first: a list by the last change is read as of now.
    #[track_caller]
    fn rows(&self, match_id: Option<&str>) -> Rows {
        self.client.get("/v1/matches?order=changed&limit=1");
        let Some(id) = match_id else { return self.database.everything() };
        let rows = self.database.everything_of(id);
        assert!(!rows["events"].is_empty(), "there is no match {id} whose rows could be compared");
        rows
    }
}

/// The id of the match in a request's path.
#[track_caller]
fn match_of(request: &Request) -> String {
    let id = request.path().strip_prefix("/v1/matches/").and_then(|rest| rest.split(['/', '?']).next());
    let id = id.filter(|id| Uuid::parse_str(id).is_ok());
    id.unwrap_or_else(|| panic!("{} is about no match: `on_own_stores!`", request.path())).to_owned()
}
