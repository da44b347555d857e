/// A cup of dice for the table; equal seeds throw equal dice (SplitMix64).
pub struct Cup(u64);

impl Cup {
    pub fn new(seed: u64) -> Cup {
        Cup(seed)
    }

    /// A number from 1 to `sides`.
    pub fn throw(&mut self, sides: u64) -> i64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % sides) as i64 + 1
    }

    /// One of these things, each with the same chance.
    pub fn pick<T: Clone>(&mut self, things: &[T]) -> T {
        things[self.throw(things.len() as u64) as usize - 1].clone()
    }
}
