//! The deliveries of a match over HTTP: a row for each that stands, and one delivery in full.

use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse};

use super::list_query::PageAtQuery;
use super::request::{self, MatchPath};
use super::{AppState, entity_tag, response, scorecards};
use crate::commands::{Problem, ProblemType};
use crate::views::{Deliveries, DeliveriesAsOf, DeliveryView};

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

/// A delivery in full: the row that stands for it, each ball that was bowled as it before, and what decided
/// it.
#[utoipa::path(
    get, path = "/v1/matches/{id}/deliveries/{n}", operation_id = "get_delivery", tag = "cards",
    params(("n" = u32, Path, description = "The delivery's number in the match")),
    responses((status = 200, description = "The delivery", body = DeliveryView,
        headers(("ETag" = String, description = "The head's hash, a dot and the form"))))
)]
pub async fn get(
    service: Data<AppState>,
    http: HttpRequest,
    path: MatchPath,
) -> Result<HttpResponse, Problem> {
    let number = request::number(&http, "n", "a delivery is named by its number")?;
    let (found, head) = service.matches.delivery(path.0, number).await?;
    let view = found.as_ref().as_ref();
    let view = view.map_err(|never| Problem::at(ProblemType::NoSuchDelivery, "path.n", never.to_string()))?;
    response::fresh_view(&http, &entity_tag::of_event(&head.hash), || view.clone()).await
}
