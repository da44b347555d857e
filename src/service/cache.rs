use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::Mutex as Turn;

use crate::commands::VerifiedToken;
use crate::dice::ServerSeed;
use crate::views::{MatchProjection, Page};

/// How long what is held is shown to readers without asking the store whether another instance has appended.
const FRESH: Duration = Duration::from_millis(300);

/// A folded match, what was written of it for readers, and its secret.
#[derive(Clone)]
pub struct CachedMatch {
    pub projection: Arc<MatchProjection>,
    pub seed: Option<ServerSeed>,
    pages: Arc<[OnceLock<Arc<str>>; Page::ALL.len()]>,
    /// When its head was last known to be the head in the store.
    seen: Instant,
}

impl CachedMatch {
    /// A match as it was in the store just now.
    pub fn now(projection: Arc<MatchProjection>, seed: Option<ServerSeed>) -> CachedMatch {
        CachedMatch { projection, seed, pages: Arc::default(), seen: Instant::now() }
    }

    /// The same, seen again in the store just now.
    pub fn seen_again(&self) -> CachedMatch {
        CachedMatch { seen: Instant::now(), ..self.clone() }
    }

    /// Whether readers may have it as it is.
    pub fn is_fresh(&self) -> bool {
        self.seen.elapsed() < FRESH
    }

    /// A page for readers, written once.
    pub fn page(&self, page: Page) -> &str {
        self.pages[page as usize].get_or_init(|| page.of(&self.projection).into())
    }
}

/// One match's place in memory.
#[derive(Default)]
pub struct CacheEntry {
    /// Whoever appends in this process has the turn meanwhile, so that they do not race. Readers need none.
    pub write_lock: Turn<()>,
    /// The match as it was last seen.
    cached: Mutex<Option<CachedMatch>>,
    /// Tokens that were right when they were last looked up; an append makes sure that they still are.
    tokens: Mutex<Vec<VerifiedToken>>,
}

impl CacheEntry {
    pub fn cached(&self) -> Option<CachedMatch> {
        locked(&self.cached).clone()
    }

    /// Keeps what was seen, unless somebody has seen more. What is not in the store any more is forgotten.
    pub fn keep(&self, seen: &CachedMatch, forget: bool) {
        let mut held = locked(&self.cached);
        let older = held.as_ref().is_none_or(|held| held.projection.head().seq <= seen.projection.head().seq);
        if older || forget {
            *held = Some(seen.clone());
        }
    }

    /// Whose token has this hash, if it had when it was last looked up.
    pub fn knows(&self, hash: &str) -> Option<VerifiedToken> {
        locked(&self.tokens).iter().find(|pass| pass.hash == hash).cloned()
    }

    /// Keeps a token that is right, in the place of what its role had before.
    pub fn learn(&self, pass: &VerifiedToken) {
        let mut passes = locked(&self.tokens);
        passes.retain(|known| known.role != pass.role);
        passes.push(pass.clone());
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
