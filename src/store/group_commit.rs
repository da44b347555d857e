use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::thread;

use tokio::runtime::Builder;
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};
use tokio::sync::oneshot;

use super::{Append, EventStore, StoreError};
use crate::metrics::Metrics;

/// How appends are brought to the store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CommitMode {
    /// Those that come in while others are being written go together, when that is done.
    Group,
    /// Each in a transaction of its own, for engines that spread matches over machines.
    Single,
}

impl CommitMode {
    /// How many writes go on at the same time.
    const fn lanes(self) -> usize {
        match self {
            CommitMode::Group => 1,
            CommitMode::Single => 8,
        }
    }
}

/// Brings appends to the store.
///
/// A transaction costs about the same for one append as for many, so while one is being written others wait and then go
/// together. Nobody waits for company: where nothing is being written, an append is written at once, on the thread that
/// brings it. What has come in meanwhile is written by a thread of its own, until nobody waits.
pub struct GroupCommitter(Arc<Shared>);

struct Shared {
    store: Arc<dyn EventStore>,
    commit: CommitMode,
    metrics: Metrics,
    queue: Mutex<Queue>,
    /// Passes a turn to write on to the thread.
    turns: UnboundedSender<WritePermit>,
}

#[derive(Default)]
struct Queue {
    waiting: VecDeque<Waiting>,
    /// How many turns to write are taken.
    writing: usize,
}

/// An append that waits to be written, and who waits for it.
struct Waiting {
    append: Append,
    told: oneshot::Sender<Result<(), StoreError>>,
}

/// A turn to write. Dropped, wherever that is, it goes to those who wait, or is free again.
struct WritePermit(Weak<Shared>);

impl GroupCommitter {
    /// Brings appends to this store, with a thread that ends when this is dropped.
    pub fn start(
        store: Arc<dyn EventStore>,
        commit: CommitMode,
        metrics: Metrics,
    ) -> std::io::Result<GroupCommitter> {
        let (turns, mut taken) = unbounded_channel::<WritePermit>();
        let runtime = Builder::new_current_thread().enable_all().build()?;
        thread::Builder::new().name("appender".to_owned()).spawn(move || {
            runtime.block_on(async {
                while let Some(turn) = taken.recv().await {
                    tokio::spawn(turn.write_what_waits());
                }
            });
        })?;
        Ok(GroupCommitter(Arc::new(Shared { store, commit, metrics, queue: Mutex::default(), turns })))
    }

    /// Appends, all of it or nothing. What is being written is written to the end, also where nobody waits for it any
    /// more.
    pub async fn append(&self, append: Append) -> Result<(), StoreError> {
        let ended = || StoreError::Unsure("what was writing has ended".to_owned());
        match self.0.enter(append) {
            Ok((turn, append)) => tokio::spawn(turn.write_one(append)).await.map_err(|_| ended())?,
            Err(told) => told.await.map_err(|_| ended())?,
        }
    }
}

impl Shared {
    /// A turn to write, if there is one, or a place among those who wait.
    fn enter(
        self: &Arc<Self>,
        append: Append,
    ) -> Result<(WritePermit, Append), oneshot::Receiver<Result<(), StoreError>>> {
        let mut queue = self.queue();
        if queue.writing < self.commit.lanes() {
            queue.writing += 1;
            return Ok((WritePermit(Arc::downgrade(self)), append));
        }
        let (told, waiting) = oneshot::channel();
        queue.waiting.push_back(Waiting { append, told });
        Err(waiting)
    }

    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Those who wait, as many as may go together.
    fn take(&self) -> (Vec<Append>, Vec<oneshot::Sender<Result<(), StoreError>>>) {
        let mut queue = self.queue();
        let most = match self.commit {
            CommitMode::Group => self.store.most_at_once(),
            CommitMode::Single => 1,
        };
        let some = most.min(queue.waiting.len());
        queue.waiting.drain(..some).map(|Waiting { append, told }| (append, told)).unzip()
    }

    async fn write(&self, appends: &[Append]) -> Vec<Result<(), StoreError>> {
        self.metrics.record_appends_at_once(appends.len());
        self.store.write(appends).await
    }
}

impl WritePermit {
    /// Writes one append by itself.
    async fn write_one(self, append: Append) -> Result<(), StoreError> {
        let nothing = || StoreError::Failed("nothing was written".to_owned());
        let shared = self.0.upgrade().ok_or_else(nothing)?;
        shared.write(&[append]).await.pop().unwrap_or_else(|| Err(nothing()))
    }

    /// Writes what waits, together, until nothing does.
    async fn write_what_waits(self) {
        while let Some(shared) = self.0.upgrade() {
            let (appends, told) = shared.take();
            if appends.is_empty() {
                return;
            }
            for (result, told) in shared.write(&appends).await.into_iter().zip(told) {
                // Whoever asked may have gone away; it is written all the same.
                let _ = told.send(result);
            }
        }
    }
}

impl Drop for WritePermit {
    fn drop(&mut self) {
        let Some(shared) = self.0.upgrade() else { return };
        let mut queue = shared.queue();
        if shared.turns.is_closed() {
            // The thread has ended with the process: those who wait are told so.
            queue.waiting.clear();
        }
        if queue.waiting.is_empty() {
            queue.writing -= 1;
        } else {
            let handed_on = shared.turns.send(WritePermit(Weak::clone(&self.0)));
            // What comes back may not be dropped under this lock.
            drop(queue);
            drop(handed_on);
        }
    }
}
