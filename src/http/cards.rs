use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use super::Service;
use super::problem::Problem;
use super::request::{self, MatchPath};
use super::response;
use crate::games::Next;
use crate::log::Head;
use crate::play::PlayError;
use crate::projections::{Book, Commentary, CommentaryLine, FallOfWickets, Page, Score, Scorecard};
use crate::scorebook::MatchResult;

/// At which moment.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct AtQuery {
    /// After this event; the last if left out.
    at: Option<u64>,
}

/// A page as it stands, or as it stood after an earlier event.
async fn page(
    service: &Service,
    http: &HttpRequest,
    path: &MatchPath,
    page: Page,
) -> Result<HttpResponse, Problem> {
    let (hash, body) = match request::query::<AtQuery>(http)?.at {
        Some(at) => {
            let book = service.matches.book_at(path.0, at).await?;
            (book.head().hash.clone(), page.of(&book))
        }
        None => service.matches.page(path.0, page).await?,
    };
    response::fresh(http, &hash, || Ok(body))
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
    page(&service, &http, &path, Page::Scorecard).await
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
    page(&service, &http, &path, Page::FallOfWickets).await
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
    if let Some(unchanged) = unchanged(&service, &http, &path).await? {
        return Ok(unchanged);
    }
    let (book, lines) = told(&service, &http, &path).await?;
    let tag = book.head().hash.clone();
    response::fresh(&http, &tag, || response::text(&Commentary::of(&book, lines)))
}

/// The answer to a client that has the match as it stands already, before anything is folded for him.
async fn unchanged(
    service: &Service,
    http: &HttpRequest,
    path: &MatchPath,
) -> Result<Option<HttpResponse>, Problem> {
    if request::query::<AtQuery>(http)?.at.is_some() {
        return Ok(None);
    }
    let head = service.matches.store().head(path.0).await?.ok_or(PlayError::NoSuchMatch(path.0))?;
    Ok(response::unchanged(http, &head.hash))
}

/// The match folded and told, as it stands or as it stood after an earlier event.
async fn told(
    service: &Service,
    http: &HttpRequest,
    path: &MatchPath,
) -> Result<(Book, Vec<CommentaryLine>), Problem> {
    let at = match request::query::<AtQuery>(http)?.at {
        Some(at) => at,
        None => service.matches.store().head(path.0).await?.ok_or(PlayError::NoSuchMatch(path.0))?.seq,
    };
    Ok(service.matches.told_to(path.0, at).await?)
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
    if let Some(unchanged) = unchanged(&service, &http, &path).await? {
        return Ok(unchanged);
    }
    let (book, commentary) = told(&service, &http, &path).await?;
    response::fresh(&http, &book.head().hash, || {
        response::text(&Replay {
            match_id: path.0,
            at_seq: book.head().seq,
            head: book.head().clone(),
            status: book.fixture().status(),
            score: Score::of(&book),
            next: book.fixture().next(),
            result: book.fixture().result(),
            commentary,
        })
    })
}
