//! The queue of audits and of checks of editions, which bounds the work that strangers can give to the
//! service.

use std::sync::Arc;

use super::problem::STOPPING;
use crate::commands::{Problem, ProblemType};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// How many requests may wait for each one that runs. The audit of a usual log takes some milliseconds, that
/// of the largest a second or two; so a request in a queue of this length is answered while its sender still
/// looks at the screen.
const WAITING: usize = 4;

/// The queue of audits of logs and of checks of editions, which anybody may ask for. As many run as there are
/// cores, and a few wait.
#[derive(Debug)]
pub struct AuditQueue {
    places: Arc<Semaphore>,
    cores: Arc<Semaphore>,
}

/// The permit to run an audit or a check, held until it is dropped.
#[derive(Debug)]
pub struct AuditTurn {
    _core: OwnedSemaphorePermit,
    _place: OwnedSemaphorePermit,
}

impl AuditQueue {
    /// A queue that runs as many audits as this machine has cores.
    pub fn for_this_machine() -> AuditQueue {
        AuditQueue::new(std::thread::available_parallelism().map_or(1, usize::from))
    }

    fn new(cores: usize) -> AuditQueue {
        let of = |permits| Arc::new(Semaphore::new(permits));
        AuditQueue { places: of(cores * (1 + WAITING)), cores: of(cores) }
    }

    /// Waits for a turn, first come, first served. A problem is returned where too many requests wait
    /// already.
    pub async fn turn(&self) -> Result<AuditTurn, Problem> {
        let full =
            |_| Problem::new(ProblemType::AuditsFull, "too many audits run and wait; try again in a moment");
        let place = Arc::clone(&self.places).try_acquire_owned().map_err(full)?;
        let closed = |_| Problem::new(ProblemType::Unavailable, STOPPING);
        let core = Arc::clone(&self.cores).acquire_owned().await.map_err(closed)?;
        Ok(AuditTurn { _core: core, _place: place })
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;

    #[test]
    fn as_many_run_as_there_are_cores_some_wait_and_the_others_are_refused() {
        let queue = AuditQueue::new(2);
        let turn = || Box::pin(queue.turn());
        let mut running: Vec<AuditTurn> =
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
        let queue = AuditQueue::new(1);
        let running = queue.turn().now_or_never().expect("a core is free").expect("a turn");
        let mut waiting = Box::pin(queue.turn());
        assert!(waiting.as_mut().now_or_never().is_none());
        queue.cores.close();
        let refused = waiting.now_or_never().expect("the queue is closed").expect_err("no turn");
        assert_eq!((refused.kind(), refused.to_string()), (ProblemType::Unavailable, STOPPING.to_owned()));
        drop(running);
    }
}
