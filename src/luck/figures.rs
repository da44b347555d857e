//! The figures of the dice of one match: whom they have helped, and how often each face fell.

use crate::rules::Thrower;
use crate::scorebook::{BySide, Side};

/// The sums of the swings towards the side that threw the dice.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Helped {
    pub batting: f64,
    pub bowling: f64,
}

/// The faces that a side has thrown.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Thrown {
    /// How often each face fell, from 1.
    pub seen: Vec<u32>,
    /// How often it falls on average, in as many throws of these dice.
    expected: Vec<f64>,
}

/// The figures of the dice of one match.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Figures {
    pub helped: BySide<Helped>,
    pub thrown: BySide<Thrown>,
}

impl Figures {
    /// No dice yet; `sides` is the most sides of a die.
    pub fn with_sides(sides: usize) -> Figures {
        let none = || Thrown { seen: vec![0; sides], expected: vec![0.0; sides] };
        Figures { helped: BySide::default(), thrown: BySide { home: none(), away: none() } }
    }

    /// Counts the face of a die. A face that no die of the game has is not counted.
    pub fn roll(&mut self, by: Side, sides: usize, face: u16) {
        let Thrown { seen, expected } = &mut self.thrown[by];
        let face = usize::from(face);
        if !(1..=sides).contains(&face) || sides > seen.len() {
            return;
        }
        seen[face - 1] += 1;
        expected[..sides].iter_mut().for_each(|sum| *sum += 1.0 / sides as f64);
    }

    /// Counts a swing, which is that of the home side's share of the match.
    pub fn swing(&mut self, by: Side, thrower: Thrower, towards_home: f64) {
        let helped = &mut self.helped[by];
        let sum = match thrower {
            Thrower::Batting => &mut helped.batting,
            Thrower::Bowling => &mut helped.bowling,
        };
        *sum += match by {
            Side::Home => towards_home,
            Side::Away => -towards_home,
        };
    }

    /// How far the faces of both sides are from equal numbers: the sum of (seen - n/6)^2 / (n/6).
    pub fn unevenness(&self) -> f64 {
        let of_face = |(seen, expected): (&u32, &f64)| match *expected > 0.0 {
            true => (f64::from(*seen) - expected).powi(2) / expected,
            false => 0.0,
        };
        let sides = [&self.thrown.home, &self.thrown.away];
        sides.iter().flat_map(|thrown| thrown.seen.iter().zip(&thrown.expected)).map(of_face).sum()
    }
}
