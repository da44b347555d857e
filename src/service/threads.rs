//! Threads for work that takes long: folds of whole logs, audits, and decisions over many events. On the
//! threads that answer requests it would hold up every other request.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

use tokio::sync::{AcquireError, OwnedSemaphorePermit, Semaphore};
use tokio::task::{JoinError, spawn_blocking};

use super::ServiceError;
use crate::log::MatchId;
use crate::store::StoreError;

/// How long work waits for a permit. A reader may then ask again, and nothing waits behind it any more.
pub(super) const PATIENCE: Duration = Duration::from_secs(10);

/// Runs work on a thread of its own. What the work logs belongs to the span that waits for it.
pub(crate) async fn on_own_thread<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, ServiceError> {
    let span = tracing::Span::current();
    spawn_blocking(move || span.in_scope(work)).await.map_err(|ended: JoinError| {
        if ended.is_panic() {
            tracing::error!("the work for a request panicked");
            return ServiceError::Panicked;
        }
        // The threads end with the service, and no other work is begun then.
        StoreError::Closed.into()
    })
}

/// The threads for one sort of long work. As much of it runs at once as the machine has cores, and the rest
/// waits.
///
/// Matches take turns: the work on one match leaves a core to the others, and what more of it there is waits
/// behind that of a match that came later.
pub(super) struct WorkerThreads {
    cores: Arc<Semaphore>,
    /// How much work on one match runs or waits for a core.
    of_a_match: usize,
    /// The turns of the matches that have work.
    turns: Mutex<HashMap<MatchId, Weak<Semaphore>>>,
}

/// The permit for a piece of long work on a match. A log is read only with a permit, so that few logs are in
/// memory at once. The core is given back before the turn, so that another match may have it first.
pub(super) struct WorkerPermit {
    _core: OwnedSemaphorePermit,
    _turn: OwnedSemaphorePermit,
}

impl WorkerThreads {
    /// As many threads as this machine has cores.
    pub(super) fn new() -> WorkerThreads {
        WorkerThreads::on(std::thread::available_parallelism().map_or(1, usize::from))
    }

    /// As many threads as these cores.
    pub(super) fn on(cores: usize) -> WorkerThreads {
        let of_a_match = cores.saturating_sub(1).max(1);
        WorkerThreads { cores: Arc::new(Semaphore::new(cores)), of_a_match, turns: Mutex::default() }
    }

    /// Waits for a permit to work on a match, and not for ever.
    pub(super) async fn permit(&self, match_id: MatchId) -> Result<WorkerPermit, ServiceError> {
        let turn = self.turns_of(match_id);
        let permit = async {
            let turn = turn.acquire_owned().await?;
            let core = Arc::clone(&self.cores).acquire_owned().await?;
            Ok(WorkerPermit { _core: core, _turn: turn })
        };
        let permit = tokio::time::timeout(PATIENCE, permit).await.map_err(|_| ServiceError::Busy)?;
        permit.map_err(|_: AcquireError| StoreError::Closed.into())
    }

    /// The turns of a match, which all its work shares.
    fn turns_of(&self, match_id: MatchId) -> Arc<Semaphore> {
        let mut turns = self.turns.lock().unwrap_or_else(PoisonError::into_inner);
        turns.retain(|_, turns| turns.strong_count() > 0);
        if let Some(turns) = turns.get(&match_id).and_then(Weak::upgrade) {
            return turns;
        }
        let of_match = Arc::new(Semaphore::new(self.of_a_match));
        turns.insert(match_id, Arc::downgrade(&of_match));
        of_match
    }
}

impl WorkerPermit {
    /// Does the work on a thread of its own. The permit lasts until the work ends, even if nobody waits for
    /// it any more.
    pub(super) async fn run<T: Send + 'static>(
        self,
        work: impl FnOnce() -> Result<T, ServiceError> + Send + 'static,
    ) -> Result<T, ServiceError> {
        let permitted = move || {
            let done = work();
            tracing::debug!("long work is done");
            drop(self);
            done
        };
        on_own_thread(permitted).await?
    }
}

#[cfg(test)]
mod tests {
    use std::pin::Pin;
    use std::sync::mpsc::channel;

    use futures_util::FutureExt;
    use tokio::runtime::Builder;

    use super::*;

    #[tokio::test]
    async fn work_that_panics_is_an_error() {
        let ran = on_own_thread(|| panic!("the test wants it")).await;
        assert!(matches!(ran, Err::<(), _>(ServiceError::Panicked)));
    }

    #[test]
    fn work_that_finds_no_thread_any_more_is_told_that_the_service_stops() {
        let runtime = Builder::new_current_thread().build().expect("a runtime can be built");
        let ended = runtime.handle().clone();
        drop(runtime);
        let _inside = ended.enter();
        let ran = on_own_thread(|| ()).now_or_never().expect("nothing is waited for");
        assert!(matches!(ran, Err(ServiceError::Store(StoreError::Closed))));
    }

    #[tokio::test]
    async fn a_permit_lasts_as_long_as_its_work_also_when_nobody_waits_for_it() {
        let (threads, match_id) = (WorkerThreads::on(1), MatchId::now_v7());
        let (release, released) = channel::<()>();
        let permit = threads.permit(match_id).await.expect("a core is free");
        let work = permit.run(move || Ok(released.recv().is_ok()));
        // The client goes away: what waits for the work is dropped, and the work goes on.
        let mut waiting = Box::pin(work);
        assert!(waiting.as_mut().now_or_never().is_none());
        drop(waiting);
        let other = MatchId::now_v7();
        assert!(threads.permit(other).now_or_never().is_none(), "the work still keeps the core");
        release.send(()).expect("the work waits for this");
        threads.permit(other).await.expect("the core is free again");
        threads.permit(match_id).await.expect("the turn as well");
    }

    /// The permits that were given, by their places; the others still wait.
    fn given<F: Future<Output = Result<WorkerPermit, ServiceError>>>(
        waiting: &mut [Pin<Box<F>>],
    ) -> Vec<(usize, WorkerPermit)> {
        let polled = waiting.iter_mut().enumerate();
        let given = polled.filter_map(|(place, permit)| Some((place, permit.now_or_never()?)));
        given.map(|(place, permit)| (place, permit.expect("a permit"))).collect()
    }

    #[tokio::test]
    async fn a_match_with_much_work_leaves_a_core_to_others() {
        let threads = WorkerThreads::on(4);
        let (busy, other) = (MatchId::now_v7(), MatchId::now_v7());
        let mut busy: Vec<_> = (0..16).map(|_| Box::pin(threads.permit(busy))).collect();
        let working = given(&mut busy);
        assert_eq!(working.len(), 3);
        let at_once = threads.permit(other).now_or_never().expect("a core is free").expect("a permit");
        drop((working, at_once));
    }

    #[tokio::test]
    async fn matches_take_turns_at_a_core() {
        let threads = WorkerThreads::on(1);
        let (busy, other) = (MatchId::now_v7(), MatchId::now_v7());
        let held = threads.permit(busy).await.expect("a core is free");
        // The other match asks last, and its work is done before the rest of the busy one's.
        let matches = [busy, busy, busy, other];
        let mut waiting: Vec<_> = matches.map(|of| Box::pin(threads.permit(of))).into();
        assert_eq!(given(&mut waiting).len(), 0);
        drop(held);
        let mut order = Vec::new();
        let mut places = vec![0, 1, 2, 3];
        while !waiting.is_empty() {
            for (place, permit) in given(&mut waiting).into_iter().rev() {
                order.push(places.remove(place));
                drop(waiting.remove(place));
                drop(permit);
            }
        }
        assert_eq!(order, [3, 0, 1, 2]);
        assert_eq!(threads.turns.lock().expect("nobody panicked").len(), 2, "they are kept until the next");
        drop(threads.turns_of(busy));
        assert_eq!(threads.turns.lock().expect("nobody panicked").len(), 1, "idle matches are forgotten");
    }
}
