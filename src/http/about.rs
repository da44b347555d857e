//! What a client has to know of the service before anything else.

use actix_web::HttpResponse;
use actix_web::http::header::CACHE_CONTROL;
use actix_web::web::Data;
use serde::Serialize;
use utoipa::ToSchema;

use super::AppState;
use super::response;
use crate::commands::Problem;
use crate::web::assets_hash;

/// The service: its version, and what it asks of a client.
#[derive(Serialize, ToSchema)]
pub struct About {
    /// The version of the program.
    pub version: &'static str,
    /// Who may create matches: anybody (`open`), or who holds the admin token (`token`).
    pub create: Create,
    /// The store's own random id. Another id at the same address is another store, with other matches.
    pub store: String,
    /// The hash over the files of the pages. A page of another hash is older than the service, or newer.
    pub assets: &'static str,
}

/// Who may create matches.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Create {
    /// Anybody may create a match.
    Open,
    /// Only who holds the admin token may.
    Token,
}

/// The service: its version, who may create matches, which store it has, and which pages.
#[utoipa::path(
    get, path = "/v1/about", operation_id = "get_about", tag = "service",
    responses((status = 200, description = "The service", body = About))
)]
pub async fn get(service: Data<AppState>) -> Result<HttpResponse, Problem> {
    let create = if service.admin_token.is_some() { Create::Token } else { Create::Open };
    let store = service.matches.store_id().await?.to_owned();
    let about = About { version: env!("CARGO_PKG_VERSION"), create, store, assets: assets_hash() };
    Ok(HttpResponse::Ok()
        .insert_header((CACHE_CONTROL, "no-store"))
        .content_type("application/json")
        .body(response::text(&about)?))
}
