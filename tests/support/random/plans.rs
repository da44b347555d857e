//! Plans of random matches: a game with options, its dice, and the bytes that make the choices.

use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::{Value, json};
use third_umpire::dice::ServerSeed;

use super::Chooser;
use crate::coin_cricket::every_game;
use crate::logs::{PlayedMatch, sides};

/// A match to be played: its game and options, its dice, and the bytes that make the choices.
#[derive(Debug, Clone)]
pub struct Plan {
    game: &'static str,
    rules: Value,
    seed: Option<String>,
    bytes: Vec<u8>,
}

impl Plan {
    /// A plan with dice of the table.
    pub fn at_table(game: &'static str, rules: Value, bytes: &[u8]) -> Plan {
        Plan { game, rules, seed: None, bytes: bytes.to_vec() }
    }

    pub fn begin(&self) -> (PlayedMatch, Chooser) {
        let game = every_game().registry().find(self.game).expect("a game");
        let [home, away] = sides(game);
        let a_match = PlayedMatch::create(game, self.rules.clone(), home, away, self.server_seed());
        (a_match.expect("legal options"), Chooser::new(self.bytes.clone()))
    }

    /// The overs of an innings; `u32::MAX` where they are not limited.
    pub fn overs(&self) -> u32 {
        self.rules["overs"].as_u64().map_or(u32::MAX, |overs| overs as u32)
    }

    pub fn server_seed(&self) -> Option<ServerSeed> {
        self.seed.as_ref().map(|seed| ServerSeed::from_hex(seed).expect("a seed"))
    }
}

fn howzat_rules() -> impl Strategy<Value = Value> {
    let overs = prop_oneof![4 => 1u64..=4, 1 => Just(20u64), 1 => Just(50u64)];
    let spare = prop_oneof![Just(None), (0u64..3).prop_map(Some)];
    let sixes = prop_oneof![Just("as_written"), Just("never")];
    let drs = prop_oneof![Just("off"), Just("house")];
    (overs, spare, sixes, drs).prop_map(|(overs, spare, sixes, drs)| {
        let mut rules = json!({"overs": overs, "sixes_off_extras": sixes, "drs": drs});
        if let Some(spare) = spare {
            let least = (overs - 1).div_ceil(9).max(1);
            rules["max_overs_per_bowler"] = json!(least + spare);
        }
        rules
    })
}

fn cuberoots_rules() -> impl Strategy<Value = Value> {
    let overs = prop_oneof![4 => (1u64..=4).prop_map(Some), 1 => Just(Some(20)), 1 => Just(None)];
    let variant = prop_oneof![3 => Just("limited"), 1 => Just("test")];
    let colours = (0u8..6, 1u8..6).prop_map(|(home, on)| json!({"home": home, "away": (home + on) % 6}));
    (overs, variant, any::<[bool; 2]>(), colours).prop_map(
        |(overs, variant, [end_at_target, roll], colours)| {
            json!({
                "overs": overs,
                "variant": variant,
                "end_at_target": end_at_target,
                "roll_a_cube": roll,
                "colours": colours,
            })
        },
    )
}

/// Plans of a game, seeded or with dice of the table.
fn plans_of(game: &'static str, rules: impl Strategy<Value = Value>) -> impl Strategy<Value = Plan> {
    let seed = prop_oneof![Just(None), "[0-9a-f]{64}".prop_map(Some)];
    let plan = move |(rules, seed, bytes)| Plan { game, rules, seed, bytes };
    (rules, seed, vec(any::<u8>(), 0..200)).prop_map(plan)
}

/// Plans of Howzat.
pub fn howzat_plans() -> impl Strategy<Value = Plan> {
    plans_of("howzat", howzat_rules())
}

/// Plans of Howzat, short enough to try many things on every ball.
pub fn short_howzat_plans() -> impl Strategy<Value = Plan> {
    howzat_plans().prop_filter("four overs an innings at the most", |plan| plan.overs() <= 4)
}

/// Plans of Cricket: The Game.
pub fn cricket_plans() -> impl Strategy<Value = Plan> {
    let format = prop_oneof![3 => Just("t10"), 1 => Just("t20")];
    let rules = (format, prop_oneof![Just("on"), Just("off")]);
    plans_of("cricket-the-game", rules.prop_map(|(format, drs)| json!({"format": format, "drs": drs})))
}

/// Plans of coin cricket.
fn coin_plans() -> impl Strategy<Value = Plan> {
    let rules = (1u64..=4, any::<bool>());
    plans_of("coin-cricket", rules.prop_map(|(overs, reviews)| json!({"overs": overs, "reviews": reviews})))
}

/// Plans of every game.
pub fn plans() -> impl Strategy<Value = Plan> {
    prop_oneof![howzat_plans(), plans_of("cuberoots", cuberoots_rules()), cricket_plans(), coin_plans()]
}

/// Plans short enough to try many things on every ball; none are of Cricket: The Game.
pub fn short_plans() -> impl Strategy<Value = Plan> {
    prop_oneof![howzat_plans(), plans_of("cuberoots", cuberoots_rules()), coin_plans()]
        .prop_filter("four overs an innings at the most", |plan| plan.overs() <= 4)
}

/// The number of cases of a property, unless `PROPTEST_CASES` sets another. Failures are not stored, since
/// each one prints the smallest match that fails.
pub fn cases(cases: u32) -> ProptestConfig {
    let config = ProptestConfig { failure_persistence: None, ..ProptestConfig::default() };
    match std::env::var_os("PROPTEST_CASES") {
        Some(_) => config,
        None => ProptestConfig { cases, ..config },
    }
}

/// Any JSON, close to a valid value or far from it.
pub fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        4 => "[AB](1[01]|[1-9])".prop_map(Value::from),
        1 => "\\PC{0,3}".prop_map(Value::from),
        1 => Just(Value::Null),
        1 => any::<bool>().prop_map(Value::from),
        1 => any::<i64>().prop_map(Value::from),
        1 => any::<u64>().prop_map(Value::from),
        1 => any::<f64>().prop_map(Value::from),
    ];
    leaf.prop_recursive(2, 14, 12, |inner| {
        let keys = prop_oneof![3 => (0u8..15).prop_map(|position| position.to_string()), 1 => "\\PC{0,3}"];
        prop_oneof![
            vec(inner.clone(), 0..4).prop_map(Value::from),
            vec((keys, inner), 0..13).prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}
