use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::Mutex as Turn;

use crate::commands::Pass;
use crate::dice::ServerSeed;
use crate::views::{Book, Page};

/// How long what is held is shown to readers without asking the store whether another instance has appended.
const FRESH: Duration = Duration::from_millis(300);

/// A folded match, what was written of it for readers, and its secret.
#[derive(Clone)]
pub struct Held {
    pub book: Arc<Book>,
    pub seed: Option<ServerSeed>,
    pages: Arc<[OnceLock<Arc<str>>; Page::ALL.len()]>,
    /// When its head was last known to be the head in the store.
    seen: Instant,
}

impl Held {
    /// A match as it was in the store just now.
    pub fn now(book: Arc<Book>, seed: Option<ServerSeed>) -> Held {
        Held { book, seed, pages: Arc::default(), seen: Instant::now() }
    }

    /// The same, seen again in the store just now.
    pub fn seen_again(&self) -> Held {
        Held { seen: Instant::now(), ..self.clone() }
    }

    /// Whether readers may have it as it is.
    pub fn is_fresh(&self) -> bool {
        self.seen.elapsed() < FRESH
    }

    /// A page for readers, written once.
    pub fn page(&self, page: Page) -> &str {
        self.pages[page as usize].get_or_init(|| page.of(&self.book).into())
    }
}

/// One match's place in memory.
#[derive(Default)]
pub struct Slot {
    /// Whoever appends in this process has the turn meanwhile, so that they do not race. Readers need none.
    pub turn: Turn<()>,
    /// The match as it was last seen.
    held: Mutex<Option<Held>>,
    /// Tokens that were right when they were last looked up; an append makes sure that they still are.
    passes: Mutex<Vec<Pass>>,
}

impl Slot {
    pub fn held(&self) -> Option<Held> {
        locked(&self.held).clone()
    }

    /// Keeps what was seen, unless somebody has seen more. What is not in the store any more is forgotten.
    pub fn keep(&self, seen: &Held, forget: bool) {
        let mut held = locked(&self.held);
        let older = held.as_ref().is_none_or(|held| held.book.head().seq <= seen.book.head().seq);
        if older || forget {
            *held = Some(seen.clone());
        }
    }

    /// Whose token has this hash, if it had when it was last looked up.
    pub fn knows(&self, hash: &str) -> Option<Pass> {
        locked(&self.passes).iter().find(|pass| pass.hash == hash).cloned()
    }

    /// Keeps a token that is right, in the place of what its role had before.
    pub fn learn(&self, pass: &Pass) {
        let mut passes = locked(&self.passes);
        passes.retain(|known| known.role != pass.role);
        passes.push(pass.clone());
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
