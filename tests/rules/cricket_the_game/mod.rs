//! The rules of Cricket: The Game, as tables and small matches.

mod agreed;
mod asks;
mod balance;
mod cards_by_name;
mod fields;
mod innings;
mod overs;
mod played_by_asks;
mod properties;
mod refusals;
mod remote_asks;
mod reviews;
mod rolls;
mod squads;
mod story;
mod table;

use std::sync::Arc;

use serde_json::{Map, Value, json};
use third_umpire::dice::ServerSeed;
use third_umpire::editions::Editions;
use third_umpire::games;
use third_umpire::log::{Ball, EventData, Over, SeedSource, TeamSheet, TossChoice};
use third_umpire::matches::Input;
use third_umpire::rules::{Edition, Game, Play};
use third_umpire::scorebook::Side;
use third_umpire_test_support::logs::{AWAY, HOME, PlayedMatch, Setting, built_in_edition, heads, object};

fn cricket() -> &'static Game {
    games::BUILT_IN.find("cricket-the-game").expect("cricket-the-game is one of the games")
}

fn as_edition(value: Value) -> Arc<Edition> {
    Arc::new(Editions::default().read_value(value).unwrap_or_else(|faults| panic!("{faults:#?}")))
}

/// An edition whose cards do next to nothing, with equal cards for every style.
///
/// The red bounce die shows, from 1 to 6, air over 0, 1, 2 areas and ground over 0, 1, 2; the green one has
/// the opposite order. A catch takes 4, but 6 in `off_cover.3`, and 2 in `pull_big.3`, which is outlined red,
/// as is `glance_hook.2` for spin; nothing can be caught in `cut.2`.
fn plain() -> Value {
    let built_in: Value = serde_json::from_str(built_in_edition()).expect("JSON");
    let bowl = |id: &str, feeds: &[&str], on_pace: &str| {
        let die = json!({"pace": on_pace, "spin": "d6", "neutral": "d6"});
        json!({"id": id, "name": id, "feeds": feeds, "die": die, "effects": []})
    };
    let bowls = json!([
        bowl("straight", &["on_straight"], "d6"),
        bowl("leg", &["glance_hook"], "d6"),
        bowl("wide", &["glance_hook", "cut"], "d6"),
        bowl("fast", &["on_straight"], "d8"),
    ]);
    let cards = [
        ("blank1", "dot"),
        ("blank2", "dot"),
        ("blank3", "dot"),
        ("blank4", "dot"),
        ("blank5", "dot"),
        ("snick", "dot"),
        ("one", "one"),
        ("two", "two"),
        ("three", "three"),
        ("patience1", "patience"),
        ("patience2", "patience"),
        ("threat1", "threat"),
        ("threat2", "threat"),
        ("bound1", "boundary"),
        ("bound2", "boundary"),
    ];
    let card = |(id, express): &(&str, &str)| json!({"id": id, "name": id, "express": express, "snick": *id == "snick", "effects": []});
    let deck: Vec<Value> = cards.iter().map(card).collect();
    let pitch = |condition: &str| json!({"name": condition, "condition": condition, "effects": []});
    let skill = |id: &str, effect: Value| json!({"id": id, "name": id, "effects": [effect]});
    let air = |areas: u8| json!({"areas": areas, "air": true});
    let ground = |areas: u8| json!({"areas": areas, "air": false});
    let mut edition = json!({
        "id": "plain",
        "teams": [],
        "board": {"t10": board(3), "t20": board(4)},
        "bounce_dice": {
            "red": [air(0), air(1), air(2), ground(0), ground(1), ground(2)],
            "green": [ground(0), ground(1), ground(2), air(0), air(1), air(2)],
        },
        "bowls": {"pace": bowls, "spin": bowls, "medium": bowls},
        "over_decks": {"pace": deck, "spin": deck, "medium": deck},
        "pitch": [pitch("pace"), pitch("spin"), pitch("neutral")],
        "skills": {
            "batter": [
                skill("lift", json!({"then": {"advantage": 2}})),
                skill("push", json!({"then": {"roll": {"side": "batter", "by": 1}}})),
                skill("again", json!({"then": "nothing"})),
            ],
            "bowler": [
                skill("rip", json!({"then": {"roll": {"side": "bowler", "by": 1}}})),
                skill("more", json!({"then": "nothing"})),
            ],
        },
        "fields": built_in["fields"],
    });
    edition["drs"] = built_in["drs"].clone();
    edition["style_rules"] = built_in["style_rules"].clone();
    edition
}

fn board(areas: u8) -> Value {
    let area = |zone: &str, area: u8| {
        let (catch, red) = match (zone, area) {
            ("off_cover", 3) => (json!(6), json!(false)),
            ("pull_big", 3) => (json!(2), json!(true)),
            ("glance_hook", 2) => (json!(4), json!(["spin"])),
            ("cut", 2) => (Value::Null, json!(false)),
            _ => (json!(4), json!(false)),
        };
        json!({"catch": catch, "red": red})
    };
    let zones = ["bye", "glance_hook", "pull_big", "on_straight", "off_cover", "cut"];
    let of_zone = |zone: &str| (1..=areas).map(|at| area(zone, at)).collect::<Vec<_>>();
    zones.iter().map(|zone| ((*zone).to_owned(), json!(of_zone(zone)))).collect::<Map<_, _>>().into()
}

/// A squad of twelve, all of this confidence: 1 to 3 are batters, 4 the keeper, 5 to 8 all-rounders, 9 and 10
/// bowl spin, 11 and 12 pace.
fn squad(side: &str, confidence: i64) -> TeamSheet {
    let roles = [
        "batter", "batter", "batter", "keeper", "medium", "medium", "medium", "medium", "spin", "spin",
        "pace", "pace",
    ];
    TeamSheet {
        name: side.to_owned(),
        players: (1..=12).map(|n| format!("{side}{n}")).collect(),
        cards: roles.iter().map(|role| object(json!({"role": role, "confidence": confidence}))).collect(),
    }
}

/// The settings of a match of an edition between A and B.
fn setting(edition: &Arc<Edition>, rules: Value, confidence: i64) -> Setting {
    let (home, away) = (squad(HOME, confidence), squad(AWAY, confidence));
    let (edition, seed_source) = (Some(Arc::clone(edition)), SeedSource::Creator);
    Setting { game: cricket().info.id, rules, home, away, edition, seed_source, ..Setting::default() }
}

fn created(edition: &Arc<Edition>, rules: Value, confidence: i64, seed: Option<ServerSeed>) -> PlayedMatch {
    setting(edition, rules, confidence).open(seed).expect("legal options")
}

/// A match of an edition, set up on this pitch, with A about to bat against B; each side drops its last
/// player.
fn in_play(edition: &Arc<Edition>, rules: Value, pitch: &str, confidence: i64) -> PlayedMatch {
    let mut a_match = created(edition, rules, confidence, None);
    a_match.enter(set_up(json!({"pitch": pitch})), &[]).expect("a legal set-up");
    a_match.enter(heads(), &[1]).expect("heads it is");
    a_match.enter(Input::TossDecision { to: TossChoice::Bat }, &[]).expect("A may choose");
    a_match
}

/// A seeded match of an edition, with A about to bat against B.
fn seeded(edition: &Arc<Edition>, rules: Value, byte: &str) -> PlayedMatch {
    let seed = ServerSeed::from_hex(&byte.repeat(32)).expect("a seed");
    let mut a_match = created(edition, rules, 1, Some(seed));
    put(&mut a_match, set_up(json!({})));
    let toss = put(&mut a_match, heads());
    let [EventData::Toss(toss)] = toss.as_slice() else { panic!("a toss is due") };
    let to = if toss.winner() == Side::Home { TossChoice::Bat } else { TossChoice::Bowl };
    put(&mut a_match, Input::TossDecision { to });
    a_match
}

fn set_up(choices: Value) -> Input {
    Input::Play(Play::SetUp(object(choices)))
}

/// Decides a legal input with the dice of the seed, and returns the recorded events.
fn put(a_match: &mut PlayedMatch, input: Input) -> Vec<EventData> {
    let mut dice = a_match.seeded_dice().expect("a seeded match");
    a_match.put(input, &mut dice).expect("the input is legal")
}

fn last_ball(log: &[EventData]) -> Option<&Ball> {
    log.iter().rev().find_map(|event| match event {
        EventData::Ball(ball) => Some(ball),
        _ => None,
    })
}

fn overs(log: &[EventData]) -> impl Iterator<Item = &Over> {
    log.iter().filter_map(|event| match event {
        EventData::Over(over) => Some(over),
        _ => None,
    })
}

fn last_over(log: &[EventData]) -> Option<&Over> {
    overs(log).last()
}
