//! Bodies of requests: read at a pace, into memory that has been taken for them.

use std::cell::RefCell;
use std::ops::Deref;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll};
use std::time::Duration;

use actix_web::body::{BodySize, BoxBody, MessageBody};
use actix_web::dev::{self, ServiceRequest, ServiceResponse};
use actix_web::http::header::CONTENT_LENGTH;
use actix_web::middleware::Next;
use actix_web::web::{self, Payload};
use actix_web::{Error, HttpMessage, HttpRequest};
use futures_util::{StreamExt, stream};
use memmap2::MmapMut;
use tokio::time::{Instant, timeout_at};

use super::memory::{MemoryShare, NoRoom, Whose};
use super::problem::{Problem, ProblemType};
use super::request::{BODY_LIMIT, Known};
use super::service_of;

/// How long a body may bring nothing, and over how long its pace is measured.
const PATIENCE: Duration = Duration::from_secs(10);
/// The least a body has to bring in that time: 4 KiB a second.
const LEAST: usize = 10 * (4 << 10);
/// How often its limit a body that is refused may be read on, so that the client gets to see the answer.
const READ_ON: usize = 8;

/// The most bytes of a body that an allocator keeps. Whatever is larger is on pages of its own, however many of them come.
const FEW: usize = 8 << 10;

/// Bytes that a request brings or asks for, and the memory they take.
#[derive(Debug)]
pub struct Body {
    bytes: Bytes,
    length: usize,
    /// The memory taken for the bytes, and for what is made of them.
    pub share: MemoryShare,
}

/// What a body is kept in. A large one has pages of its own, which go back to the system with it: an
/// allocator would keep some of them for later. Pages cost memory once they are written to, so there may be
/// as many as a body can need.
#[derive(Debug)]
enum Bytes {
    Few(Vec<u8>),
    Many(MmapMut),
}

impl Body {
    /// One with nothing in it yet.
    pub fn new(share: MemoryShare) -> Body {
        Body { bytes: Bytes::Few(Vec::new()), length: 0, share }
    }

    /// Takes in bytes of a body that has at most `most` of them in all.
    pub fn extend(&mut self, chunk: &[u8], most: usize) -> Result<(), NoRoom> {
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

/// Pages for so many bytes.
fn pages_for(bytes: usize) -> Result<MmapMut, NoRoom> {
    let pages = MmapMut::map_anon(bytes).map_err(|_| NoRoom::Now)?;
    // A huge page would cost 2 MiB with its first byte. A system that has none of them refuses, and is right
    // to.
    #[cfg(target_os = "linux")]
    let _ = pages.advise(memmap2::Advice::NoHugePage);
    Ok(pages)
}

/// Writes bytes where they belong, if there is room for them.
fn write_at(pages: &mut MmapMut, at: usize, bytes: &[u8]) -> Result<(), NoRoom> {
    let place = pages.get_mut(at..at + bytes.len()).ok_or(NoRoom::Now)?;
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

/// Keeps what brings a body until its request has been answered: actix then closes the connection where the
/// body has not come to its end. Without that it would read on for as long as a client likes, of a body in
/// chunks that nobody waits for.
pub async fn end_with_the_answer(
    mut request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<Answer>, Error> {
    let payload = match request.take_payload() {
        dev::Payload::None => None,
        payload => Some(Rc::new(RefCell::new(payload))),
    };
    if let Some(shared) = payload.clone() {
        let chunks = stream::poll_fn(move |context| shared.borrow_mut().poll_next_unpin(context));
        request.set_payload(dev::Payload::Stream { payload: chunks.boxed_local() });
    }
    let response = next.call(request).await?;
    Ok(response.map_body(|_, body| Answer { body: body.boxed(), _payload: payload }))
}

/// The body of an answer, with what brought that of its request.
pub struct Answer {
    body: BoxBody,
    _payload: Option<Rc<RefCell<dev::Payload>>>,
}

impl MessageBody for Answer {
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

/// The body of a request, up to `limit` bytes. One that is refused is read on for a while and thrown away, so
/// that the client gets to see the answer.
pub async fn read(http: &HttpRequest, mut payload: Payload, limit: usize) -> Result<Body, Problem> {
    let read = read_within(http, &mut payload, limit).await;
    // Of a body that breaks off, or is too slow, nothing comes any more that could be waited for.
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

/// Whose body it is: one of a request that has shown a token is read with what is kept for those.
fn whose(http: &HttpRequest, limit: usize) -> Whose {
    if limit > BODY_LIMIT {
        Whose::Log
    } else if http.extensions().contains::<Known>() {
        Whose::Known
    } else {
        Whose::Stranger
    }
}

/// How many bytes a body is said to have.
fn announced(http: &HttpRequest) -> Option<usize> {
    http.headers().get(CONTENT_LENGTH)?.to_str().ok()?.parse().ok()
}

/// Reads on, for a time, and keeps nothing.
async fn discard(payload: &mut Payload, most: usize) {
    let deadline = Instant::now() + PATIENCE;
    let mut seen = 0;
    while seen < most
        && let Ok(Some(Ok(chunk))) = timeout_at(deadline, payload.next()).await
    {
        seen += chunk.len();
    }
}

/// How fast a body comes.
#[derive(Debug)]
struct Pace {
    /// Since when bytes are counted.
    since: Instant,
    counted: usize,
    /// When the last byte came.
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

    /// When the pace has to be looked at again, should nothing come.
    fn deadline(&self) -> Instant {
        self.since.min(self.last) + PATIENCE
    }

    /// Looks at the pace; a body that is too slow is given up.
    fn go_on(&mut self) -> Result<(), Problem> {
        let (now, seconds) = (Instant::now(), PATIENCE.as_secs());
        if now >= self.last + PATIENCE {
            let message = format!("nothing has come of the body for {seconds} seconds");
            return Err(Problem::new(ProblemType::SlowBody, message));
        }
        if self.counted < LEAST {
            let message =
                format!("{} bytes of the body came in {seconds} seconds; it takes {LEAST}", self.counted);
            return Err(Problem::new(ProblemType::SlowBody, message));
        }
        (self.since, self.counted) = (now, 0);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::memory::Memory;
    use super::*;

    #[test]
    fn a_body_is_what_came_whatever_it_came_in() {
        let bytes: Vec<u8> = (0..3_000_000_u32).map(|n| n as u8).collect();
        for (size, length) in
            [(1, 10), (7, 65_536), (7, 65_537), (30_000, 1 << 20), (1_000_000, 3_000_000), (1, 0)]
        {
            let (bytes, mut body) = (&bytes[..length], Body::new(Memory::default().share(Whose::Log)));
            bytes.chunks(size).for_each(|chunk| body.extend(chunk, length).expect("there is room"));
            assert!(*body == *bytes, "{length} in chunks of {size}");
        }
    }

    #[test]
    fn no_more_is_taken_in_than_there_is_memory_for_or_than_was_said() {
        let mut body = Body::new(Memory::default().share(Whose::Log));
        let part = vec![b'x'; 1 << 20];
        let taken = (0..100).take_while(|_| body.extend(&part, 100 << 20).is_ok()).count();
        assert_eq!((taken, body.len()), (48, 48 << 20));
        let mut body = Body::new(Memory::default().share(Whose::Log));
        assert!(body.extend(&part, 1 << 20).is_ok());
        assert!(body.extend(b"x", 1 << 20).is_err());
    }
}
