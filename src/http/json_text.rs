//! The JSON text of an answer, written in chunks. A text that grew in one piece would be moved again and
//! again. When it is dropped, the allocator of glibc takes its size as usual, and from then on each thread
//! keeps twice as many free bytes.

use std::io::{self, Write};

use actix_web::web::Bytes;
use serde::Serialize;

use super::outgoing::in_own_pages;

/// The most bytes of a chunk.
const CHUNK: usize = 64 << 10;
/// The bytes that a first chunk has room for. Most answers have fewer.
const FIRST: usize = 2 << 10;

/// The JSON text of a value.
pub fn json_text(value: &impl Serialize) -> serde_json::Result<Bytes> {
    let mut chunks = Chunks { full: Vec::new(), last: Vec::with_capacity(FIRST) };
    serde_json::to_writer(&mut chunks, value)?;
    if chunks.full.is_empty() {
        return Ok(chunks.last.into());
    }
    chunks.full.push(chunks.last);
    Ok(in_own_pages(&chunks.full))
}

/// A text in chunks.
struct Chunks {
    full: Vec<Vec<u8>>,
    last: Vec<u8>,
}

impl Write for Chunks {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.last.len() == CHUNK {
            self.full.push(std::mem::replace(&mut self.last, Vec::with_capacity(CHUNK)));
        }
        let written = bytes.len().min(CHUNK - self.last.len());
        self.last.extend_from_slice(&bytes[..written]);
        Ok(written)
    }

    /// Writes a fragment, of which an answer has hundreds: most fit into the chunk whole.
    fn write_all(&mut self, mut bytes: &[u8]) -> io::Result<()> {
        while bytes.len() > CHUNK - self.last.len() {
            let written = self.write(bytes)?;
            bytes = &bytes[written..];
        }
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
        }
    }
}
