//! Deliveries: one ball as a game decided it, with its runs, extras and dismissal.

use super::{NOT_KNOWN, Rulings};

/// A player, as the index in his side's team sheet, from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Player(pub u8);

impl Player {
    /// The index into the team sheet.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// Runs that are not the batter's, by kind (Laws 21 to 23 and 41).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Extras {
    /// Runs from wides.
    pub wides: u16,
    /// Penalty runs for no-balls; runs off the bat from a no-ball are the batter's.
    pub no_balls: u16,
    /// Runs from byes.
    pub byes: u16,
    /// Runs from leg byes.
    pub leg_byes: u16,
    /// Penalty runs awarded under Law 41.
    pub penalty: u16,
}

impl Extras {
    /// The sum of all extras.
    pub const fn total(self) -> u16 {
        self.wides + self.no_balls + self.byes + self.leg_byes + self.penalty
    }
}

/// A ball that reached the boundary.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Boundary {
    /// A four: along the ground, or a four of byes.
    Four,
    /// A six: over the boundary on the full.
    Six,
}

impl Boundary {
    /// The boundary for 4 or 6 runs.
    pub const fn of_runs(runs: u16) -> Option<Boundary> {
        match runs {
            4 => Some(Boundary::Four),
            6 => Some(Boundary::Six),
            _ => None,
        }
    }

    /// The number written in the log: 4 or 6.
    pub const fn runs(self) -> u16 {
        match self {
            Boundary::Four => 4,
            Boundary::Six => 6,
        }
    }
}

/// The dismissal of a batter. Except for a run out, it is the striker's and credited to the bowler.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dismissal {
    /// Bowled (Law 32).
    Bowled,
    /// Caught by a fielder other than the bowler (Law 33).
    Caught {
        /// The fielder who held the catch.
        fielder: Player,
    },
    /// Caught by the bowler himself (Law 33).
    CaughtAndBowled,
    /// Leg before wicket (Law 36).
    Lbw,
    /// Stumped (Law 39).
    Stumped {
        /// The wicketkeeper.
        keeper: Player,
    },
    /// Run out (Law 38); not the bowler's wicket.
    RunOut {
        /// The batter who is out: striker or non-striker.
        out: Player,
        /// The fielder who broke the wicket, if the game names him.
        fielder: Option<Player>,
    },
}

/// A delivery, as a game decided it. `D` is the detail that only the game has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Delivery<D> {
    /// The batter facing.
    pub striker: Player,
    /// The batter at the other end.
    pub non_striker: Player,
    /// The player who bowled the ball.
    pub bowler: Player,
    /// Runs off the bat.
    pub runs: u16,
    /// Runs that are not the batter's.
    pub extras: Extras,
    /// Whether the ball is one of the over's six.
    pub legal: bool,
    /// The boundary that the ball reached, off the bat or not.
    pub boundary: Option<Boundary>,
    /// The wicket, if one fell.
    pub dismissal: Option<Dismissal>,
    /// The rulings that decided the ball, in order.
    pub rulings: Rulings,
    /// The detail that only the game has.
    pub detail: D,
}

impl<D: Default> Delivery<D> {
    /// A legal ball between these players, without any outcome yet.
    #[inline]
    pub fn between(striker: Player, non_striker: Player, bowler: Player) -> Delivery<D> {
        Delivery {
            striker,
            non_striker,
            bowler,
            runs: 0,
            extras: Extras::default(),
            legal: true,
            boundary: None,
            dismissal: None,
            rulings: Rulings::new(),
            detail: D::default(),
        }
    }
}

impl<D> Delivery<D> {
    /// Whether nobody knows the ball any more.
    pub fn is_unknown(&self) -> bool {
        self.rulings.first().is_some_and(|ruling| std::ptr::eq(*ruling, &NOT_KNOWN))
    }

    /// The runs that the ball added to the side's total.
    pub const fn total(&self) -> u16 {
        self.runs + self.extras.total()
    }

    /// The player who is out, if anybody is.
    pub fn player_out(&self) -> Option<Player> {
        self.dismissal.map(|dismissal| match dismissal {
            Dismissal::RunOut { out, .. } => out,
            Dismissal::Bowled
            | Dismissal::Caught { .. }
            | Dismissal::CaughtAndBowled
            | Dismissal::Lbw
            | Dismissal::Stumped { .. } => self.striker,
        })
    }
}
