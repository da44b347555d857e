//! The group commit of SQLite: many appends in one transaction, with one statement for each table.

use async_trait::async_trait;
use sqlx::query_builder::Separated;
use sqlx::{QueryBuilder, Sqlite, SqliteConnection};

use super::{SqliteStore, write_rows};
use crate::log::{Entry, Event, Head, MatchId};
use crate::matches::SealOpening;
use crate::store::queries::signed;
use crate::store::writing::{RowsAsOf, choice_text};
use crate::store::{Append, AppendStore, IdempotencyRecord, StoreError};

/// The most appends in a group: a commit costs more than all appends in it.
const MOST_AT_ONCE: usize = 32;
/// The most rows of a statement, whose values have numbers up to 32,766.
const MOST_ROWS: usize = 1_000;
/// The most rows for which the driver keeps the statements: those of a full group. Each number of rows has
/// statements of its own.
const MOST_ROWS_KEPT: u64 = 4 * MOST_AT_ONCE as u64;

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
/// All statements are one text, since each text costs a round trip to the driver's thread, which takes longer
/// than a row. Few appends have rows of projections, which have texts of their own.
async fn write_appends(on: &mut SqliteConnection, appends: &[Append]) -> Result<bool, sqlx::Error> {
    let Writing { mut query, rows: expected } = Writing::of(appends)?;
    let written = query.build().persistent(expected <= MOST_ROWS_KEPT).execute(&mut *on).await?;
    // A row that exists already is an error; a head that has moved on is a missing row.
    if written.rows_affected() != expected {
        return Ok(false);
    }
    let rows: Vec<RowsAsOf<'_>> = appends.iter().filter_map(RowsAsOf::with).collect();
    write_rows(on, &rows).await?;
    Ok(true)
}

/// The values of one row.
type Values<'a> = Separated<'a, Sqlite, &'static str>;

/// The statements that write appends, and the number of their rows.
#[derive(Default)]
struct Writing {
    query: QueryBuilder<Sqlite>,
    rows: u64,
}

impl Writing {
    fn of(appends: &[Append]) -> Result<Writing, sqlx::Error> {
        let mut writing = Writing::default();
        let (new, adding): (Vec<&Append>, Vec<&Append>) = appends.iter().partition(|one| one.is_first());
        writing.move_heads(&adding);
        writing.add("insert into heads (match_id, seq, hash) ", &new, "", |values, one| {
            values.push_bind(one.match_id).push_bind(signed(one.new_seq())).push_bind(one.new_hash());
        });
        writing.add_events(appends);
        writing.add_secrets(appends)?;
        writing.add_answers(appends);
        Ok(writing)
    }

    /// Adds a statement with these rows, if there are any: what it begins and ends with, and the values of a
    /// row.
    fn add<Row>(&mut self, begin: &str, rows: &[Row], end: &str, bind: impl Fn(&mut Values<'_>, &Row)) {
        for rows in rows.chunks(MOST_ROWS) {
            self.rows += rows.len() as u64;
            self.query.push(begin).push_values(rows, |mut values, row| bind(&mut values, row)).push(end);
            self.query.push("; ");
        }
    }

    /// Moves heads on from those that their writers saw, where those are still the heads, and the tokens are
    /// still valid.
    fn move_heads(&mut self, adding: &[&Append]) {
        let begin = "with asked (match_id, old_seq, old_hash, seq, hash, role, token, purpose, at) as (";
        let end = ") update heads set seq = asked.seq, hash = asked.hash from asked \
             where heads.match_id = asked.match_id and heads.seq = asked.old_seq and heads.hash = asked.old_hash \
             and (role is null or token = (select tokens.hash from tokens where tokens.match_id = asked.match_id \
                 and tokens.role = asked.role and tokens.purpose = asked.purpose \
                 and (tokens.purpose <> 'scoring_invite' or tokens.ends_at > asked.at)))";
        self.add(begin, adding, end, |values, one| {
            let Head { seq, hash } = &one.expected;
            values.push_bind(one.match_id).push_bind(signed(*seq)).push_bind(hash);
            values.push_bind(signed(one.new_seq())).push_bind(one.new_hash());
            let token = one.token.as_ref();
            values.push_bind(token.map(|token| token.role.as_str()));
            values.push_bind(token.map(|token| token.hash.as_str()));
            values.push_bind(token.map(|token| token.purpose.as_str()));
            values.push_bind(one.at());
        });
    }

    fn add_events(&mut self, appends: &[Append]) {
        let events = appends.iter().flat_map(|of| of.events.iter().map(|event| (of.match_id, event)));
        let events: Vec<(MatchId, &(Event, Entry))> = events.collect();
        let begin = "insert into events (match_id, seq, kind, at, body, hash) ";
        self.add(begin, &events, "", |values, (match_id, (event, entry))| {
            values.push_bind(*match_id).push_bind(signed(entry.seq)).push_bind(event.data.kind());
            values.push_bind(event.at.to_rfc3339()).push_bind(&entry.body).push_bind(&entry.hash);
        });
    }

    fn add_secrets(&mut self, appends: &[Append]) -> Result<(), sqlx::Error> {
        let seeds = appends.iter().filter_map(|of| Some((of.match_id, of.secrets.server_seed.as_ref()?)));
        let seeds: Vec<_> = seeds.collect();
        self.add("insert into secrets (match_id, server_seed) ", &seeds, "", |values, (match_id, seed)| {
            values.push_bind(*match_id).push_bind(seed.reveal());
        });
        let tokens = appends.iter().flat_map(|of| of.secrets.tokens.iter().map(|token| (of.match_id, token)));
        let tokens: Vec<_> = tokens.collect();
        let begin = "insert into tokens (match_id, role, purpose, hash, ends_at) ";
        let end = " on conflict (match_id, role, purpose) do update \
             set hash = excluded.hash, ends_at = excluded.ends_at, name = ''";
        self.add(begin, &tokens, end, |values, (match_id, token)| {
            values.push_bind(*match_id).push_bind(token.role.as_str()).push_bind(token.purpose.as_str());
            values.push_bind(&token.hash).push_bind(token.ends_at);
        });
        let openings = appends.iter().filter_map(|of| Some((of.match_id, of.secrets.opening.as_ref()?)));
        let openings =
            openings.map(|(match_id, opening)| Ok((match_id, opening, choice_text(&opening.choice)?)));
        let openings = openings.collect::<Result<Vec<_>, sqlx::Error>>()?;
        let begin = "insert into openings (match_id, side, sealed, salt, choice) ";
        let end = " on conflict (match_id, side) do update \
             set sealed = excluded.sealed, salt = excluded.salt, choice = excluded.choice";
        self.add(begin, &openings, end, |values, (match_id, opening, choice)| {
            let SealOpening { side, sealed, salt, .. } = opening;
            values.push_bind(*match_id).push_bind(side.as_str()).push_bind(sealed).push_bind(salt);
            values.push_bind(choice);
        });
        Ok(())
    }

    fn add_answers(&mut self, appends: &[Append]) {
        let answers = appends.iter().filter_map(|of| Some((of.match_id, of.idempotency.as_ref()?)));
        let answers: Vec<(MatchId, &IdempotencyRecord)> = answers.collect();
        let begin = "insert into idempotency (match_id, actor, key, request, first_seq, last_seq) ";
        self.add(begin, &answers, "", |values, (match_id, answer)| {
            let IdempotencyRecord { actor, key, request, first_seq, last_seq } = answer;
            values.push_bind(*match_id).push_bind(actor.as_str()).push_bind(key).push_bind(request);
            values.push_bind(signed(*first_seq)).push_bind(signed(*last_seq));
        });
    }
}

#[cfg(test)]
mod tests {
    use sqlx::Connection as _;

    use super::*;

    #[tokio::test]
    async fn more_rows_than_a_statement_has_values_for_are_written_in_one_text() {
        let mut on = SqliteConnection::connect("sqlite::memory:").await.expect("it needs no file");
        sqlx::query("create table numbers (a, b, c, d, e, f, g, h, i, n)")
            .execute(&mut on)
            .await
            .expect("a table");
        let numbers: Vec<i64> = (0..10_000).collect();
        let mut writing = Writing::default();
        writing.add("insert into numbers ", &numbers, "", |values, number| {
            for column in 0..10 {
                values.push_bind(number * column);
            }
        });
        assert_eq!(writing.rows, 10_000);
        let written =
            writing.query.build().persistent(false).execute(&mut on).await.expect("all are written");
        assert_eq!(written.rows_affected(), 10_000);
        let sum = sqlx::query_scalar::<_, i64>("select sum(n) from numbers").fetch_one(&mut on).await;
        assert_eq!(sum.expect("there are rows"), 9 * 9_999 * 5_000);
        on.close().await.expect("it is ours");
    }

    #[test]
    fn no_rows_are_no_statement() {
        let mut writing = Writing::default();
        writing.add::<i64>("insert into numbers ", &[], "", |_, _| unreachable!("there is no row"));
        assert_eq!((writing.rows, writing.query.sql().as_str()), (0, ""));
    }
}
