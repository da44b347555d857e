//! The memory that requests may take, all of them together: what is held of their bodies, and what is made of
//! it.
//!
//! A request takes what it needs as it needs it and gives it back when it ends, also when its client has
//! vanished. What does not fit is refused at once; nothing waits for memory while it holds some.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::problem::{Problem, ProblemType};

/// What all requests together may hold, in bytes.
pub const TOTAL: usize = 80 << 20;
/// A ball, a toss: what a small request of somebody with a token has room for, all it is made into included.
pub const SMALL: usize = 64 << 10;
/// Whatever is no match log, with what it is made into; but for an edition of very many values.
const MIDDLE: usize = 4 << 20;
/// The part of the total that is kept free for requests smaller than the one that asks.
const RESERVE: usize = 16 << 20;
/// What a JSON value takes in memory at the most, in bytes: half an object of one member, whose node has room
/// for eleven.
const OF_A_VALUE: usize = 350;

/// The memory of a service's requests.
#[derive(Debug, Clone, Default)]
pub struct Memory {
    taken: Arc<AtomicUsize>,
}

/// A request's share of the memory, given back when it is dropped.
#[derive(Debug)]
pub struct MemoryShare {
    memory: Memory,
    bytes: usize,
    of: Whose,
}

/// The request that takes memory, by what it may leave for the others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Whose {
    /// Somebody has shown a token of the match, or the admin's.
    Known,
    /// Nobody knows who asks.
    Stranger,
    /// A match log is to be audited.
    Log,
}

/// A request does not get the memory it asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoRoom {
    /// Other requests hold it.
    Now,
    /// No request of its kind gets so much.
    Ever,
}

impl Memory {
    /// A share of nothing yet.
    pub fn share(&self, of: Whose) -> MemoryShare {
        MemoryShare { memory: self.clone(), bytes: 0, of }
    }
}

impl MemoryShare {
    /// Takes so many bytes more.
    pub fn take(&mut self, more: usize) -> Result<(), NoRoom> {
        let size = self.bytes.saturating_add(more);
        let ceiling = ceiling(self.of, size);
        if size > ceiling {
            return Err(NoRoom::Ever);
        }
        let taken = |taken: usize| taken.checked_add(more).filter(|taken| *taken <= ceiling);
        self.memory
            .taken
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, taken)
            .map_err(|_| NoRoom::Now)?;
        self.bytes += more;
        Ok(())
    }

    /// All of it, for somebody else to give back.
    pub fn move_out(&mut self) -> MemoryShare {
        MemoryShare { memory: self.memory.clone(), bytes: std::mem::take(&mut self.bytes), of: self.of }
    }

    /// Takes what a tree of so many JSON values needs.
    pub fn take_for_values(&mut self, values: usize) -> Result<(), NoRoom> {
        self.take(values.saturating_mul(OF_A_VALUE))
    }
}

impl Drop for MemoryShare {
    fn drop(&mut self) {
        self.memory.taken.fetch_sub(self.bytes, Ordering::Relaxed);
    }
}

/// How much may be taken in all for a request of this size to get its share. What logs cannot fill is left for the others, and
/// what strangers cannot fill for small requests with a token, so that a ball is counted whoever else asks for what.
fn ceiling(of: Whose, size: usize) -> usize {
    if of == Whose::Log || size > MIDDLE {
        TOTAL - 2 * RESERVE
    } else if of == Whose::Stranger || size > SMALL {
        TOTAL - RESERVE
    } else {
        TOTAL
    }
}

impl From<NoRoom> for Problem {
    fn from(none: NoRoom) -> Problem {
        match none {
            NoRoom::Now => Problem::new(
                ProblemType::NoRoom,
                "other requests hold all the memory there is for bodies; try again",
            ),
            NoRoom::Ever => {
                let message = "the body has so many bytes and JSON values that it takes more memory than there is for one";
                Problem::at(ProblemType::BodyTooLarge, "body", message)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_taken_is_given_back_and_large_requests_leave_room_for_small_ones() {
        let memory = Memory::default();
        let mut large = memory.share(Whose::Log);
        assert_eq!(large.take(40 << 20), Ok(()));
        let mut another = memory.share(Whose::Log);
        assert_eq!(another.take(8 << 20), Ok(()));
        assert_eq!((large.take(1), another.take(1)), (Err(NoRoom::Now), Err(NoRoom::Now)));
        let mut middle: Vec<MemoryShare> = (0..17).map(|_| memory.share(Whose::Stranger)).collect();
        let taken: Vec<_> = middle.iter_mut().map(|share| share.take(1 << 20)).collect();
        assert_eq!(taken.iter().filter(|taken| taken.is_ok()).count(), 16);
        // However small they are, what nobody knows does not fill what is kept for balls.
        assert_eq!(memory.share(Whose::Stranger).take(1), Err(NoRoom::Now));
        assert_eq!(memory.share(Whose::Log).take(1), Err(NoRoom::Now));
        let mut small: Vec<MemoryShare> = (0..300).map(|_| memory.share(Whose::Known)).collect();
        let taken: Vec<_> = small.iter_mut().map(|share| share.take(64 << 10)).collect();
        assert_eq!(taken.iter().filter(|taken| taken.is_ok()).count(), 256);
        drop((another, middle, small));
        assert_eq!(large.take(8 << 20), Ok(()));
        drop(large);
        assert_eq!(memory.taken.load(Ordering::Relaxed), 0);
    }

    #[test]
    fn no_size_is_too_large_to_be_refused() {
        let mut share = Memory::default().share(Whose::Known);
        assert_eq!(share.take(usize::MAX), Err(NoRoom::Ever));
        assert_eq!(share.take_for_values(usize::MAX), Err(NoRoom::Ever));
        assert_eq!(share.take(1), Ok(()));
    }
}
