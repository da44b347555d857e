//! Writing projections and sweeping idempotency records, in the SQL that both engines share. Appending events
//! is different in each engine.

/// Implements `write_rows`, `renew_rows`, `sweep_batch`, `delete_orphans` and `rebuild_matches` for the store
/// of one engine. The macro needs what `event_store!` needs, two clauses with which a select locks its rows,
/// `FOR_UPDATE` and `FOR_UPDATE_UNLESS_LOCKED`, and `LONG`, the setting of a long transaction.
macro_rules! store_writing {
    ($Store:ty, $Db:ty) => {
        use crate::log::MatchId;
        use crate::store::queries::{HOUR, signed, unsigned};
        use crate::store::writing::{SWEPT_AT_ONCE, SweptRecords};
        use crate::store::writing::{fold_each, pages_of};
        use crate::store::{Fold, Rebuilt, RecordPlace, SpreadStore, SweptBatch};
        use crate::views::{FORM, Rows};
        use chrono::{DateTime, Utc};
        use sqlx::{AssertSqlSafe, QueryBuilder};
        use std::collections::BTreeMap;
        use std::sync::Arc;

        type Connection = <$Db as sqlx::Database>::Connection;

        /// Writes the projections of some matches, each with the hash of the event as of which they are true.
        async fn write_rows(
            on: &mut Connection,
            folded: &[(MatchId, &str, &Rows)],
        ) -> Result<(), sqlx::Error> {
            if folded.is_empty() {
                return Ok(());
            }
            QueryBuilder::<$Db>::new(
                "insert into match_list (match_id, game, home, away, status, body, form, last_at, last_hour) ",
            )
            .push_values(folded, |mut row, (match_id, _, rows)| {
                row.push_bind(*match_id).push_bind(&rows.game).push_bind(&rows.home).push_bind(&rows.away);
                row.push_bind(rows.status).push_bind(&rows.summary).push_bind(FORM);
                row.push_bind(rows.last_at).push_bind(rows.last_at / HOUR);
            })
            .push(
                " on conflict (match_id) do update \
                     set status = excluded.status, body = excluded.body, form = excluded.form, \
                     last_at = excluded.last_at, last_hour = excluded.last_hour",
            )
            .build()
            .persistent(folded.len() == 1)
            .execute(&mut *on)
            .await?;
            let pages = pages_of(folded);
            if pages.is_empty() {
                return Ok(());
            }
            QueryBuilder::<$Db>::new("insert into views (match_id, name, hash, body, form) ")
                .push_values(pages, |mut row, (match_id, name, hash, body)| {
                    row.push_bind(match_id).push_bind(name).push_bind(hash).push_bind(body).push_bind(FORM);
                })
                .push(
                    " on conflict (match_id, name) do update \
                     set hash = excluded.hash, body = excluded.body, form = excluded.form",
                )
                .build()
                .persistent(folded.len() == 1)
                .execute(&mut *on)
                .await?;
            Ok(())
        }

        impl $Store {
            /// The most matches in a transaction that renews or rebuilds projections. One that locks rows on
            /// several machines is refused where matches are spread.
            fn matches_at_once(&self) -> usize {
                if self.as_spread().is_some() { 1 } else { usize::MAX }
            }

            /// Writes the projections of those matches that are still at the head as of which they are
            /// folded.
            async fn renew_rows(&self, folded: &[(MatchId, String, Rows)]) -> Result<(), StoreError> {
                for together in folded.chunks(self.matches_at_once()) {
                    self.renew_together(together).await?;
                }
                Ok(())
            }

            /// Renews matches in one transaction, which locks their heads against appends.
            async fn renew_together(&self, folded: &[(MatchId, String, Rows)]) -> Result<(), StoreError> {
                let match_ids: Vec<MatchId> = folded.iter().map(|(match_id, ..)| *match_id).collect();
                let mut writer = self.writer().await?;
                let mut transaction = self.begin(&mut writer).await?;
                let on = &mut *transaction;
                let heads: Vec<(MatchId, String)> =
                    some_matches("select match_id, hash from heads where", &match_ids)
                        .push(" order by match_id")
                        .push(Self::FOR_UPDATE_UNLESS_LOCKED)
                        .build_query_as()
                        .persistent(false)
                        .fetch_all(&mut *on)
                        .await
                        .map_err(Self::fault)?;
                let heads: BTreeMap<MatchId, String> = heads.into_iter().collect();
                let still: Vec<(MatchId, &str, &Rows)> = folded
                    .iter()
                    .filter(|(match_id, hash, _)| heads.get(match_id) == Some(hash))
                    .map(|(match_id, hash, rows)| (*match_id, hash.as_str(), rows))
                    .collect();
                write_rows(on, &still).await.map_err(Self::fault)?;
                self.commit(transaction).await
            }

            fn swept_records(&self) -> SweptRecords {
                if self.as_spread().is_some() { SweptRecords::OF_A_MATCH } else { SweptRecords::OF_ALL }
            }

            /// Sweeps the next idempotency records. Where a read finds no old record, nothing is locked.
            async fn sweep_batch(
                &self,
                after: &RecordPlace,
                before: DateTime<Utc>,
            ) -> Result<SweptBatch, StoreError> {
                let SweptRecords { after: come_after, are_old } = self.swept_records();
                let next = format!(
                    "select match_id, actor, key, {are_old} from idempotency where {come_after} \
                     order by match_id, actor, key limit $5"
                );
                let batch: Vec<(MatchId, String, String, Option<bool>)> = sqlx::query_as(AssertSqlSafe(next))
                    .bind(before)
                    .bind(after.match_id)
                    .bind(&after.actor)
                    .bind(&after.key)
                    .bind(SWEPT_AT_ONCE)
                    .fetch_all(&mut *self.reading().await?)
                    .await
                    .map_err(Self::fault)?;
                let has_old = batch.iter().any(|(.., is_old)| *is_old == Some(true));
                let last = batch.into_iter().next_back();
                let last = last.map(|(match_id, actor, key, _)| RecordPlace { match_id, actor, key });
                let removed = match &last {
                    Some(last) if has_old => self.remove_old_records(after, last, before).await?,
                    Some(_) | None => 0,
                };
                Ok(SweptBatch { removed, last })
            }

            /// Removes the old idempotency records between two places, and returns how many there were.
            async fn remove_old_records(
                &self,
                after: &RecordPlace,
                last: &RecordPlace,
                before: DateTime<Utc>,
            ) -> Result<u64, StoreError> {
                let SweptRecords { after: come_after, are_old } = self.swept_records();
                let delete = format!(
                    "delete from idempotency where {come_after} \
                     and (match_id, actor, key) <= ($5, $6, $7) and {are_old}"
                );
                let mut writer = self.writer().await?;
                let mut transaction = self.begin(&mut writer).await?;
                let deleted = sqlx::query(AssertSqlSafe(delete))
                    .bind(before)
                    .bind(after.match_id)
                    .bind(&after.actor)
                    .bind(&after.key)
                    .bind(last.match_id)
                    .bind(&last.actor)
                    .bind(&last.key)
                    .execute(&mut *transaction)
                    .await
                    .map_err(Self::fault)?;
                self.commit(transaction).await?;
                Ok(deleted.rows_affected())
            }

            async fn delete_orphans(&self) -> Result<(), StoreError> {
                let mut writer = self.writer().await?;
                let mut transaction = self.begin(&mut writer).await?;
                if let Some(setting) = Self::LONG {
                    sqlx::query(setting).execute(&mut *transaction).await.map_err(Self::fault)?;
                }
                for statement in [
                    "delete from match_list where match_id not in (select match_id from heads)",
                    "delete from views where match_id not in (select match_id from heads)",
                ] {
                    sqlx::query(statement).execute(&mut *transaction).await.map_err(Self::fault)?;
                }
                self.commit(transaction).await
            }

            async fn rebuild_matches(
                &self,
                match_ids: &[MatchId],
                fold: Fold,
            ) -> Result<Vec<(MatchId, Rebuilt)>, StoreError> {
                let mut rebuilt = Vec::with_capacity(match_ids.len());
                for together in match_ids.chunks(self.matches_at_once()) {
                    rebuilt.extend(self.rebuild_together(together, Arc::clone(&fold)).await?);
                }
                Ok(rebuilt)
            }

            /// Rebuilds some matches in one transaction, which locks their heads, so that no append comes in
            /// between.
            async fn rebuild_together(
                &self,
                match_ids: &[MatchId],
                fold: Fold,
            ) -> Result<Vec<(MatchId, Rebuilt)>, StoreError> {
                let mut writer = self.writer().await?;
                let mut transaction = self.begin(&mut writer).await?;
                let on = &mut *transaction;
                some_matches("select seq from heads where", match_ids)
                    // Appends lock heads in this order, too, which avoids deadlocks.
                    .push(" order by match_id")
                    .push(Self::FOR_UPDATE)
                    .build()
                    .persistent(false)
                    .fetch_all(&mut *on)
                    .await
                    .map_err(Self::fault)?;
                let logs = read_logs(on, match_ids).await.map_err(Self::fault)?;
                let folded = tokio::task::spawn_blocking(move || fold_each(logs, fold))
                    .await
                    .map_err(|stopped| StoreError::Failed(stopped.to_string()))?;
                let (mut rebuilt, mut done) = (Vec::new(), Vec::new());
                for (match_id, rows) in &folded {
                    rebuilt.push(match rows {
                        Ok((hash, rows)) => {
                            done.push((*match_id, hash.as_str(), rows));
                            (*match_id, Rebuilt::Done)
                        }
                        Err(reason) => (*match_id, Rebuilt::Broken(reason.clone())),
                    });
                }
                let replaced: Vec<MatchId> = done.iter().map(|(match_id, _, _)| *match_id).collect();
                if !replaced.is_empty() {
                    for delete in ["delete from match_list where", "delete from views where"] {
                        let mut query = some_matches(delete, &replaced);
                        query.build().persistent(false).execute(&mut *on).await.map_err(Self::fault)?;
                    }
                }
                write_rows(on, &done).await.map_err(Self::fault)?;
                self.commit(transaction).await?;
                Ok(rebuilt)
            }
        }

        /// A query for some matches, by their ids.
        fn some_matches(query: &str, match_ids: &[MatchId]) -> QueryBuilder<$Db> {
            let mut query = QueryBuilder::<$Db>::new(query);
            query.push(" match_id in (");
            let mut listed = query.separated(", ");
            for match_id in match_ids {
                listed.push_bind(*match_id);
            }
            query.push(")");
            query
        }

        /// The whole logs of some matches.
        async fn read_logs(
            on: &mut Connection,
            match_ids: &[MatchId],
        ) -> Result<Vec<(MatchId, Vec<Entry>)>, sqlx::Error> {
            let rows: Vec<(MatchId, i64, String, String)> =
                some_matches("select match_id, seq, body, hash from events where", match_ids)
                    .push(" order by match_id, seq")
                    .build_query_as()
                    .persistent(false)
                    .fetch_all(on)
                    .await?;
            let mut logs: BTreeMap<MatchId, Vec<Entry>> =
                match_ids.iter().map(|id| (*id, Vec::new())).collect();
            for (match_id, seq, body, hash) in rows {
                logs.entry(match_id).or_default().push(Entry { seq: unsigned(seq), body, hash });
            }
            Ok(logs.into_iter().collect())
        }
    };
}
pub(super) use store_writing;

use super::Fold;
use crate::log::{Entry, MatchId};
use crate::views::Rows;

/// The number of idempotency records that are swept at once: some milliseconds of work.
pub(super) const SWEPT_AT_ONCE: i64 = 1_000;

/// The conditions on idempotency records that are swept.
pub(super) struct SweptRecords {
    /// The condition that a record comes after a place, whose parts are `$2` to `$4`.
    pub(super) after: &'static str,
    /// The condition that the last event of a record was appended before a time. The events have the time, so
    /// the records need no column for it.
    pub(super) are_old: &'static str,
}

impl SweptRecords {
    /// The records of all matches.
    pub(super) const OF_ALL: SweptRecords = SweptRecords {
        after: "(match_id, actor, key) > ($2, $3, $4)",
        are_old: "(select at from events where events.match_id = idempotency.match_id \
            and events.seq = idempotency.last_seq) < $1",
    };
    /// The records of one match. Both tables are asked for it by name, so that one machine is asked.
    pub(super) const OF_A_MATCH: SweptRecords = SweptRecords {
        after: "match_id = $2 and (actor, key) > ($3, $4)",
        are_old: "(select at from events where events.match_id = $2 \
            and events.seq = idempotency.last_seq) < $1",
    };
}

/// The pages of some matches: match, name, hash, body.
pub(super) fn pages_of<'a>(
    folded: &[(MatchId, &'a str, &'a Rows)],
) -> Vec<(MatchId, &'static str, &'a str, &'a str)> {
    let mut pages = Vec::new();
    for &(match_id, hash, rows) in folded {
        pages.extend(rows.pages.iter().map(|(page, body)| (match_id, page.name(), hash, body.as_str())));
    }
    pages
}

/// The result of folding a log: the hash of its head and its projections, or the reason why it cannot be
/// folded.
type Folded = Result<(String, Rows), String>;

/// Folds some logs.
pub(super) fn fold_each(logs: Vec<(MatchId, Vec<Entry>)>, fold: Fold) -> Vec<(MatchId, Folded)> {
    logs.into_iter()
        .map(|(match_id, log)| {
            let hash = log.last().map_or_else(String::new, |entry| entry.hash.clone());
            (match_id, fold(&log).map(|rows| (hash, rows)))
        })
        .collect()
}
