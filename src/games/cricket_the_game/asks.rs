//! What Cricket: The Game asks of those who score it, who is on the field, and what it has to say of the next
//! ball.

mod ball;
mod behind;
mod board;
mod choice;
mod dice;
mod options;
mod over;
mod words;

use std::borrow::Cow;

use serde_json::Value;

use self::ball::BallAsks;
pub use self::dice::answers;
use self::dice::{after_card, ask_question};
use self::options::signed;
use self::words::{words_of_ball, words_so_far};
use super::edition::model::EditionWord;
use super::next_ball::{BallSoFar, so_far};
use super::over::OverChoices;
use super::progress::NextBall;
use super::state::CricketTheGame;
use crate::rules::{Ask, AskedStep, Asking, BodySoFar, Choices, Draft, GameNote, OnField, Words};
use crate::scorebook::{Overs, Player, Side};

impl Asking for CricketTheGame {
    fn asks(&self, draft: &Draft<'_>) -> Vec<Ask> {
        match draft.step {
            AskedStep::SetUp => over::asks_of_set_up(self, draft),
            AskedStep::Over => over::asks_of_over(self, draft),
            AskedStep::Ball => asks_of_ball(self, draft),
            AskedStep::Choice(side) => choice::asks_of_choice(self, draft, side),
        }
    }

    fn words(&self, so_far: &BodySoFar<'_>) -> Option<Words> {
        let draft = so_far.draft;
        match so_far.outcome {
            Some(outcome) => words_of_ball(outcome, draft.dice),
            None if draft.dice.is_empty() => None,
            None => {
                let begun = in_over(self)?;
                let ball = so_far_of(&begun, draft)?;
                Some(words_so_far(&ball))
            }
        }
    }

    fn on_field(&self) -> OnField<'_> {
        let batting = self.side_batting();
        let fielder = |player: Player| self.fielders()[player.index()].as_str();
        let bowler = self.innings.bowler();
        let [striker, non_striker] = at_the_wicket(self);
        OnField {
            batting,
            striker,
            non_striker,
            bowler: bowler.map(fielder),
            style: bowler.map(|_| Cow::Borrowed(self.style().word())),
            keeper: Some(fielder(self.eleven(batting.other()).keeper())),
            balls_limit: Some(u32::from(self.format().overs()) * Overs::BALLS),
        }
    }

    fn keeper_of(&self, side: Side) -> Option<&str> {
        let names = &self.setting.created.sheet(side).players;
        names.get(self.eleven(side).keeper().index()).map(String::as_str)
    }

    fn notes(&self) -> Vec<GameNote> {
        let mut notes = Vec::new();
        let mut say = |id, text: String| notes.push(GameNote { id, text });
        if self.innings.bowler().is_some() {
            if self.over.next_ball == NextBall::FreeHit {
                say("free_hit", "free hit".to_owned());
            }
            if self.is_express() {
                say("express", "express ball".to_owned());
            }
            if self.over.power_play {
                say("power_play", "power play".to_owned());
            }
            if self.bowling.patience && !self.is_express() {
                say("patience", "patience: the bowler has a d8".to_owned());
            }
            say("outfield", format!("{} in the outfield", self.limits().outfield));
        }
        let meter_of = |name: &str| self.batters().iter().position(|batter| batter == name);
        let [striker, partner] = at_the_wicket(self).map(|name| name.and_then(meter_of));
        if let Some(at) = striker {
            let attitude = attitude_chosen(self).unwrap_or(self.batting.attitude[at].word());
            say("attitude", format!("striker {attitude}"));
            say("confidence", format!("confidence {}", signed(self.batting.confidence[at])));
        }
        if let Some(at) = partner {
            say("partner_confidence", format!("partner {}", signed(self.batting.confidence[at])));
        }
        if let Some(pitch) = self.prepared.and_then(|_| self.pitch()) {
            say("pitch", format!("pitch: {}", pitch.name));
        }
        notes
    }
}

/// The striker and the non-striker of the next ball. Those chosen in the open count already, although the
/// over or the ball that brings them in has not begun.
fn at_the_wicket(state: &CricketTheGame) -> [Option<&str>; 2] {
    if !state.innings.is_open() {
        let opener = |at: usize| state.open_choices.get("openers")?.get(at)?.as_str();
        return [opener(0), opener(1)];
    }
    let chosen = || chosen_for_the_ball(state, "next_batter");
    [state.innings.striker(), state.innings.non_striker()].map(|player| match player {
        Some(player) => Some(state.batters()[player.index()].as_str()),
        None => chosen(),
    })
}

/// A choice of the next ball that can no longer change.
fn chosen_for_the_ball<'a>(state: &'a CricketTheGame, name: &str) -> Option<&'a str> {
    state.pending.as_deref()?.choices.get(name).and_then(Value::as_str)
}

/// The attitude that the striker has chosen for the next ball, if he has.
fn attitude_chosen(state: &CricketTheGame) -> Option<&str> {
    let on_arrival = || {
        let arrives = state.innings.is_open() && state.innings.striker().is_none();
        arrives.then(|| chosen_for_the_ball(state, "next_attitude")).flatten()
    };
    chosen_for_the_ball(state, "attitude").or_else(on_arrival)
}

/// The asks of a ball. Once its dice have raised a question, nothing else of the ball can change.
fn asks_of_ball(state: &CricketTheGame, draft: &Draft<'_>) -> Vec<Ask> {
    if let Some(question) = state.pending.as_deref().and_then(|pending| pending.question.as_ref()) {
        let asked = (question.name, question.decided_by, &question.legal);
        return vec![ask_question(state, draft, asked)];
    }
    let Some(begun) = in_over(state).filter(|_| !state.is_remote()) else { return Vec::new() };
    let mut asks = BallAsks::of(&begun, draft, draft.choices).before_dice();
    if !begun.is_seeded() {
        let ball = so_far_of(&begun, draft);
        asks.extend(ball.and_then(|ball| after_card(&begun, draft, &ball)));
    }
    asks
}

/// The match with its next over begun by default, where none is in progress: as a ball begins it. None where
/// no over can begin.
fn in_over(state: &CricketTheGame) -> Option<Cow<'_, CricketTheGame>> {
    if state.innings.bowler().is_some() {
        return Some(Cow::Borrowed(state));
    }
    let over = OverChoices::resolve(state, &Choices::new()).ok()?;
    let mut begun = state.clone();
    begun.begin_over(&over);
    Some(Cow::Owned(begun))
}

fn so_far_of(begun: &CricketTheGame, draft: &Draft<'_>) -> Option<BallSoFar> {
    so_far(begun, draft.choices, draft.dice)
}
