//! The queries, written once in the SQL both engines speak and typed for each by a macro.

/// `u64` as the databases have it. Sequence numbers stay far below the limit.
pub(super) fn signed(n: u64) -> i64 {
    i64::try_from(n).unwrap_or(i64::MAX)
}

/// A sequence number read back.
pub(super) fn unsigned(n: i64) -> u64 {
    u64::try_from(n).unwrap_or_default()
}

/// Implements `EventStore` for a store of one engine. The store has `reading()` for a connection, `writing()` for a
/// transaction that may write, `fault()` to judge errors, and `shut()` to close.
macro_rules! event_store {
    ($Store:ty, $Db:ty) => {
        use crate::log::{Actor, Entry, Head, MatchId};
        use crate::projections::Rows;
        use crate::store::queries::{signed, unsigned};
        use crate::store::{Answered, Append, EventStore, Filter, Fold, Opening, Rebuilt, Record, View};
        use sqlx::QueryBuilder;

        type Connection = <$Db as sqlx::Database>::Connection;

        async fn move_head(on: &mut Connection, append: &Append) -> Result<(), StoreError> {
            let Some(last) = append.records.last() else { return Ok(()) };
            let moved = if append.expected == 0 {
                sqlx::query("insert into heads (seq, hash, match_id) values ($1, $2, $3)")
                    .bind(signed(last.entry.seq))
                    .bind(&last.entry.hash)
                    .bind(append.match_id)
                    .execute(on)
                    .await
            } else {
                sqlx::query("update heads set seq = $1, hash = $2 where match_id = $3 and seq = $4")
                    .bind(signed(last.entry.seq))
                    .bind(&last.entry.hash)
                    .bind(append.match_id)
                    .bind(signed(append.expected))
                    .execute(on)
                    .await
            };
            match moved.map_err(<$Store>::fault)?.rows_affected() {
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

        async fn write_rows(on: &mut Connection, match_id: MatchId, hash: &str, rows: &Rows) -> Result<(), sqlx::Error> {
            sqlx::query(
                "insert into match_list (match_id, game, home, away, status, body) values ($1, $2, $3, $4, $5, $6) \
                 on conflict (match_id) do update set status = excluded.status, body = excluded.body",
            )
            .bind(match_id)
            .bind(&rows.game)
            .bind(&rows.home)
            .bind(&rows.away)
            .bind(rows.status)
            .bind(&rows.summary)
            .execute(&mut *on)
            .await?;
            for (name, body) in &rows.views {
                sqlx::query(
                    "insert into views (match_id, name, hash, body) values ($1, $2, $3, $4) \
                     on conflict (match_id, name) do update set hash = excluded.hash, body = excluded.body",
                )
                .bind(match_id)
                .bind(*name)
                .bind(hash)
                .bind(body)
                .execute(&mut *on)
                .await?;
            }
            for (seq, body) in &rows.commentary {
                sqlx::query("insert into commentary (match_id, seq, body) values ($1, $2, $3)")
                    .bind(match_id)
                    .bind(signed(*seq))
                    .bind(body)
                    .execute(&mut *on)
                    .await?;
            }
            Ok(())
        }

        async fn read_entries(
            on: &mut Connection,
            match_id: MatchId,
            after: u64,
            limit: i64,
        ) -> Result<Vec<Entry>, sqlx::Error> {
            let rows: Vec<(i64, String, String)> = sqlx::query_as(
                "select seq, body, hash from events where match_id = $1 and seq > $2 order by seq limit $3",
            )
            .bind(match_id)
            .bind(signed(after))
            .bind(limit)
            .fetch_all(on)
            .await?;
            Ok(rows.into_iter().map(|(seq, body, hash)| Entry { seq: unsigned(seq), body, hash }).collect())
        }

        #[async_trait::async_trait]
        impl EventStore for $Store {
            async fn append(&self, append: &Append) -> Result<(), StoreError> {
                let mut transaction = self.writing().await?;
                let on = &mut *transaction;
                move_head(on, append).await?;
                insert_events(on, append.match_id, &append.records).await.map_err(Self::fault)?;
                if let Some(opening) = &append.opening {
                    insert_opening(on, append.match_id, opening).await.map_err(Self::fault)?;
                }
                if let Some(answered) = &append.answered {
                    insert_answered(on, append.match_id, answered).await.map_err(Self::fault)?;
                }
                let hash = append.records.last().map_or("", |record| record.entry.hash.as_str());
                write_rows(on, append.match_id, hash, &append.rows).await.map_err(Self::fault)?;
                transaction.commit().await.map_err(|error| Self::fault(error).of_commit())
            }

            async fn head(&self, match_id: MatchId) -> Result<Option<Head>, StoreError> {
                let row: Option<(i64, String)> = sqlx::query_as("select seq, hash from heads where match_id = $1")
                    .bind(match_id)
                    .fetch_optional(&mut *self.reading().await?)
                    .await
                    .map_err(Self::fault)?;
                Ok(row.map(|(seq, hash)| Head { seq: unsigned(seq), hash }))
            }

            async fn heads(&self, match_ids: &[MatchId]) -> Result<Vec<(MatchId, u64)>, StoreError> {
                if match_ids.is_empty() {
                    return Ok(Vec::new());
                }
                let mut query = QueryBuilder::<$Db>::new("select match_id, seq from heads where match_id in (");
                let mut listed = query.separated(", ");
                for match_id in match_ids {
                    listed.push_bind(*match_id);
                }
                query.push(")");
                let rows: Vec<(MatchId, i64)> = query
                    .build_query_as()
                    .persistent(false)
                    .fetch_all(&mut *self.reading().await?)
                    .await
                    .map_err(Self::fault)?;
                Ok(rows.into_iter().map(|(match_id, seq)| (match_id, unsigned(seq))).collect())
            }

            async fn entries(&self, match_id: MatchId, after: u64, limit: u32) -> Result<Vec<Entry>, StoreError> {
                read_entries(&mut *self.reading().await?, match_id, after, i64::from(limit)).await.map_err(Self::fault)
            }

            async fn server_seed(&self, match_id: MatchId) -> Result<Option<String>, StoreError> {
                sqlx::query_scalar("select server_seed from secrets where match_id = $1")
                    .bind(match_id)
                    .fetch_optional(&mut *self.reading().await?)
                    .await
                    .map_err(Self::fault)
            }

            async fn token(&self, match_id: MatchId, role: &str) -> Result<Option<String>, StoreError> {
                sqlx::query_scalar("select hash from tokens where match_id = $1 and role = $2 and purpose = 'token'")
                    .bind(match_id)
                    .bind(role)
                    .fetch_optional(&mut *self.reading().await?)
                    .await
                    .map_err(Self::fault)
            }

            async fn replace_token(
                &self,
                match_id: MatchId,
                role: &str,
                old: Option<&str>,
                new: &str,
            ) -> Result<bool, StoreError> {
                let mut query = QueryBuilder::<$Db>::new("update tokens set hash = ");
                query.push_bind(new).push(" where purpose = 'token' and match_id = ").push_bind(match_id);
                query.push(" and role = ").push_bind(role);
                if let Some(old) = old {
                    query.push(" and hash = ").push_bind(old);
                }
                let mut transaction = self.writing().await?;
                let done = query.build().execute(&mut *transaction).await.map_err(Self::fault)?;
                transaction.commit().await.map_err(|error| Self::fault(error).of_commit())?;
                Ok(done.rows_affected() == 1)
            }

            async fn answered(
                &self,
                match_id: MatchId,
                actor: Actor,
                key: &str,
            ) -> Result<Option<Answered>, StoreError> {
                let row: Option<(String, i64, i64)> = sqlx::query_as(
                    "select request, first_seq, last_seq from idempotency \
                     where match_id = $1 and actor = $2 and key = $3",
                )
                .bind(match_id)
                .bind(actor.as_str())
                .bind(key)
                .fetch_optional(&mut *self.reading().await?)
                .await
                .map_err(Self::fault)?;
                Ok(row.map(|(request, first, last)| Answered {
                    actor,
                    key: key.to_owned(),
                    request,
                    first_seq: unsigned(first),
                    last_seq: unsigned(last),
                }))
            }

            async fn view(&self, match_id: MatchId, name: &str) -> Result<Option<View>, StoreError> {
                let row: Option<(String, String)> =
                    sqlx::query_as("select hash, body from views where match_id = $1 and name = $2")
                        .bind(match_id)
                        .bind(name)
                        .fetch_optional(&mut *self.reading().await?)
                        .await
                        .map_err(Self::fault)?;
                Ok(row.map(|(hash, body)| View { hash, body }))
            }

            async fn commentary(&self, match_id: MatchId, to: u64) -> Result<Vec<String>, StoreError> {
                sqlx::query_scalar("select body from commentary where match_id = $1 and seq <= $2 order by seq")
                    .bind(match_id)
                    .bind(signed(to))
                    .fetch_all(&mut *self.reading().await?)
                    .await
                    .map_err(Self::fault)
            }

            async fn matches(&self, filter: &Filter) -> Result<Vec<(MatchId, String)>, StoreError> {
                let mut query = QueryBuilder::<$Db>::new("select match_id, body from match_list where 1 = 1");
                if let Some(game) = &filter.game {
                    query.push(" and game = ").push_bind(game.as_str());
                }
                if let Some(status) = &filter.status {
                    query.push(" and status = ").push_bind(status.as_str());
                }
                if let Some(team) = &filter.team {
                    query.push(" and (home = ").push_bind(team.as_str());
                    query.push(" or away = ").push_bind(team.as_str()).push(")");
                }
                if let Some(before) = filter.before {
                    query.push(" and match_id < ").push_bind(before);
                }
                query.push(" order by match_id desc limit ").push_bind(i64::from(filter.limit));
                query.build_query_as().fetch_all(&mut *self.reading().await?).await.map_err(Self::fault)
            }

            async fn match_ids(&self, after: Option<MatchId>, limit: u32) -> Result<Vec<MatchId>, StoreError> {
                sqlx::query_scalar("select match_id from heads where match_id > $1 order by match_id limit $2")
                    .bind(after.unwrap_or_default())
                    .bind(i64::from(limit))
                    .fetch_all(&mut *self.reading().await?)
                    .await
                    .map_err(Self::fault)
            }

            async fn drop_orphans(&self) -> Result<(), StoreError> {
                let mut transaction = self.writing().await?;
                for statement in [
                    "delete from match_list where match_id not in (select match_id from heads)",
                    "delete from views where match_id not in (select match_id from heads)",
                    "delete from commentary where match_id not in (select match_id from heads)",
                ] {
                    sqlx::query(statement).execute(&mut *transaction).await.map_err(Self::fault)?;
                }
                transaction.commit().await.map_err(|error| Self::fault(error).of_commit())
            }

            async fn rebuild(&self, match_id: MatchId, fold: Fold) -> Result<Rebuilt, StoreError> {
                let mut transaction = self.writing().await?;
                let on = &mut *transaction;
                // Holds the match's head, so that no append comes in between.
                sqlx::query("update heads set seq = seq where match_id = $1")
                    .bind(match_id)
                    .execute(&mut *on)
                    .await
                    .map_err(Self::fault)?;
                let entries = read_entries(on, match_id, 0, i64::MAX).await.map_err(Self::fault)?;
                let rows = match fold(&entries) {
                    Ok(rows) => rows,
                    Err(reason) => return Ok(Rebuilt::Broken(reason)),
                };
                for statement in [
                    "delete from match_list where match_id = $1",
                    "delete from views where match_id = $1",
                    "delete from commentary where match_id = $1",
                ] {
                    sqlx::query(statement).bind(match_id).execute(&mut *on).await.map_err(Self::fault)?;
                }
                let hash = entries.last().map_or("", |entry| entry.hash.as_str());
                write_rows(on, match_id, hash, &rows).await.map_err(Self::fault)?;
                transaction.commit().await.map_err(|error| Self::fault(error).of_commit())?;
                Ok(Rebuilt::Done)
            }

            async fn ping(&self) -> Result<(), StoreError> {
                self.reading().await?.ping().await.map_err(Self::fault)
            }

            async fn close(&self) {
                self.shut().await;
            }
        }
    };
}
pub(super) use event_store;
