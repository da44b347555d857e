use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;

use uuid::Uuid;

use crate::simulate::{Progress, Report, Simulation, Unfinished};

/// A simulation in the queue: what it is, how far it has come, what it came to.
#[derive(Debug)]
pub struct Queued {
    /// Its id.
    pub id: Uuid,
    /// What is simulated.
    pub simulation: Simulation,
    /// How far it has come.
    pub progress: Progress,
    status: Mutex<Status>,
}

/// Where a simulation in the queue stands.
#[derive(Debug, Clone)]
pub enum Status {
    /// Others come first.
    Waiting,
    /// It is being played.
    Running,
    /// It has come to its end.
    Completed(Arc<Report>),
    /// Somebody stopped it.
    Cancelled,
    /// It broke off.
    Failed(String),
}

/// Why a simulation is not taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NotTaken {
    /// Too many wait.
    #[error("{} simulations are waiting, and no more can; try again later", Queue::MOST_WAITING)]
    Full,
    /// It is shutting down.
    #[error("the service is about to stop; try again later")]
    Closing,
    /// The system gives no thread.
    #[error("there is no thread for it now; try again later")]
    NoThread,
}

/// Simulations in the background: one is played at a time, in the order they came. The results are kept in memory
/// only, those of the last hundred.
#[derive(Debug)]
pub struct Queue {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    held: Mutex<Held>,
    threads: usize,
}

#[derive(Debug, Default)]
struct Held {
    /// Those that have not been forgotten, the oldest first.
    known: VecDeque<Arc<Queued>>,
    waiting: VecDeque<Arc<Queued>>,
    /// Whether there is a thread that takes them.
    taking: bool,
    closing: bool,
}

impl Queued {
    /// Where it stands.
    pub fn status(&self) -> Status {
        locked(&self.status).clone()
    }

    /// Moves on, unless it has come to an end already.
    fn move_on(&self, to: Status) {
        let mut status = locked(&self.status);
        if matches!(*status, Status::Waiting | Status::Running) {
            *status = to;
        }
    }

    fn is_over(&self) -> bool {
        !matches!(*locked(&self.status), Status::Waiting | Status::Running)
    }

    fn cancel(&self) {
        self.move_on(Status::Cancelled);
        self.progress.stop();
    }

    fn play(&self, threads: usize) -> Status {
        // In a thread of its own, so that a panic is the end of this simulation only.
        let run = || self.simulation.run(threads, &self.progress, None);
        let ran = thread::scope(|scope| {
            let player = thread::Builder::new().name("simulation".to_owned()).spawn_scoped(scope, run);
            player.map(|player| player.join())
        });
        let Ok(ran) = ran else { return Status::Failed(NotTaken::NoThread.to_string()) };
        match ran {
            Ok(Ok(report)) => Status::Completed(Arc::new(report)),
            Ok(Err(Unfinished::Stopped { .. })) => Status::Cancelled,
            Ok(Err(fault)) => Status::Failed(fault.to_string()),
            Err(_) => Status::Failed("the service is at fault".to_owned()),
        }
    }
}

impl Queue {
    /// The most matches a simulation in the queue may have.
    pub const MOST_MATCHES: u64 = 1_000_000;
    /// The most simulations that can wait.
    pub const MOST_WAITING: usize = 8;
    /// The most simulations that are kept when they are over.
    pub const MOST_KEPT: usize = 100;

    /// A queue whose simulations are played on so many threads.
    pub fn new(threads: usize) -> Queue {
        Queue { shared: Arc::new(Shared { held: Mutex::default(), threads }) }
    }

    /// Takes a simulation; it begins as soon as those before it are over.
    pub fn submit(&self, simulation: Simulation) -> Result<Arc<Queued>, NotTaken> {
        let mut held = locked(&self.shared.held);
        if held.closing {
            return Err(NotTaken::Closing);
        }
        if held.waiting.len() >= Self::MOST_WAITING {
            return Err(NotTaken::Full);
        }
        if !held.taking {
            let shared = Arc::clone(&self.shared);
            let taker = thread::Builder::new().name("simulations".to_owned()).spawn(move || shared.take());
            held.taking = taker.map_err(|_| NotTaken::NoThread).map(|_| true)?;
        }
        let queued = Arc::new(Queued {
            id: Uuid::now_v7(),
            simulation,
            progress: Progress::default(),
            status: Mutex::new(Status::Waiting),
        });
        held.waiting.push_back(Arc::clone(&queued));
        held.known.push_back(Arc::clone(&queued));
        held.forget();
        Ok(queued)
    }

    /// The simulation of this id, unless there is none or it has been forgotten.
    pub fn find(&self, id: Uuid) -> Option<Arc<Queued>> {
        locked(&self.shared.held).known.iter().find(|queued| queued.id == id).cloned()
    }

    /// Cancels the simulation of this id, if it is not over.
    pub fn cancel(&self, id: Uuid) -> Option<Arc<Queued>> {
        let queued = self.find(id)?;
        queued.cancel();
        locked(&self.shared.held).waiting.retain(|waiting| waiting.id != id);
        Some(queued)
    }

    /// Cancels all there are, and takes no more.
    pub fn close(&self) {
        let mut held = locked(&self.shared.held);
        held.closing = true;
        held.waiting.clear();
        held.known.iter().for_each(|queued| queued.cancel());
    }
}

impl Held {
    /// Forgets the oldest of those that are over, until no more are left than are kept.
    fn forget(&mut self) {
        let over = self.known.iter().filter(|queued| queued.is_over()).count();
        let mut too_many = over.saturating_sub(Queue::MOST_KEPT);
        self.known.retain(|queued| {
            let forgotten = too_many > 0 && queued.is_over();
            too_many -= usize::from(forgotten);
            !forgotten
        });
    }
}

impl Shared {
    /// Plays what waits, one after the other, until nothing does.
    fn take(&self) {
        while let Some(queued) = self.next() {
            queued.move_on(Status::Running);
            let came_to = queued.play(self.threads);
            queued.move_on(came_to);
        }
    }

    fn next(&self) -> Option<Arc<Queued>> {
        let mut held = locked(&self.held);
        let next = held.waiting.pop_front();
        held.taking = next.is_some();
        next
    }
}

/// What was being written when a thread panicked is a word or a list that is whole.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
