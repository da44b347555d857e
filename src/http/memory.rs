//! The memory that all requests together may take, for their bodies and for the values that are read from
//! them.
//!
//! A request takes memory as it needs it, and gives it back when it ends, even if its client has vanished. A
//! request that does not fit is refused at once: a request that waited for memory while it holds some could
//! wait for ever.

use crate::commands::{Problem, ProblemType};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The memory for all requests together, in bytes.
pub const TOTAL: usize = 80 << 20;
/// The size of a small request, such as a ball or a toss, with all values that are read from it, in bytes.
pub const SMALL: usize = 64 << 10;
/// The size of any body that is not a match log, with all values that are read from it, in bytes. An edition
/// with very many values may take more.
const MIDDLE: usize = 4 << 20;
/// The part of the total that each class of requests leaves free for the classes of smaller ones.
const RESERVE: usize = 16 << 20;
/// The most memory that a JSON value takes, in bytes. The worst case is an object of one member, two values
/// in a node with room for eleven.
const BYTES_PER_VALUE: usize = 350;

/// The memory for the requests of a service.
#[derive(Debug, Clone, Default)]
pub struct Memory {
    taken: Arc<AtomicUsize>,
}

/// A request's share of the memory, given back when it is dropped.
#[derive(Debug)]
pub struct MemoryShare {
    memory: Memory,
    bytes: usize,
    of: MemoryClass,
}

/// The class of a request, which decides how much memory it leaves free for others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MemoryClass {
    /// A request with a token of its match, or with the admin's.
    Known,
    /// A request without a valid token.
    Stranger,
    /// A match log to be audited.
    Log,
}

/// The refusal of memory to a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MemoryRefused {
    /// Other requests hold the memory now.
    Now,
    /// No request of this class may take so much.
    Ever,
}

impl Memory {
    /// An empty share for a request of this class.
    pub fn share(&self, of: MemoryClass) -> MemoryShare {
        MemoryShare { memory: self.clone(), bytes: 0, of }
    }
}

impl MemoryShare {
    /// Takes this number of bytes more.
    pub fn take(&mut self, more: usize) -> Result<(), MemoryRefused> {
        let size = self.bytes.saturating_add(more);
        let ceiling = ceiling(self.of, size);
        if size > ceiling {
            return Err(MemoryRefused::Ever);
        }
        let taken = |taken: usize| taken.checked_add(more).filter(|taken| *taken <= ceiling);
        self.memory
            .taken
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, taken)
            .map_err(|_| MemoryRefused::Now)?;
        self.bytes += more;
        Ok(())
    }

    /// Moves all bytes of this share to a new one, which gives them back later.
    pub fn move_out(&mut self) -> MemoryShare {
        MemoryShare { memory: self.memory.clone(), bytes: std::mem::take(&mut self.bytes), of: self.of }
    }

    /// Takes the memory of a tree of this number of JSON values.
    pub fn take_for_values(&mut self, values: usize) -> Result<(), MemoryRefused> {
        self.take(values.saturating_mul(BYTES_PER_VALUE))
    }
}

impl Drop for MemoryShare {
    fn drop(&mut self) {
        self.memory.taken.fetch_sub(self.bytes, Ordering::Relaxed);
    }
}

/// The most memory that may be taken in all, for a request of this class and size to get its share. Logs
/// leave a part free for all others, and strangers leave a part free for small requests with a token; so a
/// ball can be recorded whatever else is asked of the service.
fn ceiling(of: MemoryClass, size: usize) -> usize {
    if of == MemoryClass::Log || size > MIDDLE {
        TOTAL - 2 * RESERVE
    } else if of == MemoryClass::Stranger || size > SMALL {
        TOTAL - RESERVE
    } else {
        TOTAL
    }
}

impl From<MemoryRefused> for Problem {
    fn from(none: MemoryRefused) -> Problem {
        match none {
            MemoryRefused::Now => Problem::new(
                ProblemType::NoRoom,
                "other requests hold all the memory for bodies now; try again",
            ),
            MemoryRefused::Ever => {
                let message = "the body has so many bytes and JSON values that it needs more memory than one request may take";
                Problem::at(ProblemType::BodyTooLarge, "body", message)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn permits_return_and_large_requests_leave_room_for_small_ones() {
        let memory = Memory::default();
        let mut large = memory.share(MemoryClass::Log);
        assert_eq!(large.take(40 << 20), Ok(()));
        let mut another = memory.share(MemoryClass::Log);
        assert_eq!(another.take(8 << 20), Ok(()));
        assert_eq!((large.take(1), another.take(1)), (Err(MemoryRefused::Now), Err(MemoryRefused::Now)));
        let mut middle: Vec<MemoryShare> = (0..17).map(|_| memory.share(MemoryClass::Stranger)).collect();
        let taken: Vec<_> = middle.iter_mut().map(|share| share.take(1 << 20)).collect();
        assert_eq!(taken.iter().filter(|taken| taken.is_ok()).count(), 16);
        // Requests without a token, however small, cannot take the memory that is kept for balls.
        assert_eq!(memory.share(MemoryClass::Stranger).take(1), Err(MemoryRefused::Now));
        assert_eq!(memory.share(MemoryClass::Log).take(1), Err(MemoryRefused::Now));
        let mut small: Vec<MemoryShare> = (0..300).map(|_| memory.share(MemoryClass::Known)).collect();
        let taken: Vec<_> = small.iter_mut().map(|share| share.take(64 << 10)).collect();
        assert_eq!(taken.iter().filter(|taken| taken.is_ok()).count(), 256);
        drop((another, middle, small));
        assert_eq!(large.take(8 << 20), Ok(()));
        drop(large);
        assert_eq!(memory.taken.load(Ordering::Relaxed), 0);
    }

    #[test]
    fn no_size_is_too_large_to_be_refused() {
        let mut share = Memory::default().share(MemoryClass::Known);
        assert_eq!(share.take(usize::MAX), Err(MemoryRefused::Ever));
        assert_eq!(share.take_for_values(usize::MAX), Err(MemoryRefused::Ever));
        assert_eq!(share.take(1), Ok(()));
    }
}
