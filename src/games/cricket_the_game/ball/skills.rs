//! Skill cards: who has them, who may still use them, and which have a die rolled again.

use super::super::edition::effect::Then;
use super::super::edition::model::{Duelist, Edition, Role, Skill, Word};
use super::super::rulings::*;
use super::super::state::State;
use super::Chosen;
use crate::rules::Refusal;
use crate::scorebook::Player;

impl Edition {
    /// The skill cards of a side.
    pub fn skills_of(&self, side: Duelist) -> &[Skill] {
        match side {
            Duelist::Bowler => &self.bowler_skills,
            Duelist::Batter => &self.batter_skills,
        }
    }
}

impl State {
    /// Whether a side may use this skill: `chosen` may use others.
    pub fn may_use(&self, side: Duelist, striker: Player, skill: u8, chosen: &Chosen) -> bool {
        let named = chosen.skills[side.place()];
        let each_once = match side {
            Duelist::Bowler => self.over.skills_used | named,
            Duelist::Batter => {
                let used = self.batting.skills_used[striker.index()] | named;
                if self.batter(striker).role != Role::Batter && used != 0 {
                    return false;
                }
                used
            }
        };
        each_once & 1 << skill == 0
    }

    /// The skills a side may name for the next ball.
    pub fn skills_left(&self, side: Duelist, chosen: &Chosen) -> Vec<&str> {
        let striker = self.facing(chosen);
        let named = (0u8..).zip(self.edition().skills_of(side)).filter(|(_, skill)| !skill.is_reroll());
        named
            .filter(|(s, _)| self.may_use(side, striker, *s, chosen))
            .map(|(_, skill)| skill.id.as_str())
            .collect()
    }

    /// A skill that is named before the dice, by its id.
    pub(super) fn skill(
        &self,
        side: Duelist,
        striker: Player,
        id: &str,
        chosen: &Chosen,
    ) -> Result<u8, Refusal> {
        let named = |(_, skill): &(u8, &Skill)| !skill.is_reroll();
        let skills = (0u8..).zip(self.edition().skills_of(side)).filter(named);
        let free = skills.filter(|(s, _)| self.may_use(side, striker, *s, chosen)).collect::<Vec<_>>();
        if let Some((s, _)) = free.iter().find(|(_, skill)| skill.id == id) {
            return Ok(*s);
        }
        let legal: Vec<&str> = free.iter().map(|(_, skill)| skill.id.as_str()).collect();
        let all = self.edition().skills_of(side).iter();
        let message = match all.clone().find(|skill| skill.id == id) {
            Some(skill) if skill.is_reroll() => {
                format!("{id:?} is not named: whether a die is rolled again is asked after the dice")
            }
            Some(_) => format!("{id:?} cannot be used any more: {}", BALL_SKILL.text),
            None => format!("the {} has no skill {id:?}", side.word()),
        };
        Err(Refusal::choice(format!("skills.{}", side.word()), message).by(&BALL_SKILL).legal(legal))
    }
}

impl Skill {
    /// The die it lets be rolled again.
    pub fn rerolls(&self) -> Option<Duelist> {
        self.effects.iter().find_map(|effect| match effect.then {
            Then::Reroll(die) => Some(die),
            _ => None,
        })
    }

    /// Whether it lets a die be rolled again.
    pub fn is_reroll(&self) -> bool {
        self.rerolls().is_some()
    }
}
