//! The requests that answer a step, for every stored log at every event: an answer to an append asks for the
//! same as the view, and makes no value that it does not show.

use third_umpire::editions::{Editions, MatchLog};
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
