//! The rules of CubeRoots cricket, as tables and small matches.

mod deal;
mod innings;
mod next;
mod refusals;
mod secret;
mod table;
mod words;

use serde_json::{Value, json};
use third_umpire::dice::ServerSeed;
use third_umpire::games;
use third_umpire::log::{Ball, EventData, Over, TossChoice};
use third_umpire::matches::Input;
use third_umpire::rules::{Game, Play};
use third_umpire::scorebook::Side;
use third_umpire_test_support::logs::{AWAY, HOME, PlayedMatch, heads, sheet};

fn cuberoots() -> &'static Game {
    games::BUILT_IN.find("cuberoots").expect("cuberoots is one of the games")
}

/// A match at the table, with A about to bat against B.
fn at_the_table(rules: Value) -> PlayedMatch {
    let created = PlayedMatch::create(cuberoots(), rules, sheet(HOME), sheet(AWAY), None);
    let mut a_match = created.expect("legal options");
    a_match.enter(heads(), &[1]).expect("heads it is");
    a_match.enter(Input::TossDecision { to: TossChoice::Bat }, &[]).expect("A may choose");
    a_match
}

/// A match with cubes dealt from a seed, with A about to bat against B.
fn seeded(rules: Value, byte: &str) -> PlayedMatch {
    let seed = ServerSeed::from_hex(&byte.repeat(32)).expect("a seed");
    let created = PlayedMatch::create(cuberoots(), rules, sheet(HOME), sheet(AWAY), Some(seed));
    let mut a_match = created.expect("legal options");
    let toss = put(&mut a_match, heads());
    let [EventData::Toss(toss)] = toss.as_slice() else { panic!("a toss is due") };
    let to = if toss.winner() == Side::Home { TossChoice::Bat } else { TossChoice::Bowl };
    put(&mut a_match, Input::TossDecision { to });
    a_match
}

/// Decides a legal input with the dice of the seed, and returns the recorded events.
fn put(a_match: &mut PlayedMatch, input: Input) -> Vec<EventData> {
    let mut dice = a_match.seeded_dice().expect("a seeded match");
    a_match.put(input, &mut dice).expect("the input is legal")
}

/// The overs of a log.
fn overs(log: &[EventData]) -> impl Iterator<Item = &Over> {
    log.iter().filter_map(|event| match event {
        EventData::Over(over) => Some(over),
        _ => None,
    })
}

/// The balls of a log.
fn balls(log: &[EventData]) -> impl Iterator<Item = &Ball> {
    log.iter().filter_map(|event| match event {
        EventData::Ball(ball) => Some(ball),
        _ => None,
    })
}

/// Enters balls at the table, as the bowler's number v the batter's or in a scorer's signs, and returns the
/// last.
fn bowl(a_match: &mut PlayedMatch, signs: &str) -> Option<Ball> {
    signs.split_whitespace().map(|sign| a_match.ball_with(numbers(sign), &[])).last()
}

/// The numbers of `2v6`, or numbers that make what a scorer writes down with this sign.
fn numbers(sign: &str) -> Value {
    let numbers = match sign {
        "." => "0v0",
        "1" => "0v1",
        "2" => "0v2",
        "3" => "0v3",
        "4" => "0v4",
        "6" => "0v6",
        "W" => "9v0",
        numbers => numbers,
    };
    let (bowler, batter) = numbers.split_once('v').expect("2v6, or a scorer's sign");
    let number = |digits: &str| digits.parse::<u8>().expect("a number");
    json!({"bowler_number": number(bowler), "batter_number": number(batter)})
}

/// A ball without any choice.
fn next_ball() -> Input {
    Input::Play(Play::Ball(Default::default()))
}
