//! The refusals of an engine that does not take the statement of a group commit.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use crate::store::StoreError;

/// The number of refusals in a row after which the engine is taken for one that does not know the statement.
const ENOUGH: u32 = 10;

/// The refusals of the statement of a group commit.
#[derive(Debug, Default)]
pub(super) struct Refusals {
    in_a_row: AtomicU32,
    /// Whether the log has named the option to set.
    is_logged: AtomicBool,
}

impl Refusals {
    /// Forgets the refusals, since the statement was taken.
    pub(super) fn end(&self) {
        // Most often there is nothing to forget, and a read is cheaper than a write.
        if self.in_a_row.load(Ordering::Relaxed) > 0 {
            self.in_a_row.store(0, Ordering::Relaxed);
        }
    }

    /// Counts an error, if it may mean that the engine does not know the statement or its settings. The log
    /// names the option to set once, after enough of them.
    pub(super) fn count(&self, error: &StoreError) {
        let StoreError::Failed(reason) = error else { return };
        let before = self.in_a_row.fetch_add(1, Ordering::Relaxed);
        if before + 1 >= ENOUGH && !self.is_logged.swap(true, Ordering::Relaxed) {
            tracing::warn!(
                reason,
                "the database refuses to write appends together, so each is written by itself: \
                 if it spreads matches over machines, set --no-group-commit"
            );
        }
    }
}
