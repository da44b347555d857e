//! Who writes in a match: the holders of its tokens, and the names of their devices.

use actix_web::http::header::{AUTHORIZATION, CACHE_CONTROL, CONTENT_TYPE, ETAG};
use actix_web::web::{Data, Payload};
use actix_web::{HttpRequest, HttpResponse};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::body;
use super::entity_tag::{of_event, quoted};
use super::request::{self, MatchPath};
use super::{AppState, response};
use crate::commands::{Problem, ProblemType, TokenPurpose};
use crate::log::{Head, Role, at_format, invisible_in, is_unsafe, normal_name};

/// The most characters of a device's name.
const LONGEST_NAME: usize = 40;

/// Who writes in a match.
#[derive(Serialize, ToSchema)]
pub struct Writers {
    /// The holders of the match's tokens, the scorer first.
    pub writers: Vec<Writer>,
    /// Whether the scorer's token that was handed over, and that this request has shown, can still take the
    /// scoring back. It is left out for every other token.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub way_back: Option<bool>,
    /// The last event and its hash.
    pub head: Head,
}

/// The holder of a token.
#[derive(Serialize, ToSchema)]
pub struct Writer {
    /// The role of the token.
    pub role: Role,
    /// The number of the token among those that the role has had: 2 after one hand-over.
    pub number: u32,
    /// The name of the device, for a holder of a token of the match and for the admin; left out where there
    /// is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The time at which the token was issued: RFC 3339, UTC, milliseconds.
    pub since: String,
    /// The time of the last event that was written with it; null where there is none yet.
    pub wrote: Option<String>,
    /// Whether the right has ended, so that nobody holds the token; left out where somebody can.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[schema(required = false)]
    pub nobody: bool,
}

/// Who writes in a match: the role of each token, since when, and when its holder wrote last. With a token of
/// the match, or the admin's, the names of the devices too. A token that was handed over is told whether it
/// is the way back.
#[utoipa::path(
    get, path = "/v1/matches/{id}/writers", operation_id = "list_writers", tag = "sides",
    responses((status = 200, description = "Who writes", body = Writers,
        headers(("ETag" = String, description = "The head's hash, a dot and the form")))),
    security((), ("scorer" = []), ("side" = []), ("umpire" = []), ("admin" = []))
)]
pub async fn list(
    service: Data<AppState>,
    http: HttpRequest,
    path: MatchPath,
) -> Result<HttpResponse, Problem> {
    let is_admin = request::is_admin(&http, &service);
    let shown = match http.headers().contains_key(AUTHORIZATION) && !is_admin {
        true => Some(request::rotating_token(&http, &service, path.0, Role::Scorer).await?),
        false => None,
    };
    let is_named = is_admin || shown.is_some();
    let loaded = service.matches.loaded(path.0).await?;
    let issued = loaded.issued_tokens();
    let rows = service.matches.tokens(path.0).await?;
    let writers = Role::ALL.into_iter().filter_map(|role| {
        let row = rows.iter().find(|row| row.role == role && row.purpose == TokenPurpose::Token)?;
        let holder = issued.holder(role);
        Some(Writer {
            role,
            number: holder.number,
            name: Some(row.name.clone()).filter(|name| is_named && !name.is_empty()),
            since: at_format::write(&holder.since?),
            wrote: holder.wrote.as_ref().map(at_format::write),
            nobody: row.is_nobodys(),
        })
    });
    let way_back =
        shown.filter(|token| token.purpose == TokenPurpose::Replaced).map(|_| issued.has_way_back());
    let head = loaded.head().clone();
    let tag = quoted(&of_event(&head.hash));
    let body = response::text(&Writers { writers: writers.collect(), way_back, head })?;
    Ok(HttpResponse::Ok()
        .insert_header((ETAG, tag))
        .insert_header((CACHE_CONTROL, "no-store"))
        .insert_header((CONTENT_TYPE, "application/json"))
        .body(body))
}

/// The name of a device.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct DeviceName {
    /// The name: at most 40 characters. Without any the device is called by its number again.
    #[schema(max_length = 40)]
    pub name: String,
}

/// Name the device that writes with this token, for those who hold a token of the match. This is no event.
#[utoipa::path(
    put, path = "/v1/matches/{id}/writers/me", operation_id = "name_writer", tag = "sides",
    request_body = DeviceName,
    responses((status = 204, description = "Named")),
    security(("scorer" = []), ("side" = []), ("umpire" = []))
)]
pub async fn name(
    service: Data<AppState>,
    http: HttpRequest,
    path: MatchPath,
    payload: Payload,
) -> Result<HttpResponse, Problem> {
    let token = request::verified_token(&http, &service, path.0).await?;
    let (DeviceName { name }, _) = body::json(&http, payload).await?;
    service.matches.name_writer(path.0, &token, &checked(&name)?).await?;
    Ok(HttpResponse::NoContent().insert_header((CACHE_CONTROL, "no-store")).finish())
}

/// A name as it is kept: in NFC, and without blanks at its ends.
fn checked(name: &str) -> Result<String, Problem> {
    let name = normal_name(name.trim());
    let fault = |message: String| Problem::at(ProblemType::IllegalInput, "body.name", message);
    let length = name.chars().count();
    if length > LONGEST_NAME {
        return Err(fault(format!(
            "a device's name has at most {LONGEST_NAME} characters; this has {length}"
        )));
    }
    if name.chars().any(is_unsafe) || invisible_in(&name).is_some() {
        let message = "a device's name has no control characters, and none that nobody sees";
        return Err(fault(message.to_owned()));
    }
    Ok(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_of_a_device_is_short_and_has_nothing_unseen() {
        assert_eq!(checked("  Rowe's phone ").expect("a name"), "Rowe's phone");
        assert_eq!(checked("").expect("no name"), "");
        assert!(checked(&"é".repeat(40)).is_ok());
        for name in [&*"e".repeat(41), "a\u{7}b", "a\u{202e}b", "a\u{200b}b", "a\nb"] {
            assert!(checked(name).is_err(), "{name:?}");
        }
    }
}
