//! Work that keeps a core busy for longer than other requests should wait, on a thread of its own.

use tokio::task::{JoinError, spawn_blocking};

use super::problem::STOPPING;
use crate::commands::{Problem, ProblemType};

/// Runs work on a thread of its own. The problem of work that panics has this detail.
pub async fn on_own_thread<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
    failed: &'static str,
) -> Result<T, Problem> {
    spawn_blocking(work).await.map_err(|ended: JoinError| {
        if ended.is_panic() {
            return Problem::new(ProblemType::Internal, failed);
        }
        // The threads end with the service, and what waits for one is not begun any more.
        Problem::new(ProblemType::Unavailable, STOPPING)
    })
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;
    use tokio::runtime::Builder;

    use super::*;

    const FAILED: &str = "the work did not finish";

    fn problem(ran: Result<(), Problem>) -> (ProblemType, String) {
        let problem = ran.expect_err("the work does not end");
        (problem.kind(), problem.to_string())
    }

    #[tokio::test]
    async fn work_that_panics_is_a_fault_of_the_service() {
        let ran = on_own_thread(|| panic!("the test wants it"), FAILED).await;
        assert_eq!(problem(ran), (ProblemType::Internal, FAILED.to_owned()));
    }

    #[test]
    fn work_that_finds_no_thread_any_more_is_told_that_the_service_stops() {
        let runtime = Builder::new_current_thread().build().expect("a runtime can be built");
        let ended = runtime.handle().clone();
        drop(runtime);
        let _inside = ended.enter();
        let ran = on_own_thread(|| (), FAILED).now_or_never().expect("nothing is waited for");
        assert_eq!(problem(ran), (ProblemType::Unavailable, STOPPING.to_owned()));
    }
}
