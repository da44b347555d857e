//! The next step of a match: the set-up, an over, a ball, or an answer to a question that dice have raised.

use serde_json::{Value, json};

use super::ball::{BallSituation, Chosen, attitudes, bowls, cards_left, zones};
use super::edition::model::Duelist;
use super::progress::NextBall;
use super::set_up;
use super::state::CricketTheGame;
use super::{over, remote};
use crate::rules::{Choices, Next};
use crate::scorebook::Side;

/// The next step that the match waits for: before the toss the set-up, or the open choices of which it is
/// made.
pub fn next(state: &CricketTheGame) -> Next {
    if let Some(result) = state.result() {
        return Next::Finished { result: Some(result) };
    }
    if let Some(next) = remote::next(state) {
        return next;
    }
    if state.prepared.is_none() && !state.is_remote() {
        let (legal, default) = set_up::legal_choices(state);
        return Next::Choose { side: None, what: "set_up", legal, default };
    }
    if state.innings.bowler().is_none() && state.is_remote() {
        return remote::next_over(state);
    }
    if state.innings.bowler().is_none() {
        let (side, legal, default) = over::legal_choices(state);
        return Next::Choose { side: Some(side), what: "over", legal, default };
    }
    match state.pending.as_deref().and_then(|pending| pending.question.as_ref()) {
        Some(question) => Next::Choose {
            side: Some(side_of(state, question.decided_by)),
            what: question.name,
            legal: question.legal.clone(),
            default: Value::Null,
        },
        None if state.is_remote() => {
            Next::Choose { side: None, what: "ball", legal: json!({}), default: json!({}) }
        }
        None => {
            let situation = state.situation();
            let (legal, default) = (legal_ball(&situation), default_ball(&situation));
            Next::Choose { side: None, what: "ball", legal, default }
        }
    }
}

fn side_of(state: &CricketTheGame, duelist: Duelist) -> Side {
    match duelist {
        Duelist::Bowler => state.side_batting().other(),
        Duelist::Batter => state.side_batting(),
    }
}

/// The legal choices for the next ball before its dice.
pub fn legal_ball(situation: &BallSituation<'_>) -> Value {
    let mut legal = json!({});
    if situation.innings.awaits_batter() {
        let names: Vec<&str> = situation.yet_to_bat().map(|player| situation.batters.name(player)).collect();
        legal["next_batter"] = json!(names);
        legal["next_attitude"] = attitudes();
    }
    if !situation.is_seeded && situation.over.next_ball == NextBall::WithCard {
        legal["over_card"] = json!(cards_left(situation));
    }
    if situation.is_express {
        return legal;
    }
    let usual = Chosen::by_default(situation);
    let striker = usual.facing(situation);
    let skills = |side: Duelist| situation.skills_left(side, striker, usual.skills);
    legal["bowl"] = bowls(situation);
    legal["attitude"] = attitudes();
    legal["stroke"] = zones();
    legal["field"] = situation.limits.written();
    legal["skills"] = json!({"bowler": skills(Duelist::Bowler), "batter": skills(Duelist::Batter)});
    legal
}

/// The default choices for the next ball.
pub fn default_ball(situation: &BallSituation<'_>) -> Value {
    let usual = Chosen::read(situation, &Choices::new());
    usual.map(|usual| Value::Object(usual.written(situation))).unwrap_or_default()
}
