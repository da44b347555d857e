//! Random edits of a log's bytes, by somebody who does not know what they mean.

use std::ops::Range;

use crate::random::Lcg;

/// A range of up to sixty bytes.
fn span(random: &mut Lcg, length: usize) -> Range<usize> {
    let from = random.below(length);
    from..(from + random.below(60)).min(length)
}

/// The log with a range of bytes taken out, put in, or replaced; the new bytes are the log's own or any.
pub fn edited(log: &[u8], random: &mut Lcg) -> Vec<u8> {
    let gone = span(random, log.len());
    let gone = if random.below(3) == 0 { gone.start..gone.start } else { gone };
    let new: Vec<u8> = match random.below(3) {
        0 => Vec::new(),
        1 => log[span(random, log.len())].to_vec(),
        _ => (0..random.below(20)).map(|_| random.below(256) as u8).collect(),
    };
    [&log[..gone.start], &new, &log[gone.end..]].concat()
}
