//! Skill cards: the players who have them, the players who may still use them, and the skills that have a die
//! rolled again.

use super::super::edition::model::{Duelist, EditionWord, PlayerRole, PrintedEdition, Skill};
use super::super::named_card::find_card;
use super::super::rulings::*;
use super::situation::BallSituation;
use crate::rules::Refusal;
use crate::scorebook::Player;

impl PrintedEdition {
    /// The skill cards of a side.
    pub fn skills_of(&self, side: Duelist) -> &[Skill] {
        match side {
            Duelist::Bowler => &self.bowler_skills,
            Duelist::Batter => &self.batter_skills,
        }
    }
}

impl<'a> BallSituation<'a> {
    /// Whether a side may use this skill. `named` has the skills that it already uses on the ball, of bowler
    /// and batter: bit `s` for skill `s`.
    pub fn may_use(&self, side: Duelist, striker: Player, skill: u8, named: [u8; 2]) -> bool {
        let named = named[side.place()];
        let each_once = match side {
            Duelist::Bowler => self.over.skills_used | named,
            Duelist::Batter => {
                let used = self.batting.skills_used[striker.index()] | named;
                if self.batters.member(striker).role != PlayerRole::Batter && used != 0 {
                    return false;
                }
                used
            }
        };
        each_once & 1 << skill == 0
    }

    /// The skills that a side may name before the dice, besides those it has already named.
    pub fn usable(
        &self,
        side: Duelist,
        striker: Player,
        named: [u8; 2],
    ) -> impl Iterator<Item = (u8, &'a Skill)> {
        let skills = (0u8..).zip(self.edition.skills_of(side)).filter(|(_, skill)| !skill.is_reroll());
        skills.filter(move |(s, _)| self.may_use(side, striker, *s, named))
    }

    /// The ids of the skills that a side may name before the dice, besides those it has already named.
    pub fn skills_left(&self, side: Duelist, striker: Player, named: [u8; 2]) -> Vec<&'a str> {
        self.usable(side, striker, named).map(|(_, skill)| skill.id.as_str()).collect()
    }

    /// Finds a skill that is named before the dice, by its id or its name, or refuses it.
    pub(super) fn skill(
        &self,
        side: Duelist,
        striker: Player,
        given: &str,
        named: [u8; 2],
    ) -> Result<u8, Refusal> {
        let free = self.usable(side, striker, named).collect::<Vec<_>>();
        let all = self.edition.skills_of(side);
        let found = find_card(all, given);
        if let Some((s, _)) = free.iter().find(|(s, _)| found == Ok(Some(usize::from(*s)))) {
            return Ok(*s);
        }
        let legal: Vec<&str> = free.iter().map(|(_, skill)| skill.id.as_str()).collect();
        let message = match found {
            Ok(Some(at)) if all[at].is_reroll() => {
                format!(
                    "{given:?} cannot be named: the match asks after the dice whether a die is rolled again"
                )
            }
            Ok(Some(_)) => format!("{given:?} cannot be used any more: {}", BALL_SKILL.text),
            Ok(None) => format!("the {} has no skill {given:?}", side.word()),
            Err(several) => several.to_string(),
        };
        Err(Refusal::choice(format!("skills.{}", side.word()), message).by(&BALL_SKILL).legal(legal))
    }
}

impl Skill {
    /// Whether the skill lets a die be rolled again.
    pub fn is_reroll(&self) -> bool {
        self.rerolls.is_some()
    }
}
