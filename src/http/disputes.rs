//! Disputes over HTTP: raise one about a delivery, rule on it, and read the disputes of a match with the
//! evidence that a replay of the log gives.

use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse};
use serde::Serialize;
use utoipa::ToSchema;

use super::append::{AppendRequest, answer};
use super::list_query::PageQuery;
use super::request::{self, MatchPath};
use super::response::{self, AppendedBody};
use super::{AppState, entity_tag};
use crate::audit::Evidence;
use crate::commands::bodies::{DisputeBody, RulingBody};
use crate::commands::{Problem, ProblemType};
use crate::log::Head;
use crate::projection::DisputeEntry;
use crate::views::page_of;

/// A page of the disputes of a match.
#[derive(Serialize, ToSchema)]
pub struct DisputeList {
    /// The disputes of the page, in the order of their numbers.
    pub disputes: Vec<DisputeEntry>,
    /// The `after` of the next page; null on the last page.
    pub next_after: Option<u64>,
    /// The last event and its hash.
    pub head: Head,
}

/// A dispute, with the evidence of the log about the delivery.
#[derive(Serialize, ToSchema)]
pub struct DisputeView {
    /// The dispute, with its ruling once there is one.
    #[serde(flatten)]
    pub dispute: DisputeEntry,
    /// The evidence that a replay of the log gives.
    pub evidence: Evidence,
    /// The last event and its hash.
    pub head: Head,
}

/// Dispute a delivery.
#[utoipa::path(
    post, path = "/v1/matches/{id}/disputes", operation_id = "raise_dispute", tag = "disputes",
    request_body = DisputeBody, responses(AppendedBody), security(("scorer" = []), ("side" = []))
)]
pub async fn create(request: AppendRequest) -> Result<HttpResponse, Problem> {
    answer(request.append::<DisputeBody>().await?).await
}

/// Rule on a dispute, with the scorer's token or an umpire's.
#[utoipa::path(
    post, path = "/v1/matches/{id}/disputes/{n}/ruling", operation_id = "rule_on_dispute", tag = "disputes",
    params(("n" = u32, Path, description = "The dispute's number")),
    request_body = RulingBody, responses(AppendedBody), security(("scorer" = []), ("umpire" = []))
)]
pub async fn rule(request: AppendRequest) -> Result<HttpResponse, Problem> {
    let number = request::number(&request.http, "n", "a dispute is named by its number")?;
    let (body, read) = request.read::<RulingBody>().await?;
    answer(read.append(body.into_command(number)).await?).await
}

/// A page of the disputes of a match, with their rulings; `after` is the number of a dispute.
#[utoipa::path(
    get, path = "/v1/matches/{id}/disputes", operation_id = "list_disputes", tag = "disputes",
    params(PageQuery),
    responses((status = 200, description = "A page of disputes", body = DisputeList,
        headers(("ETag" = String, description = "The head's hash, a dot and the form"))))
)]
pub async fn list(
    service: Data<AppState>,
    http: HttpRequest,
    path: MatchPath,
) -> Result<HttpResponse, Problem> {
    let window = request::query::<PageQuery>(&http)?.window()?;
    let loaded = service.matches.loaded(path.0).await?;
    let tag = entity_tag::of_event(&loaded.head().hash);
    let view = || {
        let (disputes, next_after) = page_of(loaded.adjudication().disputes(), window);
        DisputeList { disputes, next_after, head: loaded.head().clone() }
    };
    response::fresh_view(&http, &tag, view).await
}

/// A dispute, with the evidence that a replay of the log gives.
#[utoipa::path(
    get, path = "/v1/matches/{id}/disputes/{n}", operation_id = "get_dispute", tag = "disputes",
    params(("n" = u32, Path, description = "The dispute's number")),
    responses((status = 200, description = "The dispute", body = DisputeView,
        headers(("ETag" = String, description = "The head's hash, a dot and the form"))))
)]
pub async fn get(
    service: Data<AppState>,
    http: HttpRequest,
    path: MatchPath,
) -> Result<HttpResponse, Problem> {
    let number = request::number(&http, "n", "a dispute is named by its number")?;
    let (found, head) = service.matches.evidence(path.0, number).await?;
    let (dispute, evidence) = found.as_ref().as_ref().ok_or_else(|| {
        Problem::at(ProblemType::NoSuchDispute, "path.n", format!("there is no dispute {number}"))
    })?;
    let tag = entity_tag::of_event(&head.hash);
    let view = || DisputeView { dispute: dispute.clone(), evidence: evidence.clone(), head };
    response::fresh_view(&http, &tag, view).await
}
