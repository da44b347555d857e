//! Writing projections and sweeping idempotency records, in the SQL that both engines share. Appending events
//! is different in each engine.

/// Implements `write_rows`, `renew_rows`, `list_rows`, `sweep_batch`, `delete_orphans` and `rebuild_matches`
/// for the store of one engine. The macro needs what `event_store!` needs, two clauses with which a select
/// locks its rows, `FOR_UPDATE` and `FOR_UPDATE_UNLESS_LOCKED`, and `LONG`, the setting of a long
/// transaction.
macro_rules! store_writing {
    ($Store:ty, $Db:ty) => {
        use crate::log::MatchId;
        use crate::store::queries::{HOUR, signed, unsigned};
        use crate::store::writing::{PageRow, RowsAsOf, SWEPT_AT_ONCE, SweptRecords, fold_each, pages_of};
        use crate::store::{Fold, Projected, Rebuilt, RecordPlace, SpreadStore, SweptBatch};
        use crate::views::FORM;
        use chrono::{DateTime, Utc};
        use sqlx::query_builder::Separated;
        use sqlx::{AssertSqlSafe, QueryBuilder};
        use std::collections::BTreeMap;
        use std::sync::Arc;

        type Connection = <$Db as sqlx::Database>::Connection;

        const ROWS_OF_LIST: &str =
            "insert into match_list (match_id, game, home, away, status, body, form, last_at, last_hour, seq) ";
        const IN_PLACE_OF_ROWS: &str = " on conflict (match_id) do update \
             set status = excluded.status, body = excluded.body, form = excluded.form, \
             last_at = excluded.last_at, last_hour = excluded.last_hour, seq = excluded.seq";

        /// Binds the values of a row of the match list.
        fn bind_row(values: &mut Separated<'_, $Db, &'static str>, row: &RowsAsOf<'_>) {
            let RowsAsOf { match_id, seq, rows, .. } = row;
            values.push_bind(*match_id).push_bind(&rows.game).push_bind(&rows.home).push_bind(&rows.away);
            values.push_bind(rows.status).push_bind(&rows.summary).push_bind(FORM);
            values.push_bind(rows.last_at).push_bind(rows.last_at / HOUR).push_bind(signed(*seq));
        }

        const ROWS_OF_PAGES: &str = "insert into views (match_id, name, hash, body, form) ";
        const IN_PLACE_OF_PAGES: &str = " on conflict (match_id, name) do update \
             set hash = excluded.hash, body = excluded.body, form = excluded.form";

        /// Binds the values of a page of a finished match.
        fn bind_page(values: &mut Separated<'_, $Db, &'static str>, (match_id, name, hash, body): PageRow<'_>) {
            values.push_bind(match_id).push_bind(name).push_bind(hash).push_bind(body).push_bind(FORM);
        }

        /// Writes the projections of some matches.
        async fn write_rows(on: &mut Connection, rows: &[RowsAsOf<'_>]) -> Result<(), sqlx::Error> {
            if rows.is_empty() {
                return Ok(());
            }
            QueryBuilder::<$Db>::new(ROWS_OF_LIST)
                .push_values(rows, |mut values, row| bind_row(&mut values, row))
                .push(IN_PLACE_OF_ROWS)
                .build()
                .persistent(rows.len() == 1)
                .execute(&mut *on)
                .await?;
            let pages = pages_of(rows);
            if pages.is_empty() {
                return Ok(());
            }
            QueryBuilder::<$Db>::new(ROWS_OF_PAGES)
                .push_values(pages, |mut values, page| bind_page(&mut values, page))
                .push(IN_PLACE_OF_PAGES)
                .build()
                .persistent(rows.len() == 1)
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

            /// Writes rows of the match list in the place of those that are true as of an earlier event. No
            /// head is locked: a match may go on meanwhile, and what it was stays true.
            async fn list_rows(&self, projected: &[Projected]) -> Result<(), StoreError> {
                if projected.is_empty() {
                    return Ok(());
                }
                // In the order of the matches, as appends write them, which avoids deadlocks.
                let mut rows: Vec<RowsAsOf<'_>> = projected.iter().map(RowsAsOf::of).collect();
                rows.sort_unstable_by_key(|row| row.match_id);
                let mut writer = self.writer().await?;
                let mut transaction = self.begin(&mut writer).await?;
                QueryBuilder::<$Db>::new(ROWS_OF_LIST)
                    .push(
                        "select column1, column2, column3, column4, column5, column6, column7, column8, \
                         column9, column10 from (",
                    )
                    .push_values(rows, |mut values, row| {
                        bind_row(&mut values, &row);
                        values.push_bind(row.hash);
                    })
                    // Compared as a value, since a planner may turn `exists` into a hash of the whole table.
                    .push(
                        ") as listed where column11 = (select hash from events \
                         where events.match_id = column1 and events.seq = column10)",
                    )
                    .push(IN_PLACE_OF_ROWS)
                    .push(" where match_list.seq <= excluded.seq")
                    .build()
                    .persistent(false)
                    .execute(&mut *transaction)
                    .await
                    .map_err(Self::fault)?;
                self.commit(transaction).await
            }

            /// Writes the projections of those matches that are still at the head as of which they are
            /// folded.
            async fn renew_rows(&self, projected: &[Projected]) -> Result<(), StoreError> {
                for together in projected.chunks(self.matches_at_once()) {
                    self.renew_together(together).await?;
                }
                Ok(())
            }

            /// Renews matches in one transaction, which locks their heads against appends.
            async fn renew_together(&self, projected: &[Projected]) -> Result<(), StoreError> {
                let match_ids: Vec<MatchId> = projected.iter().map(|one| one.match_id).collect();
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
                let mut still: Vec<RowsAsOf<'_>> = projected
                    .iter()
                    .filter(|one| heads.get(&one.match_id) == Some(&one.head.hash))
                    .map(RowsAsOf::of)
                    .collect();
                still.sort_unstable_by_key(|row| row.match_id);
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
                for (match_id, projected) in &folded {
                    rebuilt.push(match projected {
                        Ok(projected) => {
                            done.push(RowsAsOf::of(projected));
                            (*match_id, Rebuilt::Done)
                        }
                        Err(reason) => (*match_id, Rebuilt::Broken(reason.clone())),
                    });
                }
                let replaced: Vec<MatchId> = done.iter().map(|row| row.match_id).collect();
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

use super::{Append, Fold, Projected};
use crate::log::{Entry, Head, MatchId};
use crate::rules::Choices;
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

/// The projections of a match as of an event of its log, as they are written.
#[derive(Clone, Copy)]
pub(super) struct RowsAsOf<'a> {
    /// The match's id.
    pub(super) match_id: MatchId,
    /// The event.
    pub(super) seq: u64,
    /// The hash of the event.
    pub(super) hash: &'a str,
    /// The projections.
    pub(super) rows: &'a Rows,
}

impl<'a> RowsAsOf<'a> {
    pub(super) fn of(projected: &'a Projected) -> RowsAsOf<'a> {
        let Projected { match_id, head: Head { seq, hash }, rows } = projected;
        RowsAsOf { match_id: *match_id, seq: *seq, hash, rows }
    }

    /// Those that are written with an append; none where they follow.
    pub(super) fn with(append: &'a Append) -> Option<RowsAsOf<'a>> {
        let rows = append.rows.as_ref()?;
        let (seq, hash) = (append.new_seq(), append.new_hash());
        Some(RowsAsOf { match_id: append.match_id, seq, hash, rows })
    }
}

/// A page of a finished match: match, name, hash, body.
pub(super) type PageRow<'a> = (MatchId, &'static str, &'a str, &'a str);

/// The pages of some matches.
pub(super) fn pages_of<'a>(rows: &[RowsAsOf<'a>]) -> Vec<PageRow<'a>> {
    let mut pages = Vec::new();
    for &RowsAsOf { match_id, hash, rows, .. } in rows {
        pages.extend(rows.pages.iter().map(|(page, body)| (match_id, page.name(), hash, body.as_str())));
    }
    pages
}

/// The text of a choice that is sealed, as it is stored.
pub(super) fn choice_text(choice: &Choices) -> Result<String, sqlx::Error> {
    serde_json::to_string(choice).map_err(|error| sqlx::Error::Encode(error.into()))
}

/// Folds some logs: the projections of each, or the reason why it cannot be folded.
pub(super) fn fold_each(
    logs: Vec<(MatchId, Vec<Entry>)>,
    fold: Fold,
) -> Vec<(MatchId, Result<Projected, String>)> {
    logs.into_iter()
        .map(|(match_id, log)| {
            let head = log.last().map_or_else(Head::default, Entry::head);
            (match_id, fold(&log).map(|rows| Projected { match_id, head, rows }))
        })
        .collect()
}
