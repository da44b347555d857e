use std::sync::Arc;

use super::{Appended, MatchService, ServiceError};
use crate::commands::CommandRequest;
use crate::store::{IdempotencyRecord, StoreError};
use crate::views::MatchNow;

impl MatchService {
    /// The answer to an earlier try of the request, made again from the log.
    pub(super) async fn replay_idempotent(
        &self,
        request: &CommandRequest,
    ) -> Result<Option<Appended>, ServiceError> {
        let Some(key) = &request.key else { return Ok(None) };
        let found = self.store.idempotency_record(request.match_id, request.actor, &key.key).await?;
        let Some(answered) = found else { return Ok(None) };
        if answered.request != key.request {
            return Err(ServiceError::KeyReused);
        }
        self.answer_from_log(request, &answered).await.map(Some).map_err(of_stored)
    }

    /// The result of a request that was answered before, read from the log.
    async fn answer_from_log(
        &self,
        request: &CommandRequest,
        answered: &IdempotencyRecord,
    ) -> Result<Appended, ServiceError> {
        let IdempotencyRecord { first_seq, last_seq, .. } = *answered;
        let before = match request.command.tells_difference() {
            true => Some(Arc::new(self.loaded_at(request.match_id, first_seq - 1).await?)),
            false => None,
        };
        let loaded = Arc::new(self.loaded_at(request.match_id, last_seq).await?);
        let count = u32::try_from(last_seq + 1 - first_seq).unwrap_or(u32::MAX);
        let entries = self.store.entries(request.match_id, first_seq - 1, count).await?;
        let now = MatchNow::of(&loaded);
        Ok(Appended { entries, before, loaded, now, is_repeat: true })
    }
}

/// The error of an answer that cannot be made again, although the request was stored.
pub(super) fn of_stored(error: ServiceError) -> ServiceError {
    match error {
        ServiceError::Store(error) => ServiceError::StoredBefore(error),
        ServiceError::Busy | ServiceError::Panicked => {
            ServiceError::StoredBefore(StoreError::Unavailable(error.to_string()))
        }
        error => error,
    }
}
