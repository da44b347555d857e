//! Codes over HTTP: a link as a QR code. The link may hold a key, so it comes in a body, and neither the log
//! nor a refusal has it.

use actix_web::http::header::CACHE_CONTROL;
use actix_web::web::Payload;
use actix_web::{HttpRequest, HttpResponse};
use serde::Deserialize;
use utoipa::ToSchema;

use super::body;
use super::representation::never_compressed;
use super::scan_code::ScanCode;
use crate::commands::{Problem, ProblemType};

/// The most bytes of a body. A text of 10,000 signs is read, and refused by its length.
const LIMIT: usize = 64 << 10;

/// A text to be drawn as a code.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CodeBody {
    /// The text, as a link: 1 to 1,000 bytes in UTF-8.
    #[schema(min_length = 1, max_length = 1000)]
    pub text: String,
}

/// Draw a text as a QR code. Nothing is stored, and the text stands in no log.
#[utoipa::path(
    post, path = "/v1/codes", operation_id = "draw_code", tag = "service",
    request_body = CodeBody,
    responses((status = 200, description = "The code, dark on white, with its margin", body = String,
        content_type = "image/svg+xml"))
)]
pub async fn create(http: HttpRequest, payload: Payload) -> Result<HttpResponse, Problem> {
    let (CodeBody { text }, _) = body::json_within(&http, payload, LIMIT).await?;
    let code = ScanCode::of(&text).ok_or_else(|| {
        let message =
            format!("the text of a code has 1 to {} bytes in UTF-8, not {}", ScanCode::MOST, text.len());
        Problem::at(ProblemType::IllegalInput, "body.text", message)
    })?;
    Ok(never_compressed(
        HttpResponse::Ok()
            .insert_header((CACHE_CONTROL, "no-store"))
            .content_type("image/svg+xml")
            .body(code.svg()),
    ))
}
