//! The choice that a match with remote play waits for, and the open choices that a side has made.

use std::sync::Arc;

use serde_json::{Value, json};

use super::ball::Chosen;
use super::edition::model::{Duelist, EditionWord};
use super::state::CricketTheGame;
use crate::rules::Choices;
use crate::scorebook::Side;

/// The choice, or the step, that a match with remote play waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Awaiting {
    /// The player whom a side drops.
    Drop(Side),
    /// The opening batters.
    Openers,
    /// The bowler, when the batting side may call the power play once it knows him.
    Bowler,
    /// The batting side's decision to call the power play or not.
    PowerPlay,
    /// The start of the over.
    Over,
    /// The batter who comes in for one who is out.
    NextBatter,
    /// The places to which the bowling side moves its fielders.
    Field,
    /// Bowl and stroke, both chosen in secret.
    Delivery,
    /// The skills of bowler or batter, chosen once bowl and stroke are revealed.
    Skills(Duelist),
    /// The dice of the ball.
    Ball,
}

/// An open choice: one that a side makes in the sight of the other.
#[derive(Debug, Clone, PartialEq)]
pub struct OpenChoice {
    pub(super) side: Side,
    pub(super) what: &'static str,
    /// The choice, in its form for the log.
    pub(super) choice: Choices,
    /// The step that the match waited for.
    pub(super) awaited: Awaiting,
}

impl Awaiting {
    /// The next step of a match with remote play. There is none at one table, where all choices of a ball are
    /// entered together.
    pub fn of(state: &CricketTheGame) -> Option<Awaiting> {
        if !state.setting.created.remote || state.result().is_some() {
            return None;
        }
        let is_chosen = |name: &str| state.open_choices.contains_key(name);
        if state.prepared.is_none() {
            let side = [Side::Home, Side::Away].into_iter().find(|side| !is_chosen(side.as_str()));
            return side.map(Awaiting::Drop);
        }
        if state.innings.bowler().is_none() {
            let power_play = state.may_call_power_play();
            return Some(match () {
                () if !state.innings.is_open() && !is_chosen("openers") => Awaiting::Openers,
                () if power_play && !is_chosen("bowler") => Awaiting::Bowler,
                () if power_play && !is_chosen("power_play") => Awaiting::PowerPlay,
                () => Awaiting::Over,
            });
        }
        Some(Awaiting::of_ball(state))
    }

    fn of_ball(state: &CricketTheGame) -> Awaiting {
        let pending = state.pending.as_deref();
        let chosen = |name: &str| pending.is_some_and(|pending| pending.choices.contains_key(name));
        let skilled = |side: Duelist| {
            let already_chosen = pending.is_some_and(|pending| pending.skills_chosen[side.place()]);
            !already_chosen
                && pending.is_some_and(|pending| !state.skills_left_on(side, &pending.choices).is_empty())
        };
        match () {
            () if pending.is_some_and(|pending| pending.question.is_some()) => Awaiting::Ball,
            () if state.innings.awaits_batter() && !chosen("next_batter") => Awaiting::NextBatter,
            () if state.is_express() => Awaiting::Ball,
            () if !chosen("field") => Awaiting::Field,
            () if !chosen("stroke") => Awaiting::Delivery,
            () if skilled(Duelist::Bowler) => Awaiting::Skills(Duelist::Bowler),
            () if skilled(Duelist::Batter) => Awaiting::Skills(Duelist::Batter),
            () => Awaiting::Ball,
        }
    }

    /// The open choice that is awaited: the side that makes it, and its name in JSON.
    pub fn open_choice(self, state: &CricketTheGame) -> Option<(Side, &'static str)> {
        let (batting, bowling) = (state.side_batting(), state.side_batting().other());
        match self {
            Awaiting::Drop(side) => Some((side, "drop")),
            Awaiting::Openers => Some((batting, "openers")),
            Awaiting::Bowler => Some((bowling, "bowler")),
            Awaiting::PowerPlay => Some((batting, "power_play")),
            Awaiting::NextBatter => Some((batting, "next_batter")),
            Awaiting::Field => Some((bowling, "field")),
            Awaiting::Skills(Duelist::Bowler) => Some((bowling, "bowler_skills")),
            Awaiting::Skills(Duelist::Batter) => Some((batting, "batter_skills")),
            Awaiting::Over | Awaiting::Delivery | Awaiting::Ball => None,
        }
    }

    /// Whether the step is part of a ball.
    fn is_of_ball(self) -> bool {
        matches!(
            self,
            Awaiting::NextBatter
                | Awaiting::Field
                | Awaiting::Delivery
                | Awaiting::Skills(_)
                | Awaiting::Ball
        )
    }
}

/// The number in the over of the ball that a choice is for.
pub fn ball_of(state: &CricketTheGame, awaited: Awaiting) -> Option<u32> {
    awaited.is_of_ball().then(|| state.innings.ball_number())
}

impl CricketTheGame {
    /// Applies an open choice of a side.
    pub(super) fn apply_open_choice(&mut self, open_choice: &OpenChoice) {
        match open_choice.awaited {
            Awaiting::Drop(side) => {
                let name = open_choice.choice.get("drop").cloned().unwrap_or_default();
                self.open_choices.insert(side.as_str().to_owned(), name);
            }
            Awaiting::Openers | Awaiting::Bowler | Awaiting::PowerPlay => {
                self.open_choices.extend(open_choice.choice.clone())
            }
            Awaiting::NextBatter | Awaiting::Field => {
                let pending = self.pending.get_or_insert_default();
                Arc::make_mut(pending).choices.extend(open_choice.choice.clone());
            }
            Awaiting::Skills(side) => {
                let skills = open_choice.choice.get("skills").and_then(Value::as_array).into_iter().flatten();
                let skills: Vec<String> = skills.filter_map(Value::as_str).map(str::to_owned).collect();
                let choices = with_skills(self, side, &skills);
                let pending = Arc::make_mut(self.pending.get_or_insert_default());
                pending.choices = choices;
                pending.skills_chosen[side.place()] = true;
            }
            Awaiting::Over | Awaiting::Delivery | Awaiting::Ball => {}
        }
    }

    /// The choices made so far for the next ball.
    pub(super) fn chosen_so_far(&self) -> Choices {
        self.pending.as_deref().map(|pending| pending.choices.clone()).unwrap_or_default()
    }

    /// The ids of the skills that a side may still name on a ball with these choices.
    pub(super) fn skills_left_on(&self, side: Duelist, choices: &Choices) -> Vec<&str> {
        let situation = self.situation();
        let Ok(chosen) = Chosen::read(&situation, choices) else { return Vec::new() };
        situation.skills_left(side, chosen.facing(&situation), chosen.skills)
    }
}

/// The choices made so far for the next ball, with these skills of a side.
pub fn with_skills(state: &CricketTheGame, side: Duelist, skills: &[String]) -> Choices {
    let mut choices = state.chosen_so_far();
    if !skills.is_empty() {
        let all = choices.entry("skills").or_insert_with(|| json!({}));
        all[side.word()] = json!(skills);
    }
    choices
}
