//! The contract of a game, checked for each game by itself: what the rules decide, record, admit and count
//! fits together. The fourth game is one of the tests' own, written against the public interface alone.

use std::sync::Arc;

use serde_json::{Value, json};
use third_umpire::dice::{Dice, RecordedDice, SeededDice, ServerSeed};
use third_umpire::games::cricket_the_game::CricketTheGame;
use third_umpire::games::cuberoots::CubeRoots;
use third_umpire::games::howzat::Howzat;
use third_umpire::log::EventData;
use third_umpire::rules::{Choices, Describe, Next, Play, ResultView, Simulate, simulate_by_rules};
use third_umpire::scorebook::{BySide, InningsTally, MatchResult, Side};
use third_umpire_test_support::coin_cricket::{CoinCricket, every_game};
use third_umpire_test_support::logs::{SEED, Setting};
use third_umpire_test_support::net_practice::NetPractice;

/// Checks that a game keeps the contract, in matches with these options and by each of its policies.
fn conforms<R: Simulate + Describe>(options: &[Value]) {
    let known = every_game();
    let game = known.registry().find(R::INFO.id).expect("the game is registered");
    assert!(R::AUTOPLAY < R::POLICIES.len());
    for rules in options {
        let created = Setting::of(game, rules.clone()).open(Some(seed(1))).expect("legal options");
        let created = Arc::new(created.the_match.play().info().created.clone());
        assert_eq!(R::resolve_options(&created.rules).as_ref(), Ok(&created.rules), "options stay resolved");
        let pairs = (0..R::POLICIES.len()).flat_map(|home| [home, 0].map(|away| BySide { home, away }));
        for (round, policies) in (1..).zip(pairs) {
            let state = R::open(&created, known.built_in_for(game).as_deref()).expect("the match opens");
            assert!(
                state.remote().is_some() || !R::INFO.remote,
                "remote play needs to know whose choice is whose"
            );
            plays_to_the_end(state, policies, &seed(round));
        }
    }
}

fn seed(round: u8) -> ServerSeed {
    ServerSeed::from_hex(&format!("{round:02x}{}", &SEED[2..])).expect("a seed")
}

/// Plays a match in three ways at once: decided and applied, read back from what was recorded, and counted.
fn plays_to_the_end<R: Simulate + Describe>(mut state: R, policies: BySide<usize>, seed: &ServerSeed) {
    let dice = || SeededDice::new(&seed.match_seed(&[]));
    if state.position().awaits_set_up {
        assert!(matches!(state.next(), Next::Choose { .. }), "a set-up is a choice");
        decides(&mut state, Play::SetUp(Choices::new()), &mut dice());
    }
    assert!(!state.position().awaits_set_up);
    state.start(Side::Away);
    let mut counted = state.clone();
    let mut tallies = [[InningsTally::default(); 4]; 3];
    while state.position().result.is_none() {
        let at = usize::from(state.position().innings) - 1;
        let mut by_rules = state.clone();
        simulate_by_rules(&mut by_rules, &mut dice(), policies, &mut tallies[0][at])
            .expect("autoplay is legal");
        counted.simulate_ball(&mut dice(), policies, &mut tallies[1][at]).expect("autoplay is legal");
        for recorded in decides(&mut state, Play::Auto(policies), &mut dice()) {
            if let EventData::Ball(ball) = recorded {
                tallies[2][at].count_recorded(&ball.outcome);
            }
        }
        assert!(by_rules == state, "a ball that is only counted is decided and applied as any other");
        for other in [&by_rules, &counted] {
            assert_eq!((other.position(), other.next()), (state.position(), state.next()));
        }
    }
    let Next::Finished { result: Some(told) } = state.next() else { panic!("the match is over") };
    let ResultView { winner, method, margin, .. } = told;
    assert_eq!(Some(MatchResult { winner, method, margin }), state.position().result);
    let most = u32::from(R::INFO.wickets);
    assert!(tallies[2].iter().all(|innings| innings.wickets <= most), "{tallies:?}");
    assert!(tallies[0] == tallies[1] && tallies[1] == tallies[2], "{tallies:?}");
}

/// Decides play, and applies it: each event is admitted as it was recorded, and decided again from it.
fn decides<R: Simulate + Describe>(state: &mut R, play: Play, dice: &mut dyn Dice) -> Vec<EventData> {
    let decided = state.decide(play, dice).expect("the play is legal");
    assert!(!decided.is_empty());
    let apply = |event: &R::Event| {
        let recorded = state.record(event);
        let admitted = state.admit(recorded.play().expect("an event of play"));
        assert!(admitted.as_ref() == Ok(event), "{recorded:?} is not admitted as what it was");
        redecides(state, &recorded, event);
        cites_and_describes::<R>(&recorded);
        state.apply(event);
        recorded
    };
    let recorded: Vec<EventData> = decided.iter().map(apply).collect();
    if let [EventData::Over(over), EventData::Ball(ball)] = recorded.as_slice() {
        assert!(R::bowler(over).is_none_or(|bowler| bowler == ball.outcome.bowler), "{over:?}");
        let opened = [ball.outcome.striker.as_str(), ball.outcome.non_striker.as_str()];
        assert!(R::openers(over).is_none_or(|openers| openers == opened), "{over:?}");
    }
    recorded
}

/// Asserts that an event is decided again from its own choices, dice and deals.
fn redecides<R: Simulate>(state: &R, recorded: &EventData, event: &R::Event) {
    let played = recorded.play().expect("an event of play");
    let mut dice = RecordedDice::dealing(played.dice(), state.dealt(played));
    let again = state.decide(Play::from(played), &mut dice).expect("what was recorded is legal");
    assert!(again.first() == Some(event), "{recorded:?} is decided otherwise from its own dice");
}

/// Asserts that the game has every ruling that a ball cites, and that no note is empty.
fn cites_and_describes<R: Describe + Simulate>(recorded: &EventData) {
    if let EventData::Ball(ball) = recorded {
        let is_known = |id: &String| R::INFO.rulings.iter().any(|ruling| ruling.id == id);
        assert!(ball.outcome.rulings.iter().all(is_known), "{ball:?}");
    }
    let note = R::note(recorded.play().expect("an event of play"));
    assert!(note.is_none_or(|note| !note.trim().is_empty()));
}

#[test]
fn howzat_conforms() {
    conforms::<Howzat>(&[
        json!({"overs": 3}),
        json!({"overs": 2, "drs": "house", "sixes_off_extras": "never"}),
    ]);
}

#[test]
fn cuberoots_conforms() {
    conforms::<CubeRoots>(&[
        json!({"overs": 3}),
        json!({"overs": 4, "variant": "test", "end_at_target": true}),
    ]);
}

#[test]
fn cricket_the_game_conforms() {
    conforms::<CricketTheGame>(&[json!({"format": "t10"}), json!({"format": "t20", "drs": "off"})]);
}

#[test]
fn coin_cricket_conforms() {
    conforms::<CoinCricket>(&[json!({}), json!({"overs": 5}), json!({"overs": 20, "reviews": true})]);
}

#[test]
fn net_practice_conforms() {
    conforms::<NetPractice>(&[json!({}), json!({"overs": 5})]);
}
