//! The deliveries of a match over HTTP: a row for each that stands.

use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse};

use super::list_query::PageAtQuery;
use super::request::{self, MatchPath};
use super::{AppState, response, scorecards};
use crate::commands::Problem;
use crate::views::{Deliveries, DeliveriesAsOf};

/// A page of the deliveries of a match that stand; `after` is the number of a delivery.
#[utoipa::path(
    get, path = "/v1/matches/{id}/deliveries", operation_id = "list_deliveries", tag = "cards",
    params(PageAtQuery),
    responses((status = 200, description = "A page of deliveries", body = Deliveries,
        headers(("ETag" = String, description = "The event's hash, a dot and the form, and the content's hash where corrections count"))))
)]
pub async fn list(
    service: Data<AppState>,
    http: HttpRequest,
    path: MatchPath,
) -> Result<HttpResponse, Problem> {
    let query: PageAtQuery = request::query(&http)?;
    let (window, as_of) = (query.window(scorecards::LINES)?, query.as_of());
    let past = service.matches.deliveries_as_of(path.0, as_of.unwrap_or_default());
    let write = move |past: &DeliveriesAsOf| response::text(&Deliveries::page(past, window));
    scorecards::folded(&service, &http, &path, (as_of, past), write).await
}
