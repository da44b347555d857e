//! Writing responses: the response to an append, and conditional GETs.

use std::collections::BTreeMap;

use actix_web::http::header::{CACHE_CONTROL, CONTENT_TYPE, ETAG, HeaderValue};
use actix_web::web::Bytes;
use actix_web::{HttpRequest, HttpResponse};
use serde::Serialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value};
use utoipa::openapi::{Content, Header, Object, Ref, RefOr, Response, Type};
use utoipa::{IntoResponses, ToSchema};

pub use super::answer_text::text;
use super::answer_text::{AnswerText, content_hash};
use super::entity_tag::{self, known, quoted};
use super::next_step::NextStep;
use super::representation::never_compressed;
use crate::commands::{Problem, ProblemType};
use crate::log::{Entry, Event, Head};
use crate::projection::LoadedMatch;
use crate::service::Appended;
use crate::views::{MatchNow, MatchSituation, Score};

/// The response to an append.
#[derive(Serialize, ToSchema)]
pub struct AppendedBody {
    /// The events that were appended, in order.
    #[schema(value_type = Vec<Event>)]
    pub events: Vec<Box<RawValue>>,
    /// The score after them.
    pub score: Score,
    /// The situation after them; null before the toss is decided, and after the end.
    pub situation: Option<MatchSituation>,
    /// What the match waits for now.
    pub next: NextStep,
    /// The last event and its hash, for `If-Match`.
    pub head: Head,
    /// The hand and the secret choice of a side, shown only to a holder of its token, as in the view of the
    /// match. It is left out where there is none.
    #[serde(skip_serializing_if = "Map::is_empty")]
    #[schema(value_type = Option<Object>)]
    pub own: Map<String, Value>,
}

/// The shortest response to an append, for a client that follows the match by other ways, or not at all.
#[derive(Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct MinimalBody {
    /// The last event and its hash, for `If-Match`.
    pub head: Head,
    /// The score after the events that were appended.
    pub score: Score,
    /// What the match waits for now.
    pub next: NextKind,
}

/// What a match waits for, by its kind alone.
#[derive(Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NextKind {
    /// The kind: `choose|roll|over`, as in the view of the match.
    pub kind: &'static str,
}

impl MinimalBody {
    /// The shortest response to this append.
    pub fn of(appended: Appended) -> MinimalBody {
        let Appended { loaded, now: MatchNow { score, .. }, .. } = appended;
        let kind = loaded.the_match().next().kind();
        MinimalBody { head: loaded.head().clone(), score, next: NextKind { kind } }
    }
}

impl IntoResponses for AppendedBody {
    fn responses() -> BTreeMap<String, RefOr<Response>> {
        let tag = Header::builder()
            .schema(Some(Object::with_type(Type::String)))
            .description(Some("The head's hash, a dot and the form"));
        let response = Response::builder()
            .description("Appended")
            .content("application/json", Content::new(Some(Ref::from_schema_name(AppendedBody::name()))))
            .header("ETag", tag.build());
        BTreeMap::from([("201".to_owned(), RefOr::T(response.build()))])
    }
}

impl AppendedBody {
    /// The response to this append, with the next step, and with what its author may see of the hands and
    /// secret choices.
    pub fn of(appended: Appended, next: NextStep, own: Map<String, Value>) -> Result<AppendedBody, Problem> {
        let Appended { entries, loaded, now: MatchNow { score, situation }, .. } = appended;
        Ok(AppendedBody {
            events: raw_events(&entries)?,
            score,
            situation,
            next,
            head: loaded.head().clone(),
            own,
        })
    }
}

/// The events as in the log, byte for byte.
pub fn raw_events(entries: &[Entry]) -> Result<Vec<Box<RawValue>>, Problem> {
    let broken =
        |seq: u64| Problem::new(ProblemType::BrokenLog, format!("event {seq} is not JSON; audit the log"));
    entries.iter().map(|entry| RawValue::from_string(entry.line()).map_err(|_| broken(entry.seq))).collect()
}

/// The response 201 with the tag of the head.
pub fn created(loaded: &LoadedMatch, body: &impl Serialize) -> Result<HttpResponse, Problem> {
    Ok(created_as(loaded, text(body)?))
}

/// The response 201 with this text, and with the tag of the head.
pub fn created_as(loaded: &LoadedMatch, text: Bytes) -> HttpResponse {
    HttpResponse::Created()
        .insert_header((ETAG, quoted(&entity_tag::of_event(&loaded.head().hash))))
        .insert_header((CACHE_CONTROL, "no-store"))
        .insert_header((CONTENT_TYPE, "application/json"))
        .body(text)
}

/// Marks a response that only the holder of a token may see, so that nothing on the way keeps it.
pub fn keep_private(answer: &mut HttpResponse) {
    answer.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("private, no-store"));
}

/// The response 201 with a token, which is never compressed.
pub fn created_with_token(loaded: &LoadedMatch, body: &impl Serialize) -> Result<HttpResponse, Problem> {
    created(loaded, body).map(never_compressed)
}

/// The response 200 with JSON, or 304 where the client has this tag already.
pub fn fresh<Text: Into<AnswerText>>(
    request: &HttpRequest,
    tag: &str,
    body: impl FnOnce() -> Result<Text, Problem>,
) -> Result<HttpResponse, Problem> {
    if let Some(unchanged) = unchanged(request, tag) {
        return Ok(unchanged);
    }
    Ok(tagged(tag, body()?.into()))
}

/// The response 200 with a view as JSON, or 304 where the client has this tag already.
pub async fn fresh_view<T: Serialize + Send + 'static>(
    request: &HttpRequest,
    tag: &str,
    view: impl FnOnce() -> T,
) -> Result<HttpResponse, Problem> {
    match unchanged(request, tag) {
        Some(unchanged) => Ok(unchanged),
        None => Ok(tagged(tag, AnswerText::of(view()).await?)),
    }
}

fn tagged(tag: &str, text: AnswerText) -> HttpResponse {
    let AnswerText { bytes, made_on } = text;
    let mut answer = HttpResponse::Ok()
        .insert_header((ETAG, quoted(tag)))
        .insert_header((CACHE_CONTROL, "no-cache"))
        .insert_header((CONTENT_TYPE, "application/json"))
        .body(bytes);
    answer.extensions_mut().insert(made_on);
    answer
}

/// The response 200 with JSON, or 304, where the tag is the hash of the content.
pub fn fresh_by_content(request: &HttpRequest, body: Bytes) -> Result<HttpResponse, Problem> {
    let tag = content_hash(&body);
    fresh(request, &tag, || Ok(body))
}

/// The response 304, where the client has a representation with this tag already, in any coding that it
/// accepts.
pub fn unchanged(request: &HttpRequest, tag: &str) -> Option<HttpResponse> {
    let tag = known(request.headers(), tag)?;
    Some(HttpResponse::NotModified().insert_header((ETAG, tag)).finish())
}
