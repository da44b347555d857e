//! The effects a card can have: all that an edition from elsewhere can make a ball do.

use super::model::{Attitude, Condition, Decided, Duelist, Out, Role, SoFar, Some8, Style};

/// Something that happens on a ball when it applies.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Effect {
    /// When it applies.
    pub when: When,
    /// What it does.
    pub then: Then,
}

/// When an effect applies: where each of these holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct When {
    /// The facing batter's [`Attitude`].
    pub attitude: Some8,
    /// The bowler's [`Style`].
    pub style: Some8,
    /// The facing batter's [`Role`].
    pub role: Some8,
    /// The [`Condition`] of the pitch.
    pub pitch: Some8,
    /// What the ball has come to so far, as [`SoFar`]; none where it applies before any die is rolled.
    pub so_far: Option<Some8>,
}

impl When {
    /// Before any die, whoever bowls to whomever.
    pub const ALWAYS: When =
        When { attitude: Some8::ALL, style: Some8::ALL, role: Some8::ALL, pitch: Some8::ALL, so_far: None };
}

/// What an effect does.
///
/// Those that change the dice, the advantage or what is rolled at all apply before any die; those that follow from what the
/// dice have come to need `so_far`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Then {
    /// A no-ball. Before the dice.
    NoBall,
    /// The card decides, without dice. Before the dice, or so far a miss or a block.
    Outcome(Decided),
    /// The facing batter's confidence changes from the next ball on: -4 to 4, not 0. At any time.
    Confidence(i8),
    /// The advantage moves: -4 to 4, not 0. Before the dice.
    Advantage(i8),
    /// The bowler rolls this die, of 6 or 8 sides. Before the dice.
    BowlerDie(u8),
    /// The batter rolls this die, of 6 or 8 sides. Before the dice.
    BatterDie(u8),
    /// So much is added to a roll: -4 to 4, not 0. Before the dice.
    Roll {
        /// Whose.
        side: Duelist,
        /// How much.
        by: i8,
    },
    /// A side may roll its die once more. After both dice; with `so_far` only if it has come to that.
    Reroll(Duelist),
    /// As if the over card showed the snick symbol. Before the dice, or so far a block or a miss.
    Snick,
    /// A dead ball: nothing counts. Before the dice.
    DeadBall,
    /// A chance of an appeal. So far a block or a miss.
    Appeal {
        /// For what: lbw, stumped or caught, never bowled.
        how: Out,
        /// 6 or 8 sides.
        die: u8,
        /// The faces it is out on: bit `n - 1` for face `n`.
        out_on: u8,
    },
    /// Runs more, off a ball that a fielder has stopped: 1 to 4. Before the dice, or so far a strike.
    Overthrows(u8),
    /// What a catch takes is more or less by so much: -4 to 4, not 0. Before the dice, or so far a strike.
    CatchValue(i8),
    /// No run can be taken off a ball that stays in the field. Before the dice, or so far a strike.
    NoRunAllowed,
    /// Nothing.
    Nothing,
}

/// What an effect's conditions are held against.
#[derive(Debug, Clone, Copy)]
pub struct Situation {
    /// The facing batter's.
    pub attitude: Attitude,
    /// The bowler's.
    pub style: Style,
    /// The facing batter's.
    pub role: Role,
    /// The pitch's.
    pub pitch: Condition,
}

impl When {
    /// Whether it holds before any die is rolled.
    pub fn holds_at_first(&self, now: &Situation) -> bool {
        self.so_far.is_none() && self.fits(now)
    }

    /// Whether it holds now that the ball has come to this.
    pub fn holds_at(&self, now: &Situation, so_far: SoFar) -> bool {
        self.so_far.is_some_and(|some| some.has(so_far)) && self.fits(now)
    }

    fn fits(&self, now: &Situation) -> bool {
        self.attitude.has(now.attitude)
            && self.style.has(now.style)
            && self.role.has(now.role)
            && self.pitch.has(now.pitch)
    }
}
