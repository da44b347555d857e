use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use super::Service;
use super::problem::{Kind, Problem};
use super::request::{self, MatchPath};
use super::response;
use crate::games::Next;
use crate::log::Head;
use crate::play::PlayError;
use crate::projections::{
    Book, Commentary, CommentaryLine, FALL_OF_WICKETS, FallOfWickets, SCORECARD, Score, Scorecard,
};
use crate::scorebook::MatchResult;

/// At which moment.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct AtQuery {
    /// After this event; the last if left out.
    at: Option<u64>,
}

/// A cached view, or the same folded at an earlier event.
async fn view<T: Serialize>(
    service: &Service,
    http: &HttpRequest,
    path: &MatchPath,
    name: &str,
    fold: fn(&Book) -> T,
) -> Result<HttpResponse, Problem> {
    match request::query::<AtQuery>(http)?.at {
        Some(at) => {
            let book = service.matches.book_at(path.0, at).await?;
            response::fresh(http, &book.head().hash, || response::text(&fold(&book)))
        }
        None => match service.matches.store().view(path.0, name).await? {
            Some(view) => response::fresh(http, &view.hash, || Ok(view.body)),
            // The projections are being rebuilt, or there is no such match: the log knows.
            None => {
                let book = service.matches.book(path.0).await?;
                response::fresh(http, &book.head().hash, || response::text(&fold(&book)))
            }
        },
    }
}

/// The scorecard.
#[utoipa::path(
    get, path = "/v1/matches/{id}/scorecard", operation_id = "get_scorecard", tag = "cards",
    params(("id" = Uuid, Path, description = "The match"), AtQuery),
    responses((status = 200, description = "The scorecard", body = Scorecard,
        headers(("ETag" = String, description = "The hash of the event it is true after"))))
)]
pub async fn scorecard(
    service: Data<Service>,
    http: HttpRequest,
    path: MatchPath,
) -> Result<HttpResponse, Problem> {
    view(&service, &http, &path, SCORECARD, Scorecard::of).await
}

/// The fall of wickets, with partnerships.
#[utoipa::path(
    get, path = "/v1/matches/{id}/fall-of-wickets", operation_id = "get_fall_of_wickets", tag = "cards",
    params(("id" = Uuid, Path, description = "The match"), AtQuery),
    responses((status = 200, description = "The fall of wickets", body = FallOfWickets,
        headers(("ETag" = String, description = "The hash of the event it is true after"))))
)]
pub async fn fall_of_wickets(
    service: Data<Service>,
    http: HttpRequest,
    path: MatchPath,
) -> Result<HttpResponse, Problem> {
    view(&service, &http, &path, FALL_OF_WICKETS, FallOfWickets::of).await
}

#[derive(Serialize)]
struct StoredCommentary {
    #[serde(rename = "match")]
    match_id: Uuid,
    at_seq: u64,
    head: Head,
    lines: Vec<Box<RawValue>>,
}

/// The match told line by line.
#[utoipa::path(
    get, path = "/v1/matches/{id}/commentary", operation_id = "get_commentary", tag = "cards",
    params(("id" = Uuid, Path, description = "The match"), AtQuery),
    responses((status = 200, description = "The commentary", body = Commentary,
        headers(("ETag" = String, description = "The hash of the event it is true after"))))
)]
pub async fn commentary(
    service: Data<Service>,
    http: HttpRequest,
    path: MatchPath,
) -> Result<HttpResponse, Problem> {
    let asked = request::query::<AtQuery>(&http)?.at;
    let store = service.matches.store();
    let head = store.head(path.0).await?.ok_or(PlayError::NoSuchMatch(path.0))?;
    let lines = if asked.is_none() { store.commentary(path.0, head.seq).await? } else { Vec::new() };
    // At an earlier moment, or where the cache is not whole, the log knows.
    if lines.len() as u64 != head.seq {
        let (book, lines) = service.matches.told_to(path.0, asked.unwrap_or(head.seq)).await?;
        let tag = book.head().hash.clone();
        return response::fresh(&http, &tag, || response::text(&Commentary::of(&book, lines)));
    }
    let raw = |line| {
        RawValue::from_string(line)
            .map_err(|_| Problem::new(Kind::Internal, "the commentary has to be rebuilt"))
    };
    let lines = lines.into_iter().map(raw).collect::<Result<_, _>>()?;
    let tag = head.hash.clone();
    response::fresh(&http, &tag, || {
        response::text(&StoredCommentary { match_id: path.0, at_seq: head.seq, head, lines })
    })
}

/// The match as it stood after an event.
#[derive(Serialize, ToSchema)]
pub struct Replay {
    /// The match.
    #[serde(rename = "match")]
    pub match_id: Uuid,
    /// The event after which it stood so.
    pub at_seq: u64,
    /// That event and its hash.
    pub head: Head,
    /// `created|in_play|completed|abandoned`.
    pub status: &'static str,
    /// The score.
    pub score: Score,
    /// What the match waited for.
    pub next: Next,
    /// The result, once there was one.
    pub result: Option<MatchResult>,
    /// The match told up to there.
    pub commentary: Vec<CommentaryLine>,
}

/// Replay the match from its log.
#[utoipa::path(
    get, path = "/v1/matches/{id}/replay", operation_id = "replay_match", tag = "cards",
    params(("id" = Uuid, Path, description = "The match"), AtQuery),
    responses((status = 200, description = "The match as it stood", body = Replay,
        headers(("ETag" = String, description = "The hash of that event"))))
)]
pub async fn replay(
    service: Data<Service>,
    http: HttpRequest,
    path: MatchPath,
) -> Result<HttpResponse, Problem> {
    let at = match request::query::<AtQuery>(&http)?.at {
        Some(at) => at,
        None => service.matches.store().head(path.0).await?.ok_or(PlayError::NoSuchMatch(path.0))?.seq,
    };
    let (book, commentary) = service.matches.told_to(path.0, at).await?;
    response::fresh(&http, &book.head().hash, || {
        response::text(&Replay {
            match_id: path.0,
            at_seq: at,
            head: book.head().clone(),
            status: book.fixture().status(),
            score: Score::of(&book),
            next: book.fixture().next(),
            result: book.fixture().result(),
            commentary,
        })
    })
}
