use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse};
use serde::Serialize;
use utoipa::ToSchema;

use super::Service;
use super::problem::{Kind, Problem};
use super::request::{self, MatchPath};
use super::response;

/// A token that replaces another. It is shown this once.
#[derive(Serialize, ToSchema)]
pub struct RotatedToken {
    /// The role.
    pub role: &'static str,
    /// The new token.
    pub token: String,
}

/// Replace a token; the old one opens nothing any more. By its holder, the scorer or the admin.
#[utoipa::path(
    post, path = "/v1/matches/{id}/tokens/{role}/rotate", operation_id = "rotate_token", tag = "matches",
    params(("id" = Uuid, Path, description = "The match"), ("role" = String, Path, description = "`scorer|home|away`")),
    responses((status = 201, description = "Replaced", body = RotatedToken)),
    security(("scorer" = []), ("admin" = []))
)]
pub async fn rotate(
    service: Data<Service>,
    http: HttpRequest,
    path: MatchPath,
) -> Result<HttpResponse, Problem> {
    let named = http.match_info().get("role").unwrap_or_default();
    let role = ["scorer", "home", "away"].into_iter().find(|role| *role == named).ok_or_else(|| {
        Problem::at(
            Kind::NoSuchToken,
            "path.role",
            format!("there is no role {named:?}; roles are scorer, home, away"),
        )
    })?;
    let store = service.matches.store();
    let old = if request::is_admin(&http, &service) {
        None
    } else {
        let pass = request::scorer(&http)?;
        service.matches.confirm(path.0, &pass).await?;
        // Whoever was faster has replaced the token this request was allowed by.
        (role == "scorer").then_some(pass.hash)
    };
    if store.head(path.0).await?.is_none() {
        return Err(Problem::new(Kind::NoSuchMatch, format!("there is no match {}", path.0)));
    }
    let (token, hash) = request::new_token()?;
    if !store.replace_token(path.0, role, old.as_deref(), &hash).await? {
        if old.is_some() {
            let message = "this token has just been replaced by another request";
            return Err(Problem::at(Kind::TokenRefused, "header.Authorization", message));
        }
        let message = format!("there is no {role} token to replace: the side has not claimed one");
        return Err(Problem::at(Kind::NoSuchToken, "path.role", message));
    }
    Ok(HttpResponse::Created()
        .insert_header(("Cache-Control", "no-store"))
        .content_type("application/json")
        .body(response::text(&RotatedToken { role, token })?))
}
