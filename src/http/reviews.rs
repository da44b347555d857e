use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse};

use super::AppState;
use super::append::{AppendRequest, answer};
use super::request::MatchPath;
use super::response::AppendedBody;
use super::scorecards::{self, AtQuery};
use crate::commands::Problem;
use crate::commands::bodies::ReviewBody;
use crate::views::{Page, Reviews};

/// Review the decision on the last ball, or accept it, before play goes on.
#[utoipa::path(
    post, path = "/v1/matches/{id}/reviews", operation_id = "review_decision", tag = "play",
    request_body = ReviewBody, responses(AppendedBody), security(("scorer" = []), ("side" = []))
)]
pub async fn create(request: AppendRequest) -> Result<HttpResponse, Problem> {
    answer(request.append::<ReviewBody>().await?)
}

/// The reviews of a match, and how many each side has left.
#[utoipa::path(
    get, path = "/v1/matches/{id}/reviews", operation_id = "get_reviews", tag = "cards",
    params(AtQuery),
    responses((status = 200, description = "The reviews", body = Reviews,
        headers(("ETag" = String, description = "The event's hash, a dot and the form, and the content's hash where corrections count"))))
)]
pub async fn list(
    service: Data<AppState>,
    http: HttpRequest,
    path: MatchPath,
) -> Result<HttpResponse, Problem> {
    scorecards::page(&service, &http, &path, Page::Reviews).await
}
