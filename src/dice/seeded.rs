//! Dice from a seed: a draw is a position in a stream of ChaCha20.

use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use super::{Dice, DiceFault, Draw, MatchSeed};

const BLOCK: usize = 64;
/// `rand_chacha` makes four blocks at a time, and consecutive balls are consecutive blocks.
const WINDOW: u64 = 4;
const SPARE_DOMAIN: u64 = 256;
const MOST_SIDES: usize = 256;

/// What a roll needs of a number of sides. The shuffle of a bag divides by 209 numbers in turn, and a
/// division takes longer than a multiplication.
#[derive(Clone, Copy)]
struct Sides {
    /// A byte from this one on would favour the low faces.
    fair: u16,
    /// What a byte is multiplied by to divide it, in parts of 65,536.
    inverse: u32,
}

/// By the number of sides. No die has none or one.
static SIDES: [Sides; MOST_SIDES + 1] = {
    let mut all = [Sides { fair: 0, inverse: 0 }; MOST_SIDES + 1];
    let mut sides = 2;
    while sides <= MOST_SIDES {
        let (fair, inverse) = (256 - 256 % sides, 65_536 / sides + 1);
        all[sides] = Sides { fair: fair as u16, inverse: inverse as u32 };
        sides += 1;
    }
    all
};

impl Sides {
    /// The remainder of a byte divided by this number of sides. The inverse is too large by at most one part,
    /// and so its product with a byte by at most 255 parts, which are less than the 256th of one.
    #[inline]
    fn remainder(self, byte: u16, sides: u16) -> u16 {
        byte - ((u32::from(byte) * self.inverse) >> 16) as u16 * sides
    }
}

/// The dice of a seeded match.
pub struct SeededDice {
    stream: ChaCha20Rng,
    /// The domain of the draw.
    domain: u64,
    ordinal: u64,
    /// The blocks `first..first + WINDOW` of the domain, which are those before the stream's place; or, where
    /// `first` is `None`, a spare block.
    window: [u8; BLOCK * WINDOW as usize],
    first: Option<u64>,
    /// The bytes left of the draw, as indices into the window.
    next: usize,
    end: usize,
}

impl SeededDice {
    /// The dice of a match seed. A draw has to begin before the first roll.
    pub fn new(seed: &MatchSeed) -> SeededDice {
        SeededDice {
            stream: ChaCha20Rng::from_seed(seed.0),
            domain: 0,
            ordinal: 0,
            window: [0; BLOCK * WINDOW as usize],
            first: None,
            next: 0,
            end: 0,
        }
    }

    fn seek(&mut self, domain: u64, ordinal: u64) {
        self.stream.set_stream(domain);
        self.stream.set_word_pos(16 * u128::from(ordinal));
    }

    /// Moves the window on, so that it begins with this draw.
    fn slide(&mut self, domain: u64, ordinal: u64) {
        let follows = |first: u64| first.checked_add(WINDOW) == Some(ordinal);
        if self.domain != domain || !self.first.is_some_and(follows) {
            self.seek(domain, ordinal);
        }
        self.stream.fill_bytes(&mut self.window);
        self.first = Some(ordinal);
    }

    /// Continues with the spare domain once the bytes of the draw have run out.
    #[cold]
    fn open_spare(&mut self) {
        self.domain += SPARE_DOMAIN;
        self.seek(self.domain, self.ordinal);
        self.stream.fill_bytes(&mut self.window[..BLOCK]);
        self.first = None;
        (self.next, self.end) = (0, BLOCK);
    }

    #[inline]
    fn next_byte(&mut self) -> u8 {
        if self.next == self.end {
            self.open_spare();
        }
        let byte = self.window[self.next];
        self.next += 1;
        byte
    }

    /// Rolls the next die: 1 to `sides`. A byte that would favour the low faces is skipped.
    ///
    /// # Panics
    /// A die with fewer than 2 or more than 256 sides panics: there is no such die.
    #[inline]
    pub fn die(&mut self, sides: u16) -> u16 {
        assert!((2..=256).contains(&sides), "a die has 2 to 256 sides");
        let kind = SIDES[usize::from(sides)];
        loop {
            let byte = u16::from(self.next_byte());
            if byte < kind.fair {
                return kind.remainder(byte, sides) + 1;
            }
        }
    }

    /// Shuffles up to 256 values in place.
    pub fn shuffle<T>(&mut self, values: &mut [T]) {
        for i in (1..values.len()).rev() {
            let j = self.die(i as u16 + 1) - 1;
            values.swap(i, usize::from(j));
        }
    }
}

impl Dice for SeededDice {
    #[inline]
    fn begin(&mut self, draw: Draw) {
        let domain = draw.domain as u64;
        let within = |first: u64| draw.ordinal.wrapping_sub(first) < WINDOW;
        if self.domain != domain || !self.first.is_some_and(within) {
            self.slide(domain, draw.ordinal);
        }
        (self.domain, self.ordinal) = (domain, draw.ordinal);
        self.next = BLOCK * (draw.ordinal - self.first.unwrap_or(draw.ordinal)) as usize;
        self.end = self.next + BLOCK;
    }

    #[inline]
    fn roll(&mut self, _what: &'static str, sides: u16) -> Result<u16, DiceFault> {
        Ok(self.die(sides))
    }

    fn deal(&mut self, from: &[u8], take: usize) -> Result<Vec<u8>, DiceFault> {
        let mut shuffled = from.to_vec();
        self.shuffle(&mut shuffled);
        shuffled.truncate(take);
        Ok(shuffled)
    }

    #[inline]
    fn end(&mut self) -> Result<(), DiceFault> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dice::ServerSeed;

    #[test]
    fn each_byte_leaves_the_remainder_of_a_division_for_each_number_of_sides() {
        for (sides, kind) in (2..=256).zip(&SIDES[2..]) {
            assert_eq!(kind.fair, 256 - 256 % sides);
            assert_eq!((0..256).find(|byte| kind.remainder(*byte, sides) != byte % sides), None, "{sides}");
        }
    }

    #[test]
    fn a_draw_gives_equal_bytes_alone_and_in_a_row() {
        let seed = ServerSeed::from_hex(&"5a".repeat(32)).unwrap().match_seed(&[]);
        let roll = |dice: &mut SeededDice, delivery| {
            dice.begin(Draw::ball(delivery));
            (0..80).map(|_| dice.die(6)).collect::<Vec<_>>()
        };
        let mut in_a_row = SeededDice::new(&seed);
        for delivery in 1..=12 {
            let mut alone = SeededDice::new(&seed);
            assert_eq!(roll(&mut in_a_row, delivery), roll(&mut alone, delivery), "delivery {delivery}");
        }
    }
}
