//! What Cricket: The Game asks of those who score it, who is on the field, and what it has to say of the next
//! ball.

use std::borrow::Cow;

use serde_json::Value;

use super::edition::model::EditionWord;
use super::progress::NextBall;
use super::state::CricketTheGame;
use crate::rules::{Ask, Asking, Draft, GameNote, OnField};
use crate::scorebook::{Overs, Player};

impl Asking for CricketTheGame {
    fn asks(&self, _draft: &Draft<'_>) -> Vec<Ask> {
        Vec::new()
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
        }
        if let [Some(striker), _] = at_the_wicket(self) {
            let meters = self.batters().iter().position(|name| name == striker);
            if let Some(at) = meters {
                let attitude = attitude_chosen(self).unwrap_or(self.batting.attitude[at].word());
                say("attitude", format!("striker {attitude}"));
                say("confidence", format!("confidence {}", signed(self.batting.confidence[at])));
            }
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

fn signed(confidence: i8) -> String {
    match confidence {
        0 => "0".to_owned(),
        1.. => format!("+{confidence}"),
        _ => format!("\u{2212}{}", confidence.unsigned_abs()),
    }
}
