//! Refusals of CubeRoots: inputs (`refusals.txt`), options (`options.txt`), team sheets.

use serde_json::{Value, json};
use third_umpire::matches::{ClaimedChoice, Input, ServerSecrets};
use third_umpire::rules::{Place, Refusal, RefusalKind};
use third_umpire::scorebook::Side;
use third_umpire_test_support::logs::{AWAY, HOME, PlayedMatch, ball, over, sheet};
use third_umpire_test_support::words;

use super::{at_the_table, bowl, cuberoots, next_ball, overs, put, seeded};
use crate::tables::{check_rows, rows};

const TABLE: &str = include_str!("refusals.txt");
const OPTIONS: &str = include_str!("options.txt");
const SEED: &str = "5e";

/// The ids of all refusals that have a row in the table.
pub fn cited() -> impl Iterator<Item = String> {
    let words = rows(TABLE).into_iter().flat_map(|row| row.expected.split_whitespace());
    words.filter(|word| word.starts_with("cuberoots.")).map(str::to_owned)
}

/// A match in one of the situations in the table's headings.
fn situation(name: &str) -> PlayedMatch {
    let rolling = json!({"roll_a_cube": true});
    let begun = |mut a_match: PlayedMatch, choices: Value| {
        match a_match.seeded_dice() {
            Some(mut dice) => a_match.put(over(choices), &mut dice),
            None => a_match.enter(over(choices), &[]),
        }
        .expect("a legal over");
        a_match
    };
    let up_and_down = json!({"bowling": [1, 2, 3, 4, 5, 6], "batting": [6, 5, 4, 3, 2, 1]});
    match name {
        "table" => at_the_table(json!({})),
        "table rolling" => at_the_table(rolling),
        "over begun" => begun(at_the_table(json!({})), json!({})),
        "both rolled" => {
            let mut a_match = at_the_table(rolling);
            let rolled =
                json!({"bowler_number": 1, "batter_number": 2, "bowler_rolled": true, "batter_rolled": true});
            a_match.ball_with(rolled, &[]);
            a_match
        }
        "orders in" => begun(at_the_table(json!({})), json!({"orders": up_and_down})),
        "third to be rolled" => {
            let mut orders = up_and_down;
            orders["bowling"][2] = Value::Null;
            let mut a_match = begun(at_the_table(rolling), json!({"orders": orders}));
            (0..2).for_each(|_| drop(a_match.ball(&[])));
            a_match
        }
        "seeded" => seeded(json!({}), SEED),
        "seeded rolling" => seeded(rolling, SEED),
        "dealt" => begun(seeded(json!({}), SEED), json!({})),
        "dealt rolling" => begun(seeded(rolling, SEED), json!({"roll": {"bowling": 1}})),
        "completed" => {
            let mut a_match = at_the_table(json!({"overs": 1}));
            bowl(&mut a_match, "1 1 1 1 1 1  1 1 1 1 1 1");
            a_match
        }
        other => panic!("no situation {other:?}"),
    }
}

/// A row with `b1` to `b6` and `t1` to `t6` replaced by the cubes of the first over.
fn with_cubes(text: &str) -> String {
    let mut a_match = seeded(json!({}), SEED);
    put(&mut a_match, next_ball());
    let dealt = overs(&a_match.log).next().expect("an over").choices["deal"].clone();
    let mut text = text.to_owned();
    for (letter, duty) in [("b", "bowling"), ("t", "batting")] {
        for at in 0..6 {
            text = text.replace(&format!("{letter}{}", at + 1), &dealt[duty][at].to_string());
        }
    }
    text
}

/// Enters an input such as `ball {"bowler_number": 3} [1]`: choices, and table dice if there are any.
fn enter(a_match: &mut PlayedMatch, given: &str) -> Result<(), Refusal> {
    let given = with_cubes(given);
    let (word, rest) = given.split_once(' ').expect("an input and what is chosen");
    let mut values =
        serde_json::Deserializer::from_str(rest).into_iter::<Value>().map(|value| value.expect("JSON"));
    let choices = values.next().expect("choices");
    let dice: Vec<i64> = values.next().map_or(Vec::new(), |dice| serde_json::from_value(dice).expect("dice"));
    let input: Input = match word {
        "over" => over(choices),
        "ball" => ball(choices),
        "home" => return choose(a_match, Side::Home, choices),
        "away" => return choose(a_match, Side::Away, choices),
        other => panic!("no input {other:?}"),
    };
    match a_match.seeded_dice() {
        Some(mut dice) => a_match.put(input, &mut dice).map(drop),
        None => a_match.enter(input, &dice).map(drop),
    }
}

fn choose(a_match: &PlayedMatch, side: Side, choice: Value) -> Result<(), Refusal> {
    let claimed = ClaimedChoice { what: "order".to_owned(), innings: None, over: None, ball: None };
    let choice = third_umpire_test_support::logs::object(choice);
    let secrets = ServerSecrets { seed: a_match.seed(), ..ServerSecrets::default() };
    let remote = a_match.the_match.remote();
    let decided = remote.choose(side, &claimed, &"0".repeat(64), &choice, secrets)?;
    a_match.the_match.conclude(decided, secrets).map(drop)
}

/// The public state of a match: its position, its next step, and its answers to the next inputs.
fn seen(a_match: &PlayedMatch) -> String {
    let mut continued = a_match.clone();
    let numbers = || json!({"bowler_number": 3, "batter_number": 4});
    let mut inputs =
        vec![over(json!({})), ball(json!({})), ball(numbers()), ball(json!({"bowler_number": 3}))];
    inputs.push(ball(numbers()));
    let answers: Vec<_> = inputs
        .into_iter()
        .map(|input| match continued.seeded_dice() {
            Some(mut dice) => continued.put(input, &mut dice),
            None => continued.enter(input, &[]),
        })
        .collect();
    format!("{:?} {:?} {answers:?}", a_match.the_match.play().phase(), a_match.the_match.next())
}

#[test]
fn everything_in_the_table_is_refused_as_it_says_and_changes_nothing() {
    check_rows(rows(TABLE), |row| {
        let mut a_match = situation(row.heading);
        let before = seen(&a_match);
        let recorded = a_match.log.len();
        match enter(&mut a_match, row.given) {
            Ok(()) => "accepted".to_owned(),
            Err(_) if seen(&a_match) != before || a_match.log.len() != recorded => {
                "changed something".to_owned()
            }
            Err(refusal) if refusal.message.trim().is_empty() => "says nothing".to_owned(),
            Err(refusal) => words::refusal(&refusal),
        }
    });
}

#[test]
fn no_refusal_of_what_both_sides_enter_gives_a_cube_away_but_a_side_is_told_its_own() {
    for given in [
        r#"over {"orders": {"bowling": [210, 1, 2, 3, 4, 5]}}"#,
        r#"over {"orders": {"batting": [210]}}"#,
        r#"over {"deal": {}}"#,
        r#"ball {"bowler_number": 10}"#,
    ] {
        let refusal = enter(&mut situation("seeded"), given).expect_err("refused");
        assert_eq!(refusal.legal, Value::Null, "{given}");
    }
    let own = enter(&mut situation("seeded"), r#"home {"order": []}"#).expect_err("refused");
    let cubes: Value = serde_json::from_str(&with_cubes("[t1, t2, t3, t4, t5, t6]")).expect("JSON");
    assert_eq!(own.legal, cubes);
}

#[test]
fn options_are_checked_and_written_out_as_the_table_says() {
    check_rows(rows(OPTIONS), |row| {
        let mut rules: Value = serde_json::from_str(row.given).expect("JSON");
        if let Some(table) = rules.get("bag").and_then(Value::as_str).and_then(bag) {
            rules["bag"] = table;
        }
        match PlayedMatch::create(cuberoots(), rules, sheet(HOME), sheet(AWAY), None) {
            Ok(a_match) => options_in_words(&a_match),
            Err(refusal) => match (refusal.kind, refusal.place) {
                (RefusalKind::IllegalInput, Place::Field(field)) => format!("refused at {field}"),
                other => format!("{other:?}"),
            },
        }
    });
}

/// The bag in a row: `cubes 209`, or `cube 3 is [...]`.
fn bag(words: &str) -> Option<Value> {
    let cubes = |count: usize| vec![json!([0, 1, 2, 3, 4, 5]); count];
    if let Some(count) = words.strip_prefix("cubes ") {
        return Some(Value::from(cubes(count.parse().expect("a number"))));
    }
    let (place, cube) = words.strip_prefix("cube ")?.split_once(" is ")?;
    let mut table = cubes(210);
    table[place.parse::<usize>().expect("a place")] = serde_json::from_str(cube).expect("JSON");
    Some(Value::from(table))
}

fn options_in_words(a_match: &PlayedMatch) -> String {
    let rules = &a_match.the_match.play().info().created.rules;
    assert_eq!(rules.len(), 6, "every option is written out, and no other");
    let bag = match &rules["bag"] {
        Value::Array(cubes) => format!("a table of {}", cubes.len()),
        name => name.to_string(),
    };
    let others =
        ["variant", "overs", "end_at_target", "colours", "roll_a_cube"].map(|name| rules[name].to_string());
    format!("{}, {bag}", others.join(", "))
        .replace("\"limited\"", "limited")
        .replace("\"test\"", "test")
        .replace("\"third-umpire\"", "third-umpire")
}

#[test]
fn a_refusal_says_which_cube_of_a_bag_is_wrong() {
    let message = |words: &str| {
        let rules = json!({"bag": bag(words).expect("a bag")});
        PlayedMatch::create(cuberoots(), rules, sheet(HOME), sheet(AWAY), None)
            .err()
            .expect("refused")
            .message
    };
    assert!(message("cubes 209").contains("210 cubes") && message("cubes 209").contains("has 209"));
    assert!(message("cube 3 is [0, 1, 2, 3, 4]").contains("has 5"));
    let face = message("cube 3 is [0, 1, 2, 3, 4, 12]");
    assert!(face.contains("0 to 9") && face.contains("12"), "{face}");
}

/// The place at which a match between these two sides is refused; nothing if it is not.
fn refused_at(home: &[&str], away: &[&str]) -> Option<String> {
    let players = |side: &str, players: &[&str]| {
        let mut sheet = sheet(side);
        sheet.players = players.iter().map(|name| (*name).to_owned()).collect();
        sheet
    };
    let refusal =
        PlayedMatch::create(cuberoots(), json!({}), players(HOME, home), players(AWAY, away), None).err()?;
    match (refusal.kind, refusal.place) {
        (RefusalKind::IllegalInput, Place::Field(field)) => Some(field),
        other => panic!("{other:?} is not a field of the request"),
    }
}

#[test]
fn a_side_has_eleven_players_or_unnamed_ones_and_none_with_its_own_name() {
    let eleven = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k"];
    assert_eq!(refused_at(&eleven, &[]), None);
    assert_eq!(refused_at(&eleven[..10], &eleven).as_deref(), Some("home.players"));
    assert_eq!(refused_at(&[], &eleven[..1]).as_deref(), Some("away.players"));
    let mut namesake = eleven;
    namesake[4] = AWAY;
    assert_eq!(refused_at(&namesake, &eleven), None, "the other side's name is no harm");
    assert_eq!(refused_at(&eleven, &namesake).as_deref(), Some("away.players[4]"));
    let unnamed = PlayedMatch::create(cuberoots(), json!({}), sheet_of_none(HOME), sheet_of_none(AWAY), None);
    let unnamed = unnamed.expect("names are not needed").the_match;
    assert_eq!(unnamed.play().info().created.home.players[10], "Home 11");
    assert_eq!(unnamed.play().info().created.away.players[0], "Away 1");
}

fn sheet_of_none(side: &str) -> third_umpire::log::TeamSheet {
    third_umpire::log::TeamSheet::of_names(side, Vec::new())
}
