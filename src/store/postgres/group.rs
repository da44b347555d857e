//! The group commit of Postgres: many appends to existing matches in one statement.

use std::collections::HashSet;

use chrono::{DateTime, Utc};
use sqlx::{AssertSqlSafe, PgConnection};

use crate::log::MatchId;
use crate::store::Append;
use crate::store::queries::signed;

/// The settings of the connection that writes. The statement below is planned once, perhaps when the tables
/// are still empty, and finds every row by its key. The short lock timeout keeps one locked match from
/// blocking the others.
pub(super) const SETTINGS: &str = "set lock_timeout = '300ms'; set statement_timeout = '10s'; set plan_cache_mode = force_generic_plan; set jit = off; \
     set enable_seqscan = off; set enable_hashjoin = off; set enable_mergejoin = off";

/// The statement that writes many appends as one transaction. An append whose head has moved on, whose token
/// was replaced, or whose key was used, writes nothing, and does not affect the others.
///
/// Token and key are compared as values, since the planner may turn `exists` into a hash of the whole table.
const STATEMENT: &str = "
with asked as materialized (
    select * from unnest($1::uuid[], $2::bigint[], $3::text[], $4::bigint[], $5::text[], $6::text[], $7::text[],
                         $8::text[], $9::text[], $10::text[], $11::text[], $12::text[], $13::text[], $14::text[],
                         $15::text[])
        as asked (match_id, old_seq, old_hash, seq, hash, role, token, game, home, away, status, summary,
                  actor, key, request)
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
    select event.* from unnest($16::uuid[], $17::bigint[], $18::text[], $19::timestamptz[], $20::text[], $21::text[])
        as event (match_id, seq, kind, at, body, hash)
    where match_id in (select match_id from moved)
), remembered as (
    insert into idempotency (match_id, actor, key, request, first_seq, last_seq)
    select match_id, actor, key, request, old_seq + 1, seq from moved where key is not null
), listed as (
    insert into match_list (match_id, game, home, away, status, body)
    select match_id, game, home, away, status, summary from moved
    on conflict (match_id) do update set status = excluded.status, body = excluded.body
)";

/// The treatment of a match that another transaction has locked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Locked {
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

/// The part of the statement that writes the pages of finished matches.
const WITH_PAGES: &str = ", viewed as (
    insert into views (match_id, name, hash, body)
    select view.* from unnest($22::uuid[], $23::text[], $24::text[], $25::text[]) as view (match_id, name, hash, body)
    where match_id in (select match_id from moved)
    on conflict (match_id, name) do update set hash = excluded.hash, body = excluded.body
)";

const END: &str = " select match_id from moved";

/// Writes appends together, and returns the matches that were written.
pub(super) async fn write_together(
    on: &mut PgConnection,
    appends: &[&Append],
    locked: Locked,
) -> Result<HashSet<MatchId>, sqlx::Error> {
    let of_each = AppendColumns::of(appends);
    let events = Events::of(appends);
    let views = Views::of(appends);
    let mut query = sqlx::query_scalar(AssertSqlSafe(statement(locked, !views.match_id.is_empty())))
        .bind(of_each.match_id)
        .bind(of_each.old_seq)
        .bind(of_each.old_hash)
        .bind(of_each.seq)
        .bind(of_each.hash)
        .bind(of_each.role)
        .bind(of_each.token)
        .bind(of_each.game)
        .bind(of_each.home)
        .bind(of_each.away)
        .bind(of_each.status)
        .bind(of_each.summary)
        .bind(of_each.actor)
        .bind(of_each.key)
        .bind(of_each.request)
        .bind(events.match_id)
        .bind(events.seq)
        .bind(events.kind)
        .bind(events.at)
        .bind(events.body)
        .bind(events.hash);
    if !views.match_id.is_empty() {
        query = query.bind(views.match_id).bind(views.name).bind(views.hash).bind(views.body);
    }
    let moved: Vec<MatchId> = query.fetch_all(on).await?;
    Ok(moved.into_iter().collect())
}

fn statement(locked: Locked, with_pages: bool) -> String {
    let (held, is_held) = if locked == Locked::LeaveOut { (HELD, IS_HELD) } else { ("", "") };
    let writing = STATEMENT.replace("{held}", held).replace("{is_held}", is_held);
    let pages = if with_pages { WITH_PAGES } else { "" };
    format!("{writing}{pages}{END}")
}

/// Writes appends together once more, after a connection was lost during a write. An append that the first
/// try had written counts as written, and one that it is still writing is waited for. Its events are
/// recognised by their hash.
pub(super) async fn write_after_loss(
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
    game: Vec<&'a str>,
    home: Vec<&'a str>,
    away: Vec<&'a str>,
    status: Vec<&'a str>,
    summary: Vec<&'a str>,
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
            columns.game.push(&append.rows.game);
            columns.home.push(&append.rows.home);
            columns.away.push(&append.rows.away);
            columns.status.push(append.rows.status);
            columns.summary.push(&append.rows.summary);
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
            for record in &append.records {
                columns.match_id.push(append.match_id);
                columns.seq.push(signed(record.entry.seq));
                columns.kind.push(record.kind);
                columns.at.push(record.at);
                columns.body.push(&record.entry.body);
                columns.hash.push(&record.entry.hash);
            }
        }
        columns
    }
}

/// The columns of the views of all appends.
#[derive(Default)]
struct Views<'a> {
    match_id: Vec<MatchId>,
    name: Vec<&'a str>,
    hash: Vec<&'a str>,
    body: Vec<&'a str>,
}

impl<'a> Views<'a> {
    fn of(appends: &[&'a Append]) -> Views<'a> {
        let mut columns = Views::default();
        for append in appends {
            for (page, body) in &append.rows.pages {
                columns.match_id.push(append.match_id);
                columns.name.push(page.name());
                columns.hash.push(append.new_hash());
                columns.body.push(body);
            }
        }
        columns
    }
}
