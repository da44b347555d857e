//! The match list. A ball is answered before the row of its match is written: the row follows at once, and
//! many rows share a transaction. A row names the event as of which it is true, so one that is behind its log
//! is never shown as it is, and is found where the service that was to write it has ended.

use std::collections::HashMap;
use std::convert::Infallible;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use tokio::sync::Mutex as AsyncMutex;

use super::system::now;
use super::threads::on_own_thread;
use super::{MatchService, ServiceError};
use crate::log::MatchId;
use crate::projection::LoadedMatch;
use crate::store::{ListOrder, ListPlace, ListRow, MatchFilter, Projected};
use crate::views::{FORM, MatchNow, Rows};

/// How long rows are collected before they are written.
const COLLECTED_FOR: Duration = Duration::from_millis(250);
/// How long a read of the list waits for rows that are being written.
const SOON: Duration = Duration::from_millis(500);
/// The interval at which rows are looked for that nobody has written.
const LOOK: Duration = Duration::from_secs(5);
/// How old the last event of a match has to be before its row counts as one that nobody writes any more.
const FORGOTTEN_AFTER: TimeDelta = TimeDelta::seconds(5);
/// The rows that are looked for at once.
const AT_ONCE: u32 = 100;

/// The matches whose row in the list is behind what this service has appended, each with its last event.
#[derive(Default)]
pub(super) struct RowsBehind {
    matches: Mutex<HashMap<MatchId, u64>>,
    /// The lock of who writes the rows.
    writing: AsyncMutex<()>,
}

impl RowsBehind {
    fn matches(&self) -> MutexGuard<'_, HashMap<MatchId, u64>> {
        self.matches.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes that the row of a match is behind.
    pub(super) fn add(&self, match_id: MatchId, seq: u64) {
        self.matches().insert(match_id, seq);
    }

    fn all(&self) -> Vec<(MatchId, u64)> {
        self.matches().iter().map(|(match_id, seq)| (*match_id, *seq)).collect()
    }

    /// Forgets matches whose rows are written, where these are true as of the last event that was noted.
    fn remove(&self, written: &[(MatchId, u64)]) {
        let mut matches = self.matches();
        for (match_id, seq) in written {
            if matches.get(match_id).is_some_and(|noted| noted <= seq) {
                matches.remove(match_id);
            }
        }
    }
}

impl MatchService {
    /// The projections that are written with an append, after which the match is `after`; none where the row
    /// in the list follows. It may where the match goes on under the status under which it is listed: the
    /// list is filtered by that, and a match that is over has pages.
    pub(super) fn rows_with(
        &self,
        before: &LoadedMatch,
        after: &LoadedMatch,
        now: &MatchNow,
    ) -> Option<Rows> {
        let status = |loaded: &LoadedMatch| loaded.the_match().play().status();
        let follows = self.lists_behind && status(before) == status(after) && !Rows::have_pages(after);
        (!follows).then(|| Rows::of(after, now))
    }

    /// Writes the rows that are behind what this service has appended, in several transactions: one that
    /// fails is tried again with the next rows, and does not keep the others from being written.
    pub async fn write_list(&self) -> Result<(), ServiceError> {
        let _turn = self.rows_behind.writing.lock().await;
        let mut result = Ok(());
        for some in self.rows_behind.all().chunks(self.committer.most_at_once()) {
            match self.write_rows_of(some.iter().copied()).await {
                Ok(written) => self.rows_behind.remove(&written),
                Err(error) => result = Err(error),
            }
        }
        result
    }

    /// Writes the rows of matches, each as of an event or later, and returns as of which event each is
    /// written. The row of a log that does not fold stays as it is, as in a rebuild.
    async fn write_rows_of(
        &self,
        of: impl Iterator<Item = (MatchId, u64)>,
    ) -> Result<Vec<(MatchId, u64)>, ServiceError> {
        let (mut matches, mut written) = (Vec::new(), Vec::new());
        for (match_id, seq) in of {
            // What this service has appended is in the store, and needs no look at it.
            let cached = self.known(match_id).and_then(|entry| entry.cached()).map(|cached| cached.loaded);
            let loaded = match cached.filter(|loaded| loaded.head().seq >= seq) {
                Some(loaded) => Some(loaded),
                None => self.if_it_folds(match_id).await?,
            };
            written.push((match_id, loaded.as_ref().map_or(u64::MAX, |loaded| loaded.head().seq)));
            matches.extend(loaded);
        }
        self.store.list(&projected(matches).await?).await?;
        Ok(written)
    }

    /// Writes the rows that are behind their log though its last event came before this time.
    async fn write_forgotten(&self, before: DateTime<Utc>) -> Result<(), ServiceError> {
        let mut after = MatchId::nil();
        loop {
            let found = self.store.behind(after, before, AT_ONCE).await?;
            let Some((last, _)) = found.last() else { return Ok(()) };
            after = *last;
            self.write_rows_of(found.into_iter()).await?;
        }
    }

    /// A match; none where there is none, or its log does not fold.
    async fn if_it_folds(&self, match_id: MatchId) -> Result<Option<Arc<LoadedMatch>>, ServiceError> {
        match self.loaded(match_id).await {
            Ok(loaded) => Ok(Some(loaded)),
            Err(ServiceError::BrokenLog { .. } | ServiceError::NoSuchMatch(_)) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// The match list, in the order of the filter, as JSON. A row that is behind, or of another form, is made
    /// anew, so that a page costs at most a fold for each of its rows.
    pub async fn list(&self, filter: &MatchFilter) -> Result<Vec<(ListPlace, String)>, ServiceError> {
        if filter.order == ListOrder::Changed || filter.before.is_some() {
            // Where the rows cannot be written, the list is read all the same.
            let _ = tokio::time::timeout(SOON, self.write_list()).await;
        }
        let mut listed = self.store.matches(filter).await?;
        let heads = self.heads_of(&listed).await?;
        let is_behind = |row: &ListRow| heads.get(&row.place.match_id).is_some_and(|seq| *seq != row.seq);
        let mut outdated: Vec<&mut ListRow> =
            listed.iter_mut().filter(|row| row.form != FORM || is_behind(row)).collect();
        for some in outdated.chunks_mut(self.committer.most_at_once()) {
            self.make_anew(some).await?;
        }
        Ok(listed.into_iter().map(|row| (row.place, row.body)).collect())
    }

    /// The heads of listed matches; none where a row cannot be behind.
    async fn heads_of(&self, listed: &[ListRow]) -> Result<HashMap<MatchId, u64>, ServiceError> {
        if !self.lists_behind {
            return Ok(HashMap::new());
        }
        let ids: Vec<MatchId> = listed.iter().map(|row| row.place.match_id).collect();
        Ok(self.store.heads(&ids).await?.into_iter().collect())
    }

    /// Makes some rows of the list anew, and stores those of another form. One request at a time stores what
    /// it has made: the others need not wait for the database, nor keep the pages in memory.
    async fn make_anew(&self, outdated: &mut [&mut ListRow]) -> Result<(), ServiceError> {
        let turn = self.renewing.try_lock();
        let mut renewed = Vec::new();
        for row in outdated {
            let Some(loaded) = self.if_it_folds(row.place.match_id).await? else { continue };
            for made in projected(vec![loaded]).await? {
                row.body.clone_from(&made.rows.summary);
                if row.form != FORM && turn.is_ok() {
                    renewed.push(made);
                }
            }
        }
        self.store_renewed(&renewed).await;
        Ok(())
    }
}

/// The projections of matches, made on a thread of their own: pages may be large.
pub(super) async fn projected(matches: Vec<Arc<LoadedMatch>>) -> Result<Vec<Projected>, ServiceError> {
    let of = |loaded: Arc<LoadedMatch>| Projected {
        match_id: loaded.match_id(),
        head: loaded.head().clone(),
        rows: Rows::of(&loaded, &MatchNow::of(&loaded)),
    };
    on_own_thread(move || matches.into_iter().map(of).collect()).await
}

/// Keeps the match list: writes the rows that are behind, and looks for those that a service which has ended
/// did not get to write, at once and then now and then.
pub async fn keep_list(service: &MatchService) -> Infallible {
    tokio::select! {
        never = write_behind(service) => never,
        never = look_for_forgotten(service) => never,
    }
}

async fn write_behind(service: &MatchService) -> Infallible {
    let mut failed = false;
    loop {
        tokio::time::sleep(COLLECTED_FOR).await;
        failed = told(service.write_list().await, failed);
    }
}

async fn look_for_forgotten(service: &MatchService) -> Infallible {
    if !service.lists_behind {
        return std::future::pending().await;
    }
    let mut failed = false;
    // Nothing of this service is behind when it starts.
    let mut age = TimeDelta::zero();
    loop {
        // On a clock that is off nothing is appended.
        if let Ok(now) = now() {
            failed = told(service.write_forgotten(now - age).await, failed);
        }
        age = FORGOTTEN_AFTER;
        tokio::time::sleep(LOOK).await;
    }
}

/// Tells in the log that rows cannot be written, once and not at each try. Returns whether they cannot.
fn told(written: Result<(), ServiceError>, failed: bool) -> bool {
    match &written {
        Err(error) if !failed => tracing::warn!(%error, "rows of the match list cannot be written yet"),
        Ok(()) if failed => tracing::info!("rows of the match list are written again"),
        Ok(()) | Err(_) => {}
    }
    written.is_err()
}
