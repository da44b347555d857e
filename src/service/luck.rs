//! How the dice of a match fell. The table of chances that a match is read with takes a while to make, and
//! much memory, so the matches with equal odds share it; and so they share the simulated matches with which a
//! completed one is compared.

use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::shared_folds::{Asked, SharedFolds};
use super::threads::on_own_thread;
use super::{MatchService, ServiceError};
use crate::log::MatchId;
use crate::luck::{DiceOfMatch, LuckTable, MatchLuck, SIMULATED, SimulatedLuck, odds_of};
use crate::projection::{AsOf, LoadedMatch};
use crate::rules::MatchOdds;
use crate::store::StoreError;
use crate::views::DeliveriesAsOf;

/// The memory of all that is kept, in bytes.
const TABLES_KEPT: usize = 128 << 20;
/// The memory of the simulated matches among it. Those of one set of options take half a MiB.
const SIMULATED_KEPT: usize = 16 << 20;
/// How many requests may wait while a table is made. Others that want a table which is being made wait for it
/// with the one that makes it.
const MOST_WAITING: usize = 8;

/// The tables of chances. One is made at a time, so that strangers who ask for many leave the cores to
/// others.
pub(super) struct LuckTables {
    tables: SharedFolds<MatchOdds, LuckTable>,
    simulated: SharedFolds<MatchOdds, SimulatedLuck>,
    /// The places of those who make a table, or simulate matches, or wait for their turn.
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
    /// None of a match that is not completed.
    simulated: Option<Arc<SimulatedLuck>>,
}

impl LuckTables {
    /// No tables yet.
    pub(super) fn new() -> LuckTables {
        let of = |permits| Arc::new(Semaphore::new(permits));
        LuckTables {
            tables: SharedFolds::with_room(TABLES_KEPT - SIMULATED_KEPT),
            simulated: SharedFolds::with_room(SIMULATED_KEPT),
            places: of(1 + MOST_WAITING),
            turn: of(1),
        }
    }

    /// The table for these odds, which is made if it is not kept.
    async fn table(&self, odds: MatchOdds) -> Result<Arc<LuckTable>, ServiceError> {
        self.kept(&self.tables, odds, LuckTable::of, LuckTable::size).await
    }

    /// The simulated matches with these odds, which are played if they are not kept.
    async fn simulated(
        &self,
        odds: MatchOdds,
        table: &Arc<LuckTable>,
    ) -> Result<Arc<SimulatedLuck>, ServiceError> {
        let table = Arc::clone(table);
        let play = move |_: &MatchOdds| SimulatedLuck::of(&table, SIMULATED);
        self.kept(&self.simulated, odds, play, SimulatedLuck::size).await
    }

    /// What is kept for these odds, or else made, in its turn.
    async fn kept<T: Send + Sync + 'static>(
        &self,
        kept: &SharedFolds<MatchOdds, T>,
        odds: MatchOdds,
        make: impl FnOnce(&MatchOdds) -> T + Send + 'static,
        size: fn(&T) -> usize,
    ) -> Result<Arc<T>, ServiceError> {
        let unmade = match kept.ask(odds.clone()).await? {
            Asked::Made(made) => return Ok(made),
            Asked::ToMake(unmade) => unmade,
        };
        let turn = self.turn().await?;
        let work = move || {
            let made = make(&odds);
            let size = size(&made);
            let made = unmade.made(made, size);
            drop(turn);
            made
        };
        on_own_thread(work).await
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
        let odds = odds.ok_or(ServiceError::NotDiceAlone)?;
        let table = self.luck_tables.table(odds.clone()).await?;
        let simulated = match past.loaded.the_match().play().result() {
            Some(_) => Some(self.luck_tables.simulated(odds, &table).await?),
            None => None,
        };
        Ok(Arc::new(LuckAsOf { past, table, simulated }))
    }
}

impl LuckAsOf {
    /// Reads how the dice fell.
    pub fn luck(&self) -> MatchLuck {
        MatchLuck::of(&self.table, self.simulated.as_deref(), &DiceOfMatch::of(&self.past))
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
