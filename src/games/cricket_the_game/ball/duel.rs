//! The duel of bowler and batter: two dice, their rerolls, and the result.

use smallvec::SmallVec;

use super::super::edition::effect::{Effect, Then};
use super::super::edition::model::{Duelist, EditionWord, SoFar};
use super::super::rulings::*;
use super::contest::{Contest, ContestTerms};
use super::decision_source::DecisionSource;
use super::question::{Question, Reroll, Stop};
use crate::dice::Dice;
use crate::scorebook::{Boundary, Rulings};

/// The two dice of a duel.
#[derive(Debug, Clone, Copy)]
pub struct Duel {
    /// The faces of both dice, the bowler's and the batter's.
    pub(super) dice: [u8; 2],
    /// The batter's total less the bowler's.
    pub(super) margin: i8,
}

/// The result of a duel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DuelResult {
    /// The batter is clean bowled.
    CleanBowled,
    /// The ball goes to the boundary by the dice alone.
    Natural(Boundary),
    /// The ball is blocked.
    Blocked,
    /// The ball is struck.
    Struck,
    /// The ball is missed.
    Missed,
}

impl DuelResult {
    fn so_far(self) -> SoFar {
        match self {
            DuelResult::Natural(_) => SoFar::Boundary,
            DuelResult::Blocked => SoFar::Block,
            DuelResult::Struck => SoFar::Strike,
            DuelResult::Missed | DuelResult::CleanBowled => SoFar::Miss,
        }
    }
}

impl Duel {
    fn of(dice: [u8; 2], terms: &ContestTerms) -> Duel {
        let [bowler, batter] = dice.map(|die| die as i8);
        let margin = (batter + terms.advantage.max(0))
            .saturating_add(terms.roll[Duelist::Batter.place()])
            .saturating_sub(bowler - terms.advantage.min(0))
            .saturating_sub(terms.roll[Duelist::Bowler.place()]);
        Duel { dice, margin }
    }

    fn result(&self) -> DuelResult {
        match self.dice {
            [1, 8] => DuelResult::Natural(Boundary::Six),
            [1, 6 | 7] => DuelResult::Natural(Boundary::Four),
            [bowler, batter] if bowler == batter || self.margin == 0 => DuelResult::Blocked,
            _ if self.margin > 0 => DuelResult::Struck,
            _ => DuelResult::Missed,
        }
    }
}

/// The result of these faces, the bowler's and the batter's, and the batter's total less the bowler's.
pub fn compare(dice: [u8; 2], terms: &ContestTerms) -> (DuelResult, i8) {
    let duel = Duel::of(dice, terms);
    (duel.result(), duel.margin)
}

/// Rolls both dice, and rolls one again when a side may and does.
pub fn fight<D: Dice + ?Sized, C: DecisionSource>(
    contest: &Contest<'_>,
    terms: &ContestTerms,
    dice: &mut D,
    decisions: &mut C,
    rulings: &mut Rulings,
) -> Result<(Duel, DuelResult), Stop> {
    let rolled = [roll(Duelist::Bowler, terms, dice)?, roll(Duelist::Batter, terms, dice)?];
    let mut duel = Duel::of(rolled, terms);
    if rolled == [terms.bowler_die, 1] {
        rulings.push(&CLEAN_BOWLED);
        return Ok((duel, DuelResult::CleanBowled));
    }
    let mut rerolled = None;
    for (side, _) in Duelist::ALL {
        let so_far = duel.result().so_far();
        let by = contest.rerolls(*side, so_far, rerolled);
        if by.is_empty() {
            continue;
        }
        let question = Question::Reroll { side: *side, by: by.clone(), so_far };
        if let Some(taken) = decisions.answer(contest, question)?.checked_sub(1) {
            rulings.push(&REROLL);
            let die = contest.die_rerolled_by(*side, by[taken]);
            duel.dice[die.place()] = roll(die, terms, dice)?;
            duel = Duel::of(duel.dice, terms);
            rerolled = Some(die);
        }
    }
    let result = duel.result();
    rulings.push(match result {
        DuelResult::Natural(Boundary::Six) => &BOUNDARY_SIX_NATURAL,
        DuelResult::Natural(Boundary::Four) => &BOUNDARY_FOUR_NATURAL,
        DuelResult::Blocked => &BLOCK,
        DuelResult::Struck => &STRIKE,
        DuelResult::Missed | DuelResult::CleanBowled => &MISS,
    });
    Ok((duel, result))
}

fn roll<D: Dice + ?Sized>(side: Duelist, terms: &ContestTerms, dice: &mut D) -> Result<u8, Stop> {
    let sides = match side {
        Duelist::Bowler => terms.bowler_die,
        Duelist::Batter => terms.batter_die,
    };
    Ok(dice.roll(side.word(), u16::from(sides))? as u8)
}

impl Contest<'_> {
    /// The rerolls that a side may choose from: of its own die by a card that lies open, of a skill's die by
    /// a skill. The die `rerolled` already is not rolled a third time. Only a skill can change a natural
    /// boundary.
    fn rerolls(&self, side: Duelist, so_far: SoFar, rerolled: Option<Duelist>) -> SmallVec<[Reroll; 4]> {
        let gives = |effect: &Effect, die: Duelist| {
            effect.then == Then::Reroll(die)
                && rerolled != Some(die)
                && (effect.when.is_at_first() || effect.when.is_at(so_far))
        };
        let mut by = SmallVec::new();
        // The skills that have been named give none: one that does is never named before the dice.
        let is_natural = so_far == SoFar::Boundary;
        if !is_natural && self.effects.iter().any(|effect| gives(effect, side)) {
            by.push(Reroll::Card);
        }
        for (s, skill) in (0u8..).zip(self.situation.edition.skills_of(side)) {
            let Some(die) = skill.rerolls else { continue };
            let gives = |effect: &Effect| gives(effect, die) && effect.when.fits(&self.conditions);
            if skill.effects.iter().any(gives)
                && self.situation.may_use(side, self.striker, s, self.chosen.skills)
            {
                by.push(Reroll::Skill(s));
            }
        }
        by
    }

    /// The die that a reroll of this side rolls once more.
    fn die_rerolled_by(&self, side: Duelist, by: Reroll) -> Duelist {
        match by {
            Reroll::No | Reroll::Card => side,
            Reroll::Skill(s) => {
                self.situation.edition.skills_of(side)[usize::from(s)].rerolls.unwrap_or(side)
            }
        }
    }
}
