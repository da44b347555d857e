//! The codings of answers: gzip and brotli.
//!
//! A text is compressed in pieces, and each piece on its own: between two pieces an answer that waits for its
//! client keeps no window and no tables, which would take more memory than the answer. The pieces of a coding
//! are put one after the other, as both formats allow.

use std::io::{self, Write};

use actix_web::http::header::{ACCEPT_ENCODING, HeaderMap};
use brotli::BrotliCompress;
use brotli::enc::BrotliEncoderParams;
use brotli::enc::backward_references::BrotliEncoderMode;
use flate2::write::DeflateEncoder;
use flate2::{Compression, Crc};

/// A coding of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Coding {
    /// Brotli, `br` in headers.
    Brotli,
    /// gzip, the older of the two, which every client has.
    Gzip,
}

impl Coding {
    /// All codings. Of two that a client likes as much, the first is taken: it makes the smaller answer.
    pub const ALL: [Coding; 2] = [Coding::Brotli, Coding::Gzip];

    /// The name in `Content-Encoding`.
    pub fn name(self) -> &'static str {
        match self {
            Coding::Brotli => "br",
            Coding::Gzip => "gzip",
        }
    }

    /// The end of the entity tags of representations in this coding.
    pub fn tag_suffix(self) -> &'static str {
        match self {
            Coding::Brotli => "-br",
            Coding::Gzip => "-gz",
        }
    }

    /// The coding that a client likes best; none if it likes the text as it is better, or says nothing.
    pub fn preferred(headers: &HeaderMap) -> Option<Coding> {
        let accepted = Accepted::of(headers);
        let as_it_is = accepted.named("identity").unwrap_or(0.0);
        let weighed = Coding::ALL.map(|coding| (coding, accepted.weight(coding)));
        let liked = weighed.into_iter().filter(|(_, weight)| *weight > 0.0 && *weight >= as_it_is);
        // The first of equals wins.
        liked.reduce(|best, next| if next.1 > best.1 { next } else { best }).map(|(coding, _)| coding)
    }

    /// Whether a client accepts this coding.
    pub fn is_accepted(self, headers: &HeaderMap) -> bool {
        Accepted::of(headers).weight(self) > 0.0
    }
}

/// The codings in `Accept-Encoding`, with their weights from 0 to 1. An item that cannot be read is left out.
struct Accepted<'a>(Vec<(&'a str, f32)>);

impl<'a> Accepted<'a> {
    fn of(headers: &'a HeaderMap) -> Accepted<'a> {
        let lines = headers.get_all(ACCEPT_ENCODING).filter_map(|line| line.to_str().ok());
        Accepted(lines.flat_map(|line| line.split(',')).filter_map(weighted).collect())
    }

    fn named(&self, name: &str) -> Option<f32> {
        self.0.iter().find(|(named, _)| named.eq_ignore_ascii_case(name)).map(|(_, weight)| *weight)
    }

    fn weight(&self, coding: Coding) -> f32 {
        self.named(coding.name()).or_else(|| self.named("*")).unwrap_or(0.0)
    }
}

/// A coding with its weight.
fn weighted(item: &str) -> Option<(&str, f32)> {
    let (name, weight) = match item.split_once(';') {
        None => (item, 1.0),
        Some((name, parameter)) => {
            let weight = parameter.trim().strip_prefix(['q', 'Q'])?.trim_start().strip_prefix('=')?;
            (name, weight.trim().parse().ok().filter(|weight| (0.0..=1.0).contains(weight))?)
        }
    };
    Some((name.trim(), weight))
}

/// The quality of brotli. A higher one takes several times as long.
const QUALITY: i32 = 4;
/// The window of brotli, as a power of two. All pieces of an answer need the same.
const WINDOW: i32 = 18;
/// The head of gzip data: deflate, no name, no time, an unknown system.
const GZIP_HEAD: [u8; 10] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff];
/// An empty last block of deflate data.
const LAST_BLOCK: [u8; 2] = [3, 0];
/// The end of brotli data that begins with a piece, and brotli data of no bytes.
const BROTLI_END: [u8; 1] = [3];
const BROTLI_OF_NOTHING: [u8; 1] = [6];

/// An encoder of one answer, which keeps next to nothing between two pieces.
pub struct Encoder {
    coding: Coding,
    has_begun: bool,
    /// The checksum and the length of the text so far, which gzip ends with.
    checksum: Crc,
}

impl Encoder {
    /// An encoder at the beginning of an answer.
    pub fn new(coding: Coding) -> Encoder {
        Encoder { coding, has_begun: false, checksum: Crc::new() }
    }

    /// The next piece of the text in this coding.
    pub fn piece(&mut self, text: &[u8]) -> io::Result<Vec<u8>> {
        let is_first = !std::mem::replace(&mut self.has_begun, true);
        let bytes = Vec::with_capacity(text.len() / 4 + GZIP_HEAD.len());
        match self.coding {
            Coding::Brotli => brotli_piece(bytes, text, is_first),
            Coding::Gzip => {
                self.checksum.update(text);
                gzip_piece(bytes, text, is_first)
            }
        }
    }

    /// The end of the answer.
    pub fn end(self) -> Vec<u8> {
        match (self.coding, self.has_begun) {
            (Coding::Brotli, true) => BROTLI_END.to_vec(),
            (Coding::Brotli, false) => BROTLI_OF_NOTHING.to_vec(),
            (Coding::Gzip, has_begun) => {
                let mut bytes = if has_begun { Vec::new() } else { GZIP_HEAD.to_vec() };
                bytes.extend(LAST_BLOCK);
                bytes.extend(self.checksum.sum().to_le_bytes());
                bytes.extend(self.checksum.amount().to_le_bytes());
                bytes
            }
        }
    }
}

/// A piece of deflate data without a last block, after the head of gzip if it is the first.
fn gzip_piece(mut bytes: Vec<u8>, text: &[u8], is_first: bool) -> io::Result<Vec<u8>> {
    if is_first {
        bytes.extend(GZIP_HEAD);
    }
    let mut encoder = DeflateEncoder::new(bytes, Compression::default());
    encoder.write_all(text)?;
    encoder.flush()?;
    Ok(std::mem::take(encoder.get_mut()))
}

/// A piece of brotli data without an end. Only the first has a head, and may use the dictionary of brotli: to
/// find a word there, a decoder has to know how much text came before.
fn brotli_piece(mut bytes: Vec<u8>, text: &[u8], is_first: bool) -> io::Result<Vec<u8>> {
    let parameters = BrotliEncoderParams {
        mode: BrotliEncoderMode::BROTLI_MODE_TEXT,
        quality: QUALITY,
        lgwin: WINDOW,
        size_hint: text.len(),
        bare_stream: true,
        byte_align: true,
        appendable: true,
        catable: !is_first,
        use_dictionary: is_first,
        ..BrotliEncoderParams::default()
    };
    BrotliCompress(&mut &*text, &mut bytes, &parameters)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use actix_web::http::header::HeaderValue;

    use super::*;

    fn decoded(coding: Coding, bytes: &[u8]) -> Vec<u8> {
        let mut text = Vec::new();
        let read = match coding {
            Coding::Gzip => flate2::read::GzDecoder::new(bytes).read_to_end(&mut text),
            Coding::Brotli => brotli::Decompressor::new(bytes, 4_096).read_to_end(&mut text),
        };
        read.unwrap_or_else(|error| panic!("{} cannot be read: {error}", coding.name()));
        text
    }

    #[test]
    fn a_text_in_pieces_is_read_back_whole() {
        let texts: [Vec<u8>; 5] = [
            b"x".to_vec(),
            b"the third umpire gave it out, and the umpire at the other end gave it not out".repeat(300),
            vec![7; 300_000],
            (0..200_000_u32).map(|n| (n.wrapping_mul(n) >> 7) as u8).collect(),
            (0..9_000_u32)
                .flat_map(|n| format!("{{\"seq\":{n},\"runs\":{}}}\n", n % 7).into_bytes())
                .collect(),
        ];
        for coding in Coding::ALL {
            for text in &texts {
                for size in [1_000, 32 << 10, 1 << 20] {
                    let (mut encoder, mut bytes) = (Encoder::new(coding), Vec::new());
                    text.chunks(size)
                        .for_each(|part| bytes.extend(encoder.piece(part).expect("memory takes all")));
                    bytes.extend(encoder.end());
                    assert!(decoded(coding, &bytes) == *text, "{coding:?} of {} in {size}", text.len());
                }
            }
            assert_eq!(decoded(coding, &Encoder::new(coding).end()), b"");
            let events = Encoder::new(coding).piece(&texts[4][..32 << 10]).expect("memory takes all");
            assert!(events.len() * 3 < 32 << 10, "{coding:?} makes {}", events.len());
        }
    }

    #[test]
    fn the_coding_that_a_client_likes_best_is_taken() {
        for (lines, preferred) in [
            (&[][..], None),
            (&[""], None),
            (&["gzip"], Some(Coding::Gzip)),
            (&["GZip"], Some(Coding::Gzip)),
            (&["gzip, deflate, br, zstd"], Some(Coding::Brotli)),
            (&["gzip", "br"], Some(Coding::Brotli)),
            (&["gzip;q=1.0, br;q=0.9"], Some(Coding::Gzip)),
            (&["*"], Some(Coding::Brotli)),
            (&["br;q=0, *"], Some(Coding::Gzip)),
            (&["gzip;q=0.001"], Some(Coding::Gzip)),
            (&["gzip; q=0.5, identity;q=0.5"], Some(Coding::Gzip)),
            (&["identity, gzip;q=0.5"], None),
            (&["gzip;q=0"], None),
            (&["*;q=0"], None),
            (&["zstd, deflate"], None),
            (&["gzip;q=2"], None),
            (&["gzip;q=nan"], None),
            (&["gzip;level=9"], None),
            (&[";q=1"], None),
        ] {
            let mut headers = HeaderMap::new();
            lines.iter().for_each(|line| headers.append(ACCEPT_ENCODING, HeaderValue::from_static(line)));
            assert_eq!(Coding::preferred(&headers), preferred, "{lines:?}");
        }
    }
}
