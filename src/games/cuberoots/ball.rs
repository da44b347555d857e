use super::duel::Duel;
use super::rulings::*;
use crate::scorebook::{Boundary, Delivery, Dismissal};

/// What CubeRoots adds to a delivery.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Detail {
    /// How far the bowler's number was ahead of the batter's; negative where it was behind.
    pub difference: i8,
    /// How far ahead the bowler's number had to be for a wicket.
    pub needed: u8,
    /// Dot balls in a row, this one among them.
    pub dots_in_a_row: u8,
}

/// How much a bowler needs: so much, less one for each dot ball in a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pressure {
    /// How far ahead the bowler has to be before any dot ball.
    pub base: u8,
    /// Dot balls in a row so far.
    pub dots_in_a_row: u8,
}

/// Bowls one ball: writes into a delivery of which only the players are known what comes of these two
/// numbers.
pub fn bowl(ball: &mut Delivery<Detail>, numbers: Duel<u8>, pressure: Pressure) {
    let needed = pressure.base.saturating_sub(pressure.dots_in_a_row);
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
