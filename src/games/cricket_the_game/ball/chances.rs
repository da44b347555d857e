//! A ball that was blocked or missed, and the chances that it gives the fielding side.

use super::super::edition::effect::Then;
use super::super::edition::model::{CardDecision, EditionWord, SoFar};
use super::super::rulings::*;
use super::contest::{Contest, ContestTerms};
use super::decision_source::DecisionSource;
use super::detail::Detail;
use super::question::{Chance, Chances, Question, Stop};
use crate::dice::Dice;
use crate::scorebook::{Boundary, Delivery, Dismissal};

const D6: u16 = 6;
/// The face that a slip has to roll for a catch.
const SLIP_CATCH: u16 = 6;

/// Plays on after a block or a miss. When the batters are `protected`, only a run out can dismiss them.
pub fn not_struck<D: Dice + ?Sized, C: DecisionSource>(
    contest: &Contest<'_>,
    terms: &mut ContestTerms,
    (so_far, missed_by, protected): (SoFar, u8, bool),
    delivery: &mut Delivery<Detail>,
    (dice, decisions): (&mut D, &mut C),
) -> Result<(), Stop> {
    let mut appeals = Chances::new();
    let mut decision = None;
    for then in contest.effects_at(so_far, None) {
        match then {
            Then::Appeal { how, die, out_on } => {
                let named = |chance: &Chance| chance.word() == how.word();
                if !appeals.iter().any(named) {
                    appeals.push(Chance::Appeal { how, die, out_on });
                }
            }
            Then::Outcome(by_card) => decision = decision.or(Some(by_card)),
            other => terms.apply_effect(other),
        }
    }
    if let Some(by_card) = decision {
        card_decides(contest, by_card, so_far == SoFar::Miss, protected, delivery);
        return Ok(());
    }
    if protected {
        return Ok(());
    }
    let chances = chances(contest, terms, so_far, missed_by, appeals);
    if so_far == SoFar::Miss && chances.contains(&Chance::Slips) {
        delivery.rulings.push(&SNICK);
    }
    let taken = match chances.as_slice() {
        [] => return Ok(()),
        [only] => *only,
        several => {
            delivery.rulings.push(&CONFLICT);
            several[decisions.answer(contest, Question::Chance(chances.clone()))?]
        }
    };
    take(contest, taken, delivery, dice)
}

fn chances(
    contest: &Contest<'_>,
    terms: &ContestTerms,
    so_far: SoFar,
    missed_by: u8,
    appeals: Chances,
) -> Chances {
    let bowled = so_far == SoFar::Miss && missed_by >= contest.rules.miss_threshold;
    let caught = (so_far == SoFar::Block || terms.snick) && contest.slips().next().is_some();
    let without_appeals = [(bowled, Chance::Bowled), (caught, Chance::Slips)];
    without_appeals
        .into_iter()
        .filter(|(is_there, _)| *is_there)
        .map(|(_, chance)| chance)
        .chain(appeals)
        .collect()
}

fn take<D: Dice + ?Sized>(
    contest: &Contest<'_>,
    chance: Chance,
    delivery: &mut Delivery<Detail>,
    dice: &mut D,
) -> Result<(), Stop> {
    match chance {
        Chance::Bowled => {
            delivery.rulings.push(&MISS_BOWLED_CHANCE);
            let roll = contest.rules.miss_chance.of(contest.conditions.attitude);
            if dice.roll("bowled", u16::from(roll.die))? >= u16::from(roll.at_least) {
                delivery.rulings.push(&MISS_BOWLED);
                delivery.dismissal = Some(Dismissal::Bowled);
            } else {
                delivery.rulings.push(&MISS_NOT_BOWLED);
            }
        }
        Chance::Slips => {
            delivery.rulings.push(&SLIPS);
            for slip in contest.slips() {
                if dice.roll("slip", D6)? == SLIP_CATCH {
                    delivery.rulings.push(&SLIPS_HELD);
                    delivery.dismissal = Some(Dismissal::Caught { fielder: contest.situation.token(slip) });
                    return Ok(());
                }
            }
            delivery.rulings.push(&SLIPS_MISSED);
        }
        Chance::Appeal { how, die, out_on } => {
            delivery.rulings.push(&APPEAL);
            let face = dice.roll("appeal", u16::from(die))?;
            let out = out_on & 1 << (face - 1) != 0;
            delivery.detail.appeal = Some((how, out));
            delivery.rulings.push(if out { &APPEAL_OUT } else { &APPEAL_NOT_OUT });
            delivery.dismissal = out.then(|| contest.situation.dismissal(how));
        }
    }
    Ok(())
}

/// Applies the decision of a card, without dice. Runs off a ball that was missed are byes.
pub fn card_decides(
    contest: &Contest<'_>,
    by_card: CardDecision,
    missed: bool,
    protected: bool,
    delivery: &mut Delivery<Detail>,
) {
    match by_card {
        CardDecision::Runs(runs) => {
            delivery.rulings.push(&CARD_RUNS);
            let runs = u16::from(runs);
            if missed {
                delivery.extras.byes = runs;
            } else {
                delivery.runs = runs;
            }
            delivery.boundary = Boundary::of_runs(runs);
        }
        CardDecision::Out(how) => {
            delivery.rulings.push(&CARD_OUT);
            delivery.dismissal = (!protected).then(|| contest.situation.dismissal(how));
        }
    }
}

impl Contest<'_> {
    /// The tokens that are slips, the innermost first.
    pub fn slips(&self) -> impl Iterator<Item = usize> + '_ {
        self.field.slips().filter(|_| self.rules.slips)
    }
}
