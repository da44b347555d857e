//! Rebuilds of projections by the store itself, for scenarios that are not about the program's `rebuild`.

use std::sync::Arc;

use third_umpire::editions::Editions;
use third_umpire::log::Entry;
use third_umpire::service::{all_editions, rows_of};
use third_umpire::store::{self, CommitMode, EventStore, Fold, Migrate, Rebuilt, StoreError};
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
        let match_id = Uuid::parse_str(match_id).expect("a match has an id");
        self.runtime.block_on(async {
            let limit = u32::try_from(seq).expect("a short log");
            let log = self.store.entries(match_id, 0, limit).await.expect("the log is read");
            let hash = log.last().expect("an event").hash.clone();
            let rows = rows_of(&log, &Editions::default()).expect("the log folds");
            self.store.renew(&[(match_id, hash, rows)]).await.expect("the store takes writes");
        });
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
