//! One ball: its choices, its contest and its outcome.

mod chances;
mod chosen;
mod contest;
mod decision_source;
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

pub use self::chosen::{AFTER_DICE, Chosen};
pub use self::contest::{Contest, ContestTerms};
pub use self::decision_source::{DecisionSource, EnteredDecisions, unasked_decision};
pub use self::detail::Detail;
pub use self::duel::{DuelResult, compare};
pub use self::legal::{attitudes, bowls, cards_left, zones};
pub use self::over_cards::{deal, turn_card};
pub use self::question::{Chance, Question, Reroll, Stop};
pub use self::read::attitude;
pub use self::situation::BallSituation;
use super::edition::model::{Duelist, SoFar};
use super::rulings::*;
use super::squad::MOST_CONFIDENCE;
use crate::dice::{Dice, Die, Draw};
use crate::rules::{Choices, Place, Refusal, RefusalKind};
use crate::scorebook::{Delivery, Dismissal, Player};

/// One ball: its choices, its dice and its outcome.
#[derive(Debug, Clone)]
pub struct Ball {
    pub(super) chosen: Chosen,
    /// The dice that were rolled. An admitted ball has none: its dice are in the log.
    pub(super) dice: Vec<Die>,
    pub(super) delivery: Delivery<Detail>,
}

/// Balls are equal when their choices and outcomes are. [`Dice`] checks the dice themselves.
impl PartialEq for Ball {
    fn eq(&self, other: &Ball) -> bool {
        self.chosen == other.chosen && self.delivery == other.delivery
    }
}

/// A pending ball, which waits for a decision: its choices and dice so far.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Pending {
    /// The choices, in their form for the log.
    pub(super) choices: Choices,
    pub(super) dice: Vec<Die>,
    /// The question that its dice have raised.
    pub(super) question: Option<PendingQuestion>,
    /// Whether bowler and batter have chosen their skills, in remote play.
    pub(super) skills_chosen: [bool; 2],
}

/// The question of a pending ball.
#[derive(Debug, Clone, PartialEq)]
pub struct PendingQuestion {
    /// The name of the choice that answers the question.
    pub(super) name: &'static str,
    pub(super) decided_by: Duelist,
    pub(super) legal: Value,
    /// The answer for a side that times out.
    pub(super) on_timeout: Value,
}

/// The delivery of the next ball before its dice, with its players only.
pub fn begin(situation: &BallSituation<'_>, chosen: &Chosen) -> Result<Delivery<Detail>, Refusal> {
    let nobody = || Refusal::new(RefusalKind::OutOfTurn, Place::Input, "nobody is left to bat");
    let next = chosen.next_batter.map(|(batter, _)| batter);
    let striker = situation.innings.striker().or(next).ok_or_else(nobody)?;
    let non_striker = situation.innings.non_striker().or(next).ok_or_else(nobody)?;
    let bowler = situation.innings.bowler().unwrap_or(Player(0));
    Ok(Delivery::between(striker, non_striker, bowler))
}

/// Plays the next ball of an over in progress; its over card is already turned. The delivery is filled in by
/// reference.
pub fn play<D: Dice + ?Sized, C: DecisionSource>(
    situation: &BallSituation<'_>,
    chosen: &Chosen,
    delivery: &mut Delivery<Detail>,
    dice: &mut D,
    decisions: &mut C,
) -> Result<(), Stop> {
    dice.begin(Draw::ball(situation.delivery));
    delivery.detail.confidence = situation.batting.confidence[delivery.striker.index()];
    delivery.detail.free_hit = situation.is_free_hit();
    let by_cards = match chosen.over_card(situation).filter(|_| situation.is_express) {
        Some(card) => {
            express::express(situation, card.express, delivery, dice).map(|()| delivery.detail.confidence)?
        }
        None => play_in_full(
            &Contest::of_ball(situation, chosen, delivery.striker)?,
            delivery,
            (dice, decisions),
        )?,
    };
    update_confidence(delivery, by_cards);
    Ok(())
}

fn update_confidence(delivery: &mut Delivery<Detail>, by_cards: i8) {
    let before = delivery.detail.confidence;
    let boundary = i8::from(delivery.boundary.is_some() && delivery.runs > 0);
    delivery.detail.confidence = (by_cards + boundary).min(MOST_CONFIDENCE);
    if delivery.detail.confidence != before {
        delivery.rulings.push(&CONFIDENCE);
    }
}

/// Plays a ball that is not express. Returns the confidence of the batter after the effects of the cards.
fn play_in_full<D: Dice + ?Sized, C: DecisionSource>(
    contest: &Contest<'_>,
    delivery: &mut Delivery<Detail>,
    (dice, decisions): (&mut D, &mut C),
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
    let so_far = match terms.decided {
        Some(by_card) => {
            chances::card_decides(contest, by_card, false, protected, delivery);
            None
        }
        None => bat_on_ball(contest, &mut terms, protected, delivery, (dice, decisions))?,
    };
    if delivery.boundary.is_some() && delivery.runs > 0 {
        contest.effects_at(SoFar::Boundary, so_far).for_each(|then| terms.apply_effect(then));
    }
    Ok(terms.confidence)
}

/// Plays bowler against batter, and what follows. Returns the result of their dice if its effects have
/// applied.
fn bat_on_ball<D: Dice + ?Sized, C: DecisionSource>(
    contest: &Contest<'_>,
    terms: &mut ContestTerms,
    protected: bool,
    delivery: &mut Delivery<Detail>,
    (dice, decisions): (&mut D, &mut C),
) -> Result<Option<SoFar>, Stop> {
    let (duel, result) = duel::fight(contest, terms, dice, decisions, &mut delivery.rulings)?;
    let margin = duel.margin;
    delivery.detail.margin = Some(margin);
    match result {
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
            struck::struck(contest, terms, margin, protected, delivery, (dice, decisions))?;
            Ok(Some(SoFar::Strike))
        }
        DuelResult::Blocked | DuelResult::Missed => {
            let so_far = if result == DuelResult::Blocked { SoFar::Block } else { SoFar::Miss };
            let how = (so_far, margin.min(0).unsigned_abs(), protected);
            chances::not_struck(contest, terms, how, delivery, (dice, decisions))?;
            Ok(Some(so_far))
        }
    }
}
