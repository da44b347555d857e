//! Refusals of Howzat: inputs (`refusals.txt`), options (`options.txt`), team sheets.

use serde_json::{Value, json};
use third_umpire::dice::{ServerSeed, TableDice};
use third_umpire::log::{TeamSheet, TossChoice};
use third_umpire::matches::Input;
use third_umpire::rules::{Next, Place, RefusalKind};
use third_umpire::scorebook::Side;
use third_umpire_test_support::logs::{AWAY, HOME, PlayedMatch, ball, heads, howzat, over, sheet};
use third_umpire_test_support::words;

use crate::tables::{Row, check_rows, rows};

const TABLE: &str = include_str!("refusals.txt");
const OPTIONS: &str = include_str!("options.txt");

/// The ids of all refusals that have a row in the table.
pub fn cited() -> impl Iterator<Item = String> {
    let words = rows(TABLE).into_iter().flat_map(|row| row.expected.split_whitespace());
    words.filter(|word| word.starts_with("howzat.")).map(str::to_owned)
}

/// A match in one of the situations in the table's headings.
fn situation(name: &str) -> PlayedMatch {
    let in_play = |rules: Value, balls: &str| {
        let mut a_match = PlayedMatch::in_play(rules);
        a_match.balls(balls);
        a_match
    };
    match name {
        "before the toss" => PlayedMatch::created(json!({})),
        "toss won" => after(PlayedMatch::created(json!({})), heads(), &[1]),
        "play begins" => in_play(json!({}), ""),
        "in the over" => in_play(json!({}), "."),
        "wicket" => in_play(json!({}), "W"),
        "over bowled" => in_play(json!({}), ". . . . . ."),
        "overs used up" => {
            in_play(json!({"overs": 3, "max_overs_per_bowler": 1}), ". . . . . .  . . . . . .")
        }
        "lbw" => {
            let mut a_match = in_play(json!({"drs": "house"}), "");
            a_match.ball(&[5, 5]);
            a_match
        }
        "reviews: nothing bowled" => in_play(json!({"drs": "house"}), ""),
        "reviews: a dot" => in_play(json!({"drs": "house"}), "."),
        "reviews: bowled" => in_play(json!({"drs": "house"}), "W"),
        "reviews: run out" => in_play(json!({"drs": "house"}), "ro"),
        "reviews: lost" => after(situation("lbw"), Input::Review { by: Side::Home }, &[1]),
        "reviews: lost, and lbw again" => {
            let mut a_match = situation("reviews: lost");
            a_match.ball(&[5, 5]);
            a_match
        }
        "reviews: kept" => after(situation("lbw"), Input::Review { by: Side::Home }, &[4]),
        "reviews: accepted" => after(situation("lbw"), Input::Accept { by: Side::Home }, &[]),
        "reviews: accepted, and an over begun" => {
            let mut a_match = in_play(json!({"drs": "house"}), ". . . . .");
            a_match.ball(&[5, 5]);
            let a_match = after(a_match, Input::Accept { by: Side::Home }, &[]);
            after(a_match, over(json!({})), &[])
        }
        "completed" => in_play(json!({"overs": 1}), ". . . . . .  . . . . . ."),
        "abandoned" => {
            after(PlayedMatch::created(json!({})), Input::Abandon { reason: "rain".to_owned() }, &[])
        }
        other => panic!("no situation {other:?}"),
    }
}

fn after(mut a_match: PlayedMatch, input: Input, dice: &[i64]) -> PlayedMatch {
    a_match.enter(input, dice).expect("a legal input");
    a_match
}

/// Reads an input such as `ball {"next_batter": "A3"} [2, 3]`, with its dice if it has any.
fn read(given: &str) -> (Input, Vec<i64>) {
    let (word, rest) = given.split_once(' ').unwrap_or((given, ""));
    let mut values =
        serde_json::Deserializer::from_str(rest).into_iter::<Value>().map(|value| value.expect("JSON"));
    let mut value = || values.next().unwrap_or(json!([]));
    let input = match word {
        "toss" => heads(),
        "bat" => Input::TossDecision { to: TossChoice::Bat },
        "review" => Input::Review { by: serde_json::from_value(value()).expect("a side") },
        "accept" => Input::Accept { by: serde_json::from_value(value()).expect("a side") },
        "over" => over(value()),
        "ball" => ball(value()),
        "abandon" => Input::Abandon { reason: serde_json::from_value(value()).expect("a reason") },
        other => panic!("no input {other:?}"),
    };
    (input, serde_json::from_value(value()).expect("dice"))
}

/// The public state of a match: its position, its next step, and its answers to the next inputs.
fn seen(a_match: &PlayedMatch) -> String {
    let mut continued = a_match.clone();
    let inputs = [heads(), Input::TossDecision { to: TossChoice::Bat }, over(json!({})), ball(json!({}))];
    let answers =
        inputs.map(|input| continued.enter(input, if continued.log.len() == 1 { &[1] } else { &[] }));
    let bowled = continued.enter(ball(json!({})), &[3, 5, 6, 6, 1]);
    format!("{:?} {:?} {answers:?} {bowled:?}", a_match.the_match.play().phase(), a_match.the_match.next())
}

#[test]
fn everything_in_the_table_is_refused_as_it_says_and_changes_nothing() {
    check_rows(rows(TABLE), |row| {
        let mut a_match = situation(row.heading);
        let before = seen(&a_match);
        let recorded = a_match.log.len();
        let (input, dice) = read(row.given);
        match a_match.enter(input, &dice) {
            Ok(events) => format!("accepted: {events:?}"),
            Err(_) if seen(&a_match) != before || a_match.log.len() != recorded => {
                "changed something".to_owned()
            }
            Err(refusal) if refusal.message.trim().is_empty() => "says nothing".to_owned(),
            Err(refusal) => words::refusal(&refusal),
        }
    });
}

#[test]
fn after_every_situation_but_the_last_two_the_match_goes_on() {
    for Row { heading, .. } in rows(TABLE) {
        let over = matches!(situation(heading).the_match.next(), Next::Finished { .. });
        assert_eq!(over, ["completed", "abandoned"].contains(&heading), "{heading}");
    }
}

// A log may end there, cut off, or written without a result. Such a match waits for nothing.
#[test]
fn a_match_whose_last_ball_is_recorded_takes_no_more_even_where_its_completion_is_not() {
    for balls in [". . . . . .  . . . . . .", ". . . . . .  W 1", ". . . . . .  W W W W W W"] {
        let mut a_match = PlayedMatch::in_play(json!({"overs": 1}));
        a_match.balls(balls);
        let mut cut_off = a_match.opened_anew();
        for event in &a_match.log[1..a_match.log.len() - 1] {
            cut_off.replay(event).expect("a recorded event");
        }
        assert!(matches!(cut_off.next(), Next::Finished { result: Some(_) }));
        for (input, dice) in [(ball(json!({})), &[2, 3][..]), (over(json!({})), &[])] {
            let decided = cut_off.decide(input.clone(), &mut TableDice::new(dice), None);
            assert!(
                decided.is_err(),
                "{balls}: {input:?} after the last ball: {:?}",
                decided.map(|d| d.events).ok()
            );
        }
    }
}

#[test]
fn a_seeded_match_that_is_over_says_that_its_seeds_are_open() {
    let seed = ServerSeed::from_hex(&"5e".repeat(32)).expect("a seed");
    let created =
        PlayedMatch::create(howzat(), json!({}), sheet(HOME), sheet(AWAY), Some(seed)).expect("a match");
    let mut abandoned = after(created, Input::Abandon { reason: "rain".to_owned() }, &[]);
    for (input, dice) in ["toss [1]", "bat", "over {}", "ball {} [2, 3]", "abandon \"snow\""].map(read) {
        let refusal = abandoned.enter(input, &dice).expect_err("the match is over");
        assert_eq!(words::refusal(&refusal), "seed-open");
    }
}

#[test]
fn a_reason_has_up_to_a_thousand_characters() {
    let abandon =
        |reason: String| PlayedMatch::created(json!({})).enter(Input::Abandon { reason }, &[]).map(|_| ());
    assert_eq!(abandon("é".repeat(1000)), Ok(()));
    assert_eq!(
        words::refusal(&abandon("é".repeat(1001)).expect_err("too long")),
        "illegal-input at field reason"
    );
}

#[test]
fn a_refused_player_comes_with_the_list_of_those_who_may() {
    let legal = |name: &str, given: &str| {
        let (input, dice) = read(given);
        situation(name).enter(input, &dice).expect_err("refused").legal
    };
    let all_but_keeper_and_b11 = json!(["B1", "B2", "B3", "B4", "B5", "B6", "B8", "B9", "B10"]);
    assert_eq!(legal("over bowled", r#"over {"bowler": "B11"}"#), all_but_keeper_and_b11);
    let with_b9_keeping = json!(["B1", "B2", "B3", "B4", "B5", "B6", "B7", "B8", "B10"]);
    assert_eq!(legal("over bowled", r#"over {"bowler": "B11", "keeper": "B9"}"#), with_b9_keeping);
    let without_either = json!(["B1", "B2", "B3", "B4", "B5", "B6", "B8", "B9"]);
    assert_eq!(legal("overs used up", r#"over {"bowler": "B11"}"#), without_either);
    assert_eq!(legal("play begins", r#"over {"keeper": "A1"}"#), json!(sheet(AWAY).players));
    let still_to_bat = json!(["A3", "A4", "A5", "A6", "A7", "A8", "A9", "A10", "A11"]);
    assert_eq!(legal("wicket", r#"ball {"next_batter": "A1"} [2, 3]"#), still_to_bat);
}

#[test]
fn options_are_checked_and_written_out_as_the_table_says() {
    check_rows(rows(OPTIONS), |row| {
        let rules: Value = serde_json::from_str(row.given).expect("JSON");
        match PlayedMatch::create(howzat(), rules, sheet(HOME), sheet(AWAY), None) {
            Ok(a_match) => options_in_words(a_match),
            Err(refusal) => match (refusal.kind, refusal.place) {
                (RefusalKind::IllegalInput, Place::Field(field)) => format!("refused at {field}"),
                other => format!("{other:?}"),
            },
        }
    });
}

fn options_in_words(a_match: PlayedMatch) -> String {
    let rules = &a_match.the_match.play().info().created.rules;
    assert_eq!(rules.len(), 4, "every option is written out, and no other");
    let word = |name: &str| rules[name].as_str().unwrap_or("not a word");
    let number = |name: &str| rules[name].as_u64().expect("a number");
    format!(
        "{}, {} a bowler, {}, drs {}",
        number("overs"),
        number("max_overs_per_bowler"),
        word("sixes_off_extras"),
        word("drs")
    )
}

/// The place at which a match between these two sides is refused; nothing if it is not.
fn refused_at(home: TeamSheet, away: TeamSheet) -> Option<String> {
    let refusal = PlayedMatch::create(howzat(), json!({}), home, away, None).err()?;
    assert_eq!(refusal.kind, RefusalKind::IllegalInput);
    match refusal.place {
        Place::Field(field) => Some(field),
        other => panic!("{other:?} is not a field of the request"),
    }
}

fn named(side: &str, change: impl FnOnce(&mut TeamSheet)) -> TeamSheet {
    let mut sheet = sheet(side);
    change(&mut sheet);
    sheet
}

#[test]
fn a_side_has_eleven_players_no_fewer_and_no_more() {
    for players in [0, 1, 10, 12, 300] {
        let many = || (1..=players).map(|n| format!("P{n}")).collect();
        let home = named(HOME, |sheet| sheet.players = many());
        let away = named(AWAY, |sheet| sheet.players = many());
        assert_eq!(refused_at(home, sheet(AWAY)).as_deref(), Some("home.players"), "{players}");
        assert_eq!(refused_at(sheet(HOME), away).as_deref(), Some("away.players"), "{players}");
    }
}

#[test]
fn no_two_players_of_a_side_have_the_same_name_but_opponents_may() {
    let twice = named(AWAY, |sheet| sheet.players[10] = "B1".to_owned());
    assert_eq!(refused_at(sheet(HOME), twice).as_deref(), Some("away.players[10]"));
    let namesake = named(AWAY, |sheet| sheet.players[10] = "A1".to_owned());
    assert_eq!(refused_at(sheet(HOME), namesake), None);
}

#[test]
fn a_name_has_one_to_a_hundred_characters_on_one_line_and_no_blank_at_an_end() {
    let names = |name: &str| {
        let player = named(HOME, |sheet| sheet.players[4] = name.to_owned());
        let side = named(AWAY, |sheet| sheet.name = name.to_owned());
        (refused_at(player, sheet(AWAY)), refused_at(sheet(HOME), side))
    };
    let refused = (Some("home.players[4]".to_owned()), Some("away.name".to_owned()));
    let controls = ["a\nb", "a\u{0}b", "\u{7f}", "\u{202e}A", "a\u{200f}", "a\u{2028}b"];
    for wrong in ["", " ", " A", "A ", "\u{a0}A"].into_iter().chain(controls) {
        assert_eq!(names(wrong), refused, "{wrong:?}");
    }
    for long in ["x".repeat(101), "x".repeat(300), "é".repeat(300)] {
        assert_eq!(names(&long), refused, "{} characters", long.chars().count());
    }
    // The limit counts characters, not bytes.
    for right in ["x".to_owned(), "x".repeat(100), "é".repeat(100), "Ó Dálaigh, J. \"Jo\"".to_owned()] {
        assert_eq!(names(&right), (None, None), "{right:?}");
    }
}

#[test]
fn the_two_sides_have_different_names() {
    let home_again = named(AWAY, |sheet| sheet.name = HOME.to_owned());
    assert_eq!(refused_at(sheet(HOME), home_again).as_deref(), Some("away.name"));
}
