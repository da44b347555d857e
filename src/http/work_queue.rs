//! Queues of work that anybody may ask for: audits, checks of editions, and previews. They bound the work that
//! strangers can give to the service.

use std::sync::Arc;

use super::problem::STOPPING;
use crate::commands::{Problem, ProblemType};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// How many requests may wait for each one that runs. A preview takes a few milliseconds, the audit of a usual
/// log some more, that of the largest a second or two; so a request in a queue of this length is answered while its sender still
/// looks at the screen.
const WAITING: usize = 4;

/// A queue of work that anybody may ask for. As many pieces run as there are cores, and a few wait.
#[derive(Debug)]
pub struct WorkQueue {
    places: Arc<Semaphore>,
    cores: Arc<Semaphore>,
    /// The problem of a request that finds the queue full.
    full: ProblemType,
}

/// The permit to run a piece of work, held until it is dropped.
#[derive(Debug)]
pub struct WorkTurn {
    _core: OwnedSemaphorePermit,
    _place: OwnedSemaphorePermit,
}

impl WorkQueue {
    /// A queue that runs as many pieces at once as this machine has cores, and answers with this problem when
    /// it is full.
    pub fn for_this_machine(full: ProblemType) -> WorkQueue {
        WorkQueue::new(std::thread::available_parallelism().map_or(1, usize::from), full)
    }

    fn new(cores: usize, full: ProblemType) -> WorkQueue {
        let of = |permits| Arc::new(Semaphore::new(permits));
        WorkQueue { places: of(cores * (1 + WAITING)), cores: of(cores), full }
    }

    /// Waits for a turn, first come, first served. A problem is returned where too many requests wait
    /// already.
    pub async fn turn(&self) -> Result<WorkTurn, Problem> {
        let full = |_| Problem::new(self.full, "too many run and wait already; try again in a moment");
        let place = Arc::clone(&self.places).try_acquire_owned().map_err(full)?;
        let closed = |_| Problem::new(ProblemType::Unavailable, STOPPING);
        let core = Arc::clone(&self.cores).acquire_owned().await.map_err(closed)?;
        Ok(WorkTurn { _core: core, _place: place })
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;

    #[test]
    fn as_many_run_as_there_are_cores_some_wait_and_the_others_are_refused() {
        let queue = WorkQueue::new(2, ProblemType::AuditsFull);
        let turn = || Box::pin(queue.turn());
        let mut running: Vec<WorkTurn> =
            (0..2).map(|_| turn().now_or_never().expect("a core is free").expect("a turn")).collect();
        let mut waiting: Vec<_> = (0..8).map(|_| turn()).collect();
        assert!(waiting.iter_mut().all(|turn| turn.now_or_never().is_none()));
        let refused = turn().now_or_never().expect("the queue is full").expect_err("no turn");
        assert_eq!(refused.kind(), ProblemType::AuditsFull);
        running.pop();
        let next = waiting.remove(0).now_or_never().expect("a core is free").expect("a turn");
        assert!(waiting.iter_mut().all(|turn| turn.now_or_never().is_none()));
        // A request that stops waiting frees its place.
        waiting.truncate(4);
        assert!(turn().now_or_never().is_none());
        drop((next, running, waiting));
        assert_eq!((queue.cores.available_permits(), queue.places.available_permits()), (2, 10));
    }

    #[test]
    fn a_request_that_waits_in_a_closed_queue_is_told_that_the_service_stops() {
        let queue = WorkQueue::new(1, ProblemType::AuditsFull);
        let running = queue.turn().now_or_never().expect("a core is free").expect("a turn");
        let mut waiting = Box::pin(queue.turn());
        assert!(waiting.as_mut().now_or_never().is_none());
        queue.cores.close();
        let refused = waiting.now_or_never().expect("the queue is closed").expect_err("no turn");
        assert_eq!((refused.kind(), refused.to_string()), (ProblemType::Unavailable, STOPPING.to_owned()));
        drop(running);
    }
}
