//! The bodies of requests: a body is read at a minimum pace, into memory that is counted for its request, and
//! then as JSON.

use std::cell::RefCell;
use std::ops::Deref;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll};
use std::time::Duration;

use actix_web::body::{BodySize, BoxBody, MessageBody};
use actix_web::dev::{self, ServiceRequest, ServiceResponse};
use actix_web::http::header::{CONTENT_LENGTH, CONTENT_TYPE};
use actix_web::middleware::Next;
use actix_web::web::{self, Payload};
use actix_web::{Error, HttpMessage, HttpRequest};
use futures_util::{StreamExt, stream};
use memmap2::MmapMut;
use serde::de::DeserializeOwned;
use serde_json::Value;
use tokio::time::{Instant, timeout_at};

use super::memory::{MemoryClass, MemoryRefused, MemoryShare};
use super::request::TokenShown;
use super::service_of;
use crate::commands::{Problem, ProblemType};
use crate::log::{MOST_VALUES_OF_EVENT, NotPlain, plain_json, read_value};

/// The most bytes of a body, except a match log to be audited.
pub const BODY_LIMIT: usize = 1 << 20;
/// The most bytes of a body of which a preview is asked. It is read before the preview has its turn, so that
/// no client that sends slowly keeps others waiting.
pub const PREVIEW_LIMIT: usize = 64 << 10;
/// The most bytes of a match log to be audited.
pub const LOG_LIMIT: usize = 32 << 20;
/// How long a client may send nothing of a body, and the time over which the pace of a body is measured.
const PATIENCE: Duration = Duration::from_secs(10);
/// The fewest bytes of a body that have to come in that time: 4 KiB a second.
const LEAST: usize = 10 * (4 << 10);
/// How much of a refused body is still read, as a multiple of its limit: a client that is still sending sees
/// the answer only then.
const READ_ON: usize = 8;

/// The size up to which a body is kept in memory of the allocator. A larger body has pages of its own.
const FEW: usize = 8 << 10;

/// The bytes that a request sends or reads, and the memory they take.
#[derive(Debug)]
pub struct Body {
    bytes: Bytes,
    length: usize,
    /// The memory taken for the bytes, and for the values that are read from them.
    pub share: MemoryShare,
}

/// The memory of a body. A large body has pages of its own, which go back to the system when it is dropped;
/// an allocator would keep some of them. A page costs memory only once it is written to, so the most that a
/// body can need is mapped at once.
#[derive(Debug)]
enum Bytes {
    Few(Vec<u8>),
    Many(MmapMut),
}

impl Body {
    /// An empty body.
    pub fn new(share: MemoryShare) -> Body {
        Body { bytes: Bytes::Few(Vec::new()), length: 0, share }
    }

    /// Adds bytes to a body that has at most `most` bytes in all.
    pub fn extend(&mut self, chunk: &[u8], most: usize) -> Result<(), MemoryRefused> {
        let length = self.length + chunk.len();
        self.share.take(chunk.len())?;
        match &mut self.bytes {
            Bytes::Few(bytes) if length <= FEW => bytes.extend_from_slice(chunk),
            Bytes::Few(bytes) => {
                let mut pages = pages_for(most.max(length))?;
                write_at(&mut pages, 0, bytes)?;
                write_at(&mut pages, self.length, chunk)?;
                self.bytes = Bytes::Many(pages);
            }
            Bytes::Many(pages) => write_at(pages, self.length, chunk)?,
        }
        self.length = length;
        Ok(())
    }
}

/// Fresh pages for this number of bytes.
fn pages_for(bytes: usize) -> Result<MmapMut, MemoryRefused> {
    let pages = MmapMut::map_anon(bytes).map_err(|_| MemoryRefused::Now)?;
    // A huge page would cost 2 MiB with its first byte. A system without huge pages refuses the advice, which
    // does no harm.
    #[cfg(target_os = "linux")]
    let _ = pages.advise(memmap2::Advice::NoHugePage);
    Ok(pages)
}

/// Copies bytes to their place in the pages.
fn write_at(pages: &mut MmapMut, at: usize, bytes: &[u8]) -> Result<(), MemoryRefused> {
    let place = pages.get_mut(at..at + bytes.len()).ok_or(MemoryRefused::Now)?;
    place.copy_from_slice(bytes);
    Ok(())
}

impl Deref for Body {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match &self.bytes {
            Bytes::Few(bytes) => bytes,
            Bytes::Many(pages) => pages.get(..self.length).unwrap_or_default(),
        }
    }
}

/// Keeps the payload of a request until the request is answered, so that actix closes the connection of a
/// body that has not ended by then. Without this, actix would go on reading a chunked body that no handler
/// waits for, for as long as the client sends.
pub async fn end_with_the_answer(
    mut request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<ResponseBody>, Error> {
    let payload = match request.take_payload() {
        dev::Payload::None => None,
        payload => Some(Rc::new(RefCell::new(payload))),
    };
    if let Some(shared) = payload.clone() {
        let chunks = stream::poll_fn(move |context| shared.borrow_mut().poll_next_unpin(context));
        request.set_payload(dev::Payload::Stream { payload: chunks.boxed_local() });
    }
    let response = next.call(request).await?;
    Ok(response.map_body(|_, body| ResponseBody { body: body.boxed(), _payload: payload }))
}

/// The body of a response, with the payload of its request.
pub struct ResponseBody {
    body: BoxBody,
    _payload: Option<Rc<RefCell<dev::Payload>>>,
}

impl MessageBody for ResponseBody {
    type Error = <BoxBody as MessageBody>::Error;

    fn size(&self) -> BodySize {
        self.body.size()
    }

    fn poll_next(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<web::Bytes, Self::Error>>> {
        Pin::new(&mut self.get_mut().body).poll_next(context)
    }
}

/// The body of a request, up to `limit` bytes. The rest of a refused body is read for a while and thrown
/// away, so that the client sees the answer.
pub async fn read(http: &HttpRequest, mut payload: Payload, limit: usize) -> Result<Body, Problem> {
    let read = read_within(http, &mut payload, limit).await;
    // A body that breaks off or is too slow has no rest that is worth waiting for.
    if read
        .as_ref()
        .is_err_and(|problem| matches!(problem.kind(), ProblemType::BodyTooLarge | ProblemType::NoRoom))
    {
        discard(&mut payload, limit.saturating_mul(READ_ON)).await;
    }
    read
}

async fn read_within(http: &HttpRequest, payload: &mut Payload, limit: usize) -> Result<Body, Problem> {
    let too_large =
        || Problem::new(ProblemType::BodyTooLarge, format!("a body here has at most {limit} bytes"));
    let most = announced(http).unwrap_or(limit);
    if most > limit {
        return Err(too_large());
    }
    let mut body = Body::new(service_of(http)?.memory.share(whose(http, limit)));
    let mut pace = Pace::begin();
    loop {
        match timeout_at(pace.deadline(), payload.next()).await {
            Err(_elapsed) => pace.go_on()?,
            Ok(None) => return Ok(body),
            Ok(Some(Err(error))) => {
                return Err(Problem::new(
                    ProblemType::MalformedJson,
                    format!("the body breaks off: {error}"),
                ));
            }
            Ok(Some(Ok(chunk))) if body.length + chunk.len() > limit => return Err(too_large()),
            Ok(Some(Ok(chunk))) => {
                pace.count(chunk.len());
                body.extend(&chunk, most)?;
            }
        }
    }
}

/// The class of memory a body is read into: a request with a valid token may use the reserve for such
/// requests.
fn whose(http: &HttpRequest, limit: usize) -> MemoryClass {
    if limit > BODY_LIMIT {
        MemoryClass::Log
    } else if http.extensions().contains::<TokenShown>() {
        MemoryClass::Known
    } else {
        MemoryClass::Stranger
    }
}

/// The length of a body by its `Content-Length`.
fn announced(http: &HttpRequest) -> Option<usize> {
    http.headers().get(CONTENT_LENGTH)?.to_str().ok()?.parse().ok()
}

/// Reads more of a payload for a while, and keeps nothing of it.
async fn discard(payload: &mut Payload, most: usize) {
    let deadline = Instant::now() + PATIENCE;
    let mut seen = 0;
    while seen < most
        && let Ok(Some(Ok(chunk))) = timeout_at(deadline, payload.next()).await
    {
        seen += chunk.len();
    }
}

/// The pace at which a body arrives.
#[derive(Debug)]
struct Pace {
    /// The beginning of the period over which bytes are counted.
    since: Instant,
    counted: usize,
    /// The time of the last byte.
    last: Instant,
}

impl Pace {
    fn begin() -> Pace {
        let now = Instant::now();
        Pace { since: now, counted: 0, last: now }
    }

    fn count(&mut self, bytes: usize) {
        self.counted += bytes;
        self.last = Instant::now();
    }

    /// The time at which the pace is checked again, if nothing arrives before.
    fn deadline(&self) -> Instant {
        self.since.min(self.last) + PATIENCE
    }

    /// Checks the pace, and refuses a body that is too slow.
    fn go_on(&mut self) -> Result<(), Problem> {
        let (now, seconds) = (Instant::now(), PATIENCE.as_secs());
        if now >= self.last + PATIENCE {
            let message = format!("nothing of the body has arrived for {seconds} seconds");
            return Err(Problem::new(ProblemType::SlowBody, message));
        }
        if self.counted < LEAST {
            let message = format!(
                "{} bytes of the body arrived in {seconds} seconds; at least {LEAST} are needed",
                self.counted
            );
            return Err(Problem::new(ProblemType::SlowBody, message));
        }
        (self.since, self.counted) = (now, 0);
        Ok(())
    }
}

/// A JSON body: its value and its bytes. An empty body is an empty object. The memory for both is held until
/// the request ends.
pub async fn json<T: DeserializeOwned>(
    request: &HttpRequest,
    payload: Payload,
) -> Result<(T, Body), Problem> {
    json_within(request, payload, BODY_LIMIT).await
}

/// A JSON body of at most this many bytes.
pub async fn json_within<T: DeserializeOwned>(
    request: &HttpRequest,
    payload: Payload,
    limit: usize,
) -> Result<(T, Body), Problem> {
    let mut body = read(request, payload, limit).await?;
    if body.is_empty() {
        return Ok((object(b"{}")?, body));
    }
    is_json(request)?;
    // A body becomes at most one event's data, so it may not have more values than an event.
    body.share.take_for_values(plain(&body, MOST_VALUES_OF_EVENT)?)?;
    body.share.take(body.len())?;
    let value = object(&body)?;
    request.extensions_mut().insert(body.share.move_out());
    Ok((value, body))
}

/// Refuses a body with a `Content-Type` other than JSON.
pub fn is_json(request: &HttpRequest) -> Result<(), Problem> {
    let media_type =
        request.headers().get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let essence = media_type.split(';').next().unwrap_or_default().trim();
    if !essence.eq_ignore_ascii_case("application/json") {
        let message = format!("the body must be application/json, not {essence:?}");
        return Err(Problem::at(ProblemType::UnsupportedMediaType, "header.Content-Type", message));
    }
    Ok(())
}

/// The number of values in a JSON text. A text that is not JSON or has more than `most` values is refused.
pub fn plain(body: &[u8], most: usize) -> Result<usize, Problem> {
    plain_json(body, most).map_err(|fault| match fault {
        NotPlain::Json(_) | NotPlain::TooDeep => no_json(&fault),
        NotPlain::TooMany(most) => Problem::at(
            ProblemType::BodyTooLarge,
            "body",
            format!("a body here has at most {most} JSON values"),
        ),
    })
}

/// Reads a JSON object. A body that is not JSON at all was refused before.
fn object<T: DeserializeOwned>(body: &[u8]) -> Result<T, Problem> {
    if body.trim_ascii_start().first() != Some(&b'{') {
        return Err(Problem::at(ProblemType::IllegalInput, "body", "the body must be a JSON object"));
    }
    // Most bodies are right, and are read at once. Only a fault needs the tree of values.
    serde_json::from_slice(body).or_else(|_| {
        let value: Value = serde_json::from_slice(body).map_err(|error| no_json(&error.into()))?;
        read_value(&value).map_err(|fault| {
            let kind = if fault.is_missing() { ProblemType::NeedsInput } else { ProblemType::IllegalInput };
            Problem::at(kind, fault.path_below("body"), fault.message("the body"))
        })
    })
}

fn no_json(fault: &NotPlain) -> Problem {
    Problem::at(ProblemType::MalformedJson, "body", format!("the body {fault}"))
}

#[cfg(test)]
mod tests {
    use super::super::memory::Memory;
    use super::*;
    use crate::commands::bodies::AbandonmentBody;

    #[test]
    fn a_body_is_what_came_whatever_it_came_in() {
        let bytes: Vec<u8> = (0..3_000_000_u32).map(|n| n as u8).collect();
        for (size, length) in
            [(1, 10), (7, 65_536), (7, 65_537), (30_000, 1 << 20), (1_000_000, 3_000_000), (1, 0)]
        {
            let (bytes, mut body) = (&bytes[..length], Body::new(Memory::default().share(MemoryClass::Log)));
            bytes.chunks(size).for_each(|chunk| body.extend(chunk, length).expect("there is room"));
            assert!(*body == *bytes, "{length} in chunks of {size}");
        }
    }

    #[test]
    fn no_more_is_taken_in_than_there_is_memory_for_or_than_was_said() {
        let mut body = Body::new(Memory::default().share(MemoryClass::Log));
        let part = vec![b'x'; 1 << 20];
        let taken = (0..100).take_while(|_| body.extend(&part, 100 << 20).is_ok()).count();
        assert_eq!((taken, body.len()), (48, 48 << 20));
        let mut body = Body::new(Memory::default().share(MemoryClass::Log));
        assert!(body.extend(&part, 1 << 20).is_ok());
        assert!(body.extend(b"x", 1 << 20).is_err());
    }

    #[test]
    fn a_fault_in_a_body_names_the_member_at_fault() {
        for (body, location, message) in [
            ("{}", "body.reason", "reason is missing"),
            ("{\"reason\": 1}", "body.reason", "reason is text, not 1"),
            ("{\"rain\": 1}", "body.rain", "rain is unknown here; only reason is known"),
            ("[]", "body", "the body must be a JSON object"),
        ] {
            let problem = object::<AbandonmentBody>(body.as_bytes()).expect_err(body);
            let errors = serde_json::to_value(problem.body()).expect("a problem is JSON");
            assert_eq!(errors["errors"], serde_json::json!([{"location": location, "message": message}]));
        }
    }
}
