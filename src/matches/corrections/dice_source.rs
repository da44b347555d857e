//! Where the dice of an event come from that is decided again: the log, a request, or the seed.

use crate::dice::{Dice, DiceFault, Die, Draw, RecordedDice, SeededDice, ServerSeed, TableDice};
use crate::log::{Ball, Over, RecordedPlay, Reviewed, Roll};
use crate::matches::Match;

/// The source of the dice for an event that is decided again.
pub(super) enum DiceSource<'a> {
    Over(&'a Over),
    Roll(&'a Roll),
    Ball(&'a Ball),
    Review(&'a Reviewed),
    Accepted,
    Entered(&'a [i64]),
}

impl DiceSource<'_> {
    /// The recorded play, which may have deals.
    fn played(&self) -> Option<RecordedPlay<'_>> {
        match self {
            DiceSource::Over(over) => Some(RecordedPlay::Over(over)),
            DiceSource::Roll(roll) => Some(RecordedPlay::Roll(roll)),
            DiceSource::Ball(ball) => Some(RecordedPlay::Ball(ball)),
            DiceSource::Review(_) | DiceSource::Accepted | DiceSource::Entered(_) => None,
        }
    }

    /// The dice in the log.
    fn recorded_dice(&self) -> &[Die] {
        match self {
            DiceSource::Review(made) => &made.dice,
            _ => self.played().map_or(&[], RecordedPlay::dice),
        }
    }

    pub(super) fn dice<'b>(
        &'b self,
        the_match: &Match,
        seed: Option<&ServerSeed>,
    ) -> Box<dyn RedecidedDice + 'b> {
        match (seed, self) {
            (Some(seed), _) => {
                let in_log = self.recorded_dice().len();
                let known = self.played().map(|played| the_match.play().dealt(played)).unwrap_or_default();
                let dice = the_match.remote().dice(seed);
                Box::new(FromSeed { dice, draw: Draw::TOSS, in_log, rolled: 0, known, is_dealt: false })
            }
            (None, DiceSource::Entered(values)) => Box::new(TableDice::new(values)),
            (None, _) => Box::new(RecordedDice::new(self.recorded_dice())),
        }
    }
}

/// Dice for an event that is decided again.
pub(super) trait RedecidedDice: Dice {
    /// Whether a die was rolled that the log does not have.
    fn has_new_dice(&self) -> bool {
        false
    }
}

impl RedecidedDice for RecordedDice<'_> {}

impl RedecidedDice for TableDice<'_> {}

impl RedecidedDice for FromSeed {
    fn has_new_dice(&self) -> bool {
        self.rolled > self.in_log || self.is_dealt
    }
}

/// The dice of a seed: those in the log, and new ones.
struct FromSeed {
    dice: SeededDice,
    draw: Draw,
    in_log: usize,
    rolled: usize,
    /// The deals that the log has.
    known: Vec<(Draw, Vec<u8>)>,
    /// Whether a deal was made that the log does not have.
    is_dealt: bool,
}

impl Dice for FromSeed {
    fn begin(&mut self, draw: Draw) {
        self.draw = draw;
        self.dice.begin(draw);
    }

    fn roll(&mut self, what: &'static str, sides: u16) -> Result<u16, DiceFault> {
        self.rolled += 1;
        self.dice.roll(what, sides)
    }

    /// Recorded choices are decided again, so the dice count as recorded.
    fn are_recorded(&self) -> bool {
        true
    }

    fn deal(&mut self, from: &[u8], take: usize) -> Result<Vec<u8>, DiceFault> {
        let dealt = self.dice.deal(from, take)?;
        self.is_dealt |= !self.known.iter().any(|known| *known == (self.draw, dealt.clone()));
        Ok(dealt)
    }

    fn end(&mut self) -> Result<(), DiceFault> {
        self.dice.end()
    }
}
