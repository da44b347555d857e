//! The single commit of Postgres: one append, part by part, in a transaction of its own.

use sqlx::PgConnection;

use super::{PostgresStore, write_rows};
use crate::commands::{Secrets, TokenPurpose};
use crate::log::{Entry, Event, MatchId};
use crate::matches::SealOpening;
use crate::store::queries::signed;
use crate::store::writing::{RowsAsOf, choice_text};
use crate::store::{Append, IdempotencyRecord, StoreError};

/// Moves the head on from the one that the writer saw, if that is still the head, and the token is still
/// valid. An invite comes and goes without an event, so the head is held before the statement looks at it.
async fn move_head(on: &mut PgConnection, append: &Append) -> Result<(), StoreError> {
    let Some((_, last)) = append.events.last() else { return Ok(()) };
    if append.token.as_ref().is_some_and(|token| token.purpose == TokenPurpose::ScoringInvite) {
        let held = sqlx::query(PostgresStore::HOLD_HEAD).bind(append.match_id).execute(&mut *on);
        held.await.map_err(PostgresStore::fault)?;
    }
    let query = if append.expected.seq == 0 {
        sqlx::query("insert into heads (seq, hash, match_id) values ($1, $2, $3)")
    } else {
        sqlx::query(
            "update heads set seq = $1, hash = $2 where match_id = $3 and seq = $4 and hash = $5 \
             and ($6 is null or exists (select 1 from tokens where match_id = $3 and role = $6 \
             and purpose = $8 and hash = $7 and (purpose <> 'scoring_invite' or ends_at > $9)))",
        )
    };
    let mut query = query.bind(signed(last.seq)).bind(&last.hash).bind(append.match_id);
    if append.expected.seq > 0 {
        let pass = append.token.as_ref();
        query = query
            .bind(signed(append.expected.seq))
            .bind(&append.expected.hash)
            .bind(pass.map(|pass| pass.role.as_str()))
            .bind(pass.map(|pass| pass.hash.as_str()))
            .bind(pass.map(|pass| pass.purpose.as_str()))
            .bind(append.at());
    }
    match query.execute(on).await.map_err(PostgresStore::fault)?.rows_affected() {
        1 => Ok(()),
        _ => Err(StoreError::Conflict),
    }
}

async fn insert_events(
    on: &mut PgConnection,
    match_id: MatchId,
    events: &[(Event, Entry)],
) -> Result<(), sqlx::Error> {
    for (event, entry) in events {
        sqlx::query(
            "insert into events (match_id, seq, kind, at, body, hash) values ($1, $2, $3, $4, $5, $6)",
        )
        .bind(match_id)
        .bind(signed(entry.seq))
        .bind(event.data.kind())
        .bind(event.at)
        .bind(&entry.body)
        .bind(&entry.hash)
        .execute(&mut *on)
        .await?;
    }
    Ok(())
}

async fn write_secrets(
    on: &mut PgConnection,
    match_id: MatchId,
    secrets: &Secrets,
) -> Result<(), sqlx::Error> {
    let Secrets { server_seed, tokens, opening } = secrets;
    if let Some(seed) = server_seed {
        sqlx::query("insert into secrets (match_id, server_seed) values ($1, $2)")
            .bind(match_id)
            .bind(seed.reveal())
            .execute(&mut *on)
            .await?;
    }
    for token in tokens {
        sqlx::query(
            "insert into tokens (match_id, role, purpose, hash, ends_at) values ($1, $2, $3, $4, $5) \
             on conflict (match_id, role, purpose) do update \
             set hash = excluded.hash, ends_at = excluded.ends_at, name = ''",
        )
        .bind(match_id)
        .bind(token.role.as_str())
        .bind(token.purpose.as_str())
        .bind(&token.hash)
        .bind(token.ends_at)
        .execute(&mut *on)
        .await?;
    }
    if let Some(SealOpening { side, sealed, salt, choice }) = opening {
        sqlx::query(
            "insert into openings (match_id, side, sealed, salt, choice) values ($1, $2, $3, $4, $5) \
             on conflict (match_id, side) do update \
             set sealed = excluded.sealed, salt = excluded.salt, choice = excluded.choice",
        )
        .bind(match_id)
        .bind(side.as_str())
        .bind(sealed)
        .bind(salt)
        .bind(choice_text(choice)?)
        .execute(on)
        .await?;
    }
    Ok(())
}

async fn insert_answered(
    on: &mut PgConnection,
    match_id: MatchId,
    answered: &IdempotencyRecord,
) -> Result<(), sqlx::Error> {
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

/// Writes one append part by part, inside a transaction.
pub(super) async fn write_parts(on: &mut PgConnection, append: &Append) -> Result<(), StoreError> {
    let fault = PostgresStore::fault;
    move_head(on, append).await?;
    insert_events(on, append.match_id, &append.events).await.map_err(fault)?;
    write_secrets(on, append.match_id, &append.secrets).await.map_err(fault)?;
    if let Some(answered) = &append.idempotency {
        insert_answered(on, append.match_id, answered).await.map_err(fault)?;
    }
    write_rows(on, RowsAsOf::with(append).as_slice()).await.map_err(fault)
}
