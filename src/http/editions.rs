//! Editions over HTTP: post one, list them, and get one by its hash. An edition never changes once it is
//! stored.

use actix_web::http::header::{CACHE_CONTROL, CONTENT_TYPE, HeaderValue, LOCATION};
use actix_web::web::{Data, Payload};
use actix_web::{HttpMessage, HttpRequest, HttpResponse};
use serde::Serialize;
use utoipa::ToSchema;

use super::AppState;
use super::answer_text::AnswerText;
use super::body::{self, BODY_LIMIT, Body};
use super::memory::MemoryShare;
use super::request;
use super::response;
use super::work_queue::WorkTurn;
use crate::commands::{Problem, ProblemType};
use crate::editions::Editions;
use crate::log::{EditionRecord, MOST_VALUES_OF_EDITION, given_hash};
use crate::rules::Edition;
use crate::service::{ServiceError, on_own_thread};

/// The editions that this service knows.
#[derive(Serialize, ToSchema)]
pub struct EditionList {
    /// The built-in editions first, then those that were posted, by name.
    pub editions: Vec<EditionRecord>,
}

/// The editions of games' components.
#[utoipa::path(
    get, path = "/v1/editions", operation_id = "list_editions", tag = "editions",
    responses((status = 200, description = "The editions", body = EditionList,
        headers(("ETag" = String, description = "Of this list"))))
)]
pub async fn list(service: Data<AppState>, http: HttpRequest) -> Result<HttpResponse, Problem> {
    let editions = service.matches.editions().await?;
    response::fresh_by_content(&http, response::text(&EditionList { editions })?)
}

/// Post an edition. The service checks it, and stores it by the hash of its canonical form (RFC 8785). The
/// admin token is needed where the service has one.
#[utoipa::path(
    post, path = "/v1/editions", operation_id = "create_edition", tag = "editions",
    request_body(content = Value, description = "The edition, at most 1,000,000 bytes in canonical form"),
    responses(
        (status = 201, description = "Stored", body = EditionRecord,
            headers(("Location" = String, description = "The edition"))),
        (status = 200, description = "The edition was stored before", body = EditionRecord,
            headers(("Location" = String, description = "The edition")))),
    security((), ("admin" = []))
)]
pub async fn create(
    service: Data<AppState>,
    http: HttpRequest,
    payload: Payload,
) -> Result<HttpResponse, Problem> {
    request::creator(&http, &service)?;
    let body = body::read(&http, payload, BODY_LIMIT).await?;
    body::is_json(&http)?;
    let turn = service.audits.turn().await?;
    let known = service.matches.known_editions().clone();
    let check = move || checked(body, turn, &known);
    let (edition, share) = on_own_thread(check).await??;
    http.extensions_mut().insert(share);
    let is_new = service.matches.keep_edition(&edition).await?;
    let mut answer = if is_new { HttpResponse::Created() } else { HttpResponse::Ok() };
    Ok(answer
        .insert_header((LOCATION, format!("/v1/editions/{}", edition.sha256)))
        .insert_header((CACHE_CONTROL, "no-store"))
        .insert_header((CONTENT_TYPE, "application/json"))
        .body(response::text(&edition.record())?))
}

/// Checks an edition. The memory that it takes is returned with it.
fn checked(mut body: Body, turn: WorkTurn, known: &Editions) -> Result<(Edition, MemoryShare), Problem> {
    body.share.take_for_values(body::plain(&body, MOST_VALUES_OF_EDITION)?)?;
    body.share.take(body.len())?;
    let edition = known.read(&body).map_err(|faults| Problem::not_an_edition(&faults));
    drop(turn);
    Ok((edition?, body.share))
}

/// An edition in canonical form, which never changes.
#[utoipa::path(
    get, path = "/v1/editions/{sha256}", operation_id = "get_edition", tag = "editions",
    params(("sha256" = String, Path, description = "The hash of its canonical form")),
    responses((status = 200, description = "The edition", body = Value,
        headers(("ETag" = String, description = "Its hash"))))
)]
pub async fn get(service: Data<AppState>, http: HttpRequest) -> Result<HttpResponse, Problem> {
    let sha256 = given_hash(http.match_info().get("sha256").unwrap_or_default()).ok_or_else(|| {
        let message = "an edition is named by its sha256: 64 hexadecimal digits";
        Problem::at(ProblemType::NoSuchEdition, "path.sha256", message)
    })?;
    let text = service.matches.edition_text(&sha256).await.map_err(|error| match error {
        ServiceError::NoSuchEdition(_) => Problem::at(
            ProblemType::NoSuchEdition,
            "path.sha256",
            "this service has no edition with this hash",
        ),
        error => error.into(),
    })?;
    let mut answer = response::fresh(&http, &sha256, || Ok(AnswerText::kept(text)))?;
    let immutable = HeaderValue::from_static("public, max-age=31536000, immutable");
    answer.headers_mut().insert(CACHE_CONTROL, immutable);
    Ok(answer)
}
