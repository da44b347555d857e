use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse};

use super::AppState;
use super::append::{AppendRequest, answer};
use super::list_query::PageAtQuery;
use super::request::{self, MatchPath};
use super::response::AppendedBody;
use super::scorecards;
use crate::commands::Problem;
use crate::commands::bodies::ReviewBody;
use crate::projection::LoadedMatch;
use crate::views::{ListWindow, Page, Reviews};

/// Review the decision on the last ball, or accept it, before play goes on.
#[utoipa::path(
    post, path = "/v1/matches/{id}/reviews", operation_id = "review_decision", tag = "play",
    request_body = ReviewBody, responses(AppendedBody), security(("scorer" = []), ("side" = []))
)]
pub async fn create(request: AppendRequest) -> Result<HttpResponse, Problem> {
    answer(request.append::<ReviewBody>().await?).await
}

/// A page of the reviews of a match, and how many each side has left; `after` is the number of a review.
#[utoipa::path(
    get, path = "/v1/matches/{id}/reviews", operation_id = "get_reviews", tag = "cards",
    params(PageAtQuery),
    responses((status = 200, description = "A page of reviews", body = Reviews,
        headers(("ETag" = String, description = "The event's hash, a dot and the form, and the content's hash where corrections count"))))
)]
pub async fn list(
    service: Data<AppState>,
    http: HttpRequest,
    path: MatchPath,
) -> Result<HttpResponse, Problem> {
    let query: PageAtQuery = request::query(&http)?;
    let window = query.window(ListWindow::FIRST)?;
    let page = move |loaded: &LoadedMatch| Reviews::page(loaded, window);
    match query.as_of() {
        Some(as_of) => scorecards::as_of(&service, &http, &path, as_of, page).await,
        None if query.names_a_page() => scorecards::now(&service, &http, &path, page).await,
        None => scorecards::stored(&service, &http, &path, Page::Reviews).await,
    }
}
