//! What a side is asked in remote play of Cricket: The Game.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use third_umpire::log::{Event, LogReader};
use third_umpire::matches::{Match, RequestKind, StepRequest};
use third_umpire::rules::Next;
use third_umpire_test_support::logs::{match_id, remote_board_game};

use third_umpire::editions::Editions;

#[test]
fn each_side_is_asked_for_the_choice_that_is_next() {
    let log = remote_board_game();
    let lines: Vec<&str> = log.event_lines().collect();
    let text = lines.join("\n") + "\n";
    let read = LogReader::new(text.as_bytes()).map(|line| line.expect("a line").0.read().expect("an event"));
    let events: Vec<Event> = read.collect();
    let mut state = Match::from_log(match_id(), &events[0].data, &Editions::default()).expect("a match");
    let mut asked = BTreeSet::new();
    for event in &events[1..] {
        state.replay(&event.data).expect("an event");
        let Next::Choose { what, side, .. } = state.next() else { continue };
        for request in StepRequest::of(&state) {
            let whose = request.body.get("side").cloned().unwrap_or(Value::Null);
            if request.kind == RequestKind::Choice {
                // The choice that is opened keeps its name, by which it was sealed.
                let chosen = if what == "opening" { "delivery" } else { what };
                assert_eq!((&request.body["for"], request.secret), (&json!(chosen), chosen == "delivery"));
                assert!(what != "opening" || request.asks.is_empty(), "a sealed choice is not asked again");
                assert!(side.is_none_or(|side| whose == side.as_str()), "{what}");
            }
            for ask in &request.asks {
                assert!(ask.side.is_none_or(|side| whose.is_null() || whose == side.as_str()), "{ask:?}");
                assert!(!ask.required || ask.default.is_none(), "{ask:?}");
                asked.insert(format!("{what}: {}", ask.at));
            }
        }
    }
    let due = [
        "drop: choice.drop",
        "openers: choice.openers",
        "openers: choice.attitudes",
        "bowler: choice.bowler",
        "power_play: choice.power_play",
        "over: field",
        "field: choice.field",
        "delivery: choice.bowl",
        "delivery: choice.stroke",
        "delivery: choice.attitude",
        "bowler_skills: choice.skills",
        "batter_skills: choice.skills",
        "run: choices.run",
    ];
    for due in due {
        assert!(asked.contains(due), "{due} is not asked: {asked:#?}");
    }
}

#[test]
fn the_stroke_tells_nothing_of_the_secret_bowl() {
    let log = remote_board_game();
    let text = log.event_lines().collect::<Vec<_>>().join("\n") + "\n";
    let mut events =
        LogReader::new(text.as_bytes()).map(|line| line.expect("a line").0.read().expect("an event"));
    let first: Event = events.next().expect("a first event");
    let mut state = Match::from_log(match_id(), &first.data, &Editions::default()).expect("a match");
    let strokes = events.flat_map(|event| {
        state.replay(&event.data).expect("an event");
        let asks = StepRequest::of(&state).into_iter().flat_map(|request| request.asks);
        asks.filter(|ask| ask.at == "choice.stroke").collect::<Vec<_>>()
    });
    let told: Vec<_> = strokes.flat_map(|ask| ask.options).map(|option| option.text).collect();
    assert!(!told.is_empty() && told.iter().all(Option::is_none));
}
