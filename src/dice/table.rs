//! Table dice: rolled by hand, and entered by a person.

use super::{Dice, DiceFault, Draw, none_left};

/// Dice that were rolled by hand, as entered, in the order rolled.
pub struct TableDice<'a> {
    values: &'a [i64],
    used: usize,
}

impl<'a> TableDice<'a> {
    /// The dice that were entered; each value is checked when its die is rolled.
    pub fn new(values: &'a [i64]) -> TableDice<'a> {
        TableDice { values, used: 0 }
    }
}

impl Dice for TableDice<'_> {
    fn begin(&mut self, _draw: Draw) {}

    fn roll(&mut self, what: &'static str, sides: u16) -> Result<u16, DiceFault> {
        let at = self.used;
        let found = *self.values.get(at).ok_or(DiceFault::Missing { at, what, sides })?;
        self.used += 1;
        match u16::try_from(found) {
            Ok(value) if (1..=sides).contains(&value) => Ok(value),
            _ => Err(DiceFault::Impossible { at, what, sides, found }),
        }
    }

    fn deal(&mut self, _from: &[u8], _take: usize) -> Result<Vec<u8>, DiceFault> {
        Err(DiceFault::NotDealt)
    }

    fn end(&mut self) -> Result<(), DiceFault> {
        none_left(self.used, self.values.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn table_dice_name_the_die_that_is_wrong() {
        let mut dice = TableDice::new(&[7]);
        let fault = dice.roll("bowl", 6).unwrap_err();
        assert_eq!(fault.to_string(), "the bowl die has 6 sides and cannot show 7");
        let mut dice = TableDice::new(&[1, 2]);
        dice.roll("bowl", 6).unwrap();
        assert_eq!(dice.end().unwrap_err().to_string(), "2 dice are given, but only 1 are rolled");
    }
}
