//! How the dice of a match fell. The table of chances that a match is read with takes a while to make, and
//! much memory, so the matches with equal odds share it.

use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::shared_folds::{Asked, SharedFolds};
use super::threads::on_own_thread;
use super::{MatchService, ServiceError};
use crate::log::MatchId;
use crate::luck::{DiceOfMatch, LuckTable, MatchLuck, odds_of};
use crate::projection::{AsOf, LoadedMatch};
use crate::rules::MatchOdds;
use crate::store::StoreError;
use crate::views::DeliveriesAsOf;

/// The memory of the tables that are kept, in bytes.
const TABLES_KEPT: usize = 128 << 20;
/// How many requests may wait while a table is made. Others that want a table which is being made wait for it
/// with the one that makes it.
const MOST_WAITING: usize = 8;

/// The tables of chances. One is made at a time, so that strangers who ask for many leave the cores to
/// others.
pub(super) struct LuckTables {
    tables: SharedFolds<MatchOdds, LuckTable>,
    /// The places of those who make a table or wait for their turn.
    places: Arc<Semaphore>,
    turn: Arc<Semaphore>,
}

/// The turn to make a table.
struct TableTurn {
    _turn: OwnedSemaphorePermit,
    _place: OwnedSemaphorePermit,
}

/// A match as of an event, with the table to read its dice with.
pub struct LuckAsOf {
    past: Arc<DeliveriesAsOf>,
    table: Arc<LuckTable>,
}

impl LuckTables {
    /// No tables yet.
    pub(super) fn new() -> LuckTables {
        let of = |permits| Arc::new(Semaphore::new(permits));
        LuckTables { tables: SharedFolds::with_room(TABLES_KEPT), places: of(1 + MOST_WAITING), turn: of(1) }
    }

    /// The table for these odds, which is made if it is not kept.
    async fn table(&self, odds: MatchOdds) -> Result<Arc<LuckTable>, ServiceError> {
        let unmade = match self.tables.ask(odds.clone()).await? {
            Asked::Made(table) => return Ok(table),
            Asked::ToMake(unmade) => unmade,
        };
        let turn = self.turn().await?;
        let make = move || {
            let table = LuckTable::of(&odds);
            let size = table.size();
            let made = unmade.made(table, size);
            drop(turn);
            made
        };
        on_own_thread(make).await
    }

    /// Waits for the turn to make a table, unless too many wait already.
    async fn turn(&self) -> Result<TableTurn, ServiceError> {
        let place = Arc::clone(&self.places).try_acquire_owned().map_err(|_| ServiceError::TablesFull)?;
        let turn = Arc::clone(&self.turn).acquire_owned().await.map_err(|_| StoreError::Closed)?;
        Ok(TableTurn { _turn: turn, _place: place })
    }
}

impl MatchService {
    /// The match as of an event, with what it takes to read how its dice fell.
    pub async fn luck_as_of(&self, match_id: MatchId, as_of: AsOf) -> Result<Arc<LuckAsOf>, ServiceError> {
        let past = self.deliveries_as_of(match_id, as_of).await?;
        let of_match = Arc::clone(&past);
        let odds = on_own_thread(move || odds_of(of_match.loaded.the_match().play().info())).await?;
        let table = self.luck_tables.table(odds.ok_or(ServiceError::NotDiceAlone)?).await?;
        Ok(Arc::new(LuckAsOf { past, table }))
    }
}

impl LuckAsOf {
    /// Reads how the dice fell.
    pub fn luck(&self) -> MatchLuck {
        MatchLuck::of(&self.table, &DiceOfMatch::of(&self.past))
    }
}

impl AsRef<LoadedMatch> for LuckAsOf {
    fn as_ref(&self) -> &LoadedMatch {
        (*self.past).as_ref()
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;
    use crate::rules::{BallDice, BallEffect};

    /// The odds of a match in which every ball is a single.
    fn singles(balls: u16) -> MatchOdds {
        let ball = BallDice::Fallen(BallEffect { runs: 1, wicket: false, legal: true });
        MatchOdds { balls, wickets: 10, ball }
    }

    #[tokio::test]
    async fn one_table_is_made_at_a_time_eight_wait_and_the_others_are_refused() {
        let tables = LuckTables::new();
        let making = tables.turn().await.expect("a turn");
        let mut waiting: Vec<_> = (1..=8).map(|balls| Box::pin(tables.table(singles(balls)))).collect();
        assert!(waiting.iter_mut().all(|table| table.now_or_never().is_none()));
        // Who wants a table that another is about to make takes no place.
        let mut same = Box::pin(tables.table(singles(8)));
        assert!(same.as_mut().now_or_never().is_none());
        let refused = tables.table(singles(9)).now_or_never().expect("the queue is full");
        assert!(matches!(refused, Err(ServiceError::TablesFull)));
        drop(making);
        for table in waiting {
            assert!(table.await.expect("a table").size() > 0);
        }
        same.await.expect("the same table");
        assert!(tables.table(singles(9)).await.is_ok());
        assert!(tables.table(singles(8)).now_or_never().is_some(), "it is kept");
    }
}
