//! The subscriptions of readers to matches. An announcement is only a hint how far a log reaches; subscribers
//! read the events from the store.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::watch;

use crate::log::MatchId;
use crate::store::{EventStore, StoreError};

/// The subscriptions to matches, each with the seq of the head as last announced.
#[derive(Default)]
pub struct Subscriptions {
    state: Mutex<SubscriptionState>,
    /// Whether the last poll of the store failed.
    is_cut_off: AtomicBool,
}

#[derive(Default)]
struct SubscriptionState {
    matches: HashMap<MatchId, watch::Sender<u64>>,
    ended: bool,
}

impl Subscriptions {
    /// Subscribes to a match. The receiver holds the seq of the head as last announced, and is closed when
    /// the service stops.
    pub fn subscribe(&self, match_id: MatchId) -> Option<watch::Receiver<u64>> {
        let mut followed = self.lock();
        if followed.ended {
            return None;
        }
        Some(followed.matches.entry(match_id).or_insert_with(|| watch::channel(0).0).subscribe())
    }

    /// Announces that a log has grown to `seq`.
    pub fn advance(&self, match_id: MatchId, seq: u64) {
        if let Some(sender) = self.lock().matches.get(&match_id) {
            sender.send_if_modified(|known| {
                let grown = seq > *known;
                *known = seq.max(*known);
                grown
            });
        }
    }

    /// Polls the heads of all subscribed matches from the store, to notice events of another instance, and a
    /// store that was restored to an earlier state.
    pub async fn poll_heads(&self, store: &dyn EventStore) -> Result<(), StoreError> {
        let polled = self.poll(store).await;
        self.is_cut_off.store(polled.is_err(), Ordering::Relaxed);
        polled
    }

    /// Whether the store answered the last poll.
    pub fn store_answers(&self) -> bool {
        !self.is_cut_off.load(Ordering::Relaxed)
    }

    /// The seq of the head of a match as last announced, if somebody is subscribed to it.
    pub fn announced(&self, match_id: MatchId) -> Option<u64> {
        self.lock().matches.get(&match_id).map(|sender| *sender.borrow())
    }

    async fn poll(&self, store: &dyn EventStore) -> Result<(), StoreError> {
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

    /// Announces the head that was polled; `before` is the head that was known when the poll began. A shorter
    /// log is announced only if the known head has not changed since: otherwise the poll may be older than
    /// the change.
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

    /// The number of matches with subscriptions, and of the subscriptions to them.
    pub fn count(&self) -> (usize, usize) {
        let followed = self.lock();
        let subscribers = followed.matches.values().map(watch::Sender::receiver_count).sum();
        (followed.matches.len(), subscribers)
    }

    /// Ends all subscriptions, as the service stops.
    pub fn end(&self) {
        let mut followed = self.lock();
        followed.ended = true;
        followed.matches.clear();
    }

    fn lock(&self) -> MutexGuard<'_, SubscriptionState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
