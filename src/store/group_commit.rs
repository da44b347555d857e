//! The group commit: appends that arrive while others are written share the next transaction.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::thread;

use tokio::runtime::Builder;
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};
use tokio::sync::oneshot;
use tracing::Instrument;
use tracing::field::Empty;

use super::{Append, EventStore, StoreError};
use crate::metrics::Metrics;

/// The most bytes of events and pages that waiting appends write together, so that the balls before an
/// amendment of hundreds of events are committed without it. A larger append is written by itself.
const MOST_BYTES: usize = 64 * 1024;

/// The way in which appends are committed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CommitMode {
    /// Appends that arrive while others are written share the next transaction.
    Group,
    /// Each append has a transaction of its own, for engines that spread matches over machines. So has each
    /// match that is rebuilt or swept.
    Single {
        /// The most writes at the same time.
        writers: u16,
    },
}

impl CommitMode {
    /// The most writes at the same time, where nothing else is asked for.
    pub const WRITERS: u16 = 8;

    /// The most writes at the same time.
    fn lanes(self) -> usize {
        match self {
            CommitMode::Group => 1,
            CommitMode::Single { writers } => usize::from(writers),
        }
    }
}

/// The committer of appends.
///
/// A transaction costs about the same for one append as for many, so appends that arrive while one is written
/// wait, and are then written together. An append never waits for others to arrive: where nothing is being
/// written, it is written at once, by the caller's runtime. Waiting appends are written by a thread of its
/// own, until none is left.
pub struct GroupCommitter(Arc<Shared>);

struct Shared {
    store: Arc<dyn EventStore>,
    commit: CommitMode,
    metrics: Metrics,
    queue: Mutex<Queue>,
    /// Passes a write permit on to the thread.
    permits: UnboundedSender<WritePermit>,
}

#[derive(Default)]
struct Queue {
    waiting: VecDeque<Waiting>,
    /// The number of write permits in use.
    writing: usize,
}

/// The channel for the result of an append.
type ReplySender = oneshot::Sender<Result<(), StoreError>>;

/// An append that waits to be written, with the channel for its result.
struct Waiting {
    append: Append,
    reply: ReplySender,
}

/// A permit to write. When it is dropped, wherever that happens, it passes to the waiting appends, or is free
/// again.
struct WritePermit(Weak<Shared>);

impl GroupCommitter {
    /// Starts a committer for this store, with a thread that ends when the committer is dropped.
    pub fn start(
        store: Arc<dyn EventStore>,
        commit: CommitMode,
        metrics: Metrics,
    ) -> std::io::Result<GroupCommitter> {
        let (permits, mut taken) = unbounded_channel::<WritePermit>();
        let runtime = Builder::new_current_thread().enable_all().build()?;
        thread::Builder::new().name("appender".to_owned()).spawn(move || {
            runtime.block_on(async {
                while let Some(turn) = taken.recv().await {
                    tokio::spawn(turn.write_waiting());
                }
            });
        })?;
        Ok(GroupCommitter(Arc::new(Shared { store, commit, metrics, queue: Mutex::default(), permits })))
    }

    /// The number of appends that wait for the next transaction.
    pub fn waiting(&self) -> usize {
        self.0.queue().waiting.len()
    }

    /// The most matches that are written in one transaction.
    pub fn most_at_once(&self) -> usize {
        self.0.most_at_once()
    }

    /// Appends atomically. A write that has begun goes on to its end, even if the caller stops waiting.
    pub async fn append(&self, append: Append) -> Result<(), StoreError> {
        let ended = || StoreError::Unsure(None, "the thread that writes has ended".to_owned());
        match self.0.enter(append) {
            Ok((turn, append)) => {
                let written = turn.write_one(append).in_current_span();
                tokio::spawn(written).await.map_err(|_| ended())?
            }
            Err(reply) => reply.await.map_err(|_| ended())?,
        }
    }
}

impl Shared {
    /// Takes a write permit, if one is free, or queues the append.
    fn enter(
        self: &Arc<Self>,
        append: Append,
    ) -> Result<(WritePermit, Append), oneshot::Receiver<Result<(), StoreError>>> {
        let mut queue = self.queue();
        if queue.writing < self.commit.lanes() {
            queue.writing += 1;
            return Ok((WritePermit(Arc::downgrade(self)), append));
        }
        let (reply, waiting) = oneshot::channel();
        queue.waiting.push_back(Waiting { append, reply });
        Err(waiting)
    }

    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn most_at_once(&self) -> usize {
        match self.commit {
            CommitMode::Group => self.store.most_at_once(),
            CommitMode::Single { .. } => 1,
        }
    }

    /// Takes the waiting appends, as many as may be written together.
    fn take(&self) -> (Vec<Append>, Vec<ReplySender>) {
        let mut queue = self.queue();
        let sizes = queue.waiting.iter().map(|waiting| waiting.append.bytes());
        let some = together(sizes, self.most_at_once());
        let taken = queue.waiting.drain(..some);
        taken.map(|Waiting { append, reply }| (append, reply)).unzip()
    }

    /// Writes appends together, in a span that has the ids of their matches.
    async fn write(&self, appends: &[Append]) -> Vec<Result<(), StoreError>> {
        self.metrics.record_appends_at_once(appends.len());
        let span = tracing::info_span!("write", appends = appends.len(), match_id = Empty);
        if !span.is_disabled() {
            let ids: Vec<String> = appends.iter().map(|append| append.match_id.to_string()).collect();
            span.record("match_id", ids.join(","));
        }
        let writing = async {
            let written = self.store.write(appends).await;
            tracing::debug!(stored = written.iter().flatten().count(), "appends are written");
            written
        };
        writing.instrument(span).await
    }
}

/// The number of appends of these sizes that are written together: the first, and those after it up to a
/// count and up to [`MOST_BYTES`].
fn together(sizes: impl Iterator<Item = usize>, most: usize) -> usize {
    let mut bytes = 0;
    let fits = |(place, size): &(usize, usize)| {
        bytes += size;
        *place == 0 || bytes <= MOST_BYTES
    };
    sizes.take(most).enumerate().take_while(fits).count()
}

impl WritePermit {
    /// Writes one append by itself.
    async fn write_one(self, append: Append) -> Result<(), StoreError> {
        let shared = self.0.upgrade().ok_or(StoreError::Closed)?;
        let nothing = || Err(StoreError::Failed("nothing was written".to_owned()));
        shared.write(&[append]).await.pop().unwrap_or_else(nothing)
    }

    /// Writes the waiting appends together, until none is left.
    async fn write_waiting(self) {
        while let Some(shared) = self.0.upgrade() {
            let (appends, reply) = shared.take();
            if appends.is_empty() {
                return;
            }
            for (result, reply) in shared.write(&appends).await.into_iter().zip(reply) {
                // The caller may have gone away; its append is written all the same.
                let _ = reply.send(result);
            }
        }
    }
}

impl Drop for WritePermit {
    fn drop(&mut self) {
        let Some(shared) = self.0.upgrade() else { return };
        let mut queue = shared.queue();
        if shared.permits.is_closed() {
            // The thread has ended with the process, and writes nothing any more.
            for Waiting { reply, .. } in queue.waiting.drain(..) {
                // The caller may have gone away.
                let _ = reply.send(Err(StoreError::Closed));
            }
        }
        if queue.waiting.is_empty() {
            queue.writing -= 1;
        } else {
            let handed_on = shared.permits.send(WritePermit(Weak::clone(&self.0)));
            // A permit that could not be sent comes back, and may not be dropped under this lock.
            drop(queue);
            drop(handed_on);
        }
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;
    use crate::commands::Secrets;
    use crate::log::{Head, MatchId};
    use crate::store::{Migrate, SqliteStore};
    use crate::views::Rows;

    fn append() -> Append {
        let (game, home, away, status) = (String::new(), String::new(), String::new(), "created");
        let rows = Rows { game, home, away, status, last_at: 0, summary: String::new(), pages: Vec::new() };
        Append {
            match_id: MatchId::now_v7(),
            expected: Head { seq: 0, hash: String::new() },
            token: None,
            events: Arc::new([]),
            rows: Some(rows),
            idempotency: None,
            secrets: Secrets::default(),
        }
    }

    #[tokio::test]
    async fn an_append_to_an_ended_writer_is_refused_and_not_written() {
        let file = std::env::temp_dir().join(format!("third-umpire-{}.db", Uuid::now_v7()));
        let store = SqliteStore::open(&format!("sqlite://{}", file.display()), Migrate::Apply).await;
        let store: Arc<dyn EventStore> = Arc::new(store.expect("the folder is ours"));
        let (permits, ended) = unbounded_channel();
        drop(ended);
        let metrics = Metrics::new().expect("they are recorded once");
        let queue = Mutex::default();
        let committer = Arc::new(Shared {
            store: Arc::clone(&store),
            commit: CommitMode::Group,
            metrics,
            queue,
            permits,
        });
        let Ok((permit, _)) = committer.enter(append()) else { panic!("nobody writes") };
        let Err(waiting) = committer.enter(append()) else { panic!("somebody writes") };
        drop(permit);
        let refused = waiting.await.expect("an answer").expect_err("nobody writes it");
        assert!(matches!(refused, StoreError::Closed), "{refused}");
        assert!(store.match_ids(None, 1).await.expect("the store is open").is_empty());
        store.close().await;
        std::fs::remove_file(file).expect("the file is ours");
    }

    #[test]
    fn a_large_append_is_written_by_itself_and_small_ones_together() {
        let balls = [600; 20];
        assert_eq!(together(balls.into_iter(), 16), 16);
        assert_eq!(together(balls.into_iter().take(3), 16), 3);
        let amendment = 300 * 700;
        assert_eq!(together([amendment].into_iter().chain(balls), 16), 1);
        assert_eq!(together([600, 600, amendment, 600].into_iter(), 16), 2);
        assert_eq!(together([MOST_BYTES - 600, 600, 1].into_iter(), 16), 2);
        assert_eq!(together(std::iter::empty(), 16), 0);
    }
}
