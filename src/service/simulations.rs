//! The queue of simulations in the background: one is played at a time, and the last hundred results are kept
//! in memory.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;

use uuid::Uuid;

use crate::simulate::{Progress, Simulation, SimulationReport, Unfinished};

/// A simulation in the queue, with its progress and its status.
#[derive(Debug)]
pub struct QueuedSimulation {
    /// The simulation's id.
    pub id: Uuid,
    /// The simulation itself.
    pub simulation: Simulation,
    /// The progress of the simulation.
    pub progress: Progress,
    status: Mutex<SimulationStatus>,
}

/// The status of a simulation in the queue.
#[derive(Debug, Clone)]
pub enum SimulationStatus {
    /// The simulation waits for others.
    Waiting,
    /// The simulation is being played.
    Running,
    /// The simulation is finished, with this report.
    Completed(Arc<SimulationReport>),
    /// The simulation was cancelled.
    Cancelled,
    /// The simulation failed, for this reason.
    Failed(String),
}

/// The refusal of a new simulation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum QueueRefusal {
    /// Too many simulations wait already.
    #[error("{} simulations are waiting, and no more can; try again later", SimulationQueue::MOST_WAITING)]
    Full,
    /// The service is shutting down.
    #[error("the service is stopping; try again later")]
    Closing,
    /// The operating system gives no thread.
    #[error("there is no thread for the simulation now; try again later")]
    NoThread,
}

/// The queue of simulations. One is played at a time, in the order of their submission.
#[derive(Debug)]
pub struct SimulationQueue {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    state: Mutex<QueueState>,
    threads: usize,
}

#[derive(Debug, Default)]
struct QueueState {
    /// The simulations that are kept, the oldest first.
    known: VecDeque<Arc<QueuedSimulation>>,
    waiting: VecDeque<Arc<QueuedSimulation>>,
    /// Whether a thread is playing the queue.
    has_worker: bool,
    closing: bool,
}

impl QueuedSimulation {
    /// The status of the simulation.
    pub fn status(&self) -> SimulationStatus {
        locked(&self.status).clone()
    }

    /// Sets the status, unless the simulation is finished already.
    fn set_status(&self, to: SimulationStatus) {
        let mut status = locked(&self.status);
        if matches!(*status, SimulationStatus::Waiting | SimulationStatus::Running) {
            *status = to;
        }
    }

    fn is_finished(&self) -> bool {
        !matches!(*locked(&self.status), SimulationStatus::Waiting | SimulationStatus::Running)
    }

    fn cancel(&self) {
        self.set_status(SimulationStatus::Cancelled);
        self.progress.stop();
    }

    fn play(&self, threads: usize) -> SimulationStatus {
        // In a thread of its own, so that a panic is the end of this simulation only.
        let run = || self.simulation.run(threads, &self.progress, None);
        let ran = thread::scope(|scope| {
            let player = thread::Builder::new().name("simulation".to_owned()).spawn_scoped(scope, run);
            player.map(|player| player.join())
        });
        let Ok(ran) = ran else { return SimulationStatus::Failed(QueueRefusal::NoThread.to_string()) };
        match ran {
            Ok(Ok(report)) => SimulationStatus::Completed(Arc::new(report)),
            Ok(Err(Unfinished::Stopped { .. })) => SimulationStatus::Cancelled,
            Ok(Err(fault)) => SimulationStatus::Failed(fault.to_string()),
            Err(_) => SimulationStatus::Failed("the service has failed".to_owned()),
        }
    }
}

impl SimulationQueue {
    /// The most matches of a simulation in the queue.
    pub const MOST_MATCHES: u64 = 1_000_000;
    /// The most simulations that can wait.
    pub const MOST_WAITING: usize = 8;
    /// The most finished simulations that are kept.
    pub const MOST_KEPT: usize = 100;

    /// A queue that plays each simulation on this number of threads.
    pub fn new(threads: usize) -> SimulationQueue {
        SimulationQueue { shared: Arc::new(Shared { state: Mutex::default(), threads }) }
    }

    /// Adds a simulation to the queue, which begins once those before it are finished.
    pub fn submit(&self, simulation: Simulation) -> Result<Arc<QueuedSimulation>, QueueRefusal> {
        let mut state = locked(&self.shared.state);
        if state.closing {
            return Err(QueueRefusal::Closing);
        }
        if state.waiting.len() >= Self::MOST_WAITING {
            return Err(QueueRefusal::Full);
        }
        if !state.has_worker {
            let shared = Arc::clone(&self.shared);
            let worker =
                thread::Builder::new().name("simulations".to_owned()).spawn(move || shared.play_all());
            state.has_worker = worker.map_err(|_| QueueRefusal::NoThread).map(|_| true)?;
        }
        let queued = Arc::new(QueuedSimulation {
            id: Uuid::now_v7(),
            simulation,
            progress: Progress::default(),
            status: Mutex::new(SimulationStatus::Waiting),
        });
        state.waiting.push_back(Arc::clone(&queued));
        state.known.push_back(Arc::clone(&queued));
        state.forget();
        Ok(queued)
    }

    /// The simulation with this id, if it is kept.
    pub fn find(&self, id: Uuid) -> Option<Arc<QueuedSimulation>> {
        locked(&self.shared.state).known.iter().find(|queued| queued.id == id).cloned()
    }

    /// Cancels the simulation with this id, if it is not finished.
    pub fn cancel(&self, id: Uuid) -> Option<Arc<QueuedSimulation>> {
        let queued = self.find(id)?;
        queued.cancel();
        locked(&self.shared.state).waiting.retain(|waiting| waiting.id != id);
        Some(queued)
    }

    /// Cancels all simulations, and refuses new ones.
    pub fn close(&self) {
        let mut state = locked(&self.shared.state);
        state.closing = true;
        state.waiting.clear();
        state.known.iter().for_each(|queued| queued.cancel());
    }
}

impl QueueState {
    /// Drops the oldest finished simulations, down to the number that is kept.
    fn forget(&mut self) {
        let finished = self.known.iter().filter(|queued| queued.is_finished()).count();
        let mut too_many = finished.saturating_sub(SimulationQueue::MOST_KEPT);
        self.known.retain(|queued| {
            let forgotten = too_many > 0 && queued.is_finished();
            too_many -= usize::from(forgotten);
            !forgotten
        });
    }
}

impl Shared {
    /// Plays the waiting simulations, one after the other, until none is left.
    fn play_all(&self) {
        while let Some(queued) = self.next() {
            queued.set_status(SimulationStatus::Running);
            let ended = queued.play(self.threads);
            queued.set_status(ended);
        }
    }

    fn next(&self) -> Option<Arc<QueuedSimulation>> {
        let mut state = locked(&self.state);
        let next = state.waiting.pop_front();
        state.has_worker = next.is_some();
        next
    }
}

/// Locks a mutex, also after a thread panicked with it: no value here is ever left half written.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
