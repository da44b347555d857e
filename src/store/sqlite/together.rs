use sqlx::sqlite::SqliteArguments;
use sqlx::{AssertSqlSafe, Sqlite, SqliteConnection, query::Query};

use crate::log::MatchId;
use crate::store::queries::signed;
use crate::store::{Append, Opening};

const EVENT: &str = "insert into events (match_id, seq, kind, at, body, hash) values (?, ?, ?, ?, ?, ?);";
const HEAD: &str = "update heads set seq = ?, hash = ? where match_id = ? and seq = ? and hash = ?";
const PASS: &str =
    " and exists (select 1 from tokens where match_id = ? and role = ? and purpose = 'token' and hash = ?)";
const NEW_HEAD: &str = "insert into heads (seq, hash, match_id) values (?, ?, ?)";
const SECRET: &str = "insert into secrets (match_id, server_seed) values (?, ?);";
const TOKEN: &str = "insert into tokens (match_id, role, purpose, hash) values (?, ?, ?, ?);";
const ANSWERED: &str =
    "insert into idempotency (match_id, actor, key, request, first_seq, last_seq) values (?, ?, ?, ?, ?, ?);";
const LISTED: &str = "insert into match_list (match_id, game, home, away, status, body) values (?, ?, ?, ?, ?, ?) \
     on conflict (match_id) do update set status = excluded.status, body = excluded.body;";
const VIEW: &str = "insert into views (match_id, name, hash, body) values (?, ?, ?, ?) \
     on conflict (match_id, name) do update set hash = excluded.hash, body = excluded.body;";
/// Appends of more events than this are too rare for their statements to be kept prepared.
const FEW_EVENTS: usize = 3;

/// Writes one append as one batch of statements, inside a transaction. False if it met a conflict: then the transaction
/// has to be rolled back.
pub(super) async fn write_append(on: &mut SqliteConnection, append: &Append) -> Result<bool, sqlx::Error> {
    let statements = statements(append);
    let query = sqlx::query(AssertSqlSafe(statements)).persistent(append.records.len() <= FEW_EVENTS);
    let changed = bind(query, append).execute(on).await?.rows_affected();
    Ok(changed == rows_due(append))
}

fn statements(append: &Append) -> String {
    let mut sql = EVENT.repeat(append.records.len());
    sql.push_str(if append.opening.is_some() { NEW_HEAD } else { HEAD });
    if append.pass.is_some() {
        sql.push_str(PASS);
    }
    sql.push(';');
    if let Some(opening) = &append.opening {
        sql.push_str(if opening.server_seed.is_some() { SECRET } else { "" });
        sql.push_str(&TOKEN.repeat(opening.tokens.len()));
    }
    if append.answered.is_some() {
        sql.push_str(ANSWERED);
    }
    sql.push_str(LISTED);
    sql.push_str(&VIEW.repeat(append.rows.pages.len()));
    sql
}

/// How many rows the statements change where nothing is in the way.
fn rows_due(append: &Append) -> u64 {
    let head_and_list = 2;
    let events_and_views = append.records.len() + append.rows.pages.len();
    let opening = append.opening.as_ref();
    let secrets =
        opening.map_or(0, |opening| usize::from(opening.server_seed.is_some()) + opening.tokens.len());
    (events_and_views + head_and_list + secrets + usize::from(append.answered.is_some())) as u64
}

fn bind<'a>(
    mut query: Query<'a, Sqlite, SqliteArguments>,
    append: &'a Append,
) -> Query<'a, Sqlite, SqliteArguments> {
    let (match_id, rows) = (append.match_id, &append.rows);
    for record in &append.records {
        query = query.bind(match_id).bind(signed(record.entry.seq)).bind(record.kind).bind(record.at);
        query = query.bind(&record.entry.body).bind(&record.entry.hash);
    }
    let seq = append.expected.seq + append.records.len() as u64;
    query = query.bind(signed(seq)).bind(append.new_hash()).bind(match_id);
    if append.opening.is_none() {
        query = query.bind(signed(append.expected.seq)).bind(&append.expected.hash);
    }
    if let Some(pass) = &append.pass {
        query = query.bind(match_id).bind(pass.role).bind(&pass.hash);
    }
    if let Some(opening) = &append.opening {
        query = bind_opening(query, match_id, opening);
    }
    if let Some(answered) = &append.answered {
        query =
            query.bind(match_id).bind(answered.actor.as_str()).bind(&answered.key).bind(&answered.request);
        query = query.bind(signed(answered.first_seq)).bind(signed(answered.last_seq));
    }
    query = query.bind(match_id).bind(&rows.game).bind(&rows.home).bind(&rows.away);
    query = query.bind(rows.status).bind(&rows.summary);
    for (page, body) in &rows.pages {
        query = query.bind(match_id).bind(page.name()).bind(append.new_hash()).bind(body);
    }
    query
}

fn bind_opening<'a>(
    mut query: Query<'a, Sqlite, SqliteArguments>,
    match_id: MatchId,
    opening: &'a Opening,
) -> Query<'a, Sqlite, SqliteArguments> {
    if let Some(seed) = &opening.server_seed {
        query = query.bind(match_id).bind(seed.reveal());
    }
    for token in &opening.tokens {
        query = query.bind(match_id).bind(token.role).bind(token.purpose()).bind(&token.hash);
    }
    query
}
