//! The questions to an engine that spreads matches over machines.

use async_trait::async_trait;
use sqlx::{Connection as _, Executor as _};

use super::{BESIDE_WRITERS, PostgresStore, connections, read_heads};
use crate::log::MatchId;
use crate::store::{SpreadStore, StoreError};

/// The limit of a transaction that may not wait for a machine. The server ends its statement, so that the
/// connection is free again.
const SOON: &str = "set local statement_timeout = '1s'";

#[async_trait]
impl SpreadStore for PostgresStore {
    async fn heads_soon(&self, match_ids: &[MatchId]) -> Result<Vec<(MatchId, u64)>, StoreError> {
        let mut connection = self.reading().await?;
        let mut transaction = connection.begin().await.map_err(Self::fault)?;
        transaction.execute(SOON).await.map_err(Self::fault)?;
        let heads = read_heads(&mut transaction, match_ids).await.map_err(Self::fault)?;
        transaction.rollback().await.map_err(Self::fault)?;
        Ok(heads)
    }

    fn free_to_read(&self) -> usize {
        let in_use = (self.pool.size() as usize).saturating_sub(self.pool.num_idle());
        let free = (connections(self.commit) as usize).saturating_sub(in_use);
        free.clamp(1, usize::from(BESIDE_WRITERS))
    }
}
