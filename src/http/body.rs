//! Bodies of requests: read at a pace, into memory that has been taken for them.

use std::cell::RefCell;
use std::io::{self, BufRead, Read};
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll};
use std::time::Duration;

use actix_web::body::{BodySize, BoxBody, MessageBody};
use actix_web::dev::{self, ServiceRequest, ServiceResponse};
use actix_web::http::header::CONTENT_LENGTH;
use actix_web::middleware::Next;
use actix_web::web::{Bytes, Payload};
use actix_web::{Error, HttpMessage, HttpRequest};
use futures_util::{StreamExt, stream};
use tokio::time::{Instant, timeout_at};

use super::memory::{NoRoom, SMALL, Share};
use super::problem::{Kind, Problem};
use super::service_of;

/// How long a body may bring nothing, and over how long its pace is measured.
const PATIENCE: Duration = Duration::from_secs(10);
/// The least a body has to bring in that time: 4 KiB a second.
const LEAST: usize = 10 * (4 << 10);
/// How often its limit a body that is refused may be read on, so that the client gets to see the answer.
const READ_ON: usize = 8;

/// The largest piece of memory a body is kept in: one that grows in pieces is never copied, and no more than
/// one of them is taken and not yet filled.
const PIECE: usize = 256 << 10;

/// Bytes that a request brings or asks for, and the memory they take.
#[derive(Debug)]
pub struct Body {
    pieces: Vec<Vec<u8>>,
    length: usize,
    /// The memory taken for the bytes, and for what is made of them.
    pub share: Share,
}

impl Body {
    /// One with nothing in it yet.
    pub fn new(share: Share) -> Body {
        Body { pieces: Vec::new(), length: 0, share }
    }

    /// Takes in bytes of a body that is expected to have `most` of them in all.
    pub fn extend(&mut self, mut chunk: &[u8], most: usize) -> Result<(), NoRoom> {
        while !chunk.is_empty() {
            let room = self.pieces.last().map_or(0, |piece| piece.capacity() - piece.len());
            if room == 0 {
                self.begin_piece(chunk.len(), most)?;
                continue;
            }
            let (now, later) = chunk.split_at(room.min(chunk.len()));
            if let Some(piece) = self.pieces.last_mut() {
                piece.extend_from_slice(now);
            }
            self.length += now.len();
            chunk = later;
        }
        Ok(())
    }

    /// Begins a piece as large as all before it, or for all that is expected, where that is little.
    fn begin_piece(&mut self, needed: usize, most: usize) -> Result<(), NoRoom> {
        let expected = most.saturating_sub(self.length);
        let size = if expected <= SMALL { expected } else { self.length };
        let size = size.max(needed).min(PIECE);
        self.share.take(size)?;
        self.pieces.push(Vec::with_capacity(size));
        Ok(())
    }

    /// Reads the bytes, from the first.
    pub fn reader(&self) -> Reader<'_> {
        Reader { now: &[], later: self.pieces.iter() }
    }

    /// The pieces, from the first.
    pub fn pieces(&self) -> impl Iterator<Item = &[u8]> {
        self.pieces.iter().map(Vec::as_slice)
    }

    /// The bytes in one piece, and the memory they take.
    pub fn into_bytes(mut self) -> Result<(Vec<u8>, Share), NoRoom> {
        if self.pieces.len() > 1 {
            self.share.take(self.length)?;
            self.pieces = vec![self.pieces.concat()];
        }
        Ok((self.pieces.pop().unwrap_or_default(), self.share))
    }
}

/// Reads a body.
#[derive(Debug)]
pub struct Reader<'b> {
    now: &'b [u8],
    later: std::slice::Iter<'b, Vec<u8>>,
}

impl BufRead for Reader<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        while self.now.is_empty()
            && let Some(next) = self.later.next()
        {
            self.now = next;
        }
        Ok(self.now)
    }

    fn consume(&mut self, read: usize) {
        self.now = self.now.get(read..).unwrap_or_default();
    }
}

impl Read for Reader<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let read = self.fill_buf()?.read(into)?;
        self.consume(read);
        Ok(read)
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
    ) -> Poll<Option<Result<Bytes, Self::Error>>> {
        Pin::new(&mut self.get_mut().body).poll_next(context)
    }
}

/// The body of a request, up to `limit` bytes. One that is refused is read on for a while and thrown away, so
/// that the client gets to see the answer.
pub async fn read(http: &HttpRequest, mut payload: Payload, limit: usize) -> Result<Body, Problem> {
    let read = read_within(http, &mut payload, limit).await;
    if read.as_ref().is_err_and(|problem| problem.kind() != Kind::SlowBody) {
        discard(&mut payload, limit.saturating_mul(READ_ON)).await;
    }
    read
}

async fn read_within(http: &HttpRequest, payload: &mut Payload, limit: usize) -> Result<Body, Problem> {
    let too_large = || Problem::new(Kind::BodyTooLarge, format!("a body here has at most {limit} bytes"));
    let most = announced(http).unwrap_or(limit);
    if most > limit {
        return Err(too_large());
    }
    let mut body = Body::new(service_of(http)?.memory.share());
    let mut pace = Pace::begin();
    loop {
        match timeout_at(pace.deadline(), payload.next()).await {
            Err(_elapsed) => pace.go_on()?,
            Ok(None) => return Ok(body),
            Ok(Some(Err(error))) => {
                return Err(Problem::new(Kind::MalformedJson, format!("the body breaks off: {error}")));
            }
            Ok(Some(Ok(chunk))) if body.length + chunk.len() > limit => return Err(too_large()),
            Ok(Some(Ok(chunk))) => {
                pace.count(chunk.len());
                body.extend(&chunk, most)?;
            }
        }
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
            return Err(Problem::new(Kind::SlowBody, message));
        }
        if self.counted < LEAST {
            let message =
                format!("{} bytes of the body came in {seconds} seconds; it takes {LEAST}", self.counted);
            return Err(Problem::new(Kind::SlowBody, message));
        }
        (self.since, self.counted) = (now, 0);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::memory::Memory;
    use super::*;

    fn body_of(chunks: &[&[u8]], most: usize) -> Body {
        let mut body = Body::new(Memory::default().share());
        chunks.iter().for_each(|chunk| body.extend(chunk, most).expect("there is room"));
        body
    }

    #[test]
    fn a_body_is_what_came_whatever_it_came_in() {
        let bytes: Vec<u8> = (0..3_000_000_u32).map(|n| n as u8).collect();
        for (size, most) in [(1, 1_000), (7, 100_000), (30_000, 1 << 20), (1_000_000, usize::MAX), (500, 499)]
        {
            let bytes = &bytes[..bytes.len().min(size * 3_000)];
            let body = body_of(&bytes.chunks(size).collect::<Vec<_>>(), most);
            assert!(body.pieces.iter().map(Vec::capacity).sum::<usize>() <= 2 * bytes.len() + PIECE);
            let mut read = Vec::new();
            body.reader().read_to_end(&mut read).unwrap();
            assert!(read == bytes, "{size}");
            assert!(body.into_bytes().unwrap().0 == bytes, "{size}");
        }
        assert!(body_of(&[], 0).into_bytes().unwrap().0.is_empty());
    }

    #[test]
    fn lines_are_read_over_the_ends_of_pieces() {
        let line = "x".repeat(1_000);
        let text = format!("{line}\n").repeat(1_000);
        let body = body_of(&[text.as_bytes()], usize::MAX);
        assert!(body.pieces.len() > 3);
        assert!(body.reader().lines().all(|read| read.unwrap() == line));
        assert_eq!(body.reader().lines().count(), 1_000);
    }

    #[test]
    fn a_small_body_is_kept_in_one_piece_of_its_size() {
        let body = body_of(&[b"{\"dice\"", b": [2, 3]}"], 16);
        assert_eq!(body.pieces.iter().map(Vec::capacity).collect::<Vec<_>>(), [16]);
    }
}
