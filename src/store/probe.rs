//! The probe of a store: whether events can be stored, by the last append, or by a small write in the
//! background.
//!
//! A database that answers may still store nothing: its disk is full, its file read-only, its server a hot
//! standby. The probe writes only when it is asked, and callers seldom wait: an outcome is valid for a while.

use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::watch;
use tokio::task::JoinHandle;

use super::{EventStore, Obstacle, StoreError};

/// How long an outcome is valid, and so the shortest time between two writes.
const VALID_FOR: Duration = Duration::from_secs(5);
/// How long a caller waits for an outcome.
const PATIENCE: Duration = Duration::from_secs(3);
/// The time after which a write is given up.
const LONGEST: Duration = Duration::from_secs(30);

/// The outcome of a write, and its time.
#[derive(Clone)]
struct WriteOutcome {
    at: Instant,
    result: Result<(), StoreError>,
}

/// A small write on its way.
type Writing = Pin<Box<dyn Future<Output = Result<(), StoreError>> + Send>>;

/// A probe that finds out whether events can be stored.
pub struct Probe(Arc<Shared>);

struct Shared {
    write: Box<dyn Fn() -> Writing + Send + Sync>,
    holds: Duration,
    outcome: watch::Sender<Option<WriteOutcome>>,
    /// The last write, and when it began.
    begun: Mutex<Option<(Instant, JoinHandle<()>)>>,
}

impl Probe {
    /// A probe of this store, which writes nothing until it is asked.
    pub fn of(store: Arc<dyn EventStore>) -> Probe {
        Probe::with(VALID_FOR, move || {
            let store = Arc::clone(&store);
            Box::pin(async move { store.probe().await })
        })
    }

    fn with(holds: Duration, write: impl Fn() -> Writing + Send + Sync + 'static) -> Probe {
        let (outcome, begun) = (watch::Sender::new(None), Mutex::default());
        Probe(Arc::new(Shared { write: Box::new(write), holds, outcome, begun }))
    }

    /// Checks that events could be stored a moment ago. Where no outcome is valid, a small write is made now.
    pub async fn ask(&self) -> Result<(), StoreError> {
        let mut outcome = self.0.outcome.subscribe();
        if let Some(known) = outcome.borrow_and_update().as_ref().filter(|known| self.0.is_valid(known)) {
            return known.result.clone();
        }
        self.begin();
        let told = tokio::time::timeout(PATIENCE, outcome.changed()).await.is_ok();
        let known = outcome.borrow().clone().filter(|_| told);
        let late = || Err(StoreError::Unavailable("a small write does not come back".to_owned()));
        known.map_or_else(late, |known| known.result)
    }

    /// Takes the result of an append as an outcome, where it shows the state of the database.
    pub fn record(&self, appended: &Result<(), StoreError>) {
        match appended {
            Ok(()) => self.0.set_outcome(appended.clone()),
            // A broken page may affect one match alone, and a read-only server may be a standby: a probe of
            // its own finds out.
            Err(StoreError::Hindered(Obstacle::Corrupt | Obstacle::ReadOnly, _)) => self.begin(),
            Err(StoreError::Hindered(..)) => self.0.set_outcome(appended.clone()),
            // Another writer may have blocked this append alone.
            Err(
                StoreError::Unavailable(_)
                | StoreError::Unsure(..)
                | StoreError::Denied(_)
                | StoreError::Failed(_),
            ) => self.begin(),
            Err(
                StoreError::Conflict | StoreError::Closed | StoreError::Address(_) | StoreError::Migration(_),
            ) => {}
        }
    }

    /// Begins a write in the background, unless one is running or has begun a moment ago.
    fn begin(&self) {
        let mut begun = self.0.begun();
        let is_early = |at: &Instant| at.elapsed() < self.0.holds;
        if begun.as_ref().is_some_and(|(at, writing)| is_early(at) || !writing.is_finished()) {
            return;
        }
        let shared = Arc::clone(&self.0);
        let writing = tokio::spawn(async move {
            let late = |_| StoreError::Unavailable("a small write has not ended".to_owned());
            let written = tokio::time::timeout(LONGEST, (shared.write)()).await.map_err(late);
            shared.set_outcome(written.flatten());
        });
        *begun = Some((Instant::now(), writing));
    }
}

impl Shared {
    fn is_valid(&self, known: &WriteOutcome) -> bool {
        known.at.elapsed() < self.holds
    }

    fn set_outcome(&self, result: Result<(), StoreError>) {
        let before =
            self.outcome.send_replace(Some(WriteOutcome { at: Instant::now(), result: result.clone() }));
        let was_well = before.is_none_or(|before| before.result.is_ok());
        match result {
            Err(error) if was_well => tracing::warn!(%error, "nothing can be stored"),
            Ok(()) if !was_well => tracing::info!("the database stores again"),
            Ok(()) | Err(_) => {}
        }
    }

    fn begun(&self) -> MutexGuard<'_, Option<(Instant, JoinHandle<()>)>> {
        self.begun.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use futures_util::future::join_all;

    use super::*;

    const FOR_EVER: Duration = Duration::MAX;

    /// A probe whose writes come to this, and how many there were.
    fn probe(holds: Duration, comes_to: Result<(), StoreError>) -> (Probe, Arc<AtomicUsize>) {
        let writes = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&writes);
        let probe = Probe::with(holds, move || {
            counted.fetch_add(1, Ordering::SeqCst);
            let comes_to = comes_to.clone();
            Box::pin(async move {
                tokio::task::yield_now().await;
                comes_to
            })
        });
        (probe, writes)
    }

    fn full() -> Result<(), StoreError> {
        Err(StoreError::Hindered(Obstacle::DiskFull, "13".to_owned()))
    }

    #[tokio::test]
    async fn nothing_is_written_until_somebody_asks_and_whoever_asks_meanwhile_shares_it() {
        let (probe, writes) = probe(FOR_EVER, Ok(()));
        tokio::task::yield_now().await;
        assert_eq!(writes.load(Ordering::SeqCst), 0);
        let told = join_all((0..10).map(|_| probe.ask())).await;
        assert!(told.iter().all(Result::is_ok), "{told:?}");
        assert!(probe.ask().await.is_ok());
        assert_eq!(writes.load(Ordering::SeqCst), 1, "what it came to holds");
    }

    #[tokio::test]
    async fn an_expired_outcome_is_probed_again() {
        let (probe, writes) = probe(Duration::ZERO, full());
        for asked in 1..=3 {
            let told = probe.ask().await.expect_err("nothing can be written").to_string();
            assert!(told.contains("the disk is full"), "{told}");
            assert_eq!(writes.load(Ordering::SeqCst), asked);
        }
    }

    #[tokio::test]
    async fn an_append_is_as_good_as_a_probe() {
        let (probe, writes) = probe(FOR_EVER, full());
        probe.record(&Ok(()));
        assert!(probe.ask().await.is_ok());
        probe.record(&Err(StoreError::Conflict));
        assert!(probe.ask().await.is_ok(), "a lost race says nothing about the database");
        probe.record(&full());
        assert!(probe.ask().await.is_err());
        assert_eq!(writes.load(Ordering::SeqCst), 0);
        probe.record(&Err(StoreError::Unavailable("locked".to_owned())));
        assert!(probe.ask().await.is_err(), "the last that is known");
        tokio::task::yield_now().await;
        assert_eq!(
            writes.load(Ordering::SeqCst),
            1,
            "an append that failed has it found out, nobody knows why"
        );
    }
}
