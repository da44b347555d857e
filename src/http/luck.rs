//! How the dice of a match fell over HTTP.

use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse};

use super::list_query::PageAtQuery;
use super::request::{self, MatchPath};
use super::{AppState, response, scorecards};
use crate::commands::Problem;
use crate::luck::LuckPage;
use crate::service::LuckAsOf;

/// How the dice of a match fell: the chances of each result before and after each die, in a match whose rest
/// is dice alone; `after` is the number of a delivery.
#[utoipa::path(
    get, path = "/v1/matches/{id}/luck", operation_id = "get_luck", tag = "cards",
    params(PageAtQuery),
    responses((status = 200, description = "How the dice fell, with a page of deliveries", body = LuckPage,
        headers(("ETag" = String, description = "The event's hash, a dot and the form, and the content's hash where corrections count"))))
)]
pub async fn get(
    service: Data<AppState>,
    http: HttpRequest,
    path: MatchPath,
) -> Result<HttpResponse, Problem> {
    let query: PageAtQuery = request::query(&http)?;
    let (window, as_of) = (query.window(scorecards::LINES)?, query.as_of());
    let past = service.matches.luck_as_of(path.0, as_of.unwrap_or_default());
    let write = move |past: &LuckAsOf| response::text(&LuckPage::of(&past.luck(), past.as_ref(), window));
    scorecards::folded(&service, &http, &path, (as_of, past), write).await
}
