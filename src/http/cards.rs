use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use super::Service;
use super::problem::Problem;
use super::request::{self, MatchPath};
use super::response;
use crate::log::Head;
use crate::rules::Next;
use crate::scorebook::MatchResult;
use crate::service::PlayError;
use crate::views::{Book, Commentary, CommentaryLine, FallOfWickets, Page, Score, Scorecard};
use crate::views::{Moment, Told};

/// At which moment.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct AtQuery {
    /// After this event; the last that is known if left out.
    at: Option<u64>,
    /// As it was known after this event, before later corrections; as it is known now if left out. Not before `at`.
    as_known_at: Option<u64>,
}

impl AtQuery {
    fn moment(&self) -> Option<Moment> {
        (self.at.is_some() || self.as_known_at.is_some())
            .then_some(Moment { at: self.at, known: self.as_known_at })
    }
}

/// A page as it stands, or as it stood after an earlier event.
pub(super) async fn page(
    service: &Service,
    http: &HttpRequest,
    path: &MatchPath,
    page: Page,
) -> Result<HttpResponse, Problem> {
    match request::query::<AtQuery>(http)?.moment() {
        Some(moment) => {
            let book = service.matches.told_at(path.0, moment).await?.book;
            fresh(http, &book, page.of(&book))
        }
        None => {
            let (hash, body) = service.matches.page(path.0, page).await?;
            response::fresh(http, &hash, || Ok(body))
        }
    }
}

/// A page about a moment. Where it is known since otherwise than it was then, what is known of it changes with play and
/// disputes too, and the page itself makes its tag.
fn fresh(http: &HttpRequest, book: &Book, body: String) -> Result<HttpResponse, Problem> {
    let hash = &book.head().hash;
    match book.known_at() {
        None => response::fresh(http, hash, || Ok(body)),
        Some(_) => {
            let known = hex::encode(Sha256::digest(body.as_bytes()));
            response::fresh(http, &format!("{hash}-{known}"), || Ok(body))
        }
    }
}

/// The scorecard.
#[utoipa::path(
    get, path = "/v1/matches/{id}/scorecard", operation_id = "get_scorecard", tag = "cards",
    params(("id" = Uuid, Path, description = "The match"), AtQuery),
    responses((status = 200, description = "The scorecard", body = Scorecard,
        headers(("ETag" = String, description = "Of the event it is true after, and of what is known since"))))
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
        headers(("ETag" = String, description = "Of the event it is true after, and of what is known since"))))
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
        headers(("ETag" = String, description = "Of the event it is true after, and of what is known since"))))
)]
pub async fn commentary(
    service: Data<Service>,
    http: HttpRequest,
    path: MatchPath,
) -> Result<HttpResponse, Problem> {
    if let Some(unchanged) = unchanged(&service, &http, &path).await? {
        return Ok(unchanged);
    }
    let Told { book, lines } = told(&service, &http, &path).await?;
    let body = response::text(&Commentary::of(&book, lines))?;
    fresh(&http, &book, body)
}

/// The answer to a client that has the match as it stands already, before anything is folded for him.
async fn unchanged(
    service: &Service,
    http: &HttpRequest,
    path: &MatchPath,
) -> Result<Option<HttpResponse>, Problem> {
    if request::query::<AtQuery>(http)?.moment().is_some() {
        return Ok(None);
    }
    let head = service.matches.store().head(path.0).await?.ok_or(PlayError::NoSuchMatch(path.0))?;
    Ok(response::unchanged(http, &head.hash))
}

/// The match folded and told, as it stands or as it stood after an earlier event.
async fn told(service: &Service, http: &HttpRequest, path: &MatchPath) -> Result<Told, Problem> {
    let moment = request::query::<AtQuery>(http)?.moment().unwrap_or_default();
    Ok(service.matches.told_at(path.0, moment).await?)
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
    /// The last correction that was taken into account, where it came after `at_seq`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub as_known_at: Option<u64>,
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
        headers(("ETag" = String, description = "Of that event, and of what is known since"))))
)]
pub async fn replay(
    service: Data<Service>,
    http: HttpRequest,
    path: MatchPath,
) -> Result<HttpResponse, Problem> {
    if let Some(unchanged) = unchanged(&service, &http, &path).await? {
        return Ok(unchanged);
    }
    let Told { book, lines: commentary } = told(&service, &http, &path).await?;
    let body = response::text(&Replay {
        match_id: path.0,
        at_seq: book.head().seq,
        head: book.head().clone(),
        as_known_at: book.known_at(),
        status: book.fixture().status(),
        score: Score::of(&book),
        next: book.fixture().next(),
        result: book.fixture().result(),
        commentary,
    })?;
    fresh(&http, &book, body)
}
