//! The memory of answers that wait to be sent, counted over all requests.
//!
//! A client that asks and does not read leaves its answer here. A large answer is handed to its connection a
//! slice at a time, and counts until its last slice has gone. The bytes that a connection has taken over are
//! not counted: they are at most two slices.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use actix_web::body::{BodySize, MessageBody};
use actix_web::web::Bytes;
use futures_util::Stream;
use memmap2::MmapMut;

use crate::commands::{Problem, ProblemType};

/// The memory for all whole answers together, in bytes. Pages of logs and streams have memory of their own,
/// so neither of the two shuts the other out.
const WHOLE: usize = 40 << 20;
/// The part of it that large answers leave free for scorecards and the like.
const RESERVE: usize = 16 << 20;
/// The size of a large answer, in bytes.
const LARGE: usize = 128 << 10;
/// The memory for all pages of logs and streams together, in bytes.
const PAGES: usize = 24 << 20;
/// The most bytes of events on a page of a log, except where one event has more.
pub const PAGE: usize = 64 << 10;
/// The most bytes that a connection is handed at once. A smaller answer does not wait here, and is not
/// counted.
pub const SLICE: usize = 32 << 10;
/// How long the next page of a log waits before it asks for memory again.
const RETRY: Duration = Duration::from_millis(200);

/// The memory for the answers of a service.
#[derive(Debug, Default)]
pub struct Outgoing {
    whole: Arc<AtomicUsize>,
    pages: Arc<AtomicUsize>,
}

/// The part of the memory that one answer takes, given back when it is dropped.
#[derive(Debug)]
pub struct OutgoingShare {
    taken: Arc<AtomicUsize>,
    bytes: usize,
}

impl Outgoing {
    /// The memory for the first page of a log, which can be refused. A page that fits into a slice never is.
    pub fn of_page(&self, bytes: usize) -> Result<OutgoingShare, Problem> {
        if bytes <= SLICE {
            return Ok(OutgoingShare::add(&self.pages, bytes));
        }
        OutgoingShare::take(&self.pages, bytes, PAGES)
    }

    /// The memory for the next page of a log whose answer has begun, once there is some. It waits while it
    /// holds none, so that others go on. A page that fits into a slice, such as a ball on a stream, does not
    /// wait.
    pub async fn of_next_page(&self, bytes: usize) -> OutgoingShare {
        loop {
            match self.of_page(bytes) {
                Ok(share) => return share,
                Err(_no_room) => tokio::time::sleep(RETRY).await,
            }
        }
    }

    /// The memory for a whole answer that can be refused: nothing was stored by its request.
    pub fn of_answer(&self, bytes: usize) -> Result<OutgoingShare, Problem> {
        OutgoingShare::take(&self.whole, bytes, if bytes > LARGE { WHOLE - RESERVE } else { WHOLE })
    }

    /// The memory for a whole answer that is never refused, since it says what was stored.
    pub fn of_receipt(&self, bytes: usize) -> OutgoingShare {
        OutgoingShare::add(&self.whole, bytes)
    }
}

impl OutgoingShare {
    fn add(to: &Arc<AtomicUsize>, bytes: usize) -> OutgoingShare {
        to.fetch_add(bytes, Ordering::Relaxed);
        OutgoingShare { taken: Arc::clone(to), bytes }
    }

    fn take(from: &Arc<AtomicUsize>, bytes: usize, ceiling: usize) -> Result<OutgoingShare, Problem> {
        let more = |taken: usize| taken.checked_add(bytes).filter(|taken| *taken <= ceiling);
        match from.fetch_update(Ordering::Relaxed, Ordering::Relaxed, more) {
            Ok(_) => Ok(OutgoingShare { taken: Arc::clone(from), bytes }),
            Err(_) => {
                let detail = "answers that their clients have not read yet hold all the memory for answers now; \
                              try again";
                Err(Problem::new(ProblemType::NoRoom, detail))
            }
        }
    }

    /// Makes the share as large as the answer has turned out.
    pub fn resize(&mut self, bytes: usize) {
        match bytes.checked_sub(self.bytes) {
            Some(more) => self.taken.fetch_add(more, Ordering::Relaxed),
            None => self.taken.fetch_sub(self.bytes - bytes, Ordering::Relaxed),
        };
        self.bytes = bytes;
    }
}

impl Drop for OutgoingShare {
    fn drop(&mut self) {
        self.taken.fetch_sub(self.bytes, Ordering::Relaxed);
    }
}

/// The size up to which a text is kept in memory of the allocator. A larger one has pages of its own.
const FEW: usize = 8 << 10;

/// These texts one after the other, in pages of their own, which go back to the system when they are dropped.
/// An allocator would keep the memory of answers that have waited, since it gives back only memory with
/// nothing behind it.
pub fn in_own_pages(texts: &[impl AsRef<[u8]>]) -> Bytes {
    let length = texts.iter().map(|text| text.as_ref().len()).sum();
    let pages = (length > FEW).then(|| MmapMut::map_anon(length).ok()).flatten();
    let Some(mut pages) = pages else {
        return texts.iter().map(AsRef::as_ref).collect::<Vec<&[u8]>>().concat().into();
    };
    let mut rest = &mut pages[..];
    for text in texts.iter().map(AsRef::as_ref) {
        let (place, behind) = rest.split_at_mut(text.len());
        place.copy_from_slice(text);
        rest = behind;
    }
    Bytes::from_owner(pages)
}

/// A portion of an answer, with its memory. A portion of a few bytes has none.
pub struct Portion {
    /// The text, or a piece of it in a coding.
    pub bytes: Bytes,
    /// The memory that they take.
    pub share: Option<OutgoingShare>,
}

type Pages = Pin<Box<dyn Stream<Item = Result<Portion, Problem>>>>;

/// The body of an answer that may have to wait: one page, or page after page.
pub struct OutgoingBody {
    size: BodySize,
    rest: Bytes,
    share: Option<OutgoingShare>,
    more: Option<Pages>,
}

impl OutgoingBody {
    /// A whole answer.
    pub fn whole(bytes: Bytes, share: OutgoingShare) -> OutgoingBody {
        let size = BodySize::Sized(bytes.len() as u64);
        OutgoingBody { size, rest: bytes, share: Some(share), more: None }
    }

    /// An answer that is made while it is sent: a page only when the one before has gone.
    pub fn pages(pages: impl Stream<Item = Result<Portion, Problem>> + 'static) -> OutgoingBody {
        OutgoingBody { size: BodySize::Stream, rest: Bytes::new(), share: None, more: Some(Box::pin(pages)) }
    }
}

impl MessageBody for OutgoingBody {
    type Error = Problem;

    fn size(&self) -> BodySize {
        self.size
    }

    fn poll_next(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Result<Bytes, Problem>>> {
        let body = self.get_mut();
        while body.rest.is_empty() {
            body.share = None;
            let Some(more) = &mut body.more else { return Poll::Ready(None) };
            match ready!(more.as_mut().poll_next(context)) {
                None => body.more = None,
                Some(Err(problem)) => return Poll::Ready(Some(Err(problem))),
                Some(Ok(page)) => (body.rest, body.share) = (page.bytes, page.share),
            }
        }
        Poll::Ready(Some(Ok(body.rest.split_to(body.rest.len().min(SLICE)))))
    }
}

#[cfg(test)]
mod tests {
    use std::future::poll_fn;

    use futures_util::{StreamExt, stream};

    use super::*;

    fn taken(outgoing: &Outgoing) -> usize {
        outgoing.whole.load(Ordering::Relaxed) + outgoing.pages.load(Ordering::Relaxed)
    }

    /// As many shares as there are.
    fn all(share: impl Fn() -> Result<OutgoingShare, Problem>) -> Vec<OutgoingShare> {
        (0..2_000).map_while(|_| share().ok()).collect()
    }

    #[test]
    fn large_answers_leave_room_for_cards_and_a_receipt_is_never_refused() {
        let outgoing = Outgoing::default();
        let large = all(|| outgoing.of_answer(2 << 20));
        let cards = all(|| outgoing.of_answer(LARGE));
        assert_eq!((large.len(), cards.len()), (12, RESERVE / LARGE));
        let refused = outgoing.of_answer(SLICE).expect_err("all is taken");
        assert_eq!(refused.kind(), ProblemType::NoRoom);
        let receipt = outgoing.of_receipt(1 << 20);
        assert_eq!(taken(&outgoing), 41 << 20);
        drop((large, cards, receipt));
        assert_eq!(taken(&outgoing), 0);
    }

    #[test]
    fn whole_answers_of_any_size_and_pages_do_not_shut_each_other_out() {
        for size in [SLICE, PAGE, LARGE, LARGE + 1, 1 << 20, 4 << 20] {
            let outgoing = Outgoing::default();
            let whole = all(|| outgoing.of_answer(size));
            let pages = all(|| outgoing.of_page(PAGE));
            assert_eq!(pages.len(), PAGES / PAGE, "beside whole answers of {size} bytes");
            outgoing.of_page(PAGE).expect_err("all is taken");
            outgoing.of_page(SLICE).expect("a small log is never refused");
            drop(whole);
            outgoing.of_answer(size).expect("pages leave room for whole answers");
        }
    }

    #[test]
    fn a_share_becomes_as_large_as_its_answer() {
        let outgoing = Outgoing::default();
        let mut share = outgoing.of_answer(100).expect("there is room");
        for bytes in [100, 10, 1_000, 0, 7] {
            share.resize(bytes);
            assert_eq!(taken(&outgoing), bytes);
        }
        drop(share);
        assert_eq!(taken(&outgoing), 0);
    }

    #[test]
    fn texts_in_own_pages_are_the_texts() {
        for size in [0, 1, FEW / 2, FEW / 2 + 1, 3 * FEW] {
            let texts = [vec![b'a'; size], vec![b'b'; size]];
            assert!(in_own_pages(&texts) == texts.concat(), "two of {size}");
        }
    }

    async fn next(body: &mut OutgoingBody) -> Option<Bytes> {
        poll_fn(|context| Pin::new(&mut *body).poll_next(context)).await.map(|slice| slice.expect("a slice"))
    }

    #[actix_web::test]
    async fn an_answer_counts_until_its_last_slice_has_gone() {
        let outgoing = Outgoing::default();
        let bytes = SLICE * 2 + 1;
        let share = outgoing.of_answer(bytes).expect("there is room");
        let mut body = OutgoingBody::whole(vec![7; bytes].into(), share);
        for slice in [SLICE, SLICE, 1] {
            assert_eq!(next(&mut body).await.map(|slice| slice.len()), Some(slice));
            assert_eq!(taken(&outgoing), bytes);
        }
        assert_eq!((next(&mut body).await, taken(&outgoing)), (None, 0));
    }

    #[actix_web::test]
    async fn a_page_is_made_when_the_one_before_has_gone() {
        let outgoing = Arc::new(Outgoing::default());
        let making = Arc::clone(&outgoing);
        let pages = stream::iter(1..=3).then(move |page| {
            assert_eq!(taken(&making), 0, "the page before has gone");
            let share = making.of_page(page).ok();
            std::future::ready(Ok(Portion { bytes: vec![7; page].into(), share }))
        });
        let mut body = OutgoingBody::pages(pages);
        for page in 1..=3 {
            assert_eq!(next(&mut body).await.map(|slice| slice.len()), Some(page));
            assert_eq!(taken(&outgoing), page);
        }
        assert_eq!((next(&mut body).await, taken(&outgoing)), (None, 0));
    }
}
