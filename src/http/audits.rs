use actix_web::web::{Data, Payload, block};
use actix_web::{HttpRequest, HttpResponse};
use serde::Deserialize;
use utoipa::IntoParams;

use super::Service;
use super::events::log_page;
use super::problem::{Kind, Problem};
use super::request::{self, LOG_LIMIT, MatchPath};
use super::response;
use crate::audit::{Report, audit};
use crate::log::{BrokenLine, is_hash};
use crate::play::PlayError;

async fn judge(log: Vec<u8>, expect_head: Option<String>) -> Result<Result<Report, BrokenLine>, Problem> {
    block(move || audit(log.as_slice(), expect_head.as_deref()))
        .await
        .map_err(|_| Problem::new(Kind::Internal, "the audit did not come to an end"))
}

/// Audit the stored log of a match.
#[utoipa::path(
    get, path = "/v1/matches/{id}/audit", operation_id = "audit_match", tag = "audits",
    params(("id" = Uuid, Path, description = "The match")),
    responses((status = 200, description = "What the audit found, be it clean or not", body = Report,
        headers(("ETag" = String, description = "Of this report"))))
)]
pub async fn stored(
    service: Data<Service>,
    http: HttpRequest,
    path: MatchPath,
) -> Result<HttpResponse, Problem> {
    let store = service.matches.store();
    let head = store.head(path.0).await?.ok_or(PlayError::NoSuchMatch(path.0))?;
    let (mut log, mut after) = (Vec::new(), 0);
    while let Some((page, last)) = log_page(&service, path.0, after, head.seq).await? {
        log.extend_from_slice(&page);
        after = last;
    }
    let report = judge(log, Some(head.hash)).await?.map_err(|broken| {
        Problem::new(Kind::BrokenLog, format!("the stored log is not a match log: {broken}"))
    })?;
    // It changes where a row of the log was tampered with and the head was not, so its tag is its own.
    response::fresh_by_content(&http, response::text(&report)?)
}

/// What to audit a log against.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct AuditQuery {
    /// The hash the last event should have, if it is known.
    expect_head: Option<String>,
}

/// Audit a match log file. Nothing is stored.
#[utoipa::path(
    post, path = "/v1/audits", operation_id = "audit_log", tag = "audits",
    params(AuditQuery),
    request_body(content = String, content_type = "application/x-ndjson", description = "The match log file, at most 32 MiB"),
    responses((status = 200, description = "What the audit found, be it clean or not", body = Report))
)]
pub async fn given(http: HttpRequest, payload: Payload) -> Result<HttpResponse, Problem> {
    let AuditQuery { expect_head } = request::query(&http)?;
    if expect_head.as_ref().is_some_and(|head| !is_hash(head)) {
        return Err(Problem::query("expect_head", "expect_head is a hash: 64 lower-case hexadecimal digits"));
    }
    let log = request::bytes(payload, LOG_LIMIT).await?;
    let report = judge(log.to_vec(), expect_head).await??;
    Ok(HttpResponse::Ok().content_type("application/json").body(response::text(&report)?))
}
