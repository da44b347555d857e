//! The dice of a kept ball: those that it had, and those that are entered after them.

use std::borrow::Cow;

use crate::dice::{Dice, DiceFault, Die, Draw};
use crate::log::Subject;
use crate::matches::{Match, REVIEW};
use crate::rules::{Choices, Play};

/// The dice of a ball at the table that is decided again: those that it had, as long as the same are asked in
/// the same order, and then those that are entered for it.
pub struct KeptDice<'a> {
    kept: &'a [Die],
    entered: &'a [i64],
    /// The number of the kept dice that were asked again.
    pub used: usize,
    rolled: usize,
    differs: bool,
}

impl<'a> KeptDice<'a> {
    /// The dice that a ball had, and those that are entered after them.
    pub fn new(kept: &'a [Die], entered: &'a [i64]) -> KeptDice<'a> {
        KeptDice { kept, entered, used: 0, rolled: 0, differs: false }
    }
}

impl Dice for KeptDice<'_> {
    fn begin(&mut self, _draw: Draw) {}

    fn roll(&mut self, what: &'static str, sides: u16) -> Result<u16, DiceFault> {
        let at = self.rolled;
        let kept = self.kept.get(self.used).filter(|die| die.what == what && die.sides == sides);
        if let Some(die) = kept.filter(|_| !self.differs) {
            (self.used, self.rolled) = (self.used + 1, at + 1);
            return Ok(die.value);
        }
        self.differs = true;
        let found = *self.entered.get(at - self.used).ok_or(DiceFault::Missing { at, what, sides })?;
        self.rolled += 1;
        match u16::try_from(found) {
            Ok(value) if (1..=sides).contains(&value) => Ok(value),
            _ => Err(DiceFault::Impossible { at, what, sides, found }),
        }
    }

    fn deal(&mut self, _from: &[u8], _take: usize) -> Result<Vec<u8>, DiceFault> {
        Err(DiceFault::NotDealt)
    }

    fn end(&mut self) -> Result<(), DiceFault> {
        let given = self.used + self.entered.len();
        if self.rolled == given { Ok(()) } else { Err(DiceFault::TooMany { used: self.rolled, given }) }
    }
}

/// The dice of an event of which only the faces are known, on the match before it: those that its choices ask
/// for. Of an event that cannot be decided from them there are none.
pub fn dice_with(before: &Match, subject: Subject, choices: &Choices, faces: &[u16]) -> Box<[Die]> {
    let play = match subject {
        Subject::Over { .. } => Play::Over(choices.clone()),
        Subject::Ball { .. } | Subject::Roll { .. } => Play::Ball(choices.clone()),
        Subject::Review { .. } => {
            let die = |value: &u16| Die { what: Cow::Borrowed(REVIEW), sides: 6, value: *value };
            return faces.iter().map(die).collect();
        }
        _ => return Box::default(),
    };
    let decided = before.play().decide(play, &mut Faces(faces));
    let data = decided.ok().and_then(|decided| decided.events.into_iter().next());
    data.map(|data| data.rolled().into()).unwrap_or_default()
}

/// Recorded dice of which only the faces are known, in order.
struct Faces<'a>(&'a [u16]);

impl Dice for Faces<'_> {
    fn are_recorded(&self) -> bool {
        true
    }

    fn begin(&mut self, _draw: Draw) {}

    fn roll(&mut self, what: &'static str, sides: u16) -> Result<u16, DiceFault> {
        let (value, rest) = self.0.split_first().ok_or(DiceFault::Missing { at: 0, what, sides })?;
        self.0 = rest;
        Ok(*value)
    }

    fn deal(&mut self, _from: &[u8], _take: usize) -> Result<Vec<u8>, DiceFault> {
        Err(DiceFault::NotDealt)
    }

    fn end(&mut self) -> Result<(), DiceFault> {
        if self.0.is_empty() { Ok(()) } else { Err(DiceFault::TooMany { used: 0, given: self.0.len() }) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dice(what: &[&'static str]) -> Vec<Die> {
        let die = |(value, what): (u16, &&'static str)| Die { what: Cow::Borrowed(*what), sides: 6, value };
        (1..).zip(what).map(die).collect()
    }

    #[test]
    fn kept_dice_count_up_to_the_first_that_differs_and_then_entered_ones() {
        let had = dice(&["bowl", "strike", "fielder"]);
        let mut dice = KeptDice::new(&had, &[5]);
        assert_eq!(dice.roll("bowl", 6), Ok(1));
        assert_eq!(dice.roll("extra", 6), Ok(5));
        assert_eq!(dice.roll("strike", 6), Err(DiceFault::Missing { at: 2, what: "strike", sides: 6 }));
        assert_eq!(dice.used, 1);
        assert_eq!(dice.end(), Ok(()));
    }

    #[test]
    fn an_entered_die_that_is_not_asked_is_refused_and_a_kept_one_is_not() {
        let had = dice(&["bowl", "strike"]);
        let mut dice = KeptDice::new(&had, &[]);
        assert_eq!((dice.roll("bowl", 6), dice.end()), (Ok(1), Ok(())));
        let mut dice = KeptDice::new(&had, &[4]);
        assert_eq!((dice.roll("bowl", 6), dice.roll("strike", 6)), (Ok(1), Ok(2)));
        assert_eq!(dice.end(), Err(DiceFault::TooMany { used: 2, given: 3 }));
    }
}
