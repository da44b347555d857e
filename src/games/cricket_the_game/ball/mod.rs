//! One ball, from what is chosen for it to what comes of it.

mod captain;
mod chances;
mod chosen;
mod contest;
mod detail;
mod duel;
mod express;
mod legal;
mod over_cards;
mod question;
mod read;
mod situation;
mod skills;
mod struck;
#[cfg(test)]
mod tests;

use serde_json::Value;

pub use self::captain::{DecisionSource, Entered, not_asked};
pub use self::chosen::{AFTER_DICE, Chosen};
pub use self::contest::Contest;
use self::contest::ContestTerms;
pub use self::detail::Detail;
use self::duel::DuelResult;
pub use self::legal::{attitudes, bowls, cards_left, zones};
pub use self::over_cards::{deal, turn_card};
pub use self::question::{Chance, Question, Reroll, Stop};
pub use self::read::attitude;
pub use self::situation::BallSituation;
use super::edition::model::{Duelist, SoFar};
use super::rulings::*;
use super::squad::MOST_CONFIDENCE;
use crate::dice::{Dice, Die, Draw};
use crate::rules::{Choices, Place, Refusal, Why};
use crate::scorebook::{Delivery, Dismissal, Player};

/// One ball: what was chosen, what was rolled, what came of it.
#[derive(Debug, Clone)]
pub struct Ball {
    pub(super) chosen: Chosen,
    /// What was rolled; no dice in an admitted ball, whose dice are on record.
    pub(super) dice: Vec<Die>,
    pub(super) delivery: Delivery<Detail>,
}

/// Whether two balls have equal choices and outcomes. That their dice are equal too is for [`Dice`] to see
/// to.
impl PartialEq for Ball {
    fn eq(&self, other: &Ball) -> bool {
        self.chosen == other.chosen && self.delivery == other.delivery
    }
}

/// A ball that waits for somebody to decide: what was chosen and rolled of it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Pending {
    /// The choices as the log has them.
    pub(super) choices: Choices,
    pub(super) dice: Vec<Die>,
    /// What follows from the dice and is to be decided.
    pub(super) asked: Option<Asked>,
    /// Whether bowler and batter have said which skills they use, where the sides play from afar.
    pub(super) skills_said: [bool; 2],
}

/// A decision that is asked for.
#[derive(Debug, Clone, PartialEq)]
pub struct Asked {
    /// The name of the choice that answers it.
    pub(super) name: &'static str,
    pub(super) whose: Duelist,
    pub(super) legal: Value,
    /// What is taken for a side that stays silent.
    pub(super) cautious: Value,
}

/// The next ball of an over in progress, of which nothing has come yet.
pub fn begin(situation: &BallSituation<'_>, chosen: &Chosen) -> Result<Delivery<Detail>, Refusal> {
    let nobody = || Refusal::new(Why::OutOfTurn, Place::Input, "nobody is left to bat");
    let next = chosen.next_batter.map(|(batter, _)| batter);
    let striker = situation.innings.striker().or(next).ok_or_else(nobody)?;
    let non_striker = situation.innings.non_striker().or(next).ok_or_else(nobody)?;
    let bowler = situation.innings.bowler().unwrap_or(Player(0));
    Ok(Delivery::between(striker, non_striker, bowler))
}

/// Plays the next ball of an over in progress, with its card turned. The delivery is filled in where it
/// stands.
pub fn play<D: Dice + ?Sized, C: DecisionSource>(
    situation: &BallSituation<'_>,
    chosen: &Chosen,
    delivery: &mut Delivery<Detail>,
    dice: &mut D,
    captain: &mut C,
) -> Result<(), Stop> {
    dice.begin(Draw::ball(situation.delivery));
    delivery.detail.confidence = situation.batting.confidence[delivery.striker.index()];
    delivery.detail.free_hit = situation.is_free_hit();
    let by_cards = match chosen.over_card(situation).filter(|_| situation.is_express) {
        Some(card) => {
            express::express(situation, card.express, delivery, dice).map(|()| delivery.detail.confidence)?
        }
        None => {
            play_in_full(&Contest::of_ball(situation, chosen, delivery.striker)?, delivery, (dice, captain))?
        }
    };
    settle_confidence(delivery, by_cards);
    Ok(())
}

fn settle_confidence(delivery: &mut Delivery<Detail>, by_cards: i8) {
    let before = delivery.detail.confidence;
    let boundary = i8::from(delivery.boundary.is_some() && delivery.runs > 0);
    delivery.detail.confidence = (by_cards + boundary).min(MOST_CONFIDENCE);
    if delivery.detail.confidence != before {
        delivery.rulings.push(&CONFIDENCE);
    }
}

/// Plays a ball that is not express; gives the batter's confidence by what the cards say.
fn play_in_full<D: Dice + ?Sized, C: DecisionSource>(
    contest: &Contest<'_>,
    delivery: &mut Delivery<Detail>,
    (dice, captain): (&mut D, &mut C),
) -> Result<i8, Stop> {
    if delivery.detail.free_hit {
        delivery.rulings.push(&FREE_HIT);
    }
    let mut terms = contest.terms(&mut delivery.rulings);
    delivery.detail.advantage = Some(terms.advantage);
    if terms.dead_ball {
        delivery.rulings.push(&DEAD_BALL);
        delivery.detail.dead_ball = true;
        delivery.legal = false;
        return Ok(delivery.detail.confidence);
    }
    if terms.no_ball {
        delivery.rulings.push(&NO_BALL);
        delivery.extras.no_balls = 1;
        delivery.legal = false;
    }
    let protected = terms.no_ball || delivery.detail.free_hit;
    let came_to = match terms.decided {
        Some(by_card) => {
            chances::card_decides(contest, by_card, false, protected, delivery);
            None
        }
        None => bat_on_ball(contest, &mut terms, protected, delivery, (dice, captain))?,
    };
    if delivery.boundary.is_some() && delivery.runs > 0 {
        contest.effects_at(SoFar::Boundary, came_to).for_each(|then| terms.follow(then));
    }
    Ok(terms.confidence)
}

/// Bowler against batter, and what follows; what the ball came to by their dice, where its effects have
/// applied.
fn bat_on_ball<D: Dice + ?Sized, C: DecisionSource>(
    contest: &Contest<'_>,
    terms: &mut ContestTerms,
    protected: bool,
    delivery: &mut Delivery<Detail>,
    (dice, captain): (&mut D, &mut C),
) -> Result<Option<SoFar>, Stop> {
    let (duel, came) = duel::fight(contest, terms, dice, captain, &mut delivery.rulings)?;
    let margin = duel.margin;
    delivery.detail.margin = Some(margin);
    match came {
        DuelResult::CleanBowled => {
            delivery.dismissal = (!protected).then_some(Dismissal::Bowled);
            Ok(None)
        }
        DuelResult::Natural(boundary) => {
            delivery.runs = boundary.runs();
            delivery.boundary = Some(boundary);
            Ok(None)
        }
        DuelResult::Struck => {
            struck::struck(contest, terms, margin, protected, delivery, (dice, captain))?;
            Ok(Some(SoFar::Strike))
        }
        DuelResult::Blocked | DuelResult::Missed => {
            let so_far = if came == DuelResult::Blocked { SoFar::Block } else { SoFar::Miss };
            let how = (so_far, margin.min(0).unsigned_abs(), protected);
            chances::not_struck(contest, terms, how, delivery, (dice, captain))?;
            Ok(Some(so_far))
        }
    }
}
