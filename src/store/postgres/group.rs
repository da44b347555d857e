//! The group commit of Postgres: many appends to existing matches in one statement.

use std::collections::{HashMap, HashSet};
use std::sync::{LazyLock, MutexGuard, PoisonError};
use std::thread::{self, ThreadId};
use std::time::{Duration, Instant};

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use futures_util::future::join_all;
use sqlx::{ConnectOptions, Executor as _, PgConnection};

use super::silence::Use;
use super::single::write_parts;
use super::{PATIENCE, PostgresStore, is_held, is_lost, is_there};
use crate::log::MatchId;
use crate::store::queries::signed;
use crate::store::writing::{RowsAsOf, pages_of};
use crate::store::{Append, AppendStore, CommitMode, StoreError};
use crate::views::FORM;

/// The most appends in a group: enough to share the cost of a transaction, few enough that clients are
/// answered soon.
const MOST_AT_ONCE: usize = 16;
/// How long a statement that writes appends together may take, by the clock of this side.
const LONGEST_WRITE: Duration = Duration::from_secs(12);
/// How long locked matches are looked out for, after one was found.
const WARY_FOR: Duration = Duration::from_secs(5);

/// The settings of the connection that writes. The statement below is planned once, perhaps when the tables
/// are still empty, and finds every row by its key. The short lock timeout keeps one locked match from
/// blocking the others.
const SETTINGS: &str = "set lock_timeout = '300ms'; set statement_timeout = '10s'; set plan_cache_mode = force_generic_plan; set jit = off; \
     set enable_seqscan = off; set enable_hashjoin = off; set enable_mergejoin = off";

/// The statement that writes many appends as one transaction. An append whose head has moved on, whose token
/// was replaced, or whose key was used, writes nothing, and does not affect the others.
///
/// Token and key are compared as values, since the planner may turn `exists` into a hash of the whole table.
const STATEMENT: &str = "
with asked as materialized (
    select * from unnest($1::uuid[], $2::bigint[], $3::text[], $4::bigint[], $5::text[], $6::text[], $7::text[],
                         $8::text[], $9::text[], $10::text[])
        as asked (match_id, old_seq, old_hash, seq, hash, role, token, actor, key, request)
){held}, moved as (
    update heads set seq = asked.seq, hash = asked.hash from asked
    where heads.match_id = asked.match_id and heads.seq = asked.old_seq and heads.hash = asked.old_hash
        and (asked.role is null or asked.token = (
            select hash from tokens where tokens.match_id = asked.match_id and tokens.role = asked.role
                and purpose = 'token'))
        and (asked.key is null or 0 = (
            select count(*) from idempotency where idempotency.match_id = asked.match_id
                and idempotency.actor = asked.actor and idempotency.key = asked.key)){is_held}
    returning asked.*
), logged as (
    insert into events (match_id, seq, kind, at, body, hash)
    select event.* from unnest($11::uuid[], $12::bigint[], $13::text[], $14::timestamptz[], $15::text[], $16::text[])
        as event (match_id, seq, kind, at, body, hash)
    where match_id in (select match_id from moved)
), remembered as (
    insert into idempotency (match_id, actor, key, request, first_seq, last_seq)
    select match_id, actor, key, request, old_seq + 1, seq from moved where key is not null
)";

/// The treatment of a match that another transaction has locked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Locked {
    /// Wait for the lock, with all appends of the group.
    WaitFor,
    /// Leave the match out, and write the others.
    LeaveOut,
}

/// The part of the statement that locks the matches that no other transaction has locked.
const HELD: &str = ", held as materialized (
    select heads.match_id from heads join asked on heads.match_id = asked.match_id for update of heads skip locked
)";
const IS_HELD: &str = " and heads.match_id in (select match_id from held)";

/// The part of the statement that writes projections: rows of the match list, and the pages of finished
/// matches.
const WITH_ROWS: &str = ", listed as (
    insert into match_list (match_id, seq, game, home, away, status, body, last_at, form, last_hour)
    select entry.*, $17::integer, entry.last_at / 3600000
    from unnest($18::uuid[], $19::bigint[], $20::text[], $21::text[], $22::text[], $23::text[], $24::text[],
                $25::bigint[])
        as entry (match_id, seq, game, home, away, status, body, last_at)
    where match_id in (select match_id from moved) order by match_id
    on conflict (match_id) do update
    set status = excluded.status, body = excluded.body, form = excluded.form, last_at = excluded.last_at,
        last_hour = excluded.last_hour, seq = excluded.seq
), viewed as (
    insert into views (match_id, name, hash, body, form)
    select view.*, $17 from unnest($26::uuid[], $27::text[], $28::text[], $29::text[])
        as view (match_id, name, hash, body)
    where match_id in (select match_id from moved)
    on conflict (match_id, name) do update set hash = excluded.hash, body = excluded.body, form = excluded.form
)";

const END: &str = " select match_id from moved";

#[async_trait]
impl AppendStore for PostgresStore {
    /// Writes appends, those to existing matches in one statement. Where that fails, each is written by
    /// itself, to find the one that is at fault.
    async fn write(&self, appends: &[Append]) -> Vec<Result<(), StoreError>> {
        // The connections of group commits are not the pool's, and would be opened again.
        if self.pool.is_closed() {
            return vec![Err(StoreError::Closed); appends.len()];
        }
        let adds = |append: &&Append| append.secrets.is_none() && !append.is_first();
        let mut adding: Vec<&Append> = appends.iter().filter(adds).collect();
        // Sorted by match, so that two writers cannot deadlock.
        adding.sort_unstable_by_key(|append| append.match_id);
        let written = match self.commit {
            CommitMode::Group if !adding.is_empty() => self.write_adding(&adding).await,
            CommitMode::Group | CommitMode::Single { .. } => Err(None),
        };
        let together = |append: &Append| match &written {
            Ok(moved) if adds(&append) && moved.contains(&append.match_id) => Some(Ok(())),
            Ok(_) if adds(&append) => Some(Err(StoreError::Conflict)),
            Err(Some(gone)) if adds(&append) => Some(Err(gone.clone())),
            Ok(_) | Err(_) => None,
        };
        // Few groups have any that is written by itself, and futures of all would be large.
        if let Some(all) = appends.iter().map(together).collect() {
            return all;
        }
        join_all(appends.iter().map(|append| async move {
            match together(append) {
                Some(written) => written,
                None => self.write_one(append).await,
            }
        }))
        .await
    }

    fn most_at_once(&self) -> usize {
        MOST_AT_ONCE
    }
}

impl PostgresStore {
    /// Writes one append in a transaction of its own.
    async fn write_one(&self, append: &Append) -> Result<(), StoreError> {
        let mut writer = self.asking(append.match_id, Use::Write).await?;
        let mut transaction = self.begin(&mut writer).await?;
        write_parts(&mut transaction, append).await?;
        self.commit(transaction).await
    }

    /// Writes appends to existing matches, and returns the matches that were written. The error is `None`
    /// where the appends have to be written one by one.
    async fn write_adding(&self, appends: &[&Append]) -> Result<HashSet<MatchId>, Option<StoreError>> {
        let thread = thread::current().id();
        let kept = self.kept().remove(&thread);
        let mut on = self.connected(kept).await?;
        let mut written = self.write_on(&mut on, appends).await;
        if let Err(lost) = &written
            && is_lost(lost)
        {
            // The outcome is not known, but written appends can be recognised by their hashes.
            let unsure = Some(StoreError::Unsure(None, lost.to_string()));
            on = self.connected(None).await.map_err(|_| unsure.clone())?;
            written = Ok(write_after_loss(&mut on, appends).await.map_err(|_| unsure)?);
        }
        self.kept().insert(thread, (on, Instant::now()));
        written.inspect(|_| self.refusals.end()).map_err(|error| {
            let error = Self::fault(error);
            self.refusals.count(&error);
            match error {
                StoreError::Unavailable(_) if self.is_wary() => None,
                one if one.may_be_of_one() => None,
                not_now @ (StoreError::Unavailable(_) | StoreError::Hindered(..)) => Some(not_now),
                _ => None,
            }
        })
    }

    /// Writes appends on a connection. Locked matches are left out, but only after one was found: looking for
    /// locks costs time.
    async fn write_on(
        &self,
        on: &mut PgConnection,
        appends: &[&Append],
    ) -> Result<HashSet<MatchId>, sqlx::Error> {
        let late = |_| sqlx::Error::Io(std::io::ErrorKind::TimedOut.into());
        if !self.is_wary() {
            let written = tokio::time::timeout(LONGEST_WRITE, write_together(on, appends, Locked::WaitFor));
            match written.await.map_err(late)? {
                Err(error) if is_held(&error) => {}
                written => return written,
            }
            *self.wary_until.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now() + WARY_FOR);
        }
        tokio::time::timeout(LONGEST_WRITE, write_together(on, appends, Locked::LeaveOut))
            .await
            .map_err(late)?
    }

    /// Whether a locked match was found a moment ago.
    fn is_wary(&self) -> bool {
        let until = *self.wary_until.lock().unwrap_or_else(PoisonError::into_inner);
        until.is_some_and(|until| Instant::now() < until)
    }

    pub(super) fn kept(&self) -> MutexGuard<'_, HashMap<ThreadId, (PgConnection, Instant)>> {
        self.together.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The kept connection, if it is still alive, or a new one. The error is `None` for an engine that does
    /// not know the settings.
    async fn connected(
        &self,
        kept: Option<(PgConnection, Instant)>,
    ) -> Result<PgConnection, Option<StoreError>> {
        let connecting = async {
            if let Some((mut on, used)) = kept
                && is_there(&mut on, used.elapsed()).await?
            {
                return Ok(on);
            }
            let mut on = self.options.connect().await?;
            on.execute(SETTINGS).await?;
            Ok(on)
        };
        let late = |_| Some(StoreError::Unavailable("Postgres does not take a connection".to_owned()));
        tokio::time::timeout(PATIENCE, connecting).await.map_err(late)?.map_err(|error| {
            let error = Self::fault(error);
            self.refusals.count(&error);
            match error {
                StoreError::Failed(_) | StoreError::Denied(_) => None,
                other => Some(other),
            }
        })
    }
}

/// Writes appends together, and returns the matches that were written.
async fn write_together(
    on: &mut PgConnection,
    appends: &[&Append],
    locked: Locked,
) -> Result<HashSet<MatchId>, sqlx::Error> {
    let of_each = AppendColumns::of(appends);
    let events = Events::of(appends);
    let rows: Vec<RowsAsOf<'_>> = appends.iter().filter_map(|append| RowsAsOf::with(append)).collect();
    let mut query = sqlx::query_scalar(statement(locked, !rows.is_empty()))
        .bind(of_each.match_id)
        .bind(of_each.old_seq)
        .bind(of_each.old_hash)
        .bind(of_each.seq)
        .bind(of_each.hash)
        .bind(of_each.role)
        .bind(of_each.token)
        .bind(of_each.actor)
        .bind(of_each.key)
        .bind(of_each.request)
        .bind(events.match_id)
        .bind(events.seq)
        .bind(events.kind)
        .bind(events.at)
        .bind(events.body)
        .bind(events.hash);
    if !rows.is_empty() {
        let (listed, views) = (ListRows::of(&rows), Views::of(&rows));
        query = query
            .bind(FORM)
            .bind(listed.match_id)
            .bind(listed.seq)
            .bind(listed.game)
            .bind(listed.home)
            .bind(listed.away)
            .bind(listed.status)
            .bind(listed.summary)
            .bind(listed.last_at)
            .bind(views.match_id)
            .bind(views.name)
            .bind(views.hash)
            .bind(views.body);
    }
    let moved: Vec<MatchId> = query.fetch_all(on).await?;
    Ok(moved.into_iter().collect())
}

/// The statement, put together once.
fn statement(locked: Locked, with_rows: bool) -> &'static str {
    static STATEMENTS: LazyLock<[[String; 2]; 2]> = LazyLock::new(|| {
        [("", ""), (HELD, IS_HELD)].map(|(held, is_held)| {
            let writing = STATEMENT.replace("{held}", held).replace("{is_held}", is_held);
            ["", WITH_ROWS].map(|rows| format!("{writing}{rows}{END}"))
        })
    });
    &STATEMENTS[usize::from(locked == Locked::LeaveOut)][usize::from(with_rows)]
}

/// Writes appends together once more, after a connection was lost during a write. An append that the first
/// try had written counts as written, and one that it is still writing is waited for. Its events are
/// recognised by their hash.
async fn write_after_loss(
    on: &mut PgConnection,
    appends: &[&Append],
) -> Result<HashSet<MatchId>, sqlx::Error> {
    let mut written = write_together(on, appends, Locked::WaitFor).await?;
    let of_each = AppendColumns::of(appends);
    let there: Vec<MatchId> = sqlx::query_scalar(
        "select match_id from unnest($1::uuid[], $2::bigint[], $3::text[]) as asked (match_id, seq, hash) \
         join events using (match_id, seq, hash)",
    )
    .bind(of_each.match_id)
    .bind(of_each.seq)
    .bind(of_each.hash)
    .fetch_all(on)
    .await?;
    written.extend(there);
    Ok(written)
}

/// The columns with one value for each append.
#[derive(Default)]
struct AppendColumns<'a> {
    match_id: Vec<MatchId>,
    old_seq: Vec<i64>,
    old_hash: Vec<&'a str>,
    seq: Vec<i64>,
    hash: Vec<&'a str>,
    role: Vec<Option<&'a str>>,
    token: Vec<Option<&'a str>>,
    actor: Vec<Option<&'a str>>,
    key: Vec<Option<&'a str>>,
    request: Vec<Option<&'a str>>,
}

impl<'a> AppendColumns<'a> {
    fn of(appends: &[&'a Append]) -> AppendColumns<'a> {
        let mut columns = AppendColumns::default();
        for append in appends {
            let (pass, answered) = (append.token.as_ref(), append.idempotency.as_ref());
            columns.match_id.push(append.match_id);
            columns.old_seq.push(signed(append.expected.seq));
            columns.old_hash.push(&append.expected.hash);
            columns.seq.push(signed(append.new_seq()));
            columns.hash.push(append.new_hash());
            columns.role.push(pass.map(|pass| pass.role.as_str()));
            columns.token.push(pass.map(|pass| pass.hash.as_str()));
            columns.actor.push(answered.map(|answered| answered.actor.as_str()));
            columns.key.push(answered.map(|answered| answered.key.as_str()));
            columns.request.push(answered.map(|answered| answered.request.as_str()));
        }
        columns
    }
}

/// The columns of the events of all appends.
#[derive(Default)]
struct Events<'a> {
    match_id: Vec<MatchId>,
    seq: Vec<i64>,
    kind: Vec<&'a str>,
    at: Vec<DateTime<Utc>>,
    body: Vec<&'a str>,
    hash: Vec<&'a str>,
}

impl<'a> Events<'a> {
    fn of(appends: &[&'a Append]) -> Events<'a> {
        let mut columns = Events::default();
        for append in appends {
            for (event, entry) in append.events.iter() {
                columns.match_id.push(append.match_id);
                columns.seq.push(signed(entry.seq));
                columns.kind.push(event.data.kind());
                columns.at.push(event.at);
                columns.body.push(&entry.body);
                columns.hash.push(&entry.hash);
            }
        }
        columns
    }
}

/// The columns of rows of the match list.
#[derive(Default)]
struct ListRows<'a> {
    match_id: Vec<MatchId>,
    seq: Vec<i64>,
    game: Vec<&'a str>,
    home: Vec<&'a str>,
    away: Vec<&'a str>,
    status: Vec<&'a str>,
    summary: Vec<&'a str>,
    last_at: Vec<i64>,
}

impl<'a> ListRows<'a> {
    fn of(all: &[RowsAsOf<'a>]) -> ListRows<'a> {
        let mut columns = ListRows::default();
        for RowsAsOf { match_id, seq, rows, .. } in all {
            columns.match_id.push(*match_id);
            columns.seq.push(signed(*seq));
            columns.game.push(&rows.game);
            columns.home.push(&rows.home);
            columns.away.push(&rows.away);
            columns.status.push(rows.status);
            columns.summary.push(&rows.summary);
            columns.last_at.push(rows.last_at);
        }
        columns
    }
}

/// The columns of the pages of finished matches.
#[derive(Default)]
struct Views<'a> {
    match_id: Vec<MatchId>,
    name: Vec<&'a str>,
    hash: Vec<&'a str>,
    body: Vec<&'a str>,
}

impl<'a> Views<'a> {
    fn of(all: &[RowsAsOf<'a>]) -> Views<'a> {
        let mut columns = Views::default();
        for (match_id, name, hash, body) in pages_of(all) {
            columns.match_id.push(match_id);
            columns.name.push(name);
            columns.hash.push(hash);
            columns.body.push(body);
        }
        columns
    }
}
