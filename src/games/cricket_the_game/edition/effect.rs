//! The effects of cards: everything that an edition can make a ball do.
//!
//! A ball in full play has these cards: the pitch, the bowl, the bowler's skills, the batter's skills and the
//! over card. Their effects apply in this order, and on each card in the order in which the card lists them.
//! None of them applies in express play.
//!
//! An effect without `so_far` applies before the first die. An effect with `so_far` applies when the ball has
//! that result: a block, a strike or a miss once both dice lie and no reroll is left, a boundary once the
//! ball is over the rope. A result that a reroll then changes has no effects; only rerolls are checked
//! against it. (For rerolls a natural boundary is a boundary, and only a skill may change it.) A clean bowled
//! has none of these results, and neither has a dead ball, nor a ball that a card decides before the dice,
//! except for a boundary off the bat.
//!
//! No effect makes another one apply, except that a reroll changes the result of the ball. Each effect
//! applies at most once a ball, so a ball ends whatever the cards say. An over ends too: a bowl card or a
//! pitch card could be in play at every ball, and may not make it a no-ball or a dead ball; an over card
//! comes once, and skill cards have their own limits.

use super::terms::{
    Attitude, CardDecision, Condition, Duelist, EditionWord, Out, PlayerRole, SoFar, Style, WordSet,
};

/// An effect of a card on a ball.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Effect {
    /// The conditions of the effect.
    pub when: When,
    /// The change that the effect makes.
    pub then: Then,
}

/// The conditions of an effect: it applies when all of them hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct When {
    /// The [`Attitude`]s of the facing batter.
    pub attitude: WordSet,
    /// The [`Style`]s of the bowler.
    pub style: WordSet,
    /// The [`PlayerRole`]s of the facing batter.
    pub role: WordSet,
    /// The [`Condition`]s of the pitch.
    pub pitch: WordSet,
    /// The results of the ball so far, as [`SoFar`]; none for an effect that applies before any die, or, as a
    /// reroll, at any result.
    pub so_far: Option<WordSet>,
}

impl When {
    /// The conditions that always hold, before any die.
    pub const ALWAYS: When = When {
        attitude: WordSet::ALL,
        style: WordSet::ALL,
        role: WordSet::ALL,
        pitch: WordSet::ALL,
        so_far: None,
    };
}

/// The change that an effect makes. Each doc says on which cards and with which `so_far` it is allowed;
/// [`Then::at_first`] and [`Then::so_far`] say it in code.
///
/// Before the dice a dead ball comes first, then a no-ball, then an outcome, then dice, advantage and rolls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Then {
    /// A no-ball: one run to extras, not one of the six; the batters can only be run out, and the next
    /// delivery is a free hit.
    ///
    /// Before the dice, on over cards and skill cards only. Several count as one. The dice are rolled as
    /// usual.
    NoBall,
    /// An outcome that the card decides. A 4 or 6 is a boundary; other runs are run, and an odd number
    /// changes the facing batter. Runs are off the bat, but byes when the ball was missed. A dismissal counts
    /// as out, caught and stumped by the keeper; on a free hit or a no-ball it is a dot.
    ///
    /// Before the dice, and then no die is rolled. Or with so far a miss or a block, and then in place of
    /// every chance of the fielding side (slips, bowled, appeals). Only the first that applies counts.
    Outcome(CardDecision),
    /// A change of the facing batter's confidence, by -4 to 4 and not 0, from the next ball on. Confidence
    /// stays in -1..=3.
    ///
    /// At any time; without `so_far` at any result, except for a dead ball. It has no effect when the batter
    /// is out. Several add up in their order, within the bounds after each; the change for a boundary comes
    /// after them.
    Confidence(i8),
    /// A change of this ball's advantage, by -4 to 4 and not 0, after the stroke zone has been counted. The
    /// advantage stays within its bounds after each change.
    ///
    /// Before the dice.
    Advantage(i8),
    /// The die that the bowler rolls, of 6 or 8 sides, whatever bowl, pitch or patience say. The last that
    /// applies counts.
    ///
    /// Before the dice.
    BowlerDie(u8),
    /// The die that the batter rolls, of 6 or 8 sides, whatever his role. The last that applies counts.
    ///
    /// Before the dice.
    BatterDie(u8),
    /// A number added to a side's total, -4 to 4 and not 0. The face of the die does not change: equal dice,
    /// a natural boundary and a clean bowled depend on the dice alone. Several add up; a total may be below
    /// 1.
    ///
    /// Before the dice.
    Roll {
        /// The side whose total changes.
        side: Duelist,
        /// The number that is added.
        by: i8,
    },
    /// A reroll of this side's die: it may be rolled once more, and the new face counts. The side of the die
    /// decides; on a skill card, the side that has the skill, which may be the other one.
    ///
    /// After both dice, and not after a clean bowled; with `so_far` only at that result of the dice. A die is
    /// rolled again at most once a ball, however many cards allow it, and the bowling side decides first. A
    /// skill card with a reroll is not named before the dice but offered after them, when it applies. It has
    /// no effects but rerolls of one side, and is used up when the side takes it.
    Reroll(Duelist),
    /// A snick, as if the over card showed its symbol: slips may try on a miss as well as on a block.
    ///
    /// Before the dice, or with so far a miss or a block. Several count as one.
    Snick,
    /// A dead ball: nothing counts, no die is rolled and no other effect applies. Skills named for it are
    /// used up.
    ///
    /// Before the dice, on over cards and skill cards only.
    DeadBall,
    /// An appeal, a chance for the fielding side: a die that gets the batter out on some of its faces. Caught
    /// and stumped are the keeper's.
    ///
    /// With so far a miss or a block. Each that applies is one more chance to pick from, except a second one
    /// for an equal dismissal. There is none on a no-ball or a free hit.
    Appeal {
        /// The dismissal that is appealed for: lbw, stumped or caught, never bowled.
        how: Out,
        /// The sides of the die, 6 or 8.
        die: u8,
        /// The faces that get the batter out: bit `n - 1` for face `n`; at least one.
        out_on: u8,
    },
    /// Overthrows: 1 to 4 more runs off a ball that a fielder has stopped, unless a batter was run out. They
    /// are run off the bat, so an odd number changes the facing batter. Several add up, to 4 at most.
    ///
    /// Before the dice, or with so far a strike.
    Overthrows(u8),
    /// A change of the face that a catch takes, -4 to 4 and not 0; less is easier. It is added to the area's
    /// value together with the red outline, and then kept within bounds. It does not count for slips. Several
    /// add up.
    ///
    /// Before the dice, or with so far a strike.
    CatchValue(i8),
    /// A ball that stays in the field gives no run: no safe run, no extra run, no overthrows, and so no
    /// run-out.
    ///
    /// Before the dice, or with so far a strike.
    NoRunAllowed,
    /// No effect, for a card that only tells a story. At any time.
    Nothing,
}

impl Then {
    /// Whether the effect is allowed without `so_far`.
    pub fn at_first(&self) -> bool {
        !matches!(self, Then::Appeal { .. })
    }

    /// The results with which the effect is allowed as `so_far`; none for an effect that is only allowed
    /// without.
    pub fn so_far(&self) -> WordSet {
        match self {
            Then::Confidence(_) | Then::Reroll(_) | Then::Nothing => {
                WordSet::these(SoFar::ALL.iter().map(|(so, _)| *so))
            }
            Then::Outcome(_) | Then::Snick | Then::Appeal { .. } => {
                WordSet::these([SoFar::Block, SoFar::Miss])
            }
            Then::Overthrows(_) | Then::CatchValue(_) | Then::NoRunAllowed => WordSet::these([SoFar::Strike]),
            Then::NoBall
            | Then::Advantage(_)
            | Then::BowlerDie(_)
            | Then::BatterDie(_)
            | Then::Roll { .. }
            | Then::DeadBall => WordSet::default(),
        }
    }
}

/// The circumstances against which the conditions of an effect are checked.
#[derive(Debug, Clone, Copy)]
pub struct Situation {
    /// The attitude of the facing batter.
    pub attitude: Attitude,
    /// The style of the bowler.
    pub style: Style,
    /// The role of the facing batter.
    pub role: PlayerRole,
    /// The condition of the pitch.
    pub pitch: Condition,
}

impl When {
    /// Whether the conditions hold before any die is rolled.
    pub fn holds_at_first(&self, conditions: &Situation) -> bool {
        self.is_at_first() && self.fits(conditions)
    }

    /// Whether the conditions are those before any die is rolled.
    pub fn is_at_first(&self) -> bool {
        self.so_far.is_none()
    }

    /// Whether the conditions are those at this result of the ball.
    pub fn is_at(&self, so_far: SoFar) -> bool {
        self.so_far.is_some_and(|some| some.has(so_far))
    }

    /// Whether the conditions fit the circumstances, whatever the result of the ball.
    pub fn fits(&self, conditions: &Situation) -> bool {
        self.attitude.has(conditions.attitude)
            && self.style.has(conditions.style)
            && self.role.has(conditions.role)
            && self.pitch.has(conditions.pitch)
    }
}
