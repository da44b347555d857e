use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::watch;

use crate::log::MatchId;
use crate::store::{EventStore, StoreError};

/// Those who follow matches as they are played. What is passed on is only a hint that a log has grown, and how far;
/// the events themselves are read from the store.
#[derive(Default)]
pub struct Following {
    followed: Mutex<Followed>,
}

#[derive(Default)]
struct Followed {
    matches: HashMap<MatchId, watch::Sender<u64>>,
    ended: bool,
}

impl Following {
    /// Follows a match: the receiver holds the seq the log is known to reach, and is closed when the service stops.
    pub fn follow(&self, match_id: MatchId) -> Option<watch::Receiver<u64>> {
        let mut followed = self.lock();
        if followed.ended {
            return None;
        }
        Some(followed.matches.entry(match_id).or_insert_with(|| watch::channel(0).0).subscribe())
    }

    /// A log has grown to `seq`.
    pub fn moved(&self, match_id: MatchId, seq: u64) {
        if let Some(sender) = self.lock().matches.get(&match_id) {
            sender.send_if_modified(|known| {
                let grown = seq > *known;
                *known = seq.max(*known);
                grown
            });
        }
    }

    /// Asks the store how far the followed logs have come: so events that another instance appended are noticed.
    pub async fn look(&self, store: &dyn EventStore) -> Result<(), StoreError> {
        let match_ids: Vec<MatchId> = {
            let mut followed = self.lock();
            followed.matches.retain(|_, sender| sender.receiver_count() > 0);
            followed.matches.keys().copied().collect()
        };
        const AT_A_TIME: usize = 500;
        for some in match_ids.chunks(AT_A_TIME) {
            for (match_id, seq) in store.heads(some).await? {
                self.moved(match_id, seq);
            }
        }
        Ok(())
    }

    /// How many matches are followed.
    pub fn count(&self) -> usize {
        self.lock().matches.len()
    }

    /// The service stops: nobody follows any more.
    pub fn end(&self) {
        let mut followed = self.lock();
        followed.ended = true;
        followed.matches.clear();
    }

    fn lock(&self) -> MutexGuard<'_, Followed> {
        self.followed.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
