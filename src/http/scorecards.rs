//! The views of a match over HTTP: scorecard, fall of wickets, commentary and replay, each also as of an
//! earlier event.

use actix_web::web::{Bytes, Data};
use actix_web::{HttpRequest, HttpResponse};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use super::request::{self, MatchPath};
use super::response;
use super::{AppState, entity_tag};
use crate::commands::Problem;
use crate::log::Head;
use crate::projection::{AsOf, CommentaryAsOf, CommentaryLine, LoadedMatch};
use crate::rules::{Next, ResultView};
use crate::views::{Commentary, FallOfWickets, Page, Score, Scorecard};

/// The query of a view: as of which event, and with which corrections.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct AtQuery {
    /// The event as of which the view is shown; the last event if left out.
    at: Option<u64>,
    /// The event after which corrections are left out, not before `at`; all corrections count if left out.
    as_known_at: Option<u64>,
}

impl AtQuery {
    fn as_of(&self) -> Option<AsOf> {
        (self.at.is_some() || self.as_known_at.is_some())
            .then_some(AsOf { seq: self.at, known_at: self.as_known_at })
    }
}

/// The response with a page of a match, now or as of an earlier event.
pub(super) async fn page(
    service: &AppState,
    http: &HttpRequest,
    path: &MatchPath,
    page: Page,
) -> Result<HttpResponse, Problem> {
    match request::query::<AtQuery>(http)?.as_of() {
        Some(as_of) => {
            let loaded = service.matches.commentary_as_of(path.0, as_of).await?.loaded;
            fresh(http, &loaded, page.of(&loaded).into())
        }
        None => {
            let (hash, body) = service.matches.page(path.0, page).await?;
            response::fresh(http, &entity_tag::of_event(&hash), || Ok(body))
        }
    }
}

/// The response with a page as of an event. Where later corrections count, the page can change although the
/// event stays, so its own hash is part of its tag.
fn fresh(http: &HttpRequest, loaded: &LoadedMatch, body: Bytes) -> Result<HttpResponse, Problem> {
    let hash = &loaded.head().hash;
    match loaded.known_at() {
        None => response::fresh(http, &entity_tag::of_event(hash), || Ok(body)),
        Some(_) => {
            let content = hex::encode(Sha256::digest(&body));
            response::fresh(http, &entity_tag::of_variant(hash, &content), || Ok(body))
        }
    }
}

/// The scorecard of a match.
#[utoipa::path(
    get, path = "/v1/matches/{id}/scorecard", operation_id = "get_scorecard", tag = "cards",
    params(AtQuery),
    responses((status = 200, description = "The scorecard", body = Scorecard,
        headers(("ETag" = String, description = "The event's hash, a dot and the form, and the content's hash where corrections count"))))
)]
pub async fn scorecard(
    service: Data<AppState>,
    http: HttpRequest,
    path: MatchPath,
) -> Result<HttpResponse, Problem> {
    page(&service, &http, &path, Page::Scorecard).await
}

/// The fall of wickets, with partnerships.
#[utoipa::path(
    get, path = "/v1/matches/{id}/fall-of-wickets", operation_id = "get_fall_of_wickets", tag = "cards",
    params(AtQuery),
    responses((status = 200, description = "The fall of wickets", body = FallOfWickets,
        headers(("ETag" = String, description = "The event's hash, a dot and the form, and the content's hash where corrections count"))))
)]
pub async fn fall_of_wickets(
    service: Data<AppState>,
    http: HttpRequest,
    path: MatchPath,
) -> Result<HttpResponse, Problem> {
    page(&service, &http, &path, Page::FallOfWickets).await
}

/// The commentary on a match, line by line.
#[utoipa::path(
    get, path = "/v1/matches/{id}/commentary", operation_id = "get_commentary", tag = "cards",
    params(AtQuery),
    responses((status = 200, description = "The commentary", body = Commentary,
        headers(("ETag" = String, description = "The event's hash, a dot and the form, and the content's hash where corrections count"))))
)]
pub async fn commentary(
    service: Data<AppState>,
    http: HttpRequest,
    path: MatchPath,
) -> Result<HttpResponse, Problem> {
    if let Some(unchanged) = unchanged(&service, &http, &path).await? {
        return Ok(unchanged);
    }
    let CommentaryAsOf { loaded, lines } = commentary_as_of(&service, &http, &path).await?;
    let body = response::text(&Commentary::of(&loaded, lines))?;
    fresh(&http, &loaded, body)
}

/// The response 304 to a client that has the match as it is now, sent before anything is folded.
async fn unchanged(
    service: &AppState,
    http: &HttpRequest,
    path: &MatchPath,
) -> Result<Option<HttpResponse>, Problem> {
    if request::query::<AtQuery>(http)?.as_of().is_some() {
        return Ok(None);
    }
    let head = service.matches.head(path.0).await?;
    Ok(response::unchanged(http, &entity_tag::of_event(&head.hash)))
}

/// The match with its commentary, now or as of an earlier event.
async fn commentary_as_of(
    service: &AppState,
    http: &HttpRequest,
    path: &MatchPath,
) -> Result<CommentaryAsOf, Problem> {
    let as_of = request::query::<AtQuery>(http)?.as_of().unwrap_or_default();
    Ok(service.matches.commentary_as_of(path.0, as_of).await?)
}

/// The match as of an event.
#[derive(Serialize, ToSchema)]
pub struct Replay {
    /// The match's id.
    #[serde(rename = "match")]
    pub match_id: Uuid,
    /// The seq of that event.
    pub at_seq: u64,
    /// The seq of that event, and its hash.
    pub head: Head,
    /// The last correction that counts here, where it came after `at_seq`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub as_known_at: Option<u64>,
    /// The status: `created|in_play|completed|abandoned`.
    pub status: &'static str,
    /// The score after that event.
    pub score: Score,
    /// What the match waited for.
    pub next: Next,
    /// The result, once there was one.
    pub result: Option<ResultView>,
    /// The commentary up to that event.
    pub commentary: Vec<CommentaryLine>,
}

/// Replay the match from its log.
#[utoipa::path(
    get, path = "/v1/matches/{id}/replay", operation_id = "replay_match", tag = "cards",
    params(AtQuery),
    responses((status = 200, description = "The match as of the event", body = Replay,
        headers(("ETag" = String, description = "The event's hash, a dot and the form, and the content's hash where corrections count"))))
)]
pub async fn replay(
    service: Data<AppState>,
    http: HttpRequest,
    path: MatchPath,
) -> Result<HttpResponse, Problem> {
    if let Some(unchanged) = unchanged(&service, &http, &path).await? {
        return Ok(unchanged);
    }
    let CommentaryAsOf { loaded, lines: commentary } = commentary_as_of(&service, &http, &path).await?;
    let body = response::text(&Replay {
        match_id: path.0,
        at_seq: loaded.head().seq,
        head: loaded.head().clone(),
        as_known_at: loaded.known_at(),
        status: loaded.the_match().play().status(),
        score: Score::of(&loaded),
        next: loaded.the_match().next(),
        result: loaded.result(),
        commentary,
    })?;
    fresh(&http, &loaded, body)
}
