//! Tokens over HTTP: a side exchanges its invite for a token, and a token is replaced by a new one.

use actix_web::web::{Data, Payload};
use actix_web::{HttpRequest, HttpResponse};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::AppState;
use super::body;
use super::request::{self, MatchPath};
use super::response;
use crate::commands::{Command, CommandRequest, Problem, ProblemType, VerifiedToken};
use crate::log::{Actor, Head, Role};
use crate::scorebook::Side;
use crate::service::{Appended, ServiceError};

/// An invite to be exchanged for a token.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ClaimBody {
    /// The side's invite, which the creation of the match returned.
    pub invite: String,
}

/// A side's own token, which is shown only once.
#[derive(Serialize, ToSchema)]
pub struct ClaimedSide {
    /// The side that was claimed.
    pub side: Side,
    /// The side's token.
    pub token: String,
    /// The last event and its hash.
    pub head: Head,
}

/// A token that replaces another. It is shown only once.
#[derive(Serialize, ToSchema)]
pub struct RotatedToken {
    /// The role of the token.
    pub role: Role,
    /// The new token.
    pub token: String,
    /// The last event and its hash.
    pub head: Head,
}

/// Claim a side with its invite. An invite works once, and gives the token with which the side chooses for
/// itself.
#[utoipa::path(
    post, path = "/v1/matches/{id}/tokens/claim", operation_id = "claim_side", tag = "sides",
    request_body = ClaimBody,
    responses((status = 201, description = "Claimed", body = ClaimedSide,
        headers(("ETag" = String, description = "The head's hash, a dot and the form"))))
)]
pub async fn claim(
    service: Data<AppState>,
    http: HttpRequest,
    path: MatchPath,
    payload: Payload,
) -> Result<HttpResponse, Problem> {
    request::no_key(&http)?;
    let (ClaimBody { invite }, _) = body::json(&http, payload).await?;
    let invited = service.matches.invited(path.0, &request::token_hash(&invite)).await;
    let side = invited.map_err(|error| match error {
        ServiceError::TokenUnknown => {
            Problem::at(ProblemType::TokenRefused, "body.invite", "this is not an invite of this match")
        }
        other => other.into(),
    })?;
    let side = side.ok_or_else(|| Problem::new(ProblemType::Internal, "an invite is a side's"))?;
    let (token, hash) = request::new_token()?;
    let command = Command::Claim { side, token: hash };
    let appended = append(&service, &http, path, Actor::from(side), None, command).await?;
    let head = appended.loaded.head().clone();
    response::created(&appended.loaded, &ClaimedSide { side, token, head })
}

/// Replace a token, so that the old one is not valid any more. Its holder and the admin may do so, and the
/// scorer except in remote play.
#[utoipa::path(
    post, path = "/v1/matches/{id}/tokens/{role}/rotate", operation_id = "rotate_token", tag = "sides",
    params(("role" = String, Path, description = "`scorer|home|away|umpire`")),
    responses((status = 201, description = "Replaced", body = RotatedToken,
        headers(("ETag" = String, description = "The head's hash, a dot and the form")))),
    security(("scorer" = []), ("side" = []), ("admin" = []))
)]
pub async fn rotate(
    service: Data<AppState>,
    http: HttpRequest,
    path: MatchPath,
) -> Result<HttpResponse, Problem> {
    request::no_key(&http)?;
    let named = http.match_info().get("role").unwrap_or_default();
    let role = Role::ALL.into_iter().find(|role| role.as_str() == named).ok_or_else(|| {
        let message = format!("there is no role {named:?}; the roles are scorer, home, away, umpire");
        Problem::at(ProblemType::NoSuchToken, "path.role", message)
    })?;
    let verified = match request::is_admin(&http, &service) {
        true => None,
        false => Some(request::verified_token(&http, &service, path.0).await?),
    };
    let actor = verified.as_ref().map_or(Actor::Admin, |token| Actor::from(token.role));
    let (token, hash) = request::new_token()?;
    let appended =
        append(&service, &http, path, actor, verified, Command::RotateToken { role, token: hash }).await?;
    let head = appended.loaded.head().clone();
    response::created(&appended.loaded, &RotatedToken { role, token, head })
}

async fn append(
    service: &AppState,
    http: &HttpRequest,
    path: MatchPath,
    actor: Actor,
    token: Option<VerifiedToken>,
    command: Command,
) -> Result<Appended, Problem> {
    let if_match = request::if_match(http)?;
    let request = CommandRequest { match_id: path.0, actor, token, command, if_match, key: None };
    Ok(service.matches.submit(&request).await?)
}
