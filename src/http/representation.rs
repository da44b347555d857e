//! The last step of every answer: the coding that its client accepts, the entity tag of that representation,
//! the memory in which it waits to be sent, whether other pages may read it, and `HEAD`.

use std::future::poll_fn;
use std::pin::Pin;
use std::task::{Context, Poll};

use actix_web::body::{BodySize, BodyStream, BoxBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::header::{CONTENT_ENCODING, CONTENT_TYPE, ETAG, HeaderName, HeaderValue, VARY};
use actix_web::http::{Method, StatusCode};
use actix_web::middleware::Next;
use actix_web::web::Bytes;
use actix_web::{Error, HttpRequest, HttpResponse, ResponseError};
use futures_util::stream;

use super::answer_text::LARGE;
use super::coding::{Coding, Encoder};
use super::counting::CountedRoute;
use super::entity_tag::{coded, quoted};
use super::other_pages;
use super::outgoing::{OutgoingBody, OutgoingShare, SLICE, in_own_pages};
use super::problem::as_problem;
use super::{OF_A_MATCH, service_of};
use crate::commands::{Problem, ProblemType};
use crate::metrics::MadeOn;

/// The size from which an answer is compressed, in bytes. A smaller one fits into a packet or two as it is.
const LEAST: u64 = 1 << 10;
/// The headers on which an answer may depend.
const VARIES: HeaderValue = HeaderValue::from_static("Authorization, Accept-Encoding");

/// The mark of an answer that is never compressed. The size of a compressed answer says something about the
/// secrets in it, and a stream has to send each event at once.
struct NeverCompressed;

/// Marks an answer as never to be compressed: one with a token or a secret, or a stream.
pub fn never_compressed(mut response: HttpResponse) -> HttpResponse {
    response.extensions_mut().insert(NeverCompressed);
    response
}

/// Brings every answer into the representation that its client accepts.
pub async fn represent(
    request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<BoxBody>, Error> {
    let (http, response) = as_problem(next.call(request).await?).into_parts();
    let coding = coding_of(&http, &response);
    count_large(&http, &response);
    let mut response = match coded_response(&http, response, coding).await {
        Ok(response) => response,
        Err(problem) => problem.error_response(),
    };
    // What a handler names of its own, such as `Accept` for the first page, stays beside it.
    response.headers_mut().append(VARY, VARIES);
    other_pages::let_read(&http, &mut response);
    if *http.method() == Method::HEAD {
        response = response.map_body(|_, body| SizeOnly(body.size()).boxed());
    }
    Ok(ServiceResponse::new(http, response))
}

/// Counts a large answer about a match. One that does not say where it was made was made on the worker.
fn count_large(http: &HttpRequest, response: &HttpResponse) {
    let is_large = matches!(response.body().size(), BodySize::Sized(bytes) if bytes > LARGE as u64);
    let is_of_a_match = |route: &CountedRoute| route.pattern().starts_with(OF_A_MATCH);
    if is_large
        && CountedRoute::of(http).is_some_and(is_of_a_match)
        && let Ok(service) = service_of(http)
    {
        let made_on = response.extensions().get::<MadeOn>().copied();
        service.metrics.count_large_answer(made_on.unwrap_or(MadeOn::Worker));
    }
}

/// The coding in which an answer is sent; none if it is sent as it is.
fn coding_of(http: &HttpRequest, response: &HttpResponse) -> Option<Coding> {
    let is_small = match response.body().size() {
        BodySize::None => true,
        BodySize::Sized(bytes) => bytes <= LEAST,
        BodySize::Stream => false,
    };
    if is_small || response.extensions().contains::<NeverCompressed>() {
        return None;
    }
    let header = |name: HeaderName| response.headers().get(name).and_then(|value| value.to_str().ok());
    // Pictures are compressed already.
    let is_compressed = header(CONTENT_ENCODING).is_some()
        || header(CONTENT_TYPE).is_some_and(|media_type| media_type.starts_with("image/"));
    if is_compressed { None } else { Coding::preferred(http.headers()) }
}

/// The response in this coding, with its memory.
async fn coded_response(
    http: &HttpRequest,
    response: HttpResponse,
    coding: Option<Coding>,
) -> Result<HttpResponse, Problem> {
    let is_large = matches!(response.body().size(), BodySize::Sized(bytes) if bytes > SLICE as u64);
    if coding.is_none() && !is_large {
        return Ok(response);
    }
    let (mut response, body) = response.into_parts();
    if let Some(coding) = coding {
        add_coding(http, &mut response, coding);
    }
    let body = match (body.try_into_bytes(), coding) {
        (Ok(text), Some(coding)) if !is_large => encoded(coding, &text).await?.boxed(),
        (Ok(text), coding) => large(text, http, response.status(), coding).await?,
        (Err(body), Some(coding)) => encoding(coding, body),
        (Err(body), None) => body,
    };
    Ok(response.set_body(body))
}

/// Says which coding an answer has, also in the tag of a read. The tag in the answer to a POST names the
/// head, and not the answer.
fn add_coding(http: &HttpRequest, response: &mut HttpResponse<()>, coding: Coding) {
    response.headers_mut().insert(CONTENT_ENCODING, HeaderValue::from_static(coding.name()));
    if *http.method() == Method::POST {
        return;
    }
    let tag = response.headers().get(ETAG).and_then(|tag| tag.to_str().ok());
    let tag = tag.map(|tag| quoted(&coded(tag.trim_matches('"'), coding)));
    if let Some(tag) = tag.and_then(|tag| HeaderValue::from_str(&tag).ok()) {
        response.headers_mut().insert(ETAG, tag);
    }
}

/// The memory for a large answer. An answer that says that something was stored is never refused.
fn room(http: &HttpRequest, status: StatusCode, bytes: usize) -> Result<OutgoingShare, Problem> {
    let outgoing = &service_of(http)?.outgoing;
    if *http.method() == Method::POST && status != StatusCode::OK {
        return Ok(outgoing.of_receipt(bytes));
    }
    outgoing.of_answer(bytes)
}

/// The body of a large answer, which counts as it is sent.
async fn large(
    text: Bytes,
    http: &HttpRequest,
    status: StatusCode,
    coding: Option<Coding>,
) -> Result<BoxBody, Problem> {
    let mut share = room(http, status, text.len())?;
    let bytes = match coding {
        None => text,
        Some(coding) => encoded(coding, &text).await?,
    };
    share.resize(bytes.len());
    Ok(OutgoingBody::whole(in_own_pages(&[bytes]), share).boxed())
}

/// A text in a coding. Between two slices, which take about a millisecond, other requests have their turn.
async fn encoded(coding: Coding, text: &[u8]) -> Result<Bytes, Problem> {
    let failed = |error: std::io::Error| {
        tracing::error!(%error, coding = coding.name(), "an answer cannot be compressed");
        Problem::new(ProblemType::Internal, "the service could not compress its answer")
    };
    let (mut encoder, mut bytes) = (Encoder::new(coding), Vec::new());
    for (at, slice) in text.chunks(SLICE).enumerate() {
        if at > 0 {
            tokio::task::yield_now().await;
        }
        bytes.extend(encoder.piece(slice).map_err(failed)?);
    }
    bytes.extend(encoder.end());
    Ok(bytes.into())
}

/// The error of a body while it is sent.
type BodyError = Box<dyn std::error::Error>;

/// A body that compresses another while it is sent, slice by slice.
fn encoding(coding: Coding, body: BoxBody) -> BoxBody {
    let begun = Some((Encoder::new(coding), Box::pin(body)));
    let pieces = stream::try_unfold(begun, |state| async {
        let Some((mut encoder, mut body)) = state else { return Ok::<_, BodyError>(None) };
        Ok(Some(match poll_fn(|context| body.as_mut().poll_next(context)).await {
            Some(slice) => (Bytes::from(encoder.piece(&slice?)?), Some((encoder, body))),
            None => (Bytes::from(encoder.end()), None),
        }))
    });
    BodyStream::new(pieces).boxed()
}

/// A body that has a size and sends nothing: the answer to HEAD has the headers of the answer to GET.
struct SizeOnly(BodySize);

impl MessageBody for SizeOnly {
    type Error = Error;

    fn size(&self) -> BodySize {
        self.0
    }

    fn poll_next(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Result<Bytes, Error>>> {
        Poll::Ready(None)
    }
}
