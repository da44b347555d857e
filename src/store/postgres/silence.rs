//! The matches whose machine did not answer a moment ago, where matches are spread over machines. All
//! together they hold a few connections, so that a machine that hangs leaves some to the matches of others.

use std::collections::HashMap;
use std::ops::{Deref, DerefMut};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use sqlx::pool::PoolConnection;
use sqlx::{PgConnection, Postgres};
use tokio::sync::{Semaphore, SemaphorePermit};

use super::{PATIENCE, PostgresStore};
use crate::log::MatchId;
use crate::store::StoreError;

/// How long a connection was in use for a match whose machine counts as silent: shorter than the timeout of
/// a statement.
const LONG: Duration = Duration::from_millis(1_500);
/// How long a machine counts as silent. An answer ends its silence at once.
const FORGOTTEN_AFTER: Duration = Duration::from_secs(60);
/// The reads, and the writes, that silent machines may hold at once.
const AT_ONCE: usize = 2;

/// The silent matches, each with the time of its last silence, and the turns to ask for them.
pub(super) struct Silences {
    matches: Mutex<HashMap<MatchId, Instant>>,
    reads: Semaphore,
    writes: Semaphore,
}

/// The use of a connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Use {
    /// A read, which waits for its turn.
    Read,
    /// A write, which does not wait, since it would keep others from writing.
    Write,
}

/// A connection that is in use for one match.
pub(super) struct MatchConnection<'a> {
    /// The connection, until it is given up.
    connection: PoolConnection<Postgres>,
    /// The silences that are noted, where matches are spread.
    noted: Option<&'a Silences>,
    match_id: MatchId,
    since: Instant,
    _turn: Option<SemaphorePermit<'a>>,
}

impl Silences {
    pub(super) fn new() -> Silences {
        let (reads, writes) = (Semaphore::new(AT_ONCE), Semaphore::new(AT_ONCE));
        Silences { matches: Mutex::default(), reads, writes }
    }

    /// Waits for the turn of a silent match. Others need none.
    async fn turn(&self, match_id: MatchId, to: Use) -> Result<Option<SemaphorePermit<'_>>, StoreError> {
        if !self.is_silent(match_id) {
            return Ok(None);
        }
        let turn = match to {
            Use::Read => tokio::time::timeout(PATIENCE, self.reads.acquire()).await.ok().and_then(Result::ok),
            Use::Write => self.writes.try_acquire().ok(),
        };
        let silent = || StoreError::Unavailable("the machine of this match has been silent".to_owned());
        turn.ok_or_else(silent).map(Some)
    }

    fn is_silent(&self, match_id: MatchId) -> bool {
        self.lock().get(&match_id).is_some_and(|since| since.elapsed() < FORGOTTEN_AFTER)
    }

    /// Notes how long a connection was in use for a match.
    fn note(&self, match_id: MatchId, took: Duration) {
        let mut matches = self.lock();
        if took >= LONG {
            matches.retain(|_, since| since.elapsed() < FORGOTTEN_AFTER);
            matches.insert(match_id, Instant::now());
        } else if !matches.is_empty() {
            matches.remove(&match_id);
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<MatchId, Instant>> {
        self.matches.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl PostgresStore {
    /// A connection to read one match.
    pub(super) async fn reading_of(&self, match_id: MatchId) -> Result<MatchConnection<'_>, StoreError> {
        self.asking(match_id, Use::Read).await
    }

    /// A connection for a match. Where matches are spread, a silent one waits for its turn first.
    pub(super) async fn asking(&self, match_id: MatchId, to: Use) -> Result<MatchConnection<'_>, StoreError> {
        let noted = self.as_spread().is_some().then_some(&self.silences);
        loop {
            let turn = match noted {
                Some(silences) => silences.turn(match_id, to).await?,
                None => None,
            };
            let connection = self.reading().await?;
            // The machine may have fallen silent while this waited for a connection.
            if turn.is_some() || noted.is_none_or(|silences| !silences.is_silent(match_id)) {
                return Ok(MatchConnection {
                    connection,
                    noted,
                    match_id,
                    since: Instant::now(),
                    _turn: turn,
                });
            }
        }
    }
}

impl Deref for MatchConnection<'_> {
    type Target = PgConnection;

    fn deref(&self) -> &PgConnection {
        &self.connection
    }
}

impl DerefMut for MatchConnection<'_> {
    fn deref_mut(&mut self) -> &mut PgConnection {
        &mut self.connection
    }
}

impl Drop for MatchConnection<'_> {
    fn drop(&mut self) {
        if let Some(silences) = self.noted {
            silences.note(self.match_id, self.since.elapsed());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn silent_matches_share_two_turns_until_they_answer() {
        let silences = Silences::new();
        let [healthy, silent, other] = [(); 3].map(|()| MatchId::now_v7());
        silences.note(silent, LONG);
        silences.note(other, LONG);
        assert!(matches!(silences.turn(healthy, Use::Write).await, Ok(None)));
        let held = [silences.turn(silent, Use::Write).await, silences.turn(other, Use::Write).await];
        assert!(held.iter().all(|turn| matches!(turn, Ok(Some(_)))));
        let refused = silences.turn(silent, Use::Write).await;
        assert!(matches!(refused, Err(StoreError::Unavailable(_))), "the turns are taken");
        assert!(
            matches!(silences.turn(silent, Use::Read).await, Ok(Some(_))),
            "reads have turns of their own"
        );
        assert!(matches!(silences.turn(healthy, Use::Write).await, Ok(None)));
        silences.note(silent, Duration::ZERO);
        assert!(matches!(silences.turn(silent, Use::Write).await, Ok(None)), "it has answered");
        drop(held);
        assert!(matches!(silences.turn(other, Use::Write).await, Ok(Some(_))));
    }
}
