//! Writing, in the SQL both engines speak: an append part by part, and the rebuild.

/// Gives a store of one engine `write_parts`, `delete_orphans` and `fold_again`. It needs what `event_store!` needs, and
/// `FOR_UPDATE`, what a select says to hold the rows it finds.
macro_rules! store_writing {
    ($Store:ty, $Db:ty) => {
        use crate::log::MatchId;
        use crate::projections::Rows;
        use crate::store::queries::{signed, unsigned};
        use crate::store::writing::{fold_each, pages_of};
        use crate::store::{Answered, Append, Fold, Opening, Rebuilt, Record};
        use sqlx::QueryBuilder;
        use std::collections::BTreeMap;

        type Connection = <$Db as sqlx::Database>::Connection;

        /// Moves the head on from the one the writer saw, if it still is the head and his token still his.
        async fn move_head(on: &mut Connection, append: &Append) -> Result<(), StoreError> {
            let Some(last) = append.records.last() else { return Ok(()) };
            let query = if append.expected.seq == 0 {
                sqlx::query("insert into heads (seq, hash, match_id) values ($1, $2, $3)")
            } else {
                sqlx::query(
                    "update heads set seq = $1, hash = $2 where match_id = $3 and seq = $4 and hash = $5 \
                     and ($6 is null or exists (select 1 from tokens where match_id = $3 and role = $6 \
                     and purpose = 'token' and hash = $7))",
                )
            };
            let mut query = query.bind(signed(last.entry.seq)).bind(&last.entry.hash).bind(append.match_id);
            if append.expected.seq > 0 {
                let pass = append.pass.as_ref();
                query = query
                    .bind(signed(append.expected.seq))
                    .bind(&append.expected.hash)
                    .bind(pass.map(|pass| pass.role))
                    .bind(pass.map(|pass| pass.hash.as_str()));
            }
            match query.execute(on).await.map_err(<$Store>::fault)?.rows_affected() {
                1 => Ok(()),
                _ => Err(StoreError::Conflict),
            }
        }

        async fn insert_events(on: &mut Connection, match_id: MatchId, records: &[Record]) -> Result<(), sqlx::Error> {
            for record in records {
                sqlx::query("insert into events (match_id, seq, kind, at, body, hash) values ($1, $2, $3, $4, $5, $6)")
                    .bind(match_id)
                    .bind(signed(record.entry.seq))
                    .bind(record.kind)
                    .bind(record.at)
                    .bind(&record.entry.body)
                    .bind(&record.entry.hash)
                    .execute(&mut *on)
                    .await?;
            }
            Ok(())
        }

        async fn insert_opening(on: &mut Connection, match_id: MatchId, opening: &Opening) -> Result<(), sqlx::Error> {
            if let Some(seed) = &opening.server_seed {
                sqlx::query("insert into secrets (match_id, server_seed) values ($1, $2)")
                    .bind(match_id)
                    .bind(seed.reveal())
                    .execute(&mut *on)
                    .await?;
            }
            for token in &opening.tokens {
                sqlx::query("insert into tokens (match_id, role, purpose, hash) values ($1, $2, $3, $4)")
                    .bind(match_id)
                    .bind(token.role)
                    .bind(if token.invite { "invite" } else { "token" })
                    .bind(&token.hash)
                    .execute(&mut *on)
                    .await?;
            }
            Ok(())
        }

        async fn insert_answered(on: &mut Connection, match_id: MatchId, answered: &Answered) -> Result<(), sqlx::Error> {
            sqlx::query(
                "insert into idempotency (match_id, actor, key, request, first_seq, last_seq) \
                 values ($1, $2, $3, $4, $5, $6)",
            )
            .bind(match_id)
            .bind(answered.actor.as_str())
            .bind(&answered.key)
            .bind(&answered.request)
            .bind(signed(answered.first_seq))
            .bind(signed(answered.last_seq))
            .execute(on)
            .await?;
            Ok(())
        }

        /// Writes the projections of some matches, each with the hash of the event after which they are true.
        async fn write_rows(on: &mut Connection, folded: &[(MatchId, &str, &Rows)]) -> Result<(), sqlx::Error> {
            if folded.is_empty() {
                return Ok(());
            }
            QueryBuilder::<$Db>::new("insert into match_list (match_id, game, home, away, status, body) ")
                .push_values(folded, |mut row, (match_id, _, rows)| {
                    row.push_bind(*match_id).push_bind(&rows.game).push_bind(&rows.home).push_bind(&rows.away);
                    row.push_bind(rows.status).push_bind(&rows.summary);
                })
                .push(" on conflict (match_id) do update set status = excluded.status, body = excluded.body")
                .build()
                .persistent(folded.len() == 1)
                .execute(&mut *on)
                .await?;
            let pages = pages_of(folded);
            if pages.is_empty() {
                return Ok(());
            }
            QueryBuilder::<$Db>::new("insert into views (match_id, name, hash, body) ")
                .push_values(pages, |mut row, (match_id, name, hash, body)| {
                    row.push_bind(match_id).push_bind(name).push_bind(hash).push_bind(body);
                })
                .push(" on conflict (match_id, name) do update set hash = excluded.hash, body = excluded.body")
                .build()
                .persistent(folded.len() == 1)
                .execute(&mut *on)
                .await?;
            Ok(())
        }

        /// Writes one append part by part, inside a transaction.
        async fn write_parts(on: &mut Connection, append: &Append) -> Result<(), StoreError> {
            let fault = <$Store>::fault;
            move_head(on, append).await?;
            insert_events(on, append.match_id, &append.records).await.map_err(fault)?;
            if let Some(opening) = &append.opening {
                insert_opening(on, append.match_id, opening).await.map_err(fault)?;
            }
            if let Some(answered) = &append.answered {
                insert_answered(on, append.match_id, answered).await.map_err(fault)?;
            }
            write_rows(on, &[(append.match_id, append.new_hash(), &append.rows)]).await.map_err(fault)
        }

        impl $Store {
            async fn delete_orphans(&self) -> Result<(), StoreError> {
                let mut writer = self.writer().await?;
                let mut transaction = self.begin(&mut writer).await?;
                for statement in [
                    "delete from match_list where match_id not in (select match_id from heads)",
                    "delete from views where match_id not in (select match_id from heads)",
                ] {
                    sqlx::query(statement).execute(&mut *transaction).await.map_err(Self::fault)?;
                }
                transaction.commit().await.map_err(|error| Self::fault(error).of_commit())
            }

            /// Folds some matches again in one transaction, which holds their heads, so that no append comes in between.
            async fn fold_again(
                &self,
                match_ids: &[MatchId],
                fold: Fold,
            ) -> Result<Vec<(MatchId, Rebuilt)>, StoreError> {
                let mut writer = self.writer().await?;
                let mut transaction = self.begin(&mut writer).await?;
                let on = &mut *transaction;
                some_matches("select seq from heads where", match_ids)
                    // In the order in which appends hold them.
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
                transaction.commit().await.map_err(|error| Self::fault(error).of_commit())?;
                Ok(rebuilt)
            }
        }

        /// A query about some matches, by their ids.
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
            let mut logs: BTreeMap<MatchId, Vec<Entry>> = match_ids.iter().map(|id| (*id, Vec::new())).collect();
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
use crate::projections::Rows;

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

/// What a log folds into: the hash it ends in and its projections, or the reason why it cannot be folded.
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
