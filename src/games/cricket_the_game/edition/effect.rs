//! The effects a card can have: all that an edition from elsewhere can make a ball do.
//!
//! A ball in full play has these cards: the pitch, the bowl, the bowler's skills, the batter's skills and the over
//! card. In this order, and on each card in the order they stand there, their effects apply. Express play knows none
//! of them.
//!
//! An effect without `so_far` applies before the first die; one with it applies when the ball has come to that: to a
//! block, a strike or a miss when both dice lie and no reroll is left, to a boundary when it is over the rope. What a
//! ball first comes to decides nothing if a reroll then changes it; only rerolls are held against that (a natural
//! boundary is a boundary for them, and only a skill's may change it). A clean bowled comes to nothing of the kind, nor does
//! a dead ball, nor one that a card decides before the dice, but for a boundary off the bat.
//!
//! No effect makes another apply that did not, except that a reroll changes what the ball comes to; and each applies
//! once a ball at most. So a ball ends, whatever the cards say. An over ends too: a bowl or pitch card, which could
//! be in play at every ball, can't make it a no-ball or a dead ball; an over card comes once, and a skill card has
//! its own limits.

use super::terms::{
    Attitude, CardDecision, Condition, Duelist, EditionWord, Out, PlayerRole, SoFar, Some8, Style,
};

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
    /// What the ball has come to so far, as [`SoFar`]; none where it applies whatever that is (a reroll), or before
    /// any die.
    pub so_far: Option<Some8>,
}

impl When {
    /// Before any die, whoever bowls to whomever.
    pub const ALWAYS: When =
        When { attitude: Some8::ALL, style: Some8::ALL, role: Some8::ALL, pitch: Some8::ALL, so_far: None };
}

/// What an effect does. Where it may stand, and with which `so_far`, is said of each; [`Then::at_first`] and
/// [`Then::so_far`] say it to the program.
///
/// Of those that apply before the dice a dead ball comes first, then a no-ball, then an outcome, then dice, advantage
/// and rolls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Then {
    /// A no-ball: one run to extras, not one of the six, nobody is out but run out, the next delivery is a free hit.
    ///
    /// Before the dice; on over cards and skill cards only. Several are one. The dice are rolled as ever.
    NoBall,
    /// The card decides. A 4 or 6 is a boundary; other runs are run, and turn the facing round when odd. They are off the bat,
    /// but for those off a ball that was missed: these are byes. Out is out, caught and stumped by the keeper; where nobody can be out it is a dot.
    ///
    /// Before the dice: then none is rolled. Or so far a miss or a block: then in place of every chance of the
    /// fielding side (slips, bowled, appeals). The first that applies is the only one.
    Outcome(CardDecision),
    /// The facing batter's confidence changes by so much, -4 to 4 and not 0, from the next ball on, and stays in
    /// -1..=3.
    ///
    /// At any time: without `so_far` whatever the ball comes to, but for a dead ball. Of no account if he is out.
    /// Several add up, in their order, kept within the bounds after each; a boundary's own comes after them.
    Confidence(i8),
    /// The advantage of this ball moves by so much, -4 to 4 and not 0, after the stroke zone has been counted; it is
    /// kept within its bounds after each.
    ///
    /// Before the dice.
    Advantage(i8),
    /// The bowler rolls this die, of 6 or 8 sides, whatever bowl, pitch or patience say. The last that applies
    /// counts.
    ///
    /// Before the dice.
    BowlerDie(u8),
    /// The batter rolls this die, of 6 or 8 sides, whoever he is. The last that applies counts.
    ///
    /// Before the dice.
    BatterDie(u8),
    /// So much, -4 to 4 and not 0, is added to a side's total. The die itself stays as it lies: for equal dice, a
    /// natural boundary and a clean bowled only dice count. Several add up; a total may be below 1.
    ///
    /// Before the dice.
    Roll {
        /// Whose.
        side: Duelist,
        /// How much.
        by: i8,
    },
    /// This side's die may be rolled once more; the new one counts. Its own side decides, on a skill card the side
    /// that has the skill, which may be the other.
    ///
    /// After both dice, and not after a clean bowled; with `so_far` only where the ball has come to that as the dice
    /// lie. A die is rolled again once a ball at most, however many cards say so; the bowling side decides first. A
    /// skill card with a reroll is not named before the dice but offered after them, where it applies; it has nothing
    /// but rerolls of one side, and is used up when it is taken.
    Reroll(Duelist),
    /// As if the over card showed the snick symbol: slips may try on a miss as well as on a block.
    ///
    /// Before the dice, or so far a miss or a block. Several are one.
    Snick,
    /// A dead ball: nothing counts, no die is rolled and no other effect applies. Skills named for it are used up.
    ///
    /// Before the dice; on over cards and skill cards only.
    DeadBall,
    /// A chance for the fielding side: a die that is out on some of its faces. Caught and stumped are the keeper's.
    ///
    /// So far a miss or a block. Each that applies is one more chance to pick from, but for a second one for the same; there
    /// is none where nobody can be out.
    Appeal {
        /// For what: lbw, stumped or caught, never bowled.
        how: Out,
        /// 6 or 8 sides.
        die: u8,
        /// The faces it is out on: bit `n - 1` for face `n`; at least one.
        out_on: u8,
    },
    /// So many more runs, 1 to 4, off a ball that a fielder has stopped and after which nobody was run out: off the
    /// bat, run, so they turn the facing round when odd. Several add up, to 4 at most.
    ///
    /// Before the dice, or so far a strike.
    Overthrows(u8),
    /// What a fielder's catch takes is so much more, -4 to 4 and not 0; less is easier. It is added to the area's
    /// value with what the red outline takes off, and then kept to its bounds. Not for slips. Several add up.
    ///
    /// Before the dice, or so far a strike.
    CatchValue(i8),
    /// No run is taken off a ball that stays in the field: no run, no extra run, no overthrows, and so no run-out.
    ///
    /// Before the dice, or so far a strike.
    NoRunAllowed,
    /// Nothing: for a card that only tells. At any time.
    Nothing,
}

impl Then {
    /// Whether it may stand without `so_far`.
    pub fn at_first(&self) -> bool {
        !matches!(self, Then::Appeal { .. })
    }

    /// With which `so_far` it may stand; none where only without.
    pub fn so_far(&self) -> Some8 {
        match self {
            Then::Confidence(_) | Then::Reroll(_) | Then::Nothing => {
                Some8::these(SoFar::ALL.iter().map(|(so, _)| *so))
            }
            Then::Outcome(_) | Then::Snick | Then::Appeal { .. } => Some8::these([SoFar::Block, SoFar::Miss]),
            Then::Overthrows(_) | Then::CatchValue(_) | Then::NoRunAllowed => Some8::these([SoFar::Strike]),
            Then::NoBall
            | Then::Advantage(_)
            | Then::BowlerDie(_)
            | Then::BatterDie(_)
            | Then::Roll { .. }
            | Then::DeadBall => Some8::default(),
        }
    }
}

/// What an effect's conditions are held against.
#[derive(Debug, Clone, Copy)]
pub struct Situation {
    /// The facing batter's.
    pub attitude: Attitude,
    /// The bowler's.
    pub style: Style,
    /// The facing batter's.
    pub role: PlayerRole,
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
