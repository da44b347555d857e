//! The ball table of Howzat, `table.txt`, and the rulings it has to cover.

use std::collections::BTreeSet;

use serde_json::json;
use third_umpire::log::Ball;
use third_umpire::scorebook::Outcome;
use third_umpire_test_support::logs::{PlayedMatch, howzat};
use third_umpire_test_support::words;

use crate::tables::{Row, check_rows, rows};

const TABLE: &str = include_str!("table.txt");
const OPTIONS: [&str; 2] = ["as_written", "never"];
const DICE: [&str; 6] = ["bowl", "extra", "strike", "fielder", "fielder", "catch"];

/// The rows that hold under an option: those whose heading names it.
fn rows_under(option: &'static str) -> impl Iterator<Item = Row<'static>> {
    rows(TABLE).into_iter().filter(move |row| row.heading.split([' ', ',']).any(|word| word == option))
}

/// The dice of a row, with their purposes: `1 2` is bowl 1, extra 2; `_` was not rolled.
fn dice_of(given: &str) -> Vec<(&'static str, i64)> {
    let faces = DICE.iter().zip(given.split_whitespace()).filter(|(_, face)| *face != "_");
    faces.map(|(purpose, face)| (*purpose, face.parse().expect("a face of a die"))).collect()
}

fn bowl(option: &str, dice: &[(&'static str, i64)]) -> Ball {
    let faces: Vec<i64> = dice.iter().map(|(_, face)| *face).collect();
    PlayedMatch::in_play(json!({"sixes_off_extras": option})).ball(&faces)
}

/// An outcome in the words of the table, with every field.
fn in_words(outcome: &Outcome) -> String {
    assert_eq!([&outcome.striker, &outcome.non_striker, &outcome.bowler], ["A1", "A2", "B11"]);
    format!("{} ; {}", words::outcome(outcome), words::rulings("howzat", outcome))
}

#[test]
fn every_ball_comes_out_as_the_table_says_under_either_option() {
    for option in OPTIONS {
        check_rows(rows_under(option), |row| in_words(&bowl(option, &dice_of(row.given)).outcome));
    }
}

#[test]
fn the_log_has_each_die_with_what_it_was_for() {
    for Row { given, line, .. } in rows_under("as_written") {
        let expected = dice_of(given);
        let found = bowl("as_written", &expected).dice;
        let found: Vec<_> = found.iter().map(|die| (&*die.what, die.sides, i64::from(die.value))).collect();
        let expected: Vec<_> = expected.iter().map(|(purpose, face)| (*purpose, 6, *face)).collect();
        assert_eq!(found, expected, "line {line}");
    }
}

#[test]
fn the_table_has_every_bowl_extra_and_strike_under_either_option() {
    for option in OPTIONS {
        let found: Vec<String> = rows_under(option).map(|row| row.given.to_owned()).collect();
        let distinct: BTreeSet<&String> = found.iter().collect();
        assert_eq!(distinct.len(), found.len(), "a row stands twice under {option}");
        for first_three in every_bowl_extra_and_strike() {
            assert!(found.iter().any(|dice| dice.starts_with(&first_three)), "{first_three} under {option}");
        }
    }
}

fn every_bowl_extra_and_strike() -> Vec<String> {
    let off_the_bat = (2..=6).flat_map(|bowl| (1..=6).map(move |strike| format!("{bowl} _ {strike}")));
    let extras = [1, 3, 4, 5, 6].into_iter().flat_map(|extra| (1..=6).map(move |s| format!("1 {extra} {s}")));
    off_the_bat.chain(extras).chain(["1 2".to_owned()]).collect()
}

#[test]
fn the_table_has_a_catch_held_and_dropped_on_every_position_and_every_face_of_the_catch_die() {
    let in_the_air = |row: &Row<'_>| match dice_of(row.given).as_slice() {
        [_, _, (_, first), (_, second), (_, catch)] => Some((first + second, *catch)),
        _ => None,
    };
    let catches: BTreeSet<(i64, i64)> = rows_under("as_written").filter_map(|row| in_the_air(&row)).collect();
    for position in 2..=12 {
        let faces: Vec<i64> =
            catches.iter().filter(|(at, _)| *at == position).map(|(_, face)| *face).collect();
        assert!(faces.iter().any(|face| *face <= 2), "dropped on {position}");
        assert!(faces.iter().any(|face| *face >= 3), "held on {position}");
    }
    let faces: BTreeSet<i64> = catches.iter().map(|(_, face)| *face).collect();
    assert_eq!(faces, (1..=6).collect());
}

#[test]
fn every_ruling_of_howzat_has_a_row_in_a_table_and_every_row_cites_rulings_of_howzat() {
    let in_balls = OPTIONS.iter().flat_map(|option| rows_under(option)).flat_map(|row| {
        let (_, rulings) = row.expected.split_once(';').expect("rulings");
        rulings.split_whitespace().map(|id| format!("howzat.{id}")).collect::<Vec<_>>()
    });
    let in_tables: BTreeSet<String> =
        in_balls.chain(super::refusals::cited()).chain(super::reviews::cited()).collect();
    let of_howzat: BTreeSet<String> =
        howzat().info.rulings.iter().map(|ruling| ruling.id.to_owned()).collect();
    let differ: Vec<&String> = in_tables.symmetric_difference(&of_howzat).collect();
    assert!(differ.is_empty(), "these are in no table, or are no rulings: {differ:?}");
}
