//! What a match of sides that play from afar waits for, and what a side has chosen of it in the open.

use std::sync::Arc;

use serde_json::{Value, json};

use super::ball::Chosen;
use super::edition::model::{Duelist, EditionWord};
use super::state::State;
use crate::rules::Choices;
use crate::scorebook::Side;

/// What a match of sides apart waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Awaiting {
    /// Whom a side drops.
    Drop(Side),
    /// Who opens.
    Openers,
    /// Who bowls, where the batting side may call the power play when it knows.
    Bowler,
    /// Whether the batting side calls the power play.
    PowerPlay,
    /// The over.
    Over,
    /// Who comes in.
    NextBatter,
    /// Where the fielders stand.
    Field,
    /// Bowl and stroke, in secret.
    Delivery,
    /// The skills of bowler or batter, once these are turned up.
    Skills(Duelist),
    /// The ball.
    Ball,
}

/// What a side has chosen in the open.
#[derive(Debug, Clone, PartialEq)]
pub struct OpenChoice {
    pub(super) side: Side,
    pub(super) what: &'static str,
    /// The choice as the log has it.
    pub(super) choice: Choices,
    /// What the match has waited for.
    pub(super) of: Awaiting,
}

impl Awaiting {
    /// What is awaited before the next ball, or before the over or the toss; none at one table, where all is
    /// put in together.
    pub fn of(state: &State) -> Option<Awaiting> {
        if !state.setting.created.remote || state.result().is_some() {
            return None;
        }
        let said = |name: &str| state.said.contains_key(name);
        if state.prepared.is_none() {
            let side = [Side::Home, Side::Away].into_iter().find(|side| !said(side.as_str()));
            return side.map(Awaiting::Drop);
        }
        if state.innings.bowler().is_none() {
            let power_play = state.may_call_power_play();
            return Some(match () {
                () if !state.innings.is_open() && !said("openers") => Awaiting::Openers,
                () if power_play && !said("bowler") => Awaiting::Bowler,
                () if power_play && !said("power_play") => Awaiting::PowerPlay,
                () => Awaiting::Over,
            });
        }
        Some(Awaiting::of_ball(state))
    }

    fn of_ball(state: &State) -> Awaiting {
        let pending = state.pending.as_deref();
        let chosen = |name: &str| pending.is_some_and(|pending| pending.choices.contains_key(name));
        let skilled = |side: Duelist| {
            let said = pending.is_some_and(|pending| pending.skills_said[side.place()]);
            !said && pending.is_some_and(|pending| !state.skills_left_on(side, &pending.choices).is_empty())
        };
        match () {
            () if pending.is_some_and(|pending| pending.asked.is_some()) => Awaiting::Ball,
            () if state.innings.awaits_batter() && !chosen("next_batter") => Awaiting::NextBatter,
            () if state.is_express() => Awaiting::Ball,
            () if !chosen("field") => Awaiting::Field,
            () if !chosen("stroke") => Awaiting::Delivery,
            () if skilled(Duelist::Bowler) => Awaiting::Skills(Duelist::Bowler),
            () if skilled(Duelist::Batter) => Awaiting::Skills(Duelist::Batter),
            () => Awaiting::Ball,
        }
    }

    /// The word for what is awaited, and the side that chooses it in the open.
    pub fn in_the_open(self, state: &State) -> Option<(Side, &'static str)> {
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

    /// Whether what is awaited is part of a ball.
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

/// The place in the over of the ball that something is chosen for.
pub fn ball_of(state: &State, awaits: Awaiting) -> Option<u32> {
    awaits.is_of_ball().then(|| state.innings.ball_number())
}

impl State {
    /// Takes in what a side has chosen in the open.
    pub(super) fn apply_open_choice(&mut self, said: &OpenChoice) {
        match said.of {
            Awaiting::Drop(side) => {
                let name = said.choice.get("drop").cloned().unwrap_or_default();
                self.said.insert(side.as_str().to_owned(), name);
            }
            Awaiting::Openers | Awaiting::Bowler | Awaiting::PowerPlay => {
                self.said.extend(said.choice.clone())
            }
            Awaiting::NextBatter | Awaiting::Field => {
                let pending = self.pending.get_or_insert_default();
                Arc::make_mut(pending).choices.extend(said.choice.clone());
            }
            Awaiting::Skills(side) => {
                let skills = said.choice.get("skills").and_then(Value::as_array).into_iter().flatten();
                let skills: Vec<String> = skills.filter_map(Value::as_str).map(str::to_owned).collect();
                let choices = with_skills(self, side, &skills);
                let pending = Arc::make_mut(self.pending.get_or_insert_default());
                pending.choices = choices;
                pending.skills_said[side.place()] = true;
            }
            Awaiting::Over | Awaiting::Delivery | Awaiting::Ball => {}
        }
    }

    /// What has been chosen of the next ball.
    pub(super) fn chosen_so_far(&self) -> Choices {
        self.pending.as_deref().map(|pending| pending.choices.clone()).unwrap_or_default()
    }

    /// The ids of the skills that a side may still name on a ball of which this has been chosen.
    pub(super) fn skills_left_on(&self, side: Duelist, choices: &Choices) -> Vec<&str> {
        let situation = self.situation();
        let Ok(chosen) = Chosen::read(&situation, choices) else { return Vec::new() };
        situation.skills_left(side, chosen.facing(&situation), chosen.skills)
    }
}

/// The choices of the ball so far, with these skills of a side.
pub fn with_skills(state: &State, side: Duelist, skills: &[String]) -> Choices {
    let mut choices = state.chosen_so_far();
    if !skills.is_empty() {
        let all = choices.entry("skills").or_insert_with(|| json!({}));
        all[side.word()] = json!(skills);
    }
    choices
}
