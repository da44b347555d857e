//! Documents of an earlier form: the store counts them as missing. Each is made anew when it is read, and
//! stored.

use std::sync::Arc;

use super::threads::on_own_thread;
use super::{MatchService, ServiceError};
use crate::log::MatchId;
use crate::projection::LoadedMatch;
use crate::store::{ListPlace, ListRow, MatchFilter};
use crate::views::{FORM, MatchNow, Rows};

/// The projections of a match, with the hash of the event as of which they are true.
type Renewed = (MatchId, String, Rows);

impl MatchService {
    /// The match list, in the order of the filter, as JSON. A row of another form is made anew, so that a
    /// page costs at most a fold for each of its rows.
    pub async fn list(&self, filter: &MatchFilter) -> Result<Vec<(ListPlace, String)>, ServiceError> {
        let mut listed = self.store.matches(filter).await?;
        let mut outdated: Vec<&mut ListRow> = listed.iter_mut().filter(|row| row.form != FORM).collect();
        for some in outdated.chunks_mut(self.committer.most_at_once()) {
            self.renew_listed(some).await?;
        }
        Ok(listed.into_iter().map(|row| (row.place, row.body)).collect())
    }

    /// Makes some rows of the match list anew, and stores them. One request at a time stores what it has
    /// made: the others need not wait for the database, nor keep the pages in memory.
    async fn renew_listed(&self, outdated: &mut [&mut ListRow]) -> Result<(), ServiceError> {
        let turn = self.renewing.try_lock();
        let mut renewed = Vec::new();
        for row in outdated {
            match self.loaded(row.place.match_id).await {
                Ok(loaded) => {
                    let made = made_anew(loaded).await?;
                    row.body.clone_from(&made.2.summary);
                    if turn.is_ok() {
                        renewed.push(made);
                    }
                }
                // The row of a log that does not fold stays as it is, as in a rebuild.
                Err(ServiceError::BrokenLog { .. } | ServiceError::NoSuchMatch(_)) => {}
                Err(error) => return Err(error),
            }
        }
        self.store_renewed(&renewed).await;
        Ok(())
    }

    /// Stores the pages of a match that is over, of which the store has none of this form.
    pub(super) async fn renew_pages(&self, loaded: &Arc<LoadedMatch>) -> Result<(), ServiceError> {
        let turn = self.renewing.try_lock();
        if Rows::have_pages(loaded) && turn.is_ok() {
            self.store_renewed(&[made_anew(Arc::clone(loaded)).await?]).await;
        }
        Ok(())
    }

    /// Stores projections. Where that fails, as in a read-only store, a reader gets them all the same.
    async fn store_renewed(&self, renewed: &[Renewed]) {
        if let Err(error) = self.store.renew(renewed).await {
            tracing::warn!(%error, "documents of an earlier form were made anew, and could not be stored");
        }
    }
}

/// The projections of a match, made on a thread of their own: its pages may be large.
async fn made_anew(loaded: Arc<LoadedMatch>) -> Result<Renewed, ServiceError> {
    let make =
        move || (loaded.match_id(), loaded.head().hash.clone(), Rows::of(&loaded, &MatchNow::of(&loaded)));
    on_own_thread(make).await
}
