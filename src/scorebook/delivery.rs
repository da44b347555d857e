use super::Rulings;

/// A player, as the place in his side's team sheet, counted from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Player(pub u8);

impl Player {
    /// The place as an index into the team sheet.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// Runs that are not the batter's, by kind (Laws 21 to 23 and 41).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Extras {
    /// Runs from wides.
    pub wides: u16,
    /// Penalty runs for no-balls; what the batter hits off one is his.
    pub no_balls: u16,
    /// Byes.
    pub byes: u16,
    /// Leg byes.
    pub leg_byes: u16,
    /// Penalty runs awarded under Law 41.
    pub penalty: u16,
}

impl Extras {
    /// All of them together.
    pub const fn total(self) -> u16 {
        self.wides + self.no_balls + self.byes + self.leg_byes + self.penalty
    }
}

/// A ball that reached the boundary.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Boundary {
    /// Along the ground, or a four of byes.
    Four,
    /// Over it on the full.
    Six,
}

impl Boundary {
    /// The boundary that so many runs are, where they are 4 or 6.
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

/// How a batter was out. All but a run out are of the striker and credited to the bowler.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dismissal {
    /// Law 32.
    Bowled,
    /// Law 33, by a fielder other than the bowler.
    Caught {
        /// Who held it.
        fielder: Player,
    },
    /// Law 33, by the bowler himself.
    CaughtAndBowled,
    /// Law 36.
    Lbw,
    /// Law 39.
    Stumped {
        /// Who kept wicket.
        keeper: Player,
    },
    /// Law 38; not the bowler's wicket.
    RunOut {
        /// The batter who is out: striker or non-striker.
        out: Player,
        /// Who broke the wicket, where the game says.
        fielder: Option<Player>,
    },
}

/// One ball, as a game decided it. `D` is whatever else the game wants on record about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Delivery<D> {
    /// The batter facing.
    pub striker: Player,
    /// The batter at the other end.
    pub non_striker: Player,
    /// The bowler.
    pub bowler: Player,
    /// Runs off the bat.
    pub runs: u16,
    /// Runs that are not the batter's.
    pub extras: Extras,
    /// Whether it is one of the over's six.
    pub legal: bool,
    /// Whether it reached the boundary, off the bat or not.
    pub boundary: Option<Boundary>,
    /// The wicket, if one fell.
    pub dismissal: Option<Dismissal>,
    /// The rules that decided it, in order.
    pub rulings: Rulings,
    /// What the game has to add.
    pub detail: D,
}

impl<D: Default> Delivery<D> {
    /// A legal ball between these players of which nothing has come yet.
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
    /// All runs the ball added to the side's total.
    pub const fn total(&self) -> u16 {
        self.runs + self.extras.total()
    }

    /// Who is out, if anybody.
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
