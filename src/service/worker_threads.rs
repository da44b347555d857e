//! Threads for work that takes long: folds of whole logs, and decisions over many events. On the threads that
//! answer requests it would hold up every other request.

use tokio::sync::{Semaphore, SemaphorePermit};

use super::ServiceError;
use crate::store::StoreError;

/// The threads for long work. As much of it runs at once as the machine has cores, and the rest waits.
pub(super) struct WorkerThreads {
    cores: Semaphore,
}

/// The turn of a piece of long work. A log is read only in its turn, so that few logs are in memory at once.
pub(super) struct WorkerTurn<'a> {
    _core: SemaphorePermit<'a>,
}

impl WorkerThreads {
    /// As many threads as this machine has cores.
    pub(super) fn new() -> WorkerThreads {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        WorkerThreads { cores: Semaphore::new(cores) }
    }

    /// Waits for a turn.
    pub(super) async fn turn(&self) -> Result<WorkerTurn<'_>, ServiceError> {
        self.cores
            .acquire()
            .await
            .map(|core| WorkerTurn { _core: core })
            .map_err(|_| StoreError::Closed.into())
    }
}

impl WorkerTurn<'_> {
    /// Does the work on a thread of its own.
    pub(super) async fn run<T: Send + 'static>(
        self,
        work: impl FnOnce() -> Result<T, ServiceError> + Send + 'static,
    ) -> Result<T, ServiceError> {
        // What the work logs belongs to the request.
        let span = tracing::Span::current();
        match tokio::task::spawn_blocking(move || span.in_scope(work)).await {
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
