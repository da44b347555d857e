//! The next ball of a match, decided in three ways: with the choices of a command, by the policies of the
//! captains, or in a simulation.

use super::ball::{
    Ball, Chosen, Contest, ContestTerms, Detail, EnteredDecisions, Pending, PendingQuestion, Question, Stop,
    begin, deal, play, turn_card, unasked_decision,
};
use super::event::Event;
use super::pending::{check_locked, pending_question, with_pending};
use super::policy::{self, Captains};
use super::state::CricketTheGame;
use crate::dice::{Dice, Die, NotedDice, TableDice};
use crate::rules::{Choices, Refusal};
use crate::scorebook::{BySide, Delivery, InningsTally, NOT_KNOWN, Rulings};

/// Bowls the next ball with these choices. From a seed the ball goes on until a decision is needed; at the
/// table every choice has to be entered.
pub fn attempt(state: &CricketTheGame, choices: &Choices, dice: &mut dyn Dice) -> Result<Event, Refusal> {
    let choices = with_pending(state, choices, dice.are_recorded())?;
    let situation = state.situation();
    let mut chosen = Chosen::read(&situation, &choices)?;
    turn_card(&situation, &mut chosen, dice)?;
    let mut delivery = begin(&situation, &chosen)?;
    let mut noted = NotedDice::new(dice);
    let mut entered = EnteredDecisions::new(&chosen);
    let played = play(&situation, &chosen, &mut delivery, &mut noted, &mut entered);
    check_locked(state, &noted.rolled)?;
    match played {
        Ok(()) => {
            entered.refuse_unasked(&choices)?;
            noted.end()?;
            let dice = noted.rolled;
            Ok(Event::Ball(Box::new(Ball { chosen, dice, delivery })))
        }
        Err(Stop::Refused(refusal)) => Err(refusal.after(&delivery.rulings)),
        Err(Stop::Waits(question)) => {
            let contest = Contest::of_ball(&situation, &chosen, delivery.striker)?;
            let is_pending = pending_question(state) == Some(question.name());
            if is_pending || !situation.is_seeded {
                return Err(question.unanswered(situation.edition).after(&delivery.rulings));
            }
            noted.end()?;
            Ok(Event::Roll(Pending {
                choices: chosen.written(&situation),
                dice: noted.rolled,
                question: Some(PendingQuestion {
                    name: question.name(),
                    decided_by: question.decided_by(),
                    legal: question.legal(situation.edition),
                    on_timeout: policy::cautious_answer(&contest, &question),
                }),
                skills_chosen: [true; 2],
            }))
        }
    }
}

/// A ball that nobody knows any more.
pub fn unknown(state: &CricketTheGame) -> Result<Event, Refusal> {
    let situation = state.situation();
    let chosen = Chosen::without_bowl(&situation);
    let mut delivery = begin(&situation, &chosen)?;
    delivery.rulings.push(&NOT_KNOWN);
    Ok(Event::Ball(Box::new(Ball { chosen, dice: Vec::new(), delivery })))
}

/// A ball whose dice or choices after dice are not complete.
pub struct BallSoFar {
    /// The delivery as far as it goes.
    pub delivery: Delivery<Detail>,
    /// The dice so far.
    pub rolled: Vec<Die>,
    /// What the ball waits for.
    pub stop: Stop,
    /// The terms of the ball before its dice; none in express play.
    pub terms: Option<ContestTerms>,
}

/// The next ball of an over in progress, where something is missing after its over card. None where the ball
/// is whole, or a choice before the dice is missing or refused.
pub fn so_far(state: &CricketTheGame, choices: &Choices, dice: &[i64]) -> Option<BallSoFar> {
    let situation = state.situation();
    let mut chosen = Chosen::read(&situation, choices).ok()?;
    let mut dice = TableDice::new(dice);
    // A card that was turned from the seed is among the choices of a recorded ball.
    if chosen.card.is_none() {
        turn_card(&situation, &mut chosen, &mut dice).ok()?;
    }
    let mut delivery = begin(&situation, &chosen).ok()?;
    let mut noted = NotedDice::new(&mut dice);
    let mut entered = EnteredDecisions::new(&chosen);
    let stop = play(&situation, &chosen, &mut delivery, &mut noted, &mut entered).err()?;
    let contest = Contest::of_ball(&situation, &chosen, delivery.striker).ok();
    let contest = contest.filter(|_| !situation.is_express);
    let terms = contest.map(|contest| contest.terms(&mut Rulings::new()));
    Some(BallSoFar { rolled: noted.rolled, delivery, stop, terms })
}

/// The questions that the dice of the next ball raise, in order, up to the first that the choices do not
/// answer.
pub fn questions(state: &CricketTheGame, choices: &Choices, dice: &[i64]) -> Vec<Question> {
    let situation = state.situation();
    let Ok(chosen) = Chosen::read(&situation, choices) else { return Vec::new() };
    let Ok(mut delivery) = begin(&situation, &chosen) else { return Vec::new() };
    let mut entered = EnteredDecisions::new(&chosen);
    // Wherever the ball stops, it has asked these.
    let _ = play(&situation, &chosen, &mut delivery, &mut TableDice::new(dice), &mut entered);
    entered.asked()
}

/// Bowls the next ball, or the rest of a pending ball, with captains who choose by a policy.
pub fn decide_by_policy(
    state: &CricketTheGame,
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
    play(&situation, &chosen, &mut delivery, &mut noted, &mut captains).map_err(refusal_of)?;
    noted.end()?;
    let (chosen, dice) = (captains.answered(chosen), noted.rolled);
    Ok(Event::Ball(Box::new(Ball { chosen, dice, delivery })))
}

/// The refusal behind a stop. Captains with a policy answer every question, so a waiting ball is a mistake.
fn refusal_of(stop: Stop) -> Refusal {
    match stop {
        Stop::Refused(refusal) => *refusal,
        Stop::Waits(question) => unasked_decision(question.name()),
    }
}

/// Plays the next ball of a simulated match, and begins an over first when one is due.
pub fn simulate_ball<D: Dice>(
    state: &mut CricketTheGame,
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
    play(&situation, &chosen, &mut delivery, dice, &mut captains).map_err(refusal_of)?;
    let chosen = captains.answered(chosen);
    state.count(&chosen, &delivery);
    tally.count(&delivery);
    Ok(())
}
