use actix_web::HttpResponse;
use actix_web::http::header::CONTENT_TYPE;
use actix_web::web::Data;
use serde::Serialize;
use utoipa::ToSchema;

use super::AppState;
use super::response;
use crate::commands::Problem;

/// The health of the service.
#[derive(Serialize, ToSchema)]
pub struct Health {
    /// Always `ok`.
    pub status: &'static str,
    /// The version of the program.
    pub version: &'static str,
}

fn healthy() -> Result<HttpResponse, Problem> {
    let health = Health { status: "ok", version: env!("CARGO_PKG_VERSION") };
    Ok(HttpResponse::Ok().content_type("application/json").body(response::text(&health)?))
}

/// Whether the process runs. Always answered, also while the store is not open.
#[utoipa::path(
    get, path = "/healthz", operation_id = "healthz", tag = "service",
    responses((status = 200, description = "The process runs", body = Health))
)]
pub async fn healthz() -> Result<HttpResponse, Problem> {
    healthy()
}

/// Whether the service is ready: the database answers and stores events. The last append shows this, or a
/// small write in the background.
#[utoipa::path(
    get, path = "/readyz", operation_id = "readyz", tag = "service",
    responses((status = 200, description = "The service is ready", body = Health))
)]
pub async fn readyz(service: Data<AppState>) -> Result<HttpResponse, Problem> {
    match service.matches.can_play().await {
        Ok(()) => healthy(),
        Err(error) => Err(Problem::not_ready(error)),
    }
}

/// The metrics of the service, for Prometheus.
#[utoipa::path(
    get, path = "/metrics", operation_id = "metrics", tag = "service",
    responses((status = 200, description = "Prometheus text format", body = String, content_type = "text/plain"))
)]
pub async fn metrics(service: Data<AppState>) -> HttpResponse {
    service.metrics.set_gauges(service.matches.gauges());
    HttpResponse::Ok()
        .insert_header((CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8"))
        .body(service.metrics.text())
}

/// This OpenAPI document.
#[utoipa::path(
    get, path = "/openapi.json", operation_id = "openapi", tag = "service",
    responses((status = 200, description = "The OpenAPI document", body = Object))
)]
pub async fn openapi(service: Data<AppState>) -> HttpResponse {
    HttpResponse::Ok().content_type("application/json").body(service.document.clone())
}
