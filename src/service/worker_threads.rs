//! Threads for work that takes long: folds of whole logs, and decisions over many events. On the threads that
//! answer requests it would hold up every other request.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::ServiceError;
use crate::store::StoreError;

/// How long work waits for its turn. A reader may then ask again, and nothing waits behind it any more.
const PATIENCE: Duration = Duration::from_secs(10);

/// The threads for long work. As much of it runs at once as the machine has cores, and the rest waits.
pub(super) struct WorkerThreads {
    cores: Arc<Semaphore>,
}

/// The turn of a piece of long work. A log is read only in its turn, so that few logs are in memory at once.
pub(super) struct WorkerTurn {
    core: OwnedSemaphorePermit,
}

impl WorkerThreads {
    /// As many threads as this machine has cores.
    pub(super) fn new() -> WorkerThreads {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        WorkerThreads { cores: Arc::new(Semaphore::new(cores)) }
    }

    /// Waits for a turn, and not for ever.
    pub(super) async fn turn(&self) -> Result<WorkerTurn, ServiceError> {
        let late = |_| StoreError::Unavailable("other long work keeps every core busy".to_owned());
        let turn = tokio::time::timeout(PATIENCE, Arc::clone(&self.cores).acquire_owned()).await;
        let core = turn.map_err(late)?.map_err(|_| StoreError::Closed)?;
        Ok(WorkerTurn { core })
    }
}

impl WorkerTurn {
    /// Does the work on a thread of its own. The turn lasts until the work ends, even if nobody waits for it
    /// any more.
    pub(super) async fn run<T: Send + 'static>(
        self,
        work: impl FnOnce() -> Result<T, ServiceError> + Send + 'static,
    ) -> Result<T, ServiceError> {
        // What the work logs belongs to the request.
        let span = tracing::Span::current();
        let in_turn = move || {
            let done = span.in_scope(work);
            drop(self.core);
            done
        };
        match tokio::task::spawn_blocking(in_turn).await {
            Ok(done) => done,
            // A panic goes on where it would have been without the thread.
            Err(lost) => match lost.try_into_panic() {
                Ok(panic) => std::panic::resume_unwind(panic),
                // The threads end with the service.
                Err(_) => Err(StoreError::Closed.into()),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;

    use futures_util::FutureExt;

    use super::*;

    #[tokio::test]
    async fn a_turn_lasts_as_long_as_its_work_also_when_nobody_waits_for_it() {
        let threads = WorkerThreads { cores: Arc::new(Semaphore::new(1)) };
        let (release, released) = channel::<()>();
        let turn = threads.turn().await.expect("a core is free");
        let work = turn.run(move || Ok(released.recv().is_ok()));
        // The client goes away: what waits for the work is dropped, and the work goes on.
        let mut waiting = Box::pin(work);
        assert!(waiting.as_mut().now_or_never().is_none());
        drop(waiting);
        assert!(threads.turn().now_or_never().is_none(), "the work still keeps the core");
        release.send(()).expect("the work waits for this");
        threads.turn().await.expect("the core is free again");
    }
}
