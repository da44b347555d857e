//! Recorded dice: those of a log, and a wrapper that notes dice for the log.

use std::borrow::Cow;

use super::{Deals, Dice, DiceFault, Die, Draw, none_left};

/// The dice and the deals of a recorded event.
pub struct RecordedDice<'a> {
    dice: &'a [Die],
    used: usize,
    draw: Draw,
    to_deal: Vec<(Draw, Vec<u8>)>,
    /// The deals so far, draw by draw. Only the open seed can prove them.
    pub deals: Vec<Deals>,
    begun: bool,
}

impl<'a> RecordedDice<'a> {
    /// The dice of one event, without deals.
    pub fn new(dice: &'a [Die]) -> RecordedDice<'a> {
        RecordedDice::dealing(dice, Vec::new())
    }

    /// The dice of one event, and its deals with their draws.
    pub fn dealing(dice: &'a [Die], to_deal: Vec<(Draw, Vec<u8>)>) -> RecordedDice<'a> {
        RecordedDice { dice, used: 0, draw: Draw::TOSS, to_deal, deals: Vec::new(), begun: true }
    }
}

impl Dice for RecordedDice<'_> {
    fn are_recorded(&self) -> bool {
        true
    }

    fn begin(&mut self, draw: Draw) {
        self.draw = draw;
        self.begun = true;
    }

    fn roll(&mut self, what: &'static str, sides: u16) -> Result<u16, DiceFault> {
        let at = self.used;
        let die = self.dice.get(at).ok_or(DiceFault::Missing { at, what, sides })?;
        self.used += 1;
        if die.what != what || die.sides != sides {
            return Err(DiceFault::Misplaced { at, what, sides, found: die.clone() });
        }
        if !(1..=sides).contains(&die.value) {
            return Err(DiceFault::Impossible { at, what, sides, found: i64::from(die.value) });
        }
        Ok(die.value)
    }

    fn deal(&mut self, from: &[u8], take: usize) -> Result<Vec<u8>, DiceFault> {
        if std::mem::take(&mut self.begun) {
            self.deals.push(Deals { draw: self.draw, each: Vec::new() });
        }
        let before = self.deals.last().map_or(0, |deals| deals.each.len());
        let deals_of_draw = self.to_deal.iter().filter(|(draw, _)| *draw == self.draw).nth(before);
        let dealt = deals_of_draw.map(|(_, dealt)| dealt.clone()).unwrap_or_default();
        let is_available = |(i, value): (usize, &u8)| from.contains(value) && !dealt[..i].contains(value);
        if dealt.len() != take || !dealt.iter().enumerate().all(is_available) {
            return Err(DiceFault::Misdealt { take, there: from.len() });
        }
        if let Some(deals) = self.deals.last_mut() {
            deals.each.push((from.to_vec(), dealt.clone()));
        }
        Ok(dealt)
    }

    fn end(&mut self) -> Result<(), DiceFault> {
        none_left(self.used, self.dice.len())
    }
}

/// Dice that pass rolls on to other dice and note them for the log.
pub struct NotedDice<'a> {
    dice: &'a mut dyn Dice,
    /// The dice rolled so far, in order.
    pub rolled: Vec<Die>,
}

impl<'a> NotedDice<'a> {
    /// Notes the dice that are rolled with `dice`.
    pub fn new(dice: &'a mut dyn Dice) -> NotedDice<'a> {
        NotedDice { dice, rolled: Vec::new() }
    }
}

impl Dice for NotedDice<'_> {
    fn are_recorded(&self) -> bool {
        self.dice.are_recorded()
    }

    fn begin(&mut self, draw: Draw) {
        self.dice.begin(draw);
    }

    fn roll(&mut self, what: &'static str, sides: u16) -> Result<u16, DiceFault> {
        let value = self.dice.roll(what, sides)?;
        self.rolled.push(Die { what: Cow::Borrowed(what), sides, value });
        Ok(value)
    }

    fn deal(&mut self, from: &[u8], take: usize) -> Result<Vec<u8>, DiceFault> {
        self.dice.deal(from, take)
    }

    fn end(&mut self) -> Result<(), DiceFault> {
        self.dice.end()
    }
}
