//! Documents of an earlier form: the store counts them as missing. Each is made anew when it is read, and
//! stored.

use std::sync::Arc;

use super::listing::projected;
use super::threads::on_own_thread;
use super::{MatchService, ServiceError};
use crate::projection::LoadedMatch;
use crate::store::Projected;
use crate::views::Rows;

impl MatchService {
    /// Stores the pages of a match that is over, of which the store has none of this form.
    pub(super) async fn renew_pages(&self, loaded: &Arc<LoadedMatch>) -> Result<(), ServiceError> {
        let turn = self.renewing.try_lock();
        if Rows::have_pages(loaded) && turn.is_ok() {
            let loaded = Arc::clone(loaded);
            self.store_renewed(&[on_own_thread(move || projected(&loaded)).await?]).await;
        }
        Ok(())
    }

    /// Stores projections. Where that fails, as in a read-only store, a reader gets them all the same.
    pub(super) async fn store_renewed(&self, renewed: &[Projected]) {
        if let Err(error) = self.store.renew(renewed).await {
            tracing::warn!(%error, "documents of an earlier form were made anew, and could not be stored");
        }
    }
}
