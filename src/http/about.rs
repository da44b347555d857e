//! What a client has to know of the service before anything else.

use actix_web::http::header::CACHE_CONTROL;
use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse};
use serde::Serialize;
use utoipa::ToSchema;

use super::AppState;
use super::request;
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
    /// Whether the service is a table (`serve --table`).
    pub table: bool,
    /// Of a table: whether a device other than the machine that serves has come to it since it started.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub visited: Option<bool>,
    /// Of a table, to who holds its key: the links to its first page for other devices, one for each
    /// interface of the machine, the best one first. They change with the addresses of the machine, and there
    /// is none while it is in no network.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub addresses: Option<Vec<String>>,
    /// Of a table, to who holds its key: the command that opens the firewall of the machine for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub firewall: Option<String>,
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

/// The service: its version, who may create matches, which store it has, and which pages. Of a table the
/// holder of its key sees the addresses, too. A table refuses any other token here, so that a page learns
/// that a key was replaced.
#[utoipa::path(
    get, path = "/v1/about", operation_id = "get_about", tag = "service",
    responses((status = 200, description = "The service", body = About)),
    security((), ("table" = []))
)]
pub async fn get(service: Data<AppState>, http: HttpRequest) -> Result<HttpResponse, Problem> {
    let create = if service.admin_token.is_some() { Create::Token } else { Create::Open };
    let store = service.matches.store_id().await?.to_owned();
    let table = service.table.as_ref();
    let for_holder = match table {
        Some(table) if request::shows_key(&http, &service, table)? => Some(table),
        _ => None,
    };
    let about = About {
        version: env!("CARGO_PKG_VERSION"),
        create,
        store,
        assets: assets_hash(),
        table: table.is_some(),
        visited: table.map(|table| *table.visited().borrow()),
        addresses: for_holder.map(|table| table.links()),
        firewall: for_holder.map(|table| table.firewall().to_owned()),
    };
    Ok(HttpResponse::Ok()
        .insert_header((CACHE_CONTROL, "no-store"))
        .content_type("application/json")
        .body(response::text(&about)?))
}
