//! Rebuilds of projections by the store itself, for scenarios that are not about the program's `rebuild`.

use std::sync::Arc;

use third_umpire::editions::Editions;
use third_umpire::log::{Entry, Head};
use third_umpire::service::{all_editions, rows_of};
use third_umpire::store::{self, CommitMode, EventStore, Fold, Migrate, Projected, Rebuilt, StoreError};
use tokio::runtime::{Builder, Runtime};
use uuid::Uuid;

/// How often a rebuild is tried that loses against other writers.
const MOST_TRIES: u32 = 10;

/// An open store that rebuilds matches of a database.
pub struct Rebuilder {
    store: Arc<dyn EventStore>,
    runtime: Runtime,
}

impl Rebuilder {
    pub fn open(url: &str) -> Rebuilder {
        let runtime = Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .expect("a runtime can be built");
        let store = runtime.block_on(store::open(url, Migrate::Check, CommitMode::Group));
        Rebuilder { store: store.expect("the store opens"), runtime }
    }

    /// Stores the projections of a match as of an event, as a read does that has made them anew.
    pub fn renew(&self, match_id: &str, seq: u64) {
        let projected = self.projected(match_id, seq);
        self.runtime.block_on(self.store.renew(&[projected])).expect("the store takes writes");
    }

    /// The projections of a match as of an event.
    fn projected(&self, match_id: &str, seq: u64) -> Projected {
        let match_id = Uuid::parse_str(match_id).expect("a match has an id");
        let limit = u32::try_from(seq).expect("a short log");
        let log = self.runtime.block_on(self.store.entries(match_id, 0, limit)).expect("the log is read");
        let head = log.last().expect("an event").head();
        let rows = rows_of(&log, &Editions::default()).expect("the log folds");
        Projected { match_id, head, rows }
    }

    /// Writes the row of a match in the list as of an event, behind the ball; with another hash of that event
    /// where one is given.
    pub fn list(&self, match_id: &str, seq: u64, hash: Option<&str>) {
        let projected = self.projected(match_id, seq);
        let hash = hash.map_or(projected.head.hash, str::to_owned);
        let projected = Projected { head: Head { seq, hash }, ..projected };
        self.runtime.block_on(self.store.list(&[projected])).expect("the store takes writes");
    }

    /// Rebuilds the projections of a match.
    #[track_caller]
    pub fn rebuild(&self, match_id: &str) {
        let match_id = Uuid::parse_str(match_id).expect("a match has an id");
        let rebuilt = self.runtime.block_on(async {
            let editions =
                all_editions(self.store.as_ref(), &Editions::default()).await.expect("the editions are read");
            let fold: Fold = Arc::new(move |entries: &[Entry]| rows_of(entries, &editions));
            let mut tries = 1;
            loop {
                match self.store.rebuild(&[match_id], Arc::clone(&fold)).await {
                    // The service writes to the same database meanwhile.
                    Err(StoreError::Conflict | StoreError::Unavailable(_)) if tries < MOST_TRIES => {
                        tries += 1
                    }
                    rebuilt => break rebuilt,
                }
            }
        });
        match rebuilt.expect("the store rebuilds").as_slice() {
            [(_, Rebuilt::Done)] => {}
            [(_, Rebuilt::Broken(reason))] => panic!("the log does not fold: {reason}"),
            other => panic!("{} matches were rebuilt, not one", other.len()),
        }
    }
}
