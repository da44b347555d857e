//! The requests that answer a step, for every stored log at every event: an answer to an append asks for the
//! same as the view, and makes no value that it does not show.

use std::collections::BTreeSet;

use third_umpire::dice::Die;
use third_umpire::editions::{Editions, MatchLog};
use third_umpire::games::BUILT_IN;
use third_umpire::log::EventData;
use third_umpire::matches::{Match, StepRequest};
use third_umpire::projection::LoadedMatch;
use third_umpire::rules::Ask;
use third_umpire_test_support::logs::every_stored_log;

fn without_values(requests: Vec<StepRequest>) -> Vec<StepRequest> {
    let bare = |ask: Ask| Ask { options: Vec::new(), places: None, ..ask };
    let bare = |one: StepRequest| StepRequest { asks: one.asks.into_iter().map(bare).collect(), ..one };
    requests.into_iter().map(bare).collect()
}

fn check(name: &str, state: &Match) {
    assert_eq!(StepRequest::brief(state), without_values(StepRequest::of(state)), "{name}");
}

#[test]
fn an_append_asks_for_the_same_as_the_view_and_makes_no_values() {
    for (name, log) in every_stored_log() {
        let text = log.text();
        let mut lines = MatchLog::new(text.as_bytes(), Editions::default());
        let events: Vec<_> = lines.by_ref().map(|line| line.unwrap().1.read().unwrap()).collect();
        let mut loaded = None;
        for event in &events {
            if LoadedMatch::open_or_follow(&mut loaded, event, lines.editions()).is_err() {
                break;
            }
            check(&name, loaded.as_ref().unwrap().the_match());
        }
    }
}

/// The name of a question: that of its die, or the choice that is answered.
fn name_of(ask: &Ask) -> String {
    match &ask.die {
        Some(die) => format!("dice.{die}"),
        None => {
            let at = ask.at.trim_start_matches("choices.").trim_start_matches("choice.");
            at.split('.').next().unwrap_or_default().to_owned()
        }
    }
}

/// The dice that were rolled for an event.
fn dice_of(data: &EventData) -> &[Die] {
    match data {
        EventData::Ball(ball) => &ball.dice,
        EventData::Review(review) => review.made().map_or(&[], |made| &made.dice),
        _ => &[],
    }
}

#[test]
fn each_question_of_the_built_in_games_has_its_rulings() {
    let (mut asked, mut dice) = (BTreeSet::new(), BTreeSet::new());
    for (name, log) in every_stored_log() {
        let text = log.text();
        let mut lines = MatchLog::new(text.as_bytes(), Editions::default());
        let events: Vec<_> = lines.by_ref().map(|line| line.unwrap().1.read().unwrap()).collect();
        let mut loaded = None;
        for event in &events {
            if LoadedMatch::open_or_follow(&mut loaded, event, lines.editions()).is_err() {
                break;
            }
            let state = loaded.as_ref().unwrap().the_match();
            let game = &state.play().info().created.game;
            let info = BUILT_IN.find(game).expect("a game").info;
            for ask in StepRequest::of(state).iter().flat_map(|request| &request.asks) {
                let of = name_of(ask);
                let is_of_game = ask.die.is_some() || info.questions.iter().any(|(known, _)| *known == of);
                // The toss is cricket's own.
                let is_toss = ["caller", "call", "coin", "winner", "to"].contains(&of.as_str());
                assert!(is_of_game || is_toss, "{name}: nothing stands behind {of}");
                let rulings = info.questions.iter().find(|(known, _)| *known == of);
                assert!(is_toss || rulings.is_some_and(|(_, rulings)| !rulings.is_empty()), "{name}: {of}");
                if ask.die.is_none() {
                    asked.insert(of);
                }
            }
            for die in dice_of(&event.data) {
                let of = format!("dice.{}", die.what);
                assert!(info.questions.iter().any(|(known, _)| *known == of), "{name}: {of}");
                dice.insert(of);
            }
        }
    }
    // What the logs ask and roll covers the tables.
    assert!(asked.len() > 25 && dice.len() > 14, "{asked:?}, {dice:?}");
}
