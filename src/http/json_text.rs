//! The JSON text of an answer, written in chunks. A text that grew in one piece would be moved again and
//! again.

use std::io::{self, Write};

use actix_web::web::Bytes;
use serde::Serialize;

use super::outgoing::in_own_pages;

/// The most bytes of a chunk.
const CHUNK: usize = 64 << 10;
/// The bytes that a first chunk has room for. Most answers have fewer.
const FIRST: usize = 4 << 10;

/// The JSON text of a value.
pub fn json_text(value: &impl Serialize) -> serde_json::Result<Bytes> {
    let mut chunks = Chunks::up_to(usize::MAX);
    serde_json::to_writer(&mut chunks, value)?;
    Ok(chunks.into_text())
}

/// The JSON text of a value; none where it has more than `most` bytes.
pub fn json_text_up_to(value: &impl Serialize, most: usize) -> serde_json::Result<Option<Bytes>> {
    let mut chunks = Chunks::up_to(most);
    match serde_json::to_writer(&mut chunks, value) {
        Ok(()) => Ok(Some(chunks.into_text())),
        Err(error) if error.is_io() => Ok(None),
        Err(error) => Err(error),
    }
}

/// A text in chunks.
struct Chunks {
    full: Vec<Vec<u8>>,
    last: Vec<u8>,
    /// The bytes that may still be written.
    room: usize,
}

impl Chunks {
    fn up_to(most: usize) -> Chunks {
        Chunks { full: Vec::new(), last: Vec::with_capacity(FIRST), room: most }
    }

    /// Writes a fragment for which the chunk has to grow, or to be followed by another one.
    #[cold]
    fn write_beyond(&mut self, mut bytes: &[u8]) -> io::Result<()> {
        self.room = self.room.checked_sub(bytes.len()).ok_or(io::ErrorKind::FileTooLarge)?;
        while bytes.len() > CHUNK - self.last.len() {
            let (fits, rest) = bytes.split_at(CHUNK - self.last.len());
            self.last.extend_from_slice(fits);
            self.full.push(std::mem::replace(&mut self.last, Vec::with_capacity(CHUNK)));
            bytes = rest;
        }
        self.last.extend_from_slice(bytes);
        Ok(())
    }

    fn into_text(mut self) -> Bytes {
        if self.full.is_empty() {
            return self.last.into();
        }
        self.full.push(self.last);
        in_own_pages(&self.full)
    }
}

impl Write for Chunks {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.write_all(bytes)?;
        Ok(bytes.len())
    }

    /// Writes a fragment, of which an answer has hundreds: nearly all fit into the chunk as it is. It stands
    /// at each place that writes a sign or two, where it copies without a call.
    #[inline(always)]
    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        if bytes.len() > self.last.capacity() - self.last.len() || bytes.len() > self.room {
            return self.write_beyond(bytes);
        }
        self.room -= bytes.len();
        self.last.extend_from_slice(bytes);
        Ok(())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_in_chunks_is_the_text() {
        for size in [0, 1, CHUNK - 2, CHUNK - 1, CHUNK, 3 * CHUNK + 7] {
            let value = ["x".repeat(size), "y".to_owned()];
            let text = serde_json::to_string(&value).expect("it is JSON");
            assert!(json_text(&value).expect("it is JSON") == text, "{size}");
            let up_to = |most| json_text_up_to(&value, most).expect("it is JSON");
            assert!(up_to(text.len()).expect("it fits") == text, "{size}");
            assert_eq!(up_to(text.len() - 1), None, "{size}");
        }
    }
}
