//! Folds that anybody may ask for, as of a place in a log. A place is folded once at a time: who asks
//! meanwhile gets the same fold, and the last folds are kept for a while.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use hashlink::LruCache;
use tokio::sync::{Mutex as AsyncMutex, OwnedMutexGuard};

use super::ServiceError;
use super::threads::PATIENCE;

/// The fold of one place, once it is made. Whoever makes it holds the lock.
type Slot<V> = AsyncMutex<Option<Arc<V>>>;

/// The folds of one sort, by their places.
pub(super) struct SharedFolds<K, V> {
    folds: Arc<Mutex<Folds<K, V>>>,
}

struct Folds<K, V> {
    /// The folds that are being made, and that somebody waits for.
    awaited: HashMap<K, Weak<Slot<V>>>,
    /// The folds that were asked for last, each with its size.
    kept: LruCache<K, (usize, Arc<V>)>,
    /// The size that all kept folds may have together.
    room: usize,
}

/// The answer to who asks for a fold.
pub(super) enum Asked<K, V> {
    /// The fold, made by another or kept.
    Made(Arc<V>),
    /// Nobody makes the fold now, so the asker does.
    ToMake(UnmadeFold<K, V>),
}

/// A fold that one asker makes, while the others wait. Dropped without a fold, it lets the next one make it.
pub(super) struct UnmadeFold<K, V> {
    key: K,
    folds: Arc<Mutex<Folds<K, V>>>,
    slot: OwnedMutexGuard<Option<Arc<V>>>,
}

impl<K: Clone + Eq + Hash, V> SharedFolds<K, V> {
    /// No folds yet, and room to keep folds of this size in all.
    pub(super) fn with_room(room: usize) -> SharedFolds<K, V> {
        let folds = Folds { awaited: HashMap::new(), kept: LruCache::new_unbounded(), room };
        SharedFolds { folds: Arc::new(Mutex::new(folds)) }
    }

    /// Asks for the fold of a place, and waits while another makes it, though not for ever.
    pub(super) async fn ask(&self, key: K) -> Result<Asked<K, V>, ServiceError> {
        let slot = {
            let mut folds = locked(&self.folds);
            if let Some((_, kept)) = folds.kept.get(&key) {
                return Ok(Asked::Made(Arc::clone(kept)));
            }
            folds.slot(&key)
        };
        let slot = tokio::time::timeout(PATIENCE, slot.lock_owned()).await.map_err(|_| ServiceError::Busy)?;
        Ok(match &*slot {
            Some(made) => Asked::Made(Arc::clone(made)),
            None => Asked::ToMake(UnmadeFold { key, folds: Arc::clone(&self.folds), slot }),
        })
    }
}

impl<K: Clone + Eq + Hash, V> Folds<K, V> {
    /// The slot of a place, which all who wait for its fold share.
    fn slot(&mut self, key: &K) -> Arc<Slot<V>> {
        self.awaited.retain(|_, slot| slot.strong_count() > 0);
        if let Some(slot) = self.awaited.get(key).and_then(Weak::upgrade) {
            return slot;
        }
        let slot = Arc::<Slot<V>>::default();
        self.awaited.insert(key.clone(), Arc::downgrade(&slot));
        slot
    }

    /// Keeps a fold in place of those that nobody has asked for the longest.
    fn keep(&mut self, key: K, size: usize, fold: &Arc<V>) {
        if size > self.room {
            return;
        }
        self.kept.insert(key, (size, Arc::clone(fold)));
        let mut taken: usize = self.kept.iter().map(|(_, (size, _))| size).sum();
        while taken > self.room
            && let Some((_, (size, _))) = self.kept.remove_lru()
        {
            taken -= size;
        }
    }
}

impl<K: Clone + Eq + Hash, V> UnmadeFold<K, V> {
    /// Hands the fold to all who wait for it, and keeps it where there is room for its size.
    pub(super) fn made(mut self, fold: V, size: usize) -> Arc<V> {
        let fold = Arc::new(fold);
        *self.slot = Some(Arc::clone(&fold));
        locked(&self.folds).keep(self.key, size, &fold);
        fold
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;

    type Numbers = SharedFolds<u8, u8>;

    /// Asks for a fold that nobody makes.
    fn to_make(folds: &Numbers, key: u8) -> UnmadeFold<u8, u8> {
        match folds.ask(key).now_or_never() {
            Some(Ok(Asked::ToMake(unmade))) => unmade,
            Some(Ok(Asked::Made(made))) => panic!("{key} is made: {made}"),
            Some(Err(error)) => panic!("{key}: {error}"),
            None => panic!("{key} is being made"),
        }
    }

    fn kept(folds: &Numbers, key: u8) -> Option<u8> {
        match folds.ask(key).now_or_never() {
            Some(Ok(Asked::Made(made))) => Some(*made),
            _ => None,
        }
    }

    #[tokio::test]
    async fn all_who_ask_while_a_fold_is_made_get_it() {
        let folds = Numbers::with_room(0);
        let unmade = to_make(&folds, 1);
        let mut waiting: Vec<_> = (0..16).map(|_| Box::pin(folds.ask(1))).collect();
        assert!(waiting.iter_mut().all(|asked| asked.now_or_never().is_none()));
        let other = to_make(&folds, 2);
        assert_eq!(*unmade.made(7, 1), 7);
        for asked in waiting {
            assert!(matches!(asked.now_or_never(), Some(Ok(Asked::Made(made))) if *made == 7));
        }
        drop(other);
        assert_eq!(kept(&folds, 1), None, "there is no room to keep it");
    }

    #[tokio::test]
    async fn a_fold_that_its_maker_gives_up_is_made_by_the_next() {
        let folds = Numbers::with_room(10);
        let unmade = to_make(&folds, 1);
        let mut next = Box::pin(folds.ask(1));
        let mut last = Box::pin(folds.ask(1));
        assert!(next.as_mut().now_or_never().is_none() && last.as_mut().now_or_never().is_none());
        drop(unmade);
        let Some(Ok(Asked::ToMake(unmade))) = next.now_or_never() else { panic!("the next one makes it") };
        assert!(last.as_mut().now_or_never().is_none());
        unmade.made(7, 1);
        assert!(matches!(last.now_or_never(), Some(Ok(Asked::Made(made))) if *made == 7));
        assert_eq!(kept(&folds, 1), Some(7));
    }

    #[tokio::test]
    async fn the_kept_folds_never_have_more_than_their_size_together() {
        let folds = Numbers::with_room(10);
        for key in 1..=3 {
            to_make(&folds, key).made(key, 4);
        }
        assert_eq!([1, 2, 3].map(|key| kept(&folds, key)), [None, Some(2), Some(3)]);
        assert_eq!(kept(&folds, 2), Some(2), "it is asked for last");
        to_make(&folds, 4).made(4, 4);
        assert_eq!([2, 3, 4].map(|key| kept(&folds, key)), [Some(2), None, Some(4)]);
        to_make(&folds, 5).made(5, 11);
        assert_eq!(
            [2, 4, 5].map(|key| kept(&folds, key)),
            [Some(2), Some(4), None],
            "it is too large to keep"
        );
        assert!(locked(&folds.folds).awaited.len() <= 2, "a place that nobody waits for is forgotten");
    }
}
