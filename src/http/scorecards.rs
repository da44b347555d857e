//! The views of a match over HTTP: scorecard, fall of wickets, commentary and replay, each also as of an
//! earlier event.

use std::sync::Arc;

use actix_web::web::{Bytes, Data};
use actix_web::{HttpRequest, HttpResponse};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::answer_text::{AnswerText, LARGE, content_hash};
use super::list_query::{AtQuery, PageAtQuery};
use super::request::{self, MatchPath};
use super::response;
use super::{AppState, entity_tag};
use crate::commands::Problem;
use crate::log::Head;
use crate::metrics::MadeOn;
use crate::projection::{AsOf, CommentaryAsOf, CommentaryLine, LoadedMatch};
use crate::rules::{Next, ResultView};
use crate::service::ServiceError;
use crate::views::{Commentary, FallOfWickets, ListWindow, Page, Score, Scorecard, slice_of};

/// The lines of a view in an answer, for a client that names no others: they leave room for what stands
/// beside them in 1 MiB.
pub(super) const LINES: ListWindow = ListWindow { after: 0, most: usize::MAX, bytes: 960 << 10 };

/// The response with a page of a match, now or as of an earlier event. `view` makes that page.
async fn page<T: Serialize + Send + 'static>(
    service: &AppState,
    http: &HttpRequest,
    path: &MatchPath,
    page: Page,
    view: fn(&LoadedMatch) -> T,
) -> Result<HttpResponse, Problem> {
    match request::query::<AtQuery>(http)?.as_of() {
        Some(at) => as_of(service, http, path, at, view).await,
        None => stored(service, http, path, page).await,
    }
}

/// The response with a page of a match now, as the store keeps it.
pub(super) async fn stored(
    service: &AppState,
    http: &HttpRequest,
    path: &MatchPath,
    page: Page,
) -> Result<HttpResponse, Problem> {
    let page = service.matches.page(path.0, page, LARGE).await?;
    let tag = entity_tag::of_event(&page.hash);
    response::fresh(http, &tag, || Ok(page))
}

/// The response with a view of a match now.
pub(super) async fn now<T: Serialize + Send + 'static>(
    service: &AppState,
    http: &HttpRequest,
    path: &MatchPath,
    view: impl FnOnce(&LoadedMatch) -> T,
) -> Result<HttpResponse, Problem> {
    let loaded = service.matches.loaded(path.0).await?;
    response::fresh_view(http, &entity_tag::of_event(&loaded.head().hash), || view(&loaded)).await
}

/// The response with a view of a match as of an event.
pub(super) async fn as_of<T: Serialize + Send + 'static>(
    service: &AppState,
    http: &HttpRequest,
    path: &MatchPath,
    as_of: AsOf,
    view: impl FnOnce(&LoadedMatch) -> T,
) -> Result<HttpResponse, Problem> {
    let past = service.matches.commentary_as_of(path.0, as_of).await?;
    let text = AnswerText::of(view(&past.loaded)).await?;
    response::fresh(http, &tag(&past.loaded, &text.bytes), || Ok(text))
}

/// The tag of a view as of an event. Where later corrections count, the view can change although the event
/// stays, so its own hash is part of its tag.
fn tag(loaded: &LoadedMatch, text: &[u8]) -> String {
    let hash = &loaded.head().hash;
    match loaded.known_at() {
        None => entity_tag::of_event(hash),
        Some(_) => entity_tag::of_variant(hash, &content_hash(text)),
    }
}

/// The response with the lines of a match, now or as of an earlier event.
async fn lines(
    service: &AppState,
    http: &HttpRequest,
    path: &MatchPath,
    as_of: Option<AsOf>,
    write: impl FnOnce(&CommentaryAsOf) -> Result<Bytes, Problem> + Send + 'static,
) -> Result<HttpResponse, Problem> {
    let past = service.matches.commentary_as_of(path.0, as_of.unwrap_or_default());
    folded(service, http, path, (as_of, past), write).await
}

/// The response with a view that is folded from the log for each read, now or as of an earlier event. It is
/// written on a thread of its own, since a long match has a megabyte of it.
pub(super) async fn folded<V: AsRef<LoadedMatch> + Send + Sync + 'static>(
    service: &AppState,
    http: &HttpRequest,
    path: &MatchPath,
    (as_of, past): (Option<AsOf>, impl Future<Output = Result<Arc<V>, ServiceError>>),
    write: impl FnOnce(&V) -> Result<Bytes, Problem> + Send + 'static,
) -> Result<HttpResponse, Problem> {
    if as_of.is_none() {
        let head = service.matches.head(path.0).await?;
        // A client that has the match as it is now is answered before anything is folded.
        if let Some(unchanged) = response::unchanged(http, &entity_tag::of_event(&head.hash)) {
            return Ok(unchanged);
        }
    }
    let past = past.await?;
    let written = move || write(&past).map(|text| (tag((*past).as_ref(), &text), text));
    let (tag, bytes) = service.matches.on_readers_thread(path.0, written).await??;
    response::fresh(http, &tag, || Ok(AnswerText { bytes, made_on: MadeOn::Thread }))
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
    page(&service, &http, &path, Page::Scorecard, Scorecard::short).await
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
    page(&service, &http, &path, Page::FallOfWickets, FallOfWickets::of).await
}

/// A page of the commentary on a match, line by line; `after` is the seq of an event.
#[utoipa::path(
    get, path = "/v1/matches/{id}/commentary", operation_id = "get_commentary", tag = "cards",
    params(PageAtQuery),
    responses((status = 200, description = "A page of the commentary", body = Commentary,
        headers(("ETag" = String, description = "The event's hash, a dot and the form, and the content's hash where corrections count"))))
)]
pub async fn commentary(
    service: Data<AppState>,
    http: HttpRequest,
    path: MatchPath,
) -> Result<HttpResponse, Problem> {
    let query: PageAtQuery = request::query(&http)?;
    let window = query.window(LINES)?;
    let write = move |past: &CommentaryAsOf| response::text(&Commentary::page(past, window));
    lines(&service, &http, &path, query.as_of(), write).await
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
    /// The commentary up to that event, at most 1 MiB of it.
    #[schema(value_type = Vec<CommentaryLine>)]
    pub commentary: &'a [CommentaryLine],
    /// The `after` with which `GET .../commentary` goes on, as of the same event; null where this is all.
    pub next_after: Option<u64>,
}

impl Replay<'_> {
    /// The match as of an event, with the first of its lines.
    fn of(past: &CommentaryAsOf) -> Replay<'_> {
        let CommentaryAsOf { loaded, lines } = past;
        let (commentary, next_after) = slice_of(lines, LINES);
        Replay {
            match_id: loaded.match_id(),
            at_seq: loaded.head().seq,
            head: loaded.head().clone(),
            as_known_at: loaded.known_at(),
            status: loaded.the_match().play().status(),
            score: Score::of(loaded),
            next: loaded.the_match().next(),
            result: loaded.result(),
            commentary,
            next_after,
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
    let query: AtQuery = request::query(&http)?;
    lines(&service, &http, &path, query.as_of(), |past| response::text(&Replay::of(past))).await
}
