//! Threads for work that takes long: folds of whole logs, audits, and decisions over many events. On the
//! threads that answer requests it would hold up every other request.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::{JoinError, spawn_blocking};

use super::ServiceError;
use crate::store::StoreError;

/// How long work waits for a permit. A reader may then ask again, and nothing waits behind it any more.
const PATIENCE: Duration = Duration::from_secs(10);

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
pub(super) struct WorkerThreads {
    cores: Arc<Semaphore>,
}

/// The permit for a piece of long work. A log is read only with a permit, so that few logs are in memory at
/// once.
pub(super) struct WorkerPermit {
    core: OwnedSemaphorePermit,
}

impl WorkerThreads {
    /// As many threads as this machine has cores.
    pub(super) fn new() -> WorkerThreads {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        WorkerThreads { cores: Arc::new(Semaphore::new(cores)) }
    }

    /// Waits for a permit, and not for ever.
    pub(super) async fn permit(&self) -> Result<WorkerPermit, ServiceError> {
        let permit = tokio::time::timeout(PATIENCE, Arc::clone(&self.cores).acquire_owned()).await;
        let core = permit.map_err(|_| ServiceError::Busy)?.map_err(|_| StoreError::Closed)?;
        Ok(WorkerPermit { core })
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
            drop(self.core);
            done
        };
        on_own_thread(permitted).await?
    }
}

#[cfg(test)]
mod tests {
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
        let threads = WorkerThreads { cores: Arc::new(Semaphore::new(1)) };
        let (release, released) = channel::<()>();
        let permit = threads.permit().await.expect("a core is free");
        let work = permit.run(move || Ok(released.recv().is_ok()));
        // The client goes away: what waits for the work is dropped, and the work goes on.
        let mut waiting = Box::pin(work);
        assert!(waiting.as_mut().now_or_never().is_none());
        drop(waiting);
        assert!(threads.permit().now_or_never().is_none(), "the work still keeps the core");
        release.send(()).expect("the work waits for this");
        threads.permit().await.expect("the core is free again");
    }
}
