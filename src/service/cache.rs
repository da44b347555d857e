use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::Mutex as AsyncMutex;

use crate::commands::VerifiedToken;
use crate::dice::ServerSeed;
use crate::projection::LoadedMatch;
use crate::views::Page;

/// How long a cached match is shown to readers without a look whether another instance has appended.
const FRESH: Duration = Duration::from_millis(300);

/// A folded match in memory, with its pages for readers and its server seed.
#[derive(Clone)]
pub struct CachedMatch {
    pub loaded: Arc<LoadedMatch>,
    pub seed: Option<ServerSeed>,
    pages: Arc<[OnceLock<Arc<str>>; Page::ALL.len()]>,
    /// The time at which its head was last known to be the head in the store.
    seen: Instant,
}

impl CachedMatch {
    /// A match that was read from the store just now.
    pub fn now(loaded: Arc<LoadedMatch>, seed: Option<ServerSeed>) -> CachedMatch {
        CachedMatch { loaded, seed, pages: Arc::default(), seen: Instant::now() }
    }

    /// The match, confirmed to be up to date with the store just now.
    pub fn refreshed(&self) -> CachedMatch {
        CachedMatch { seen: Instant::now(), ..self.clone() }
    }

    /// Whether the match may be shown to readers without a look at the store.
    pub fn is_fresh(&self) -> bool {
        self.seen.elapsed() < FRESH
    }

    /// A page for readers, rendered once.
    pub fn page(&self, page: Page) -> Arc<str> {
        Arc::clone(self.pages[page as usize].get_or_init(|| page.of(&self.loaded).into()))
    }

    /// A page for readers that has been rendered, or has at most `most` bytes.
    pub fn page_up_to(&self, page: Page, most: usize) -> Option<Arc<str>> {
        let place = &self.pages[page as usize];
        if let Some(rendered) = place.get() {
            return Some(Arc::clone(rendered));
        }
        let rendered = page.up_to(&self.loaded, most)?;
        Some(Arc::clone(place.get_or_init(|| rendered.into())))
    }
}

/// The cache entry of one match.
#[derive(Default)]
pub struct CacheEntry {
    /// The lock that appends of this process hold, so that they do not race each other. Readers do not need
    /// it.
    pub write_lock: AsyncMutex<()>,
    /// The match as it was last read.
    cached: Mutex<Option<CachedMatch>>,
    /// The tokens that were valid when they were last looked up; an append checks that they still are.
    tokens: Mutex<Vec<VerifiedToken>>,
}

impl CacheEntry {
    pub fn cached(&self) -> Option<CachedMatch> {
        locked(&self.cached).clone()
    }

    /// Caches a match, unless a later state is cached. With `forget`, a later state is dropped: the store has
    /// lost it.
    pub fn keep(&self, seen: &CachedMatch, forget: bool) {
        let mut cached = locked(&self.cached);
        let older = cached.as_ref().is_none_or(|cached| cached.loaded.head().seq <= seen.loaded.head().seq);
        if older || forget {
            *cached = Some(seen.clone());
        }
    }

    /// The token with this hash, if it was valid when it was last looked up.
    pub fn knows(&self, hash: &str) -> Option<VerifiedToken> {
        locked(&self.tokens).iter().find(|token| token.hash == hash).cloned()
    }

    /// Caches a valid token, in place of the earlier one of its role.
    pub fn remember(&self, token: &VerifiedToken) {
        let mut tokens = locked(&self.tokens);
        tokens.retain(|known| known.role != token.role);
        tokens.push(token.clone());
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
