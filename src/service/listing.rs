//! The match list. A ball is answered before the row of its match is written: the row follows at once, and
//! many rows share a transaction. A row names the event as of which it is true, so one that is behind its log
//! is never shown as it is, and is found where the service that was to write it has ended.

use std::collections::HashMap;
use std::convert::Infallible;
use std::fmt::Display;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use chrono::{DateTime, TimeDelta, Utc};
use tokio::sync::Mutex as AsyncMutex;

use super::system::now;
use super::threads::on_own_thread;
use super::{MatchService, ServiceError};
use crate::log::MatchId;
use crate::projection::LoadedMatch;
use crate::store::{ListOrder, ListPlace, ListRow, MatchFilter, Projected, StoreError};
use crate::views::{FORM, MatchNow, Rows};

/// How long rows are collected before they are written.
const COLLECTED_FOR: Duration = Duration::from_millis(250);
/// How long a read of the list waits for rows that are being written.
const SOON: Duration = Duration::from_secs(1);
/// The least interval at which rows are looked for that nobody has written.
const LOOK: Duration = Duration::from_secs(5);
/// How many times as long as a look takes there is none. A look asks for each match that is not over.
const REST: u32 = 50;
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

    /// Notes that the row of a match is behind its log, which has this event.
    fn add(&self, match_id: MatchId, seq: u64) {
        let mut matches = self.matches();
        let noted = matches.entry(match_id).or_default();
        *noted = seq.max(*noted);
    }

    /// What an append comes to: a row that is behind, as of this event, or one that comes with it.
    pub(super) fn noting(&self, match_id: MatchId, seq: u64, is_behind: bool) -> Noting<'_> {
        Noting { behind: self, match_id, row: is_behind.then_some(seq) }
    }

    fn all(&self) -> Vec<(MatchId, u64)> {
        self.matches().iter().map(|(match_id, seq)| (*match_id, *seq)).collect()
    }

    /// Forgets matches whose rows are written, unless they have gone on since.
    fn remove(&self, written: &[(MatchId, u64)]) {
        let mut matches = self.matches();
        for (match_id, seq) in written {
            if matches.get(match_id) == Some(seq) {
                matches.remove(match_id);
            }
        }
    }
}

/// An append under way. When it is dropped, wherever that happens, its row is noted as behind: an append goes
/// on to its end even if its caller has gone away.
pub(super) struct Noting<'a> {
    behind: &'a RowsBehind,
    match_id: MatchId,
    /// The last event, where the row is behind it.
    row: Option<u64>,
}

impl Noting<'_> {
    /// Says how the append ended: one that was refused has no row, and a row that came with it is not behind.
    pub(super) fn ends(mut self, appended: &Result<(), StoreError>) {
        match appended {
            Ok(()) if self.row.is_none() => {
                self.behind.matches().remove(&self.match_id);
            }
            Ok(()) | Err(StoreError::Unsure(..)) => {}
            Err(_) => self.row = None,
        }
    }
}

impl Drop for Noting<'_> {
    fn drop(&mut self) {
        if let Some(seq) = self.row {
            self.behind.add(self.match_id, seq);
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
            match self.write_rows(some.iter().copied()).await {
                Ok(()) => self.rows_behind.remove(some),
                Err(error) => result = Err(error),
            }
        }
        result
    }

    /// Writes the rows of matches, each as of an event or later, or as of the last event that the store has.
    async fn write_rows(&self, of: impl Iterator<Item = (MatchId, u64)>) -> Result<(), ServiceError> {
        let mut matches = Vec::new();
        for (match_id, seq) in of {
            matches.extend(self.readable(match_id, seq).await?);
        }
        let make = move || matches.iter().map(|loaded| projected(loaded)).collect::<Vec<Projected>>();
        Ok(self.store.list(&on_own_thread(make).await?).await?)
    }

    /// Writes the rows that are behind their log though its last event came before this time.
    async fn write_forgotten(&self, before: DateTime<Utc>) -> Result<(), ServiceError> {
        let mut after = MatchId::nil();
        loop {
            let found = self.store.behind(after, before, AT_ONCE).await?;
            let Some(last) = found.last() else { return Ok(()) };
            after = *last;
            // What is cached may be what the store has lost.
            self.write_rows(found.into_iter().map(|match_id| (match_id, u64::MAX))).await?;
        }
    }

    /// A match as of an event or later; none where there is none, or it cannot be read. Its row then stays as
    /// it is, as in a rebuild.
    async fn readable(&self, match_id: MatchId, seq: u64) -> Result<Option<Arc<LoadedMatch>>, ServiceError> {
        match self.loaded_from(match_id, seq).await {
            Ok(loaded) => Ok(Some(loaded)),
            Err(
                ServiceError::BrokenLog { .. }
                | ServiceError::NoSuchMatch(_)
                | ServiceError::Store(StoreError::Failed(_)),
            ) => Ok(None),
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
        let ids: Vec<MatchId> = listed.iter().map(|row| row.place.match_id).collect();
        let heads: HashMap<MatchId, u64> = self.store.heads(&ids).await?.into_iter().collect();
        // A row without a head is an orphan, which a rebuild drops.
        let mut outdated: Vec<(u64, &mut ListRow)> = Vec::new();
        for row in &mut listed {
            match heads.get(&row.place.match_id) {
                Some(head) if row.form != FORM || row.seq != *head => outdated.push((*head, row)),
                Some(_) | None => {}
            }
        }
        for some in outdated.chunks_mut(self.committer.most_at_once()) {
            self.make_anew(some).await?;
        }
        Ok(listed.into_iter().map(|row| (row.place, row.body)).collect())
    }

    /// Makes some rows of the list anew, each as of this event or later, and stores those that no look would
    /// write: of another form, or of a match that is over. One request at a time stores what it has made: the
    /// others need not wait for the database, nor keep the pages in memory.
    async fn make_anew(&self, outdated: &mut [(u64, &mut ListRow)]) -> Result<(), ServiceError> {
        let turn = self.renewing.try_lock();
        let mut renewed = Vec::new();
        for (head, row) in outdated {
            let Some(loaded) = self.readable(row.place.match_id, *head).await? else { continue };
            let made = on_own_thread(move || projected(&loaded)).await?;
            row.body.clone_from(&made.rows.summary);
            if (row.form != FORM || !made.rows.pages.is_empty()) && turn.is_ok() {
                renewed.push(made);
            }
        }
        self.store_renewed(&renewed).await;
        Ok(())
    }
}

/// The projections of a match. They are made on a thread of their own: pages may be large.
pub(super) fn projected(loaded: &LoadedMatch) -> Projected {
    let rows = Rows::of(loaded, &MatchNow::of(loaded));
    Projected { match_id: loaded.match_id(), head: loaded.head().clone(), rows }
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
        failed = written(service.write_list().await, failed);
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
        let begun = Instant::now();
        // On a clock that is off nothing is appended.
        if let Ok(now) = now() {
            failed = written(service.write_forgotten(now - age).await, failed);
        }
        age = FORGOTTEN_AFTER;
        tokio::time::sleep(LOOK.max(begun.elapsed() * REST)).await;
    }
}

fn written(result: Result<(), ServiceError>, failed: bool) -> bool {
    let (fails, goes_on) =
        ("rows of the match list cannot be written yet", "rows of the match list are written again");
    told_once(&result, failed, fails, goes_on)
}

/// Tells in the log that background work fails, once and not at each try, and that it goes on. Returns
/// whether it fails now.
pub(crate) fn told_once(
    result: &Result<(), impl Display>,
    failed: bool,
    fails: &'static str,
    goes_on: &'static str,
) -> bool {
    match result {
        Err(error) if !failed => tracing::warn!(%error, "{fails}"),
        Ok(()) if failed => tracing::info!("{goes_on}"),
        Ok(()) | Err(_) => {}
    }
    result.is_err()
}
