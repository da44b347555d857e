//! Pseudo-random numbers that are the same in every run, and matches whose inputs are chosen by bytes.

mod inputs;
mod plans;

use third_umpire::dice::{Dice, DiceFault, Draw};

pub use inputs::{legal_input, step};
pub use plans::{Plan, any_json, cases, cricket_plans, howzat_plans, plans, short_howzat_plans, short_plans};

/// The state of a generator of numbers (Knuth's MMIX).
pub struct Lcg(pub u64);

impl Lcg {
    fn advance(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.0
    }

    /// A number below `n`.
    pub fn below(&mut self, n: usize) -> usize {
        (self.advance() >> 33) as usize % n
    }

    pub fn byte(&mut self) -> u8 {
        (self.advance() >> 56) as u8
    }
}

/// Bytes that make choices: those given and, when they run out, others that follow from their count.
///
/// As [`Dice`] they are dice that are rolled at the table.
#[derive(Debug, Clone)]
pub struct Chooser {
    bytes: Vec<u8>,
    at: usize,
}

impl Chooser {
    pub fn new(bytes: Vec<u8>) -> Chooser {
        Chooser { bytes, at: 0 }
    }

    /// A number below `n`.
    pub fn below(&mut self, n: usize) -> usize {
        let byte = self.bytes.get(self.at).copied().map(usize::from);
        self.at += 1;
        byte.unwrap_or_else(|| scatter(self.at as u64 + ((self.bytes.len() as u64) << 32)) as usize) % n
    }

    pub fn once_in(&mut self, n: usize) -> bool {
        self.below(n) == n - 1
    }

    pub fn pick<'a, T>(&mut self, things: &'a [T]) -> &'a T {
        &things[self.below(things.len())]
    }
}

/// The finalizer of splitmix64.
fn scatter(n: u64) -> u64 {
    let n = n.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let n = (n ^ (n >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let n = (n ^ (n >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    (n ^ (n >> 31)) >> 8
}

impl Dice for Chooser {
    fn begin(&mut self, _draw: Draw) {}

    fn roll(&mut self, _what: &'static str, sides: u16) -> Result<u16, DiceFault> {
        Ok(self.below(usize::from(sides)) as u16 + 1)
    }

    fn deal(&mut self, _from: &[u8], _take: usize) -> Result<Vec<u8>, DiceFault> {
        Err(DiceFault::NotDealt)
    }

    fn end(&mut self) -> Result<(), DiceFault> {
        Ok(())
    }
}
