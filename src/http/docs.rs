//! The interface of the document, at `/docs/`.

use std::borrow::Cow;
use std::sync::Arc;

use actix_web::http::header::{CONTENT_SECURITY_POLICY, LOCATION, REFERRER_POLICY};
use actix_web::web::Bytes;
use actix_web::{HttpRequest, HttpResponse};
use utoipa_swagger_ui::Config;

use super::pages::nothing_here;
use crate::commands::{Problem, ProblemType};

/// What the interface of the document may load. It shares its origin with the pages and so with the tokens
/// that they keep. All words not named here fall back to `default-src 'none'`.
const POLICY: &str = concat!(
    // Nothing, but for the kinds below.
    "default-src 'none'; ",
    // The bundle of the interface, and the file that starts it. No inline script, no eval.
    "script-src 'self'; ",
    // The sheets of the interface, and by its hash the style that its logo holds. The styles of its other
    // elements are set by its script.
    "style-src 'self' 'sha256-RL3ie0nH+Lzz2YNqQN83mnU0J1ot4QL7b99vMdIX99w='; ",
    // The icons; the arrows and padlocks that the sheet and the script hold themselves.
    "img-src 'self' data:; ",
    // The document, and the API that is tried out.
    "connect-src 'self'; ",
    // A `base` element could turn the relative paths elsewhere.
    "base-uri 'none'; ",
    // Forms, as for a token, are read by the interface, and never sent by the browser.
    "form-action 'none'; ",
    // Nobody can lay the interface under their own buttons.
    "frame-ancestors 'none'",
);

/// Redirects `/docs` to the folder `/docs/`.
pub async fn to_folder() -> HttpResponse {
    HttpResponse::PermanentRedirect().insert_header((LOCATION, "/docs/")).finish()
}

/// A file of the page that shows the document. The page loads nothing from elsewhere; it reads the document
/// from here.
pub async fn file(http: HttpRequest) -> Result<HttpResponse, Problem> {
    let config = Arc::new(Config::from("/openapi.json").validator_url("none"));
    let name = http.match_info().get("file").unwrap_or_default();
    let file = utoipa_swagger_ui::serve(name, config).map_err(|error| {
        tracing::error!(%error, name, "a file of the docs cannot be made");
        Problem::new(ProblemType::Internal, "the service could not make this file")
    })?;
    let Some(file) = file else { return Ok(nothing_here(&http)) };
    let bytes = match file.bytes {
        Cow::Borrowed(bytes) => Bytes::from_static(bytes),
        Cow::Owned(bytes) => bytes.into(),
    };
    let mut answer = HttpResponse::Ok();
    answer.insert_header((CONTENT_SECURITY_POLICY, POLICY)).insert_header((REFERRER_POLICY, "no-referrer"));
    Ok(answer.content_type(file.content_type).body(bytes))
}
