//! The queries, written once in the SQL that both engines share, and typed for each engine by a macro.

use super::StoreError;
use crate::commands::{TokenPurpose, TokenRow};
use crate::log::Role;
use crate::matches::SealOpening;
use crate::scorebook::Side;

/// The milliseconds of an hour. The match list has an index by the hour of the last event: one by its time
/// would change with each ball.
pub(super) const HOUR: i64 = 3_600_000;

/// A sequence number as the databases store it. Sequence numbers stay far below the limit.
pub(super) fn signed(n: u64) -> i64 {
    i64::try_from(n).unwrap_or(i64::MAX)
}

/// A sequence number as read from a database.
pub(super) fn unsigned(n: i64) -> u64 {
    u64::try_from(n).unwrap_or_default()
}

/// A row of `openings`: side, seal, salt, choice.
pub(super) type OpeningRow = (String, String, String, String);

pub(super) fn read_opening((side, sealed, salt, choice): OpeningRow) -> Result<SealOpening, StoreError> {
    let broken = || StoreError::Failed("a stored choice cannot be read".to_owned());
    let side =
        [Side::Home, Side::Away].into_iter().find(|known| known.as_str() == side).ok_or_else(broken)?;
    Ok(SealOpening { side, sealed, salt, choice: serde_json::from_str(&choice).map_err(|_| broken())? })
}

/// A row of `tokens`: role, purpose, hash, end, name.
pub(super) type StoredToken = (String, String, String, i64, String);

/// Reads a row of `tokens`. Purposes of later versions are left out.
pub(super) fn read_token((role, purpose, hash, ends_at, name): StoredToken) -> Option<TokenRow> {
    let role = Role::ALL.into_iter().find(|known| known.as_str() == role)?;
    let purpose = TokenPurpose::ALL.into_iter().find(|known| known.as_str() == purpose)?;
    Some(TokenRow { role, purpose, hash, ends_at, name })
}

/// The small write of a probe. It changes its row each time, since SQLite writes nothing for an unchanged
/// one. The row is among the views, under an id that no match has, so the probe needs no table and no right
/// that appends do not need. Citus writes the form `case x when` wrongly when it hands a statement on.
pub(super) const PROBE: &str = "insert into views (match_id, name, hash, body) values ($1, 'probe', '', 'a') \
    on conflict (match_id, name) do update set body = case when views.body = 'a' then 'b' else 'a' end";

/// Implements `EventStore` for the store of one engine. The store has `reading()` for a connection,
/// `reading_of()` for one that reads one match, `writer()` for one that may write, `begin()` for a
/// transaction on it and `commit()` for its end, `try_to_write()` for a probe, `fault()` to classify
/// errors, `as_spread()`, and `shut()` to close. `store_writing!` implements the rest of writing.
macro_rules! event_store {
    ($Store:ty, $Db:ty) => {
        use crate::rules::Edition;
        use crate::matches::SealOpening;
        use crate::log::{Actor, EditionRecord, Entry, Head, Role, normal_name};
        use crate::store::queries::{OpeningRow, StoredToken, read_opening, read_token};
        use crate::store::{IdempotencyRecord, EachEntry, EventStore, ListOrder, ListPlace, ListRow, MatchFilter, CachedPage};
        use crate::commands::TokenPurpose;
        use futures_util::TryStreamExt;

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

        async fn read_heads(
            on: &mut Connection,
            match_ids: &[MatchId],
        ) -> Result<Vec<(MatchId, u64)>, sqlx::Error> {
            if match_ids.is_empty() {
                return Ok(Vec::new());
            }
            let rows: Vec<(MatchId, i64)> = some_matches("select match_id, seq from heads where", match_ids)
                .build_query_as()
                .persistent(false)
                .fetch_all(on)
                .await?;
            Ok(rows.into_iter().map(|(match_id, seq)| (match_id, unsigned(seq))).collect())
        }

        #[async_trait::async_trait]
        impl EventStore for $Store {
            async fn identity(&self) -> Result<String, StoreError> {
                sqlx::query_scalar("select id from store_identity")
                    .fetch_one(&mut *self.reading().await?)
                    .await
                    .map_err(Self::fault)
            }

            async fn head(&self, match_id: MatchId) -> Result<Option<Head>, StoreError> {
                let row: Option<(i64, String)> = sqlx::query_as("select seq, hash from heads where match_id = $1")
                    .bind(match_id)
                    .fetch_optional(&mut *self.reading_of(match_id).await?)
                    .await
                    .map_err(Self::fault)?;
                Ok(row.map(|(seq, hash)| Head { seq: unsigned(seq), hash }))
            }

            async fn heads(&self, match_ids: &[MatchId]) -> Result<Vec<(MatchId, u64)>, StoreError> {
                read_heads(&mut *self.reading().await?, match_ids).await.map_err(Self::fault)
            }

            async fn entries(&self, match_id: MatchId, after: u64, limit: u32) -> Result<Vec<Entry>, StoreError> {
                read_entries(&mut *self.reading_of(match_id).await?, match_id, after, i64::from(limit)).await.map_err(Self::fault)
            }

            async fn read(
                &self,
                match_id: MatchId,
                after: u64,
                to: u64,
                each: &mut EachEntry<'_>,
            ) -> Result<(), StoreError> {
                let mut connection = self.reading_of(match_id).await?;
                let mut rows = sqlx::query_as(
                    "select seq, body, hash from events where match_id = $1 and seq > $2 and seq <= $3 order by seq",
                )
                .bind(match_id)
                .bind(signed(after))
                .bind(signed(to))
                .fetch(&mut *connection);
                while let Some((seq, body, hash)) = rows.try_next().await.map_err(Self::fault)? {
                    if each(Entry { seq: unsigned(seq), body, hash }).is_break() {
                        break;
                    }
                }
                Ok(())
            }

            async fn server_seed(&self, match_id: MatchId) -> Result<Option<String>, StoreError> {
                sqlx::query_scalar("select server_seed from secrets where match_id = $1")
                    .bind(match_id)
                    .fetch_optional(&mut *self.reading_of(match_id).await?)
                    .await
                    .map_err(Self::fault)
            }

            async fn role(
                &self,
                match_id: MatchId,
                purpose: TokenPurpose,
                hash: &str,
            ) -> Result<Option<Role>, StoreError> {
                let role: Option<String> =
                    sqlx::query_scalar("select role from tokens where match_id = $1 and purpose = $2 and hash = $3")
                        .bind(match_id)
                        .bind(purpose.as_str())
                        .bind(hash)
                        .fetch_optional(&mut *self.reading_of(match_id).await?)
                        .await
                        .map_err(Self::fault)?;
                Ok(role.and_then(|role| Role::ALL.into_iter().find(|known| known.as_str() == role)))
            }

            async fn tokens(&self, match_id: MatchId) -> Result<Vec<TokenRow>, StoreError> {
                let rows: Vec<StoredToken> =
                    sqlx::query_as("select role, purpose, hash, ends_at, name from tokens where match_id = $1")
                        .bind(match_id)
                        .fetch_all(&mut *self.reading_of(match_id).await?)
                        .await
                        .map_err(Self::fault)?;
                Ok(rows.into_iter().filter_map(read_token).collect())
            }

            async fn name_writer(
                &self,
                match_id: MatchId,
                token: &VerifiedToken,
                name: &str,
            ) -> Result<bool, StoreError> {
                let mut writer = self.writer().await?;
                let mut transaction = self.begin(&mut writer).await?;
                let named = sqlx::query(
                    "update tokens set name = $4 where match_id = $1 and role = $2 and purpose = 'token' and hash = $3",
                )
                .bind(match_id)
                .bind(token.role.as_str())
                .bind(&token.hash)
                .bind(name)
                .execute(&mut *transaction)
                .await
                .map_err(Self::fault)?;
                self.commit(transaction).await?;
                Ok(named.rows_affected() > 0)
            }

            async fn offer_scoring(&self, offer: &ScoringOffer) -> Result<Offered, StoreError> {
                self.store_offer(offer).await
            }

            async fn offered(&self, match_id: MatchId, hash: &str) -> Result<Option<i64>, StoreError> {
                first_offer(&mut *self.reading_of(match_id).await?, match_id, hash).await.map_err(Self::fault)
            }

            async fn stop_offer(
                &self,
                match_id: MatchId,
                by: Option<&VerifiedToken>,
                at: i64,
            ) -> Result<bool, StoreError> {
                self.end_offer(match_id, by, at).await
            }

            async fn knows_hash(&self, match_id: MatchId, hash: &str) -> Result<bool, StoreError> {
                knows_hash(&mut *self.reading_of(match_id).await?, match_id, hash).await.map_err(Self::fault)
            }

            async fn openings(&self, match_id: MatchId) -> Result<Vec<SealOpening>, StoreError> {
                let rows: Vec<OpeningRow> =
                    sqlx::query_as("select side, sealed, salt, choice from openings where match_id = $1")
                        .bind(match_id)
                        .fetch_all(&mut *self.reading_of(match_id).await?)
                        .await
                        .map_err(Self::fault)?;
                rows.into_iter().map(read_opening).collect()
            }

            async fn idempotency_record(
                &self,
                match_id: MatchId,
                actor: Actor,
                key: &str,
            ) -> Result<Option<IdempotencyRecord>, StoreError> {
                let row: Option<(String, i64, i64)> = sqlx::query_as(
                    "select request, first_seq, last_seq from idempotency \
                     where match_id = $1 and actor = $2 and key = $3",
                )
                .bind(match_id)
                .bind(actor.as_str())
                .bind(key)
                .fetch_optional(&mut *self.reading_of(match_id).await?)
                .await
                .map_err(Self::fault)?;
                Ok(row.map(|(request, first, last)| IdempotencyRecord {
                    actor,
                    key: key.to_owned(),
                    request,
                    first_seq: unsigned(first),
                    last_seq: unsigned(last),
                }))
            }

            async fn sweep(&self, after: &RecordPlace, before: DateTime<Utc>) -> Result<SweptBatch, StoreError> {
                self.sweep_batch(after, before).await
            }

            async fn view(&self, match_id: MatchId, name: &str) -> Result<Option<CachedPage>, StoreError> {
                let row: Option<(String, String)> =
                    sqlx::query_as(
                        "select views.hash, body from views join heads using (match_id, hash) \
                         where match_id = $1 and name = $2 and form = $3",
                    )
                        .bind(match_id)
                        .bind(name)
                        .bind(FORM)
                        .fetch_optional(&mut *self.reading_of(match_id).await?)
                        .await
                        .map_err(Self::fault)?;
                Ok(row.map(|(hash, body)| CachedPage { hash, body }))
            }

            async fn matches(&self, filter: &MatchFilter) -> Result<Vec<ListRow>, StoreError> {
                let mut query = QueryBuilder::<$Db>::new("select match_id, body, form, last_at, seq from match_list where 1 = 1");
                if !filter.ids.is_empty() {
                    query.push(" and match_id in (");
                    let mut listed = query.separated(", ");
                    for id in &filter.ids {
                        listed.push_bind(*id);
                    }
                    query.push(")");
                }
                if let Some(game) = &filter.game {
                    query.push(" and game = ").push_bind(*game);
                }
                if !filter.statuses.is_empty() {
                    query.push(" and status in (");
                    let mut listed = query.separated(", ");
                    for status in &filter.statuses {
                        listed.push_bind(*status);
                    }
                    query.push(")");
                }
                if let Some(team) = &filter.team {
                    let (given, normal) = (team.as_str(), normal_name(team.as_str()));
                    query.push(" and (home in (").push_bind(given).push(", ").push_bind(normal.clone());
                    query.push(") or away in (").push_bind(given).push(", ").push_bind(normal).push("))");
                }
                if let Some(before) = filter.before {
                    query.push(" and last_hour <= ").push_bind(before.div_euclid(HOUR));
                    query.push(" and last_at < ").push_bind(before);
                }
                match (filter.order, filter.after) {
                    (_, None) => {}
                    (ListOrder::Created, Some(after)) => {
                        query.push(" and match_id < ").push_bind(after.match_id);
                    }
                    (ListOrder::Changed, Some(after)) => {
                        query.push(" and last_hour <= ").push_bind(after.last_at / HOUR);
                        query.push(" and (last_at, match_id) < (").push_bind(after.last_at);
                        query.push(", ").push_bind(after.match_id).push(")");
                    }
                }
                query.push(match filter.order {
                    ListOrder::Created => " order by match_id desc limit ",
                    ListOrder::Changed => " order by last_hour desc, last_at desc, match_id desc limit ",
                });
                query.push_bind(i64::from(filter.limit));
                let rows: Vec<(MatchId, String, i32, i64, i64)> =
                    query.build_query_as().fetch_all(&mut *self.reading().await?).await.map_err(Self::fault)?;
                let row = |(match_id, body, form, last_at, seq)| {
                    ListRow { place: ListPlace { match_id, last_at }, body, form, seq: unsigned(seq) }
                };
                Ok(rows.into_iter().map(row).collect())
            }

            async fn renew(&self, projected: &[Projected]) -> Result<(), StoreError> {
                self.renew_rows(projected).await
            }

            async fn list(&self, projected: &[Projected]) -> Result<(), StoreError> {
                self.list_rows(projected).await
            }

            async fn behind(
                &self,
                after: MatchId,
                before: DateTime<Utc>,
                limit: u32,
            ) -> Result<Vec<MatchId>, StoreError> {
                sqlx::query_scalar(
                    "select listed.match_id from (select match_id, seq, \
                         (select seq from heads where heads.match_id = match_list.match_id) as head \
                         from match_list where status in ('created', 'in_play') and match_id > $1) as listed \
                     where seq <> head and (select at from events \
                         where events.match_id = listed.match_id and events.seq = head) < $2 \
                     order by listed.match_id limit $3",
                )
                .bind(after)
                .bind(before)
                .bind(i64::from(limit))
                .fetch_all(&mut *self.reading().await?)
                .await
                .map_err(Self::fault)
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
                self.delete_orphans().await
            }

            async fn rebuild(&self, match_ids: &[MatchId], fold: Fold) -> Result<Vec<(MatchId, Rebuilt)>, StoreError> {
                self.rebuild_matches(match_ids, fold).await
            }

            async fn keep_edition(&self, edition: &Edition) -> Result<bool, StoreError> {
                let mut writer = self.writer().await?;
                let mut transaction = self.begin(&mut writer).await?;
                let kept = sqlx::query("insert into editions (sha256, game, id, body) values ($1, $2, $3, $4)")
                    .bind(&edition.sha256)
                    .bind(edition.game)
                    .bind(&edition.id)
                    .bind(&edition.text)
                    .execute(&mut *transaction)
                    .await;
                match kept.map_err(Self::fault) {
                    // Another of its hash is there, and there is only one.
                    Err(StoreError::Conflict) => {
                        transaction.rollback().await.map_err(Self::fault)?;
                        return Ok(false);
                    }
                    kept => kept?,
                };
                self.commit(transaction).await?;
                Ok(true)
            }

            async fn edition(&self, sha256: &str) -> Result<Option<String>, StoreError> {
                sqlx::query_scalar("select body from editions where sha256 = $1")
                    .bind(sha256)
                    .fetch_optional(&mut *self.reading().await?)
                    .await
                    .map_err(Self::fault)
            }

            async fn editions(&self) -> Result<Vec<EditionRecord>, StoreError> {
                let rows: Vec<(String, String)> = sqlx::query_as("select id, sha256 from editions")
                    .fetch_all(&mut *self.reading().await?)
                    .await
                    .map_err(Self::fault)?;
                let mut editions: Vec<_> =
                    rows.into_iter().map(|(id, sha256)| EditionRecord { id, sha256 }).collect();
                // Sorted here, since each engine orders names in its own way.
                editions.sort_unstable_by(|a, b| (&a.id, &a.sha256).cmp(&(&b.id, &b.sha256)));
                Ok(editions)
            }

            async fn ping(&self) -> Result<(), StoreError> {
                self.reading().await?.ping().await.map_err(Self::fault)
            }

            fn spread(&self) -> Option<&dyn SpreadStore> {
                self.as_spread()
            }

            async fn probe(&self) -> Result<(), StoreError> {
                self.try_to_write().await
            }

            async fn close(&self) {
                self.shut().await;
            }
        }
    };
}
pub(super) use event_store;
