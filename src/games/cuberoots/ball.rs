//! One ball of CubeRoots: the outcome that two numbers give.

use super::duel::ByDuty;
use super::rulings::*;
use crate::scorebook::{Boundary, Delivery, Dismissal};

/// The part of a delivery that only CubeRoots has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Detail {
    /// The margin of the bowler's number over the batter's; negative when it was lower.
    pub difference: i8,
    /// The margin that the bowler needed for a wicket.
    pub needed: u8,
    /// The number of dot balls in a row, including this one.
    pub dots_in_a_row: u8,
}

/// The margin that a bowler needs: a base, less one for each dot ball in a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pressure {
    /// The margin that the bowler needs before any dot ball.
    pub base: u8,
    /// The number of dot balls in a row so far.
    pub dots_in_a_row: u8,
}

impl Pressure {
    /// The margin that the bowler needs on the next ball.
    pub fn needed(self) -> u8 {
        self.base.saturating_sub(self.dots_in_a_row)
    }
}

/// Bowls one ball: writes the outcome of two numbers into a delivery that so far has only its players.
pub fn bowl(ball: &mut Delivery<Detail>, numbers: ByDuty<u8>, pressure: Pressure) {
    let needed = pressure.needed();
    let difference = numbers.bowling as i8 - numbers.batting as i8;
    ball.detail = Detail { difference, needed, dots_in_a_row: 0 };
    if difference >= needed as i8 {
        ball.dismissal = Some(Dismissal::Bowled);
        ball.rulings.push(&WICKET);
        return;
    }
    let (runs, ruling) = match -difference {
        ..=0 => (0, &DOT),
        1 => (1, &RUNS_1),
        2 => (2, &RUNS_2),
        3 => (3, &RUNS_3),
        4..=5 => (4, &RUNS_4),
        6.. => (6, &RUNS_6),
    };
    ball.runs = runs;
    ball.rulings.push(ruling);
    match runs {
        0 => ball.detail.dots_in_a_row = pressure.dots_in_a_row.saturating_add(1),
        4 => ball.boundary = Some(Boundary::Four),
        6 => ball.boundary = Some(Boundary::Six),
        _ => {}
    }
}
