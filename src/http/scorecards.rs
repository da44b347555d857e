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
            let past = service.matches.commentary_as_of(path.0, as_of).await?;
            let body = page.of(&past.loaded).into();
            response::fresh(http, &tag(&past.loaded, &body), || Ok(body))
        }
        None => {
            let (hash, body) = service.matches.page(path.0, page).await?;
            response::fresh(http, &entity_tag::of_event(&hash), || Ok(body))
        }
    }
}

/// The tag of a page as of an event. Where later corrections count, the page can change although the event
/// stays, so its own hash is part of its tag.
fn tag(loaded: &LoadedMatch, body: &Bytes) -> String {
    let hash = &loaded.head().hash;
    match loaded.known_at() {
        None => entity_tag::of_event(hash),
        Some(_) => entity_tag::of_variant(hash, &hex::encode(Sha256::digest(body))),
    }
}

/// The response with the lines of a match, now or as of an earlier event. They are written on a thread of
/// their own, since a long match has megabytes of them.
async fn lines(
    service: &AppState,
    http: &HttpRequest,
    path: &MatchPath,
    write: fn(&CommentaryAsOf) -> Result<Bytes, Problem>,
) -> Result<HttpResponse, Problem> {
    if let Some(unchanged) = unchanged(service, http, path).await? {
        return Ok(unchanged);
    }
    let as_of = request::query::<AtQuery>(http)?.as_of().unwrap_or_default();
    let past = service.matches.commentary_as_of(path.0, as_of).await?;
    let written = move || write(&past).map(|body| (tag(&past.loaded, &body), body));
    let (tag, body) = service.matches.on_readers_thread(path.0, written).await??;
    response::fresh(http, &tag, || Ok(body))
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
    lines(&service, &http, &path, |past| response::text(&Commentary::of(past))).await
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

/// The match as of an event.
#[derive(Serialize, ToSchema)]
pub struct Replay<'a> {
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
    #[schema(value_type = Vec<CommentaryLine>)]
    pub commentary: &'a [CommentaryLine],
}

impl Replay<'_> {
    /// The match as of an event.
    fn of(past: &CommentaryAsOf) -> Replay<'_> {
        let CommentaryAsOf { loaded, lines } = past;
        Replay {
            match_id: loaded.match_id(),
            at_seq: loaded.head().seq,
            head: loaded.head().clone(),
            as_known_at: loaded.known_at(),
            status: loaded.the_match().play().status(),
            score: Score::of(loaded),
            next: loaded.the_match().next(),
            result: loaded.result(),
            commentary: lines,
        }
    }
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
    lines(&service, &http, &path, |past| response::text(&Replay::of(past))).await
}
