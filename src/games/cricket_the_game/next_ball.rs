//! The next ball of a match: with what was entered, as captains choose by a policy, or in a simulation.

use super::ball::{
    Asked, Ball, Chosen, Contest, Entered, Pending, Stop, begin, deal, not_asked, play, turn_card,
};
use super::event::Event;
use super::pending::{asked_of, check_locked, with_pending};
use super::policy::{self, Captains};
use super::state::State;
use crate::dice::{Dice, NotedDice};
use crate::rules::{Choices, Refusal};
use crate::scorebook::{BySide, InningsTally};

/// Bowls the next ball with what was chosen. From a seed it goes as far as it can, until somebody has to
/// decide; at the table everything has to be known.
pub fn attempt(state: &State, choices: &Choices, dice: &mut dyn Dice) -> Result<Event, Refusal> {
    let choices = with_pending(state, choices, dice.are_recorded())?;
    let situation = state.situation();
    let mut chosen = Chosen::read(&situation, &choices)?;
    turn_card(&situation, &mut chosen, dice)?;
    let mut delivery = begin(&situation, &chosen)?;
    let mut noted = NotedDice::new(dice);
    let mut entered = Entered::new(&chosen);
    let played = play(&situation, &chosen, &mut delivery, &mut noted, &mut entered);
    check_locked(state, &noted.rolled)?;
    match played {
        Ok(()) => {
            entered.refuse_unasked(&choices)?;
            noted.end()?;
            let dice = noted.rolled;
            Ok(Event::Ball(Box::new(Ball { chosen, dice, delivery })))
        }
        Err(Stop::Refused(refusal)) => Err(*refusal),
        Err(Stop::Waits(question)) => {
            let contest = Contest::of_ball(&situation, &chosen, delivery.striker)?;
            let is_asked = asked_of(state) == Some(question.name());
            if is_asked || !situation.is_seeded {
                return Err(question.unanswered(situation.edition));
            }
            noted.end()?;
            Ok(Event::Roll(Pending {
                choices: chosen.written(&situation),
                dice: noted.rolled,
                asked: Some(Asked {
                    name: question.name(),
                    whose: question.whose(),
                    legal: question.legal(situation.edition),
                    cautious: policy::cautious_answer(&contest, &question),
                }),
                skills_said: [true; 2],
            }))
        }
    }
}

/// Bowls the next ball as a captain of each side chooses by a policy, from its beginning or from where it
/// waits.
pub fn decide_by_policy(
    state: &State,
    policies: BySide<usize>,
    dice: &mut dyn Dice,
) -> Result<Event, Refusal> {
    let situation = state.situation();
    let (mut chosen, mut captains) = match &state.pending {
        None => Captains::choose(&situation, policies, dice)?,
        Some(pending) => {
            let chosen = Chosen::read(&situation, &pending.choices)?;
            (chosen, Captains::to_finish(&situation, &chosen, policies, dice)?)
        }
    };
    turn_card(&situation, &mut chosen, dice)?;
    let mut delivery = begin(&situation, &chosen)?;
    let mut noted = NotedDice::new(dice);
    play(&situation, &chosen, &mut delivery, &mut noted, &mut captains).map_err(decided)?;
    noted.end()?;
    let (chosen, dice) = (captains.answered(chosen), noted.rolled);
    Ok(Event::Ball(Box::new(Ball { chosen, dice, delivery })))
}

/// A captain by a policy decides everything.
fn decided(stop: Stop) -> Refusal {
    match stop {
        Stop::Refused(refusal) => *refusal,
        Stop::Waits(question) => not_asked(question.name()),
    }
}

/// Plays the next ball of a simulated match, with its over where one begins.
pub fn bowl_on<D: Dice>(
    state: &mut State,
    dice: &mut D,
    policies: BySide<usize>,
    tally: &mut InningsTally,
) -> Result<(), Refusal> {
    if state.innings.bowler().is_none() {
        let over = policy::over(state, policies, dice)?;
        state.begin_over(&over);
        state.over.dealt = Some(deal(&state.situation(), dice)?);
    }
    let situation = state.situation();
    let (mut chosen, mut captains) = Captains::choose(&situation, policies, dice)?;
    turn_card(&situation, &mut chosen, dice)?;
    let mut delivery = begin(&situation, &chosen)?;
    play(&situation, &chosen, &mut delivery, dice, &mut captains).map_err(decided)?;
    let chosen = captains.answered(chosen);
    state.count(&chosen, &delivery);
    tally.count(&delivery);
    Ok(())
}
