//! Odds: what a game tells where the rest of a match is dice alone, so that the chances of each result can be
//! worked out.
//!
//! The ways in which the dice of a ball can fall are found by deciding the ball with all of them, in the
//! order in which the rules roll them. So nothing here repeats a rule.

use super::{Choices, EventData, Place, Play, Refusal, RefusalKind, Rules};
use crate::dice::{Dice, DiceFault, Draw};

/// The part of a side's players who throw a die.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Thrower {
    /// Those who bat.
    Batting,
    /// Those who bowl.
    Bowling,
}

/// What a ball does to the rest of a match.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct BallEffect {
    /// The runs that it adds to the side's total.
    pub runs: u16,
    /// Whether a wicket falls.
    pub wicket: bool,
    /// Whether the ball is one of the over's six.
    pub legal: bool,
}

/// The ways in which the dice of a ball can fall.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum BallDice {
    /// A die is rolled next.
    Die {
        /// The name of the die, in the terms of the game.
        what: &'static str,
        /// Who throws it.
        thrower: Thrower,
        /// What follows each of its faces, from 1.
        faces: Vec<BallDice>,
    },
    /// All dice are rolled.
    Fallen(BallEffect),
}

/// The odds of a match of two innings, in which more runs win and equal totals are a tie.
///
/// Only the innings, its legal balls, the wickets lost and the runs matter to the rest of such a match.
/// Matches with equal odds have equal chances, whatever else their options are.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct MatchOdds {
    /// The legal balls after which an innings ends.
    pub balls: u16,
    /// The wickets after which it ends.
    pub wickets: u8,
    /// The dice of every ball.
    pub ball: BallDice,
}

/// A game whose matches, with these options, are dice alone: every ball has the same dice, and no choice
/// changes what they come to.
pub trait DiceAlone {
    /// The odds of the match, from its state before the first ball.
    fn odds(&self) -> Result<MatchOdds, Refusal>;
}

/// The ways in which the dice of the next ball can fall, each decided by the rules with the default of every
/// choice.
pub fn ball_dice<R: Rules>(state: &R, thrower: fn(&str) -> Thrower) -> Result<BallDice, Refusal> {
    fallen_after(state, thrower, &mut Vec::new())
}

/// The ways in which the dice can fall that come after these faces.
fn fallen_after<R: Rules>(
    state: &R,
    thrower: fn(&str) -> Thrower,
    faces: &mut Vec<u16>,
) -> Result<BallDice, Refusal> {
    let mut dice = TriedDice { faces, used: 0, wanted: None };
    let decided = state.decide(Play::Ball(Choices::new()), &mut dice);
    if let Some((what, sides)) = dice.wanted {
        let of_face = |face| {
            faces.push(face);
            let after = fallen_after(state, thrower, faces);
            faces.pop();
            after
        };
        let faces = (1..=sides).map(of_face).collect::<Result<_, _>>()?;
        return Ok(BallDice::Die { what, thrower: thrower(what), faces });
    }
    let mut state = state.clone();
    for event in decided? {
        if let EventData::Ball(ball) = state.record(&event) {
            let outcome = ball.outcome;
            let (runs, wicket) = (outcome.runs.total, outcome.wicket.is_some());
            return Ok(BallDice::Fallen(BallEffect { runs, wicket, legal: outcome.legal }));
        }
        state.apply(&event);
    }
    Err(Refusal::new(RefusalKind::OutOfTurn, Place::Input, "the next step of the match is no ball"))
}

/// Dice that show these faces, and note the die that is wanted after them.
struct TriedDice<'a> {
    faces: &'a [u16],
    used: usize,
    /// The name of that die, and the number of its sides.
    wanted: Option<(&'static str, u16)>,
}

impl Dice for TriedDice<'_> {
    fn begin(&mut self, _draw: Draw) {}

    fn roll(&mut self, what: &'static str, sides: u16) -> Result<u16, DiceFault> {
        let at = self.used;
        let Some(face) = self.faces.get(at) else {
            self.wanted.get_or_insert((what, sides));
            return Err(DiceFault::Missing { at, what, sides });
        };
        self.used += 1;
        Ok(*face)
    }

    fn deal(&mut self, _from: &[u8], _take: usize) -> Result<Vec<u8>, DiceFault> {
        Err(DiceFault::NotDealt)
    }

    fn end(&mut self) -> Result<(), DiceFault> {
        Ok(())
    }
}
