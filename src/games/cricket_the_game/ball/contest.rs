//! The contest of one ball, bowler against batter, and what the cards do before any die is rolled.

use smallvec::SmallVec;

use super::super::edition::effect::{Effect, Situation, Then};
use super::super::edition::model::{
    Attitude, Bowl, CardDecision, Duelist, EditionWord, OverCard, PlayerRole, SoFar, StyleRules, Zone,
};
use super::super::field::Field;
use super::super::rulings::*;
use super::super::squad::{LEAST_CONFIDENCE, MOST_CONFIDENCE};
use super::chosen::Chosen;
use super::situation::BallSituation;
use crate::rules::Refusal;
use crate::scorebook::{Player, Rulings};

/// The most overthrows off one ball, however many cards give them.
const MOST_OVERTHROWS: u8 = 4;

/// The contest of a ball in full play: everything that it is bowled with.
pub struct Contest<'a> {
    pub(super) situation: &'a BallSituation<'a>,
    pub(super) rules: &'a StyleRules,
    pub(super) bowl: &'a Bowl,
    pub(super) card: Option<&'a OverCard>,
    pub(super) field: Field,
    pub(super) conditions: Situation,
    pub(super) stroke: Zone,
    pub(super) striker: Player,
    pub(super) chosen: &'a Chosen,
    /// The effects that fit the conditions, card by card: pitch, bowl, the bowler's skills, the batter's, the
    /// over card.
    pub(super) effects: SmallVec<[&'a Effect; 8]>,
}

/// The terms of a ball before its dice, as its cards set them.
#[derive(Debug, Clone)]
pub struct ContestTerms {
    pub advantage: i8,
    pub bowler_die: u8,
    pub batter_die: u8,
    /// The numbers added to the rolls of bowler and batter.
    pub roll: [i8; 2],
    pub no_ball: bool,
    pub dead_ball: bool,
    pub decided: Option<CardDecision>,
    pub snick: bool,
    pub catch_value: i8,
    pub overthrows: u8,
    pub no_run: bool,
    /// The batter's confidence from the next ball on.
    pub confidence: i8,
}

impl<'a> Contest<'a> {
    /// The contest of a ball in full play to this batter.
    pub fn of_ball(
        situation: &'a BallSituation<'a>,
        chosen: &'a Chosen,
        striker: Player,
    ) -> Result<Contest<'a>, Refusal> {
        let missing = || Refusal::choice("bowl", "a ball in full play has a bowl, a stroke and a field");
        let bowl = chosen.bowl.and_then(|bowl| situation.bowls().get(usize::from(bowl)));
        let mut contest = Contest {
            situation,
            rules: situation.rules(),
            bowl: bowl.ok_or_else(missing)?,
            card: chosen.over_card(situation),
            field: chosen.field.or(situation.field).ok_or_else(missing)?,
            conditions: Situation {
                attitude: chosen.attitude,
                style: situation.style,
                role: situation.batters.member(striker).role,
                pitch: situation.condition(),
            },
            stroke: chosen.stroke.ok_or_else(missing)?,
            striker,
            chosen,
            effects: SmallVec::new(),
        };
        contest.lay_cards();
        Ok(contest)
    }

    /// The situation of the ball.
    pub fn situation(&self) -> &BallSituation<'a> {
        self.situation
    }

    /// The rule card of the bowler's style.
    pub fn rules(&self) -> &StyleRules {
        self.rules
    }

    /// The attitude of the batter.
    pub fn attitude(&self) -> Attitude {
        self.conditions.attitude
    }

    /// The field of the ball.
    pub fn field(&self) -> &Field {
        &self.field
    }

    /// The zone into which the batter means to hit the ball.
    pub fn stroke(&self) -> Zone {
        self.stroke
    }

    /// Lays the cards of the ball open.
    fn lay_cards(&mut self) {
        self.lay(self.situation.pitch.map_or(&[], |card| card.effects.as_slice()));
        self.lay(&self.bowl.effects);
        for (side, _) in Duelist::ALL {
            let named = self.chosen.skills[side.place()];
            let skills = self.situation.edition.skills_of(*side).iter().enumerate();
            for (_, skill) in skills.filter(|(s, _)| named & 1 << s != 0) {
                self.lay(&skill.effects);
            }
        }
        self.lay(self.card.map_or(&[], |card| card.effects.as_slice()));
    }

    fn lay(&mut self, effects: &'a [Effect]) {
        for effect in effects {
            if effect.when.fits(&self.conditions) {
                self.effects.push(effect);
            }
        }
    }

    /// The effects that apply at this result of the ball so far, without those that already applied at the
    /// result `before`.
    pub(super) fn effects_at(&self, so_far: SoFar, before: Option<SoFar>) -> impl Iterator<Item = Then> {
        let has_applied = move |effect: &Effect| before.is_some_and(|it| effect.when.is_at(it));
        let applies = move |effect: &&&Effect| effect.when.is_at(so_far) && !has_applied(effect);
        self.effects.iter().filter(applies).map(|effect| effect.then)
    }

    /// The advantage within the bounds of the meter; that of a specialist batter never falls below zero.
    fn clamped(&self, advantage: i8) -> i8 {
        let least = if self.conditions.role == PlayerRole::Batter { 0 } else { -1 };
        advantage.clamp(least, 3)
    }

    /// The advantage once bowl and stroke are revealed.
    pub fn revealed_advantage(&self, rulings: &mut Rulings) -> i8 {
        if self.bowl.feeds.has(self.stroke) {
            rulings.push(&ADVANTAGE_FULL);
            return 3;
        }
        rulings.push(&ADVANTAGE_LINES);
        let lines = Zone::ALL
            .iter()
            .filter(|(zone, _)| self.bowl.feeds.has(*zone))
            .map(|(zone, _)| zone.place().abs_diff(self.stroke.place()))
            .min();
        let confidence = self.situation.batting.confidence[self.striker.index()];
        self.clamped(confidence - lines.unwrap_or(0) as i8)
    }

    /// The terms of the ball before its dice, after every card.
    pub fn terms(&self, rulings: &mut Rulings) -> ContestTerms {
        let patience = self.situation.patience;
        let mut terms = ContestTerms {
            advantage: self.revealed_advantage(rulings),
            bowler_die: if patience { 8 } else { *self.bowl.die.of(self.conditions.pitch) },
            batter_die: if self.conditions.role.is_specialist_bowler() { 6 } else { 8 },
            roll: [0; 2],
            no_ball: false,
            dead_ball: false,
            decided: None,
            snick: self.card.is_some_and(|card| card.snick),
            catch_value: 0,
            overthrows: 0,
            no_run: false,
            confidence: self.situation.batting.confidence[self.striker.index()],
        };
        if self.chosen.skills != [0; 2] {
            rulings.push(&SKILL);
        }
        if patience {
            rulings.push(&PATIENCE);
        }
        for effect in self.effects.iter().filter(|effect| effect.when.is_at_first()) {
            terms.apply(effect.then, |advantage| self.clamped(advantage));
        }
        terms
    }
}

impl ContestTerms {
    fn apply(&mut self, then: Then, clamped: impl Fn(i8) -> i8) {
        match then {
            Then::NoBall => self.no_ball = true,
            Then::Outcome(decided) => self.decided = self.decided.or(Some(decided)),
            Then::Advantage(by) => self.advantage = clamped(self.advantage + by),
            Then::BowlerDie(die) => self.bowler_die = die,
            Then::BatterDie(die) => self.batter_die = die,
            Then::Roll { side, by } => self.roll[side.place()] = self.roll[side.place()].saturating_add(by),
            Then::DeadBall => self.dead_ball = true,
            Then::Snick => self.snick = true,
            Then::Confidence(_) | Then::Overthrows(_) | Then::CatchValue(_) | Then::NoRunAllowed => {
                self.apply_effect(then)
            }
            Then::Reroll(_) | Then::Appeal { .. } | Then::Nothing => {}
        }
    }

    /// Applies an effect of a kind that may also follow from the result of the ball.
    pub(super) fn apply_effect(&mut self, then: Then) {
        match then {
            Then::Confidence(by) => {
                self.confidence = (self.confidence + by).clamp(LEAST_CONFIDENCE, MOST_CONFIDENCE)
            }
            Then::Overthrows(runs) => {
                self.overthrows = self.overthrows.saturating_add(runs).min(MOST_OVERTHROWS)
            }
            Then::CatchValue(by) => self.catch_value = self.catch_value.saturating_add(by),
            Then::NoRunAllowed => self.no_run = true,
            Then::Snick => self.snick = true,
            Then::NoBall
            | Then::Outcome(_)
            | Then::Advantage(_)
            | Then::BowlerDie(_)
            | Then::BatterDie(_)
            | Then::Roll { .. }
            | Then::Reroll(_)
            | Then::DeadBall
            | Then::Appeal { .. }
            | Then::Nothing => {}
        }
    }
}
