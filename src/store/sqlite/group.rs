//! The group commit of SQLite: many appends in one transaction, with one statement for each table.

use async_trait::async_trait;
use serde::Serialize;
use sqlx::{AssertSqlSafe, SqliteConnection};

use super::SqliteStore;
use crate::log::{Head, MatchId};
use crate::matches::SealOpening;
use crate::store::writing::{RowsAsOf, pages_of};
use crate::store::{Append, AppendStore, IdempotencyRecord, StoreError};
use crate::views::{FORM, Rows};

/// The most appends in a group: a commit costs more than all appends in it.
const MOST_AT_ONCE: usize = 32;

const EVENTS: &str = "insert into events (match_id, seq, kind, at, hash, body) \
    select unhex(value->>0), value->>1, value->>2, value->>3, value->>4, \
        cast(substr(?, value->>5, value->>6) as text) from json_each(?)";
const HEADS: &str = "update heads set seq = asked.seq, hash = asked.hash from (\
        select unhex(value->>0) as match_id, value->>1 as old_seq, value->>2 as old_hash, value->>3 as seq, \
            value->>4 as hash, value->>5 as role, value->>6 as token, value->>7 as purpose, value->>8 as at \
        from json_each(?)\
    ) as asked where heads.match_id = asked.match_id and heads.seq = asked.old_seq and heads.hash = asked.old_hash \
    and (role is null or token = (select tokens.hash from tokens where tokens.match_id = asked.match_id \
        and tokens.role = asked.role and tokens.purpose = asked.purpose \
        and (tokens.purpose <> 'scoring_invite' or tokens.ends_at > asked.at)))";
const NEW_HEADS: &str = "insert into heads (match_id, seq, hash) \
    select unhex(value->>0), value->>1, value->>2 from json_each(?)";
const SECRETS: &str = "insert into secrets (match_id, server_seed) \
    select unhex(value->>0), value->>1 from json_each(?)";
const TOKENS: &str = "insert into tokens (match_id, role, purpose, hash, ends_at) \
    select unhex(value->>0), value->>1, value->>2, value->>3, value->>4 from json_each(?) where true \
    on conflict (match_id, role, purpose) do update \
    set hash = excluded.hash, ends_at = excluded.ends_at, name = ''";
const OPENINGS: &str = "insert into openings (match_id, side, sealed, salt, choice) \
    select unhex(value->>0), value->>1, value->>2, value->>3, value->>4 from json_each(?) where true \
    on conflict (match_id, side) do update \
    set sealed = excluded.sealed, salt = excluded.salt, choice = excluded.choice";
const ANSWERS: &str = "insert into idempotency (match_id, actor, key, request, first_seq, last_seq) \
    select unhex(value->>0), value->>1, value->>2, value->>3, value->>4, value->>5 from json_each(?)";
const LIST: &str = "insert into match_list (match_id, game, home, away, status, form, last_at, last_hour, seq, body) \
    select unhex(value->>0), value->>1, value->>2, value->>3, value->>4, value->>5, value->>6, \
        (value->>6) / 3600000, value->>7, cast(substr(?, value->>8, value->>9) as text) from json_each(?) where true \
    on conflict (match_id) do update \
    set status = excluded.status, body = excluded.body, form = excluded.form, last_at = excluded.last_at, \
        last_hour = excluded.last_hour, seq = excluded.seq";
const VIEWS: &str = "insert into views (match_id, name, hash, form, body) \
    select unhex(value->>0), value->>1, value->>2, value->>3, \
        cast(substr(?, value->>4, value->>5) as text) from json_each(?) where true \
    on conflict (match_id, name) do update \
    set hash = excluded.hash, body = excluded.body, form = excluded.form";

#[async_trait]
impl AppendStore for SqliteStore {
    /// Writes appends in one transaction; where one of them stands in the way of that, each in its own.
    async fn write(&self, appends: &[Append]) -> Vec<Result<(), StoreError>> {
        match self.write_together(appends).await {
            Err(error) if appends.len() > 1 && error.may_be_of_one() => {
                let mut results = Vec::with_capacity(appends.len());
                for append in appends.chunks(1) {
                    results.push(self.write_together(append).await);
                }
                results
            }
            result => vec![result; appends.len()],
        }
    }

    fn most_at_once(&self) -> usize {
        MOST_AT_ONCE
    }
}

impl SqliteStore {
    async fn write_together(&self, appends: &[Append]) -> Result<(), StoreError> {
        let mut writer = self.writer().await?;
        let mut transaction = self.begin(&mut writer).await?;
        if !write_appends(&mut transaction, appends).await.map_err(Self::fault)? {
            return Err(StoreError::Conflict);
        }
        self.commit(transaction).await
    }
}

/// Writes appends inside a transaction, and returns `false` where a head is not the one that its writer saw,
/// or a token is not valid any more.
///
/// The rows of each table are passed as one JSON array: each statement costs a round trip to the driver's
/// thread, which takes longer than a row. Events and documents are JSON themselves. They are passed beside
/// the array, one after the other: inside it each of their quotes would be escaped here, and read back there.
async fn write_appends(on: &mut SqliteConnection, appends: &[Append]) -> Result<bool, sqlx::Error> {
    let writing = Writing::of(appends).map_err(|error| sqlx::Error::Encode(error.into()))?;
    let mut query = sqlx::query(AssertSqlSafe(writing.sql));
    for TableRows { documents, rows } in writing.rows {
        if let Some(Documents(documents)) = documents {
            query = query.bind(documents);
        }
        query = query.bind(rows);
    }
    // A row that exists already is an error; a head that has moved on is a missing row.
    Ok(query.execute(on).await?.rows_affected() == writing.expected_rows)
}

/// The statements to be written, the rows of each, and the expected number of rows.
#[derive(Default)]
struct Writing {
    sql: String,
    rows: Vec<TableRows>,
    expected_rows: u64,
}

/// The rows of one statement, as a JSON array, and their documents.
struct TableRows {
    rows: String,
    documents: Option<Documents>,
}

/// Documents one after the other. A row has the place of its own: the number of its first byte, from 1, and
/// how many bytes it has.
#[derive(Default)]
struct Documents(Vec<u8>);

impl Documents {
    fn add(&mut self, document: &str) -> (usize, usize) {
        let first = self.0.len() + 1;
        self.0.extend_from_slice(document.as_bytes());
        (first, document.len())
    }
}

impl Writing {
    fn of(appends: &[Append]) -> serde_json::Result<Writing> {
        let mut writing = Writing::default();
        let (new, adding): (Vec<_>, Vec<_>) = appends.iter().partition(|one| one.is_first());
        writing.add(HEADS, adding.iter().map(|one| head(one)))?;
        writing.add(NEW_HEADS, new.iter().map(|one| (id(one), one.new_seq(), one.new_hash())))?;
        let events = appends.iter().flat_map(|of| of.events.iter().map(move |event| (of, event)));
        writing.add_with_documents(EVENTS, events, |(of, (event, entry)), documents| {
            let (first, bytes) = documents.add(&entry.body);
            (id(of), entry.seq, event.data.kind(), event.at.to_rfc3339(), &entry.hash, first, bytes)
        })?;
        writing.add(SECRETS, appends.iter().filter_map(secret))?;
        writing.add(TOKENS, appends.iter().flat_map(tokens))?;
        writing.add(OPENINGS, appends.iter().filter_map(opening))?;
        writing.add(ANSWERS, appends.iter().filter_map(answer))?;
        let rows: Vec<RowsAsOf<'_>> = appends.iter().filter_map(RowsAsOf::with).collect();
        writing.add_with_documents(
            LIST,
            rows.iter(),
            |RowsAsOf { match_id, seq, rows, .. }, documents| {
                let Rows { game, home, away, status, summary, last_at, .. } = rows;
                let (first, bytes) = documents.add(summary);
                (hex(match_id), game, home, away, status, FORM, last_at, seq, first, bytes)
            },
        )?;
        writing.add_with_documents(
            VIEWS,
            pages_of(&rows).iter(),
            |(match_id, name, hash, body), documents| {
                let (first, bytes) = documents.add(body);
                (hex(match_id), name, hash, FORM, first, bytes)
            },
        )?;
        Ok(writing)
    }

    fn add<Row: Serialize>(
        &mut self,
        statement: &str,
        rows: impl Iterator<Item = Row>,
    ) -> serde_json::Result<()> {
        self.add_rows(statement, &rows.collect::<Vec<Row>>(), None)
    }

    /// Adds a statement whose rows have documents; `row` makes the row of one of them.
    fn add_with_documents<Of, Row: Serialize>(
        &mut self,
        statement: &str,
        of: impl Iterator<Item = Of>,
        row: impl Fn(Of, &mut Documents) -> Row,
    ) -> serde_json::Result<()> {
        let mut documents = Documents::default();
        let rows: Vec<Row> = of.map(|of| row(of, &mut documents)).collect();
        self.add_rows(statement, &rows, Some(documents))
    }

    fn add_rows<Row: Serialize>(
        &mut self,
        statement: &str,
        rows: &[Row],
        documents: Option<Documents>,
    ) -> serde_json::Result<()> {
        if !rows.is_empty() {
            self.sql.push_str(statement);
            self.sql.push(';');
            self.rows.push(TableRows { rows: serde_json::to_string(rows)?, documents });
            self.expected_rows += rows.len() as u64;
        }
        Ok(())
    }
}

/// A match's id, in hex.
fn hex(match_id: &MatchId) -> String {
    match_id.simple().to_string()
}

fn id(of: &Append) -> String {
    hex(&of.match_id)
}

fn head(of: &Append) -> impl Serialize {
    let Head { seq, hash } = &of.expected;
    let (role, token) = of.token.as_ref().map(|pass| (pass.role, &pass.hash)).unzip();
    let purpose = of.token.as_ref().map(|pass| pass.purpose);
    (id(of), seq, hash, of.new_seq(), of.new_hash(), role, token, purpose, of.at())
}

fn secret(of: &Append) -> Option<impl Serialize> {
    let seed = of.secrets.server_seed.as_ref()?;
    Some((id(of), seed.reveal()))
}

fn tokens(of: &Append) -> impl Iterator<Item = impl Serialize> {
    of.secrets.tokens.iter().map(|token| (id(of), token.role, token.purpose, &token.hash, token.ends_at))
}

fn opening(of: &Append) -> Option<impl Serialize> {
    let SealOpening { side, sealed, salt, choice } = of.secrets.opening.as_ref()?;
    Some((id(of), side, sealed, salt, choice))
}

fn answer(of: &Append) -> Option<impl Serialize> {
    let IdempotencyRecord { actor, key, request, first_seq, last_seq } = of.idempotency.as_ref()?;
    Some((id(of), actor.as_str(), key, request, first_seq, last_seq))
}
