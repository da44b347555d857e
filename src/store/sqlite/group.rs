//! The group commit of SQLite: the events of many appends in one statement.

use async_trait::async_trait;
use futures_util::TryStreamExt as _;
use sqlx::query_builder::Separated;
use sqlx::{Executor as _, QueryBuilder, Sqlite, SqliteConnection};

use super::{
    IN_PLACE_OF_PAGES, IN_PLACE_OF_ROWS, ROWS_OF_LIST, ROWS_OF_PAGES, SqliteStore, bind_page, bind_row,
};
use crate::matches::SealOpening;
use crate::store::queries::signed;
use crate::store::writing::{RowsAsOf, choice_text, pages_of};
use crate::store::{Append, AppendStore, StoreError};

/// The most appends in a group: a commit costs more than all appends in it.
const MOST_AT_ONCE: usize = 32;
/// The most rows of a statement, whose values have numbers up to 32,766.
const MOST_ROWS: usize = 1_000;
/// The most rows for which the driver keeps the statements: those of a full group. Each number of rows has
/// statements of its own.
const MOST_ROWS_KEPT: usize = 4 * MOST_AT_ONCE;

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
    /// Writes appends in one transaction.
    async fn write_together(&self, appends: &[Append]) -> Result<(), StoreError> {
        let mut writer = self.writer().await?;
        match self.write_on(&mut writer, appends).await {
            Err(StoreError::Failed(_)) if tables_are_there(&mut writer).await => {
                self.write_on(&mut writer, appends).await
            }
            written => written,
        }
    }

    /// Writes appends on a connection. One statement is a transaction by itself: to begin and to commit would
    /// cost two more round trips to the driver's thread, which take longer than a row.
    async fn write_on(&self, on: &mut SqliteConnection, appends: &[Append]) -> Result<(), StoreError> {
        let Writing { mut query, statements, rows } = Writing::of(appends).map_err(Self::fault)?;
        let query = query.build().persistent(rows <= MOST_ROWS_KEPT);
        if statements == 1 {
            self.prepare_to_write(on).await?;
            // The driver answers a statement once it is committed. A thread that ends answers nothing.
            let ended = on.fetch_many(query).try_next().await.map_err(Self::fault_of_transaction)?;
            let unsure = || StoreError::Unsure(None, "the thread that writes has ended".to_owned());
            ended.ok_or_else(unsure)?;
            return self.files.are_there().map_err(StoreError::of_commit);
        }
        let mut transaction = self.begin(on).await?;
        query.execute(&mut *transaction).await.map_err(Self::fault)?;
        self.commit(transaction).await
    }
}

/// Whether the tables that a trigger writes are there. One that was away, and is there again, SQLite finds by
/// a query that names it: until then the trigger goes on missing it.
async fn tables_are_there(on: &mut SqliteConnection) -> bool {
    let look = sqlx::query("select 0 from heads, events, tokens, idempotency limit 0");
    look.persistent(false).execute(on).await.is_ok()
}

/// What the connection that writes has to itself: a view to which an event is added, and what that does. The
/// head moves on from the event before. The key of a request comes with the last of its events.
pub(super) const APPENDING: &str = "
create temp view appending (match_id, seq, prev, kind, at, body, hash, role, token, purpose, now, actor, key, request,
    first_seq) as select null, null, null, null, null, null, null, null, null, null, null, null, null, null, null;
create temp trigger append instead of insert on appending
begin
    update heads set seq = new.seq, hash = new.hash
    where match_id = new.match_id and seq = new.seq - 1 and hash = new.prev
        and (new.role is null or new.token = (
            select tokens.hash from tokens where tokens.match_id = new.match_id and tokens.role = new.role
                and tokens.purpose = new.purpose
                and (tokens.purpose <> 'scoring_invite' or tokens.ends_at > new.now)));
    select raise(abort, 'the head has moved on, or the token is not valid any more')
    where new.seq > 1 and changes() = 0;
    insert into heads (match_id, seq, hash) select new.match_id, new.seq, new.hash where new.seq = 1;
    insert into events (match_id, seq, kind, at, body, hash)
    values (new.match_id, new.seq, new.kind, new.at, new.body, new.hash);
    insert into idempotency (match_id, actor, key, request, first_seq, last_seq)
    select new.match_id, new.actor, new.key, new.request, new.first_seq, new.seq where new.key is not null;
end";

/// The values of one row.
type Values<'a> = Separated<'a, Sqlite, &'static str>;

/// The statements that write appends, as one text, with their number and that of their rows.
#[derive(Default)]
struct Writing {
    query: QueryBuilder<Sqlite>,
    statements: usize,
    rows: usize,
}

impl Writing {
    fn of(appends: &[Append]) -> Result<Writing, sqlx::Error> {
        let mut writing = Writing::default();
        writing.add_events(appends);
        writing.add_secrets(appends)?;
        writing.add_projections(appends);
        Ok(writing)
    }

    /// Adds a statement with these rows, if there are any: what it begins and ends with, and the values of a
    /// row.
    fn add<Row>(&mut self, begin: &str, rows: &[Row], end: &str, bind: impl Fn(&mut Values<'_>, &Row)) {
        for rows in rows.chunks(MOST_ROWS) {
            self.statements += 1;
            self.rows += rows.len();
            self.query.push(begin).push_values(rows, |mut values, row| bind(&mut values, row)).push(end);
            self.query.push("; ");
        }
    }

    /// Adds the events. The token of an append comes with the first of its events, and the key with the last.
    fn add_events(&mut self, appends: &[Append]) {
        let places = |of: &Append| 0..of.events.len();
        let events = appends.iter().flat_map(|of| places(of).map(move |place| (of, place)));
        let events: Vec<(&Append, usize)> = events.collect();
        let begin = "insert into appending (match_id, seq, prev, kind, at, body, hash, role, token, purpose, now, \
             actor, key, request, first_seq) ";
        self.add(begin, &events, "", |values, &(of, place)| {
            let (event, entry) = &of.events[place];
            values.push_bind(of.match_id).push_bind(signed(entry.seq)).push_bind(&event.prev);
            values.push_bind(event.data.kind()).push_bind(event.at.to_rfc3339());
            values.push_bind(&entry.body).push_bind(&entry.hash);
            let token = of.token.as_ref().filter(|_| place == 0);
            values.push_bind(token.map(|token| token.role.as_str()));
            values.push_bind(token.map(|token| token.hash.as_str()));
            values.push_bind(token.map(|token| token.purpose.as_str())).push_bind(of.at());
            let answer = of.idempotency.as_ref().filter(|_| place + 1 == of.events.len());
            values.push_bind(answer.map(|answer| answer.actor.as_str()));
            values.push_bind(answer.map(|answer| answer.key.as_str()));
            values.push_bind(answer.map(|answer| answer.request.as_str()));
            values.push_bind(answer.map(|answer| signed(answer.first_seq)));
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

    /// Adds the rows of projections that are written with these appends. Few have any.
    fn add_projections(&mut self, appends: &[Append]) {
        let rows: Vec<RowsAsOf<'_>> = appends.iter().filter_map(RowsAsOf::with).collect();
        self.add(ROWS_OF_LIST, &rows, IN_PLACE_OF_ROWS, bind_row);
        self.add(ROWS_OF_PAGES, &pages_of(&rows), IN_PLACE_OF_PAGES, |values, page| bind_page(values, *page));
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
