//! Reads by the pages of other origins, such as the overlay of a broadcast. Whoever reaches the service may
//! read without a token, so any page may. A browser hands such an answer to the page only if its headers say
//! so (CORS).

use actix_web::body::{BoxBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::Method;
use actix_web::http::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
    ACCESS_CONTROL_EXPOSE_HEADERS, ACCESS_CONTROL_MAX_AGE, ACCESS_CONTROL_REQUEST_METHOD, AUTHORIZATION,
    HeaderValue, ORIGIN,
};
use actix_web::middleware::Next;
use actix_web::{Error, HttpRequest, HttpResponse};

const ANY: HeaderValue = HeaderValue::from_static("*");
/// The headers of an answer that another page may read, beside those that any page may.
const EXPOSED: HeaderValue = HeaderValue::from_static("ETag, Location, Retry-After");

/// Lets every page read this answer if it is that of a read without a token. The answer to a token may hold
/// what only its holder sees, so it has no such header.
pub fn let_read(http: &HttpRequest, answer: &mut HttpResponse) {
    let is_read = [Method::GET, Method::HEAD].contains(http.method());
    if is_read && is_of_the_api(http.path()) && !http.headers().contains_key(AUTHORIZATION) {
        answer.headers_mut().insert(ACCESS_CONTROL_ALLOW_ORIGIN, ANY);
        answer.headers_mut().insert(ACCESS_CONTROL_EXPOSE_HEADERS, EXPOSED);
    }
}

/// Answers a browser that asks what a page of another origin may send: a read, with the tag or the event that
/// it has. Nothing else is allowed, so no browser sends a body of JSON or a token from there.
pub async fn answer_preflight(
    request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<BoxBody>, Error> {
    let has = |name| request.headers().contains_key(name);
    let is_preflight =
        *request.method() == Method::OPTIONS && has(ORIGIN) && has(ACCESS_CONTROL_REQUEST_METHOD);
    if !is_preflight || !is_of_the_api(request.path()) {
        return Ok(next.call(request).await?.map_into_boxed_body());
    }
    let allowed = HttpResponse::NoContent()
        .insert_header((ACCESS_CONTROL_ALLOW_ORIGIN, ANY))
        .insert_header((ACCESS_CONTROL_ALLOW_METHODS, "GET, HEAD"))
        .insert_header((ACCESS_CONTROL_ALLOW_HEADERS, "If-None-Match, Last-Event-ID"))
        .insert_header((ACCESS_CONTROL_MAX_AGE, "7200"))
        .finish();
    Ok(request.into_response(allowed))
}

fn is_of_the_api(path: &str) -> bool {
    path.strip_prefix("/v1").is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}
