use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::watch;

use crate::log::MatchId;
use crate::store::{EventStore, StoreError};

/// Those who follow matches as they are played. What is passed on is only a hint how far a log reaches; the events
/// themselves are read from the store.
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
    /// Follows a match: the receiver holds the seq the log was last known to reach, and is closed when the service stops.
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

    /// Asks the store how far the followed logs reach: so events that another instance appended are noticed, and a store that
    /// was put back to an earlier state.
    pub async fn look(&self, store: &dyn EventStore) -> Result<(), StoreError> {
        let followed: Vec<(MatchId, u64)> = {
            let mut followed = self.lock();
            followed.matches.retain(|_, sender| sender.receiver_count() > 0);
            followed.matches.iter().map(|(match_id, sender)| (*match_id, *sender.borrow())).collect()
        };
        const AT_A_TIME: usize = 500;
        for some in followed.chunks(AT_A_TIME) {
            let match_ids: Vec<MatchId> = some.iter().map(|(match_id, _)| *match_id).collect();
            let heads: HashMap<MatchId, u64> = store.heads(&match_ids).await?.into_iter().collect();
            for (match_id, before) in some {
                self.seen(*match_id, *before, heads.get(match_id).copied().unwrap_or(0));
            }
        }
        Ok(())
    }

    /// A log was read that reaches `seq`, and was known to reach `before` when the reading began. It is shorter now only where
    /// nobody has moved it on meanwhile: what was read may be older than that.
    fn seen(&self, match_id: MatchId, before: u64, seq: u64) {
        if let Some(sender) = self.lock().matches.get(&match_id) {
            sender.send_if_modified(|known| {
                let is_news = seq > *known || (seq < *known && *known == before);
                if is_news {
                    *known = seq;
                }
                is_news
            });
        }
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
