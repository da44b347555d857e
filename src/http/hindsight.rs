//! What corrections have left behind over HTTP, each list a page at a time: changed choices, values that were
//! read anew, and agreed outcomes.

use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse};
use serde::Serialize;
use utoipa::ToSchema;

use super::list_query::PageQuery;
use super::request::{self, MatchPath};
use super::{AppState, entity_tag, response};
use crate::commands::Problem;
use crate::log::Head;
use crate::projection::{AgreedException, ChangedChoice, LoadedMatch};
use crate::views::{ListWindow, page_of};

/// A page of the choices that corrections changed.
#[derive(Serialize, ToSchema)]
pub struct ChangedChoiceList {
    /// Choices that differ after a correction from those before it, made when the outcome of the earlier ones
    /// was known.
    pub changed_choices: Vec<ChangedChoice>,
    /// The `after` of the next page; null on the last page.
    pub next_after: Option<u64>,
    /// The last event and its hash.
    pub head: Head,
}

/// A page of the values that were read off the table anew.
#[derive(Serialize, ToSchema)]
pub struct ReadAnewList {
    /// Values that were read off the table, like dice, and read anew after a correction.
    pub read_anew: Vec<ChangedChoice>,
    /// The `after` of the next page; null on the last page.
    pub next_after: Option<u64>,
    /// The last event and its hash.
    pub head: Head,
}

/// A page of the balls with an agreed outcome.
#[derive(Serialize, ToSchema)]
pub struct ExceptionList {
    /// Balls with an outcome that the table agreed on, and not by the rules.
    pub exceptions: Vec<AgreedException>,
    /// The `after` of the next page; null on the last page.
    pub next_after: Option<u64>,
    /// The last event and its hash.
    pub head: Head,
}

/// A page of the choices that corrections changed when their outcome was known; `after` is a place in the
/// list.
#[utoipa::path(
    get, path = "/v1/matches/{id}/changed-choices", operation_id = "list_changed_choices", tag = "disputes",
    params(PageQuery),
    responses((status = 200, description = "A page of changed choices", body = ChangedChoiceList,
        headers(("ETag" = String, description = "The head's hash, a dot and the form"))))
)]
pub async fn changed_choices(
    service: Data<AppState>,
    http: HttpRequest,
    path: MatchPath,
) -> Result<HttpResponse, Problem> {
    page(&service, &http, &path, |loaded, window| {
        let (changed_choices, next_after) = page_of(loaded.adjudication().changed_choices(), window);
        ChangedChoiceList { changed_choices, next_after, head: loaded.head().clone() }
    })
    .await
}

/// A page of the values that were read off the table, like dice, and read anew after a correction; `after` is
/// a place in the list.
#[utoipa::path(
    get, path = "/v1/matches/{id}/read-anew", operation_id = "list_read_anew", tag = "disputes",
    params(PageQuery),
    responses((status = 200, description = "A page of values read anew", body = ReadAnewList,
        headers(("ETag" = String, description = "The head's hash, a dot and the form"))))
)]
pub async fn read_anew(
    service: Data<AppState>,
    http: HttpRequest,
    path: MatchPath,
) -> Result<HttpResponse, Problem> {
    page(&service, &http, &path, |loaded, window| {
        let (read_anew, next_after) = page_of(loaded.adjudication().read_anew(), window);
        ReadAnewList { read_anew, next_after, head: loaded.head().clone() }
    })
    .await
}

/// A page of the balls with an outcome that the table agreed on, and not by the rules; `after` is a place in
/// the list.
#[utoipa::path(
    get, path = "/v1/matches/{id}/exceptions", operation_id = "list_exceptions", tag = "disputes",
    params(PageQuery),
    responses((status = 200, description = "A page of exceptions", body = ExceptionList,
        headers(("ETag" = String, description = "The head's hash, a dot and the form"))))
)]
pub async fn exceptions(
    service: Data<AppState>,
    http: HttpRequest,
    path: MatchPath,
) -> Result<HttpResponse, Problem> {
    page(&service, &http, &path, |loaded, window| {
        let (exceptions, next_after) = page_of(loaded.exceptions(), window);
        ExceptionList { exceptions, next_after, head: loaded.head().clone() }
    })
    .await
}

/// The response with the part of a list that the query names.
async fn page<T: Serialize + Send + 'static>(
    service: &AppState,
    http: &HttpRequest,
    path: &MatchPath,
    list: impl FnOnce(&LoadedMatch, ListWindow) -> T,
) -> Result<HttpResponse, Problem> {
    let window = request::query::<PageQuery>(http)?.window()?;
    let loaded = service.matches.loaded(path.0).await?;
    let tag = entity_tag::of_event(&loaded.head().hash);
    response::fresh_view(http, &tag, || list(&loaded, window)).await
}
