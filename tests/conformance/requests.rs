//! The requests that answer a step, for every stored log at every event: an answer to an append asks for the
//! same as the view, and makes no value that it does not show. And the rulings behind each question, in
//! random matches of every game.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::json;
use third_umpire::dice::ServerSeed;
use third_umpire::editions::{Editions, MatchLog};
use third_umpire::log::EventData;
use third_umpire::matches::{Match, Preview, PreviewRequest, RequestKind, StepRequest};
use third_umpire::projection::LoadedMatch;
use third_umpire::rules::{Ask, AskKind, Game};
use third_umpire_test_support::coin_cricket::every_game;
use third_umpire_test_support::logs::{PlayedMatch, Setting, every_stored_log};
use third_umpire_test_support::random::{Chooser, Lcg, step};

fn without_values(requests: Vec<StepRequest>) -> Vec<StepRequest> {
    let bare = |ask: Ask| Ask { options: Vec::new(), places: None, rulings: Vec::new(), ..ask };
    let bare = |one: StepRequest| {
        let asks = one.asks.into_iter().map(bare).collect();
        StepRequest { asks, rulings: Vec::new(), ..one }
    };
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

/// The kinds of the asks that were looked at.
type Seen = BTreeMap<&'static str, BTreeSet<String>>;

/// Checks the rulings behind asks of a game, and notes which questions there were.
fn check_rulings(game: &Game, asks: &[Ask], seen: &mut Seen) {
    for ask in asks {
        let (id, at) = (game.info.id, &ask.at);
        assert!(!ask.rulings.is_empty(), "{id}: no ruling is behind {at}, {:?}", ask.title);
        for ruling in &ask.rulings {
            assert!(game.info.rulings.iter().any(|one| one.id == *ruling), "{id}: {at} is under {ruling}");
        }
        let twice = ask.rulings.iter().enumerate().any(|(n, ruling)| ask.rulings[..n].contains(ruling));
        assert!(!twice, "{id}: {at} is under {:?}", ask.rulings);
        let name = if ask.kind == AskKind::Die { &ask.title } else { at };
        seen.entry(id).or_default().insert(name.clone());
    }
}

/// Checks the rulings behind all that a match asks for now.
fn check_step(game: &Game, state: &Match, seen: &mut Seen) {
    for request in StepRequest::of(state) {
        if !matches!(request.kind, RequestKind::Toss | RequestKind::TossDecision) {
            check_rulings(game, &request.asks, seen);
        }
        assert_eq!(request.rulings.is_empty(), request.kind != RequestKind::Review, "{request:?}");
        for ruling in &request.rulings {
            assert!(game.info.rulings.iter().any(|one| one.id == *ruling), "under {ruling}");
        }
    }
}

/// Checks the rulings behind each die of a ball, as it is asked for after the dice before it.
fn check_ball(game: &Game, before: &Match, event: &EventData, seen: &mut Seen) {
    let EventData::Ball(ball) = event else { return };
    let faces: Vec<i64> = ball.dice.iter().map(|die| i64::from(die.value)).collect();
    let answers = ["run", "longer", "chance", "reroll_batter", "reroll_bowler"];
    let mut choices = ball.choices.clone();
    choices.retain(|name, _| !answers.contains(&name.as_str()));
    for (rolled, choices) in (0..=faces.len()).flat_map(|n| [(n, &choices), (n, &ball.choices)]) {
        let (choices, dice) = (choices.clone(), faces[..rolled].to_vec());
        let accept = before.reviews().open().is_some();
        let preview = Preview::of(before, &PreviewRequest::Ball { choices, dice, accept, over: None });
        for request in preview.iter().flat_map(|preview| &preview.requests) {
            if !matches!(request.kind, RequestKind::Toss | RequestKind::TossDecision) {
                check_rulings(game, &request.asks, seen);
            }
        }
    }
}

fn walk(game: &Game, mut played: PlayedMatch, number: u64, seen: &mut Seen) {
    let mut random = Lcg(number);
    let mut chooser = Chooser::new((0..4_000).map(|_| random.byte()).collect());
    loop {
        check_step(game, &played.the_match, seen);
        let before = played.the_match.clone();
        let Some((_, events)) = step(&mut played, &mut chooser) else { break };
        events.iter().for_each(|event| check_ball(game, &before, event, seen));
    }
}

#[test]
fn each_question_of_every_game_has_its_rulings_behind_it() {
    let known = every_game();
    let options = |game: &str, number: u64| match game {
        "howzat" => json!({"overs": 3, "drs": if number.is_multiple_of(2) { "house" } else { "off" }}),
        "cuberoots" => json!({"overs": 3, "roll_a_cube": number.is_multiple_of(2)}),
        "cricket-the-game" => {
            json!({"format": "t10", "drs": if number.is_multiple_of(2) { "on" } else { "off" }})
        }
        "net-practice" => json!({"overs": 2}),
        _ => json!({"overs": 2, "reviews": number.is_multiple_of(2)}),
    };
    let mut seen = Seen::new();
    for game in known.registry().games() {
        for number in 0..12 {
            let seed =
                (number % 4 == 3).then(|| ServerSeed::from_hex(&format!("{number:064x}")).expect("a seed"));
            let played = Setting::of(game, options(game.info.id, number)).open(seed).expect("a match");
            walk(game, played, number, &mut seen);
        }
    }
    for (game, least) in
        [("howzat", 9), ("cuberoots", 7), ("cricket-the-game", 24), ("coin-cricket", 3), ("net-practice", 14)]
    {
        assert!(seen[game].len() >= least, "{game}: {:?}", seen[game]);
    }
}
