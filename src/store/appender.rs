use std::sync::Arc;
use std::thread;

use tokio::runtime::Builder;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::sync::{Mutex, oneshot};

use super::{Append, EventStore, StoreError};

/// How appends are brought to the store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Commit {
    /// Those that come in while others are being written go together, when that is done.
    Together,
    /// Each in a transaction of its own, for engines that spread matches over machines.
    Alone,
}

impl Commit {
    /// The most appends that are written at once.
    const fn most(self) -> usize {
        match self {
            Commit::Together => 64,
            Commit::Alone => 1,
        }
    }

    /// How many writes go on at the same time.
    const fn lanes(self) -> usize {
        match self {
            Commit::Together => 1,
            Commit::Alone => 8,
        }
    }
}

/// Brings appends to the store, on a thread of its own.
///
/// A transaction costs about the same for one append as for many, so while one is being written others wait and then go
/// together. Nobody waits for company: where nothing is being written, an append is written at once.
pub struct Appender {
    inbox: UnboundedSender<Waiting>,
}

/// An append that waits to be written, and who waits for it.
struct Waiting {
    append: Append,
    told: oneshot::Sender<Result<(), StoreError>>,
}

impl Appender {
    /// Starts the thread that writes to `store`; it ends when the appender is dropped.
    pub fn start(store: Arc<dyn EventStore>, commit: Commit) -> std::io::Result<Appender> {
        let (inbox, waiting) = unbounded_channel();
        let runtime = Builder::new_current_thread().enable_all().build()?;
        thread::Builder::new().name("appender".to_owned()).spawn(move || {
            let waiting = Mutex::new(waiting);
            let lanes = (0..commit.lanes()).map(|_| write_on(store.as_ref(), &waiting, commit.most()));
            runtime.block_on(futures_util::future::join_all(lanes));
        })?;
        Ok(Appender { inbox })
    }

    /// Appends, all of it or nothing.
    pub async fn append(&self, append: Append) -> Result<(), StoreError> {
        let gone = || StoreError::Unsure("the thread that writes has ended".to_owned());
        let (told, result) = oneshot::channel();
        self.inbox.send(Waiting { append, told }).map_err(|_| gone())?;
        result.await.map_err(|_| gone())?
    }
}

/// Writes what waits, again and again, until nobody can append any more.
async fn write_on(store: &dyn EventStore, waiting: &Mutex<UnboundedReceiver<Waiting>>, most: usize) {
    loop {
        let mut taken = Vec::new();
        if waiting.lock().await.recv_many(&mut taken, most).await == 0 {
            return;
        }
        let (appends, told): (Vec<Append>, Vec<_>) =
            taken.into_iter().map(|Waiting { append, told }| (append, told)).unzip();
        metrics::histogram!("third_umpire_appends_at_once").record(appends.len() as f64);
        for (result, told) in store.write(&appends).await.into_iter().zip(told) {
            // Whoever asked may have gone away; it is written all the same.
            let _ = told.send(result);
        }
    }
}
