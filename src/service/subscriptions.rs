//! The subscriptions of readers to matches. An announcement says how far a log reaches, and hands on the
//! events that were appended last, so that a thousand subscribers need no query each. Who is further behind
//! reads the store.

use std::collections::{HashMap, HashSet};
use std::future::ready;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use futures_util::{StreamExt, stream};
use tokio::sync::watch;

use crate::log::{Entry, MatchId};
use crate::store::{EventStore, SpreadStore, StoreError};

/// The most events that are handed on, and the most bytes of them.
const HANDED_ON: u32 = 32;
const BYTES_HANDED_ON: usize = 64 << 10;
/// How long a poll reads the events of another instance, to hand them on.
const READING: Duration = Duration::from_millis(500);

/// What the subscribers of a match are told.
#[derive(Debug, Clone, Default)]
pub struct Announced {
    /// The seq of the head.
    pub seq: u64,
    /// The last events up to the head, without a gap; none where they are not known.
    last: Arc<[Arc<Entry>]>,
}

impl Announced {
    /// The events after this seq up to the head, where all of them are handed on.
    pub fn after(&self, seq: u64) -> Option<&[Arc<Entry>]> {
        let first = self.last.first()?.seq;
        let known = usize::try_from(seq.checked_add(1)?.checked_sub(first)?).ok()?;
        self.last.get(known..).filter(|events| !events.is_empty())
    }

    /// Goes on with these events, if they reach further.
    fn append(&mut self, appended: &[Entry]) -> bool {
        let (Some(first), Some(last)) = (appended.first(), appended.last()) else { return false };
        if last.seq <= self.seq {
            return false;
        }
        let before = if first.seq == self.seq + 1 { &self.last[..] } else { &[] };
        let all = before.iter().cloned().chain(appended.iter().cloned().map(Arc::new));
        let all: Vec<Arc<Entry>> = all.collect();
        let mut bytes = 0;
        let fits = |entry: &&Arc<Entry>| {
            bytes += entry.body.len();
            bytes <= BYTES_HANDED_ON
        };
        let kept = all.iter().rev().take(HANDED_ON as usize).take_while(fits).count();
        *self = Announced { seq: last.seq, last: all[all.len() - kept..].into() };
        true
    }

    /// Says that the log reaches this far, and hands on nothing.
    fn move_to(&mut self, seq: u64) {
        *self = Announced { seq, last: Arc::default() };
    }
}

/// The subscriptions to matches, each with what was announced last.
#[derive(Default)]
pub struct Subscriptions {
    state: Mutex<SubscriptionState>,
    /// Whether the last poll of the store failed for all matches.
    is_cut_off: AtomicBool,
    /// The matches whose machine did not answer, each with the poll that asked for it last.
    silent: Mutex<HashMap<MatchId, u64>>,
    /// The matches whose machine has answered since matches are asked one by one.
    answering: Mutex<HashSet<MatchId>>,
    /// The number of polls that asked match by match.
    polls: AtomicU64,
}

/// The outcome of a poll.
struct Polled {
    /// Whether the store has answered for any match.
    answered: bool,
    result: Result<(), StoreError>,
}

/// A followed match, and the seq of its head when the poll began.
type Followed = (MatchId, u64);

#[derive(Default)]
struct SubscriptionState {
    matches: HashMap<MatchId, watch::Sender<Announced>>,
    ended: bool,
}

impl Subscriptions {
    /// Subscribes to a match. The receiver holds what was announced last, and is closed when the service
    /// stops.
    pub fn subscribe(&self, match_id: MatchId) -> Option<watch::Receiver<Announced>> {
        let mut followed = self.lock();
        if followed.ended {
            return None;
        }
        Some(followed.matches.entry(match_id).or_default().subscribe())
    }

    /// Announces that a log has grown to `seq`.
    pub fn advance(&self, match_id: MatchId, seq: u64) {
        self.announce(match_id, |known| {
            let grown = seq > known.seq;
            if grown {
                known.move_to(seq);
            }
            grown
        });
    }

    /// Announces events that were appended, and hands them on.
    pub fn append(&self, match_id: MatchId, appended: &[Entry]) {
        self.announce(match_id, |known| known.append(appended));
    }

    /// Changes what is announced of a match, if somebody is subscribed to it.
    fn announce(&self, match_id: MatchId, change: impl FnOnce(&mut Announced) -> bool) {
        if let Some(sender) = self.lock().matches.get(&match_id) {
            sender.send_if_modified(change);
        }
    }

    /// Polls the heads of all subscribed matches from the store, to notice events of another instance, and a
    /// store that was restored to an earlier state.
    pub async fn poll_heads(&self, store: &dyn EventStore) -> Result<(), StoreError> {
        let polled = self.poll(store).await;
        self.is_cut_off.store(!polled.answered, Ordering::Relaxed);
        polled.result
    }

    /// Whether the store answered the last poll of a match.
    pub fn store_answers(&self, match_id: MatchId) -> bool {
        !self.is_cut_off.load(Ordering::Relaxed) && !self.silent().contains_key(&match_id)
    }

    /// The seq of the head of a match as last announced, if somebody is subscribed to it.
    pub fn announced(&self, match_id: MatchId) -> Option<u64> {
        self.lock().matches.get(&match_id).map(|sender| sender.borrow().seq)
    }

    async fn poll(&self, store: &dyn EventStore) -> Polled {
        let followed: Vec<Followed> = {
            let mut followed = self.lock();
            followed.matches.retain(|_, sender| sender.receiver_count() > 0);
            followed.matches.iter().map(|(match_id, sender)| (*match_id, sender.borrow().seq)).collect()
        };
        let Some(spread) = store.spread() else {
            let result = self.poll_together(store, &followed).await;
            return Polled { answered: result.is_ok(), result };
        };
        let is_whole = self.silent().is_empty();
        if is_whole && self.poll_together(store, &followed).await.is_ok() {
            return Polled { answered: true, result: Ok(()) };
        }
        self.poll_one_by_one(spread, &followed).await
    }

    async fn poll_together(&self, store: &dyn EventStore, followed: &[Followed]) -> Result<(), StoreError> {
        const AT_A_TIME: usize = 500;
        let mut answers = true;
        for some in followed.chunks(AT_A_TIME) {
            let match_ids: Vec<MatchId> = some.iter().map(|(match_id, _)| *match_id).collect();
            let heads = match store.spread() {
                Some(spread) => spread.heads_soon(&match_ids).await?,
                None => store.heads(&match_ids).await?,
            };
            let heads: HashMap<MatchId, u64> = heads.into_iter().collect();
            for (match_id, before) in some {
                let seq = heads.get(match_id).copied().unwrap_or(0);
                if answers && self.is_from_elsewhere(*match_id, *before, seq) {
                    answers = self.read_once(store, *match_id, *before).await;
                }
                self.seen(*match_id, *before, seq);
            }
        }
        Ok(())
    }

    /// Whether another instance has appended to a match that several subscribers follow.
    fn is_from_elsewhere(&self, match_id: MatchId, before: u64, seq: u64) -> bool {
        let followed = self.lock();
        let sender = followed.matches.get(&match_id).filter(|sender| sender.receiver_count() > 1);
        before > 0 && sender.is_some_and(|sender| sender.borrow().seq == before && before < seq)
    }

    /// Reads what another instance has appended, once for all who follow the match, and returns whether the
    /// store has answered. Where it has not, each of them reads for itself.
    async fn read_once(&self, store: &dyn EventStore, match_id: MatchId, before: u64) -> bool {
        let reading = tokio::time::timeout(READING, store.entries(match_id, before, HANDED_ON));
        let Ok(Ok(appended)) = reading.await else { return false };
        self.append(match_id, &appended);
        true
    }

    /// Polls match by match, as many at once as the store allows, so that a machine that is away silences
    /// its own matches only. Each failure costs a second, so a poll that has met as many of them as it asks
    /// at once asks no further. The next poll first asks those that have answered, and then goes on.
    async fn poll_one_by_one(&self, spread: &dyn SpreadStore, followed: &[Followed]) -> Polled {
        let poll = self.polls.fetch_add(1, Ordering::Relaxed);
        let at_once = spread.free_to_read();
        let asking = self.in_turn(followed, at_once).into_iter().map(|(match_id, before)| async move {
            let heads = spread.heads_soon(&[match_id]).await;
            (match_id, before, heads.map(|heads| heads.first().map_or(0, |(_, seq)| *seq)))
        });
        let failed = AtomicUsize::new(0);
        let goes_on = |_: &_| ready(failed.load(Ordering::Relaxed) < at_once);
        let mut answers = stream::iter(asking).take_while(goes_on).buffer_unordered(at_once);
        let (mut answered, mut result) = (false, Ok(()));
        while let Some((match_id, before, seq)) = answers.next().await {
            match seq {
                Ok(seq) => {
                    answered = true;
                    self.silent().remove(&match_id);
                    self.answering().insert(match_id);
                    self.seen(match_id, before, seq);
                }
                Err(error) => {
                    failed.fetch_add(1, Ordering::Relaxed);
                    self.silent().insert(match_id, poll);
                    self.answering().remove(&match_id);
                    result = Err(error);
                }
            }
        }
        if result.is_ok() {
            // Every machine that was asked again has answered.
            self.silent().clear();
            self.answering().clear();
        }
        Polled { answered: answered || result.is_ok(), result }
    }

    /// The matches to be asked one by one: those whose machines have answered, those that were not asked yet,
    /// and after them some of the silent ones, those first that have waited longest.
    fn in_turn(&self, followed: &[Followed], others: usize) -> Vec<Followed> {
        let (mut silent, mut answering) = (self.silent(), self.answering());
        let is_followed: HashSet<MatchId> = followed.iter().map(|(match_id, _)| *match_id).collect();
        silent.retain(|match_id, _| is_followed.contains(match_id));
        answering.retain(|match_id| is_followed.contains(match_id));
        let asked_last = |(match_id, _): &Followed| silent.get(match_id).copied();
        let (mut waiting, mut asked): (Vec<Followed>, Vec<Followed>) =
            followed.iter().copied().partition(|one| asked_last(one).is_some());
        asked.sort_by_key(|(match_id, _)| !answering.contains(match_id));
        waiting.sort_unstable_by_key(asked_last);
        asked.extend(waiting.into_iter().take(others));
        asked
    }

    /// Announces the head that was polled; `before` is the head that was known when the poll began. A shorter
    /// log is announced only if the known head has not changed since: otherwise the poll may be older than
    /// the change.
    fn seen(&self, match_id: MatchId, before: u64, seq: u64) {
        self.announce(match_id, |known| {
            let is_news = seq > known.seq || (seq < known.seq && known.seq == before);
            if is_news {
                known.move_to(seq);
            }
            is_news
        });
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

    fn silent(&self) -> MutexGuard<'_, HashMap<MatchId, u64>> {
        self.silent.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn answering(&self) -> MutexGuard<'_, HashSet<MatchId>> {
        self.answering.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn lock(&self) -> MutexGuard<'_, SubscriptionState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use async_trait::async_trait;

    use super::*;

    /// A store in which some machines do not answer, with the matches that were asked for.
    struct HalfAway {
        away: HashSet<MatchId>,
        asked: Mutex<Vec<MatchId>>,
    }

    #[async_trait]
    impl SpreadStore for HalfAway {
        async fn heads_soon(&self, match_ids: &[MatchId]) -> Result<Vec<(MatchId, u64)>, StoreError> {
            self.asked.lock().expect("no test panics with it").extend(match_ids);
            if match_ids.iter().any(|match_id| self.away.contains(match_id)) {
                return Err(StoreError::Unavailable("the machine is away".to_owned()));
            }
            Ok(match_ids.iter().map(|match_id| (*match_id, 7)).collect())
        }

        fn free_to_read(&self) -> usize {
            2
        }
    }

    fn entries(seqs: std::ops::RangeInclusive<u64>, bytes: usize) -> Vec<Entry> {
        seqs.map(|seq| Entry { seq, body: "x".repeat(bytes), hash: String::new() }).collect()
    }

    fn seqs_after(announced: &Announced, seq: u64) -> Option<Vec<u64>> {
        announced.after(seq).map(|events| events.iter().map(|entry| entry.seq).collect())
    }

    #[test]
    fn the_last_events_are_handed_on_without_a_gap_and_up_to_a_size() {
        let mut announced = Announced::default();
        assert_eq!(seqs_after(&announced, 0), None);
        announced.move_to(3);
        assert!(announced.append(&entries(4..=4, 1)) && announced.append(&entries(5..=7, 1)));
        assert_eq!(seqs_after(&announced, 3), Some(vec![4, 5, 6, 7]));
        assert_eq!(seqs_after(&announced, 6), Some(vec![7]));
        for unknown in [0, 2, 7, 8, u64::MAX] {
            assert_eq!(seqs_after(&announced, unknown), None, "after {unknown}");
        }
        assert!(!announced.append(&entries(6..=7, 1)), "it is no news");
        assert!(announced.append(&entries(9..=9, 1)), "another instance has appended event 8");
        assert_eq!((announced.seq, seqs_after(&announced, 7)), (9, None));
        assert_eq!(seqs_after(&announced, 8), Some(vec![9]));
        announced.append(&entries(10..=100, 1));
        assert_eq!(seqs_after(&announced, 68), Some((69..=100).collect()));
        assert_eq!(seqs_after(&announced, 67), None, "as many as are handed on");
        announced.append(&entries(101..=103, BYTES_HANDED_ON / 2));
        assert_eq!(seqs_after(&announced, 101), Some(vec![102, 103]));
        assert_eq!(seqs_after(&announced, 100), None, "as large as they may be");
        announced.append(&entries(104..=104, BYTES_HANDED_ON + 1));
        assert_eq!((announced.seq, seqs_after(&announced, 103)), (104, None));
        announced.move_to(50);
        assert_eq!((announced.seq, seqs_after(&announced, 49)), (50, None), "the store was put back");
    }

    #[tokio::test]
    async fn a_poll_meets_few_silent_machines_and_asks_the_answering_ones_each_time() {
        let subscriptions = Subscriptions::default();
        let followed: Vec<Followed> = (0..40).map(|_| (MatchId::now_v7(), 0)).collect();
        let ids: Vec<MatchId> = followed.iter().map(|(match_id, _)| *match_id).collect();
        let away = ids.iter().copied().skip(1).step_by(2).collect();
        let store = HalfAway { away, asked: Mutex::default() };
        let mut answered: HashSet<MatchId> = HashSet::new();
        for _ in 0..20 {
            subscriptions.poll_one_by_one(&store, &followed).await;
            let asked = std::mem::take(&mut *store.asked.lock().expect("no test panics with it"));
            let (away, healthy): (Vec<_>, Vec<_>) = asked.iter().partition(|one| store.away.contains(one));
            assert!(away.len() <= 4, "{} silent ones, two at once", away.len());
            assert!(
                answered.iter().all(|one| healthy.contains(one)),
                "those that answer are asked each time"
            );
            answered.extend(healthy);
        }
        assert_eq!(answered.len(), 20, "every match was asked");
        assert!(ids.iter().all(|one| subscriptions.store_answers(*one) != store.away.contains(one)));
        let back = HalfAway { away: HashSet::new(), asked: Mutex::default() };
        for _ in 0..20 {
            subscriptions.poll_one_by_one(&back, &followed).await;
        }
        assert!(ids.iter().all(|one| subscriptions.store_answers(*one)), "all have answered");
    }

    #[test]
    fn matches_of_silent_machines_are_asked_last_and_in_turn() {
        let subscriptions = Subscriptions::default();
        let followed: Vec<Followed> = (0..6).map(|_| (MatchId::now_v7(), 0)).collect();
        let silence = |places: &[(usize, u64)]| {
            let silent = places.iter().map(|(place, poll)| (followed[*place].0, *poll));
            subscriptions.silent().extend(silent);
        };
        let asked = || -> Vec<Option<usize>> {
            let asked = subscriptions.in_turn(&followed, 2).into_iter();
            asked.map(|one| followed.iter().position(|known| *known == one)).collect()
        };
        let places = |places: &[usize]| places.iter().copied().map(Some).collect::<Vec<_>>();
        silence(&[(0, 7), (2, 5), (3, 6)]);
        assert_eq!(asked(), places(&[1, 4, 5, 2, 3]));
        silence(&[(2, 8), (3, 8)]);
        assert_eq!(asked()[3], Some(0), "the one that has waited longest");
        assert!(!subscriptions.store_answers(followed[0].0) && subscriptions.store_answers(followed[1].0));
        subscriptions.in_turn(&followed[1..], 2);
        assert!(subscriptions.store_answers(followed[0].0), "one that nobody follows is forgotten");
    }
}
