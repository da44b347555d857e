//! The cubes: the numbers on their faces, the cubes in the bag, and how they are dealt.

use serde_json::Value;
use smallvec::SmallVec;

use super::duel::ByDuty;
use crate::dice::{Dice, DiceFault, Draw};

/// The number of cubes in a set.
pub const CUBES: usize = 210;
/// The number of faces of a cube, one in each colour.
pub const FACES: usize = 6;
/// The highest number on a face; the lowest is 0.
pub const MOST_NUMBER: u8 = 9;
/// The number of cubes that a side gets for an over: one a ball.
pub const HAND: usize = 6;

/// The numbers on the faces of every cube, colour by colour.
pub type Cubes = [[u8; FACES]; CUBES];
/// Six cubes of a side for an over, in some order.
pub type Six = [u8; HAND];

/// Reads a number that a face can show.
pub fn number(value: &Value) -> Option<u8> {
    value.as_u64().filter(|number| *number <= u64::from(MOST_NUMBER)).map(|number| number as u8)
}

/// The built-in cubes: cube `k` shows `(k + 3c) mod 10` in colour `c`, so that every number appears 21 times
/// in every colour.
pub fn built_in_cubes() -> Cubes {
    std::array::from_fn(|k| std::array::from_fn(|c| ((k + 3 * c) % 10) as u8))
}

/// The cubes left in the bag: cube `k` is bit `k`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bag([u64; 4]);

impl Bag {
    /// The bag with all its cubes.
    pub const FULL: Bag = Bag([u64::MAX, u64::MAX, u64::MAX, (1 << (CUBES - 192)) - 1]);

    /// The number of cubes left.
    pub fn count(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Takes a cube out of the bag.
    pub fn take(&mut self, cube: u8) {
        self.0[usize::from(cube / 64)] &= !(1 << (cube % 64));
    }

    /// The cubes left, in ascending order.
    pub fn left(&self) -> SmallVec<[u8; 256]> {
        let (mut left, mut count) = ([0; 256], 0);
        for (at, word) in (0u8..).zip(self.0) {
            let mut word = word;
            while word != 0 {
                left[count] = 64 * at + word.trailing_zeros() as u8;
                count += 1;
                word &= word - 1;
            }
        }
        SmallVec::from_buf_and_len(left, count)
    }

    /// The bag from which the next over is dealt: this one, or a full one when too few cubes are left.
    pub fn for_an_over(self) -> Bag {
        if self.is_too_small() { Bag::FULL } else { self }
    }

    /// Whether fewer cubes are left than an over needs.
    pub fn is_too_small(&self) -> bool {
        self.count() < 2 * HAND
    }
}

/// Deals an over from a bag by its draw: the first six cubes to the bowling side, the next six to the batting
/// side. The bag does not change, so a second deal of this over gives equal cubes.
pub fn deal<D: Dice + ?Sized>(bag: Bag, draw: Draw, dice: &mut D) -> Result<ByDuty<Six>, DiceFault> {
    let left = bag.for_an_over().left();
    dice.begin(draw);
    let dealt = dice.deal(&left, 2 * HAND)?;
    match *dealt.as_slice() {
        [a, b, c, d, e, f, g, h, i, j, k, l] => {
            Ok(ByDuty { bowling: [a, b, c, d, e, f], batting: [g, h, i, j, k, l] })
        }
        _ => Err(DiceFault::Misdealt { take: 2 * HAND, there: left.len() }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_appears_21_times_in_every_colour_of_the_built_in_bag() {
        let cubes = built_in_cubes();
        assert_eq!((cubes[0], cubes[209]), ([0, 3, 6, 9, 2, 5], [9, 2, 5, 8, 1, 4]));
        for colour in 0..FACES {
            for number in 0..=MOST_NUMBER {
                assert_eq!(cubes.iter().filter(|cube| cube[colour] == number).count(), 21);
            }
        }
    }

    #[test]
    fn a_bag_holds_the_cubes_not_taken_in_ascending_order_and_is_refilled_below_twelve() {
        let mut bag = Bag::FULL;
        assert!(bag.left().iter().copied().eq(0..CUBES as u8));
        [0, 63, 64, 128, 209].into_iter().for_each(|cube| bag.take(cube));
        assert_eq!(bag.count(), 205);
        assert_eq!(bag.left()[..2], [1, 2]);
        assert_eq!(bag.left()[60..64], [61, 62, 65, 66]);
        assert_eq!(bag.left().last(), Some(&208));
        (12..CUBES as u8).for_each(|cube| bag.take(cube));
        assert_eq!((bag.count(), bag.is_too_small()), (11, true));
        assert_eq!(bag.for_an_over(), Bag::FULL);
    }
}
