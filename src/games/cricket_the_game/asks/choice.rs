//! What is asked of a side that makes a choice for itself, in remote play.

use super::super::awaiting::Awaiting;
use super::super::edition::model::Duelist;
use super::super::state::CricketTheGame;
use super::ball::BallAsks;
use super::over::{bowler, drop_ask, openers, power_play};
use crate::rules::{Ask, Draft};
use crate::scorebook::Side;

/// The asks of the choice that the match waits for, where it is this side's.
pub fn asks_of_choice(state: &CricketTheGame, draft: &Draft<'_>, side: Side) -> Vec<Ask> {
    let Some(awaited) = Awaiting::of(state) else { return Vec::new() };
    if awaited.open_choice(state).is_some_and(|(by, _)| by != side) {
        return Vec::new();
    }
    let ball = || {
        let mut choices = state.chosen_so_far();
        choices.extend(draft.choices.clone());
        BallAsks::of(state, draft, &choices)
    };
    match awaited {
        Awaiting::Drop(_) => vec![drop_ask(state, draft, side, "drop")],
        Awaiting::Openers => openers(state, draft).into(),
        Awaiting::Bowler => vec![bowler(state, draft)],
        Awaiting::PowerPlay => vec![power_play(state, draft)],
        Awaiting::NextBatter => ball().next_batter().into(),
        Awaiting::Field => vec![ball().field()],
        Awaiting::Delivery if side == state.side_batting() => {
            vec![ball().stroke(false), ball().attitude()]
        }
        Awaiting::Delivery => vec![ball().bowl()],
        Awaiting::Skills(of @ (Duelist::Bowler | Duelist::Batter)) => {
            vec![ball().skills(of, draft.at("skills"))]
        }
        Awaiting::Over | Awaiting::Ball => Vec::new(),
    }
}
