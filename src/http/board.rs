//! The match on the board over HTTP: what a television shows under its short address.

use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use super::AppState;
use super::request;
use super::response;
use crate::commands::Problem;
use crate::log::MatchId;

/// The query of a board.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct BoardQuery {
    /// The match that this board shows, of either kind of dice. A match that the service does not know counts
    /// as none.
    showing: Option<String>,
}

/// The match on the board.
#[derive(Serialize, ToSchema)]
pub struct BoardBody {
    /// The id of the match; null while there is none to show.
    #[serde(rename = "match")]
    pub on_board: Option<Uuid>,
}

/// The match for a board. It stays with the match that it shows until three minutes after its end, and then
/// takes the next one with table dice that is in play. A match that nobody ends gives way after three hours
/// without an event.
#[utoipa::path(
    get, path = "/v1/board", operation_id = "get_board", tag = "matches",
    params(BoardQuery),
    responses((status = 200, description = "The match on the board", body = BoardBody,
        headers(("ETag" = String, description = "Of this answer"))))
)]
pub async fn get(service: Data<AppState>, http: HttpRequest) -> Result<HttpResponse, Problem> {
    let BoardQuery { showing } = request::query(&http)?;
    let showing = showing.map(|id| match_id(&id)).transpose()?;
    let on_board = service.matches.on_board(showing).await?;
    response::fresh_by_content(&http, response::text(&BoardBody { on_board })?)
}

fn match_id(given: &str) -> Result<MatchId, Problem> {
    MatchId::try_parse(given)
        .map_err(|_| Problem::query("showing", "showing is the id of a match, a UUID with hyphens"))
}
