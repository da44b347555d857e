//! The ball tables, `balls.txt` and `effects.txt`, and what all tables together have to cover.

use std::collections::BTreeSet;

use super::story::result_of;
use super::{cricket, refusals, reviews, rolls, squads};
use crate::tables::{check_rows, rows};

const BALLS: &str = include_str!("balls.txt");
const EFFECTS: &str = include_str!("effects.txt");

#[test]
fn every_ball_comes_out_as_the_table_says() {
    check_rows(rows(BALLS), result_of);
}

#[test]
fn every_effect_of_the_language_does_what_the_table_says() {
    check_rows(rows(EFFECTS), result_of);
}

/// The rulings of balls, after the semicolon of a row.
fn cited_by_balls(table: &str) -> Vec<String> {
    let of_row = |expected: &str| -> Vec<String> {
        let rulings = expected.split(';').nth(1).unwrap_or_default();
        rulings.split_whitespace().map(|id| format!("ctg.{id}")).collect()
    };
    rows(table).into_iter().flat_map(|row| of_row(row.expected)).collect()
}

/// The rulings of refusals.
fn cited_by_refusals(table: &str) -> Vec<String> {
    let words = rows(table).into_iter().flat_map(|row| row.expected.split_whitespace());
    words.filter(|word| word.starts_with("ctg.")).map(str::to_owned).collect()
}

#[test]
fn every_ruling_of_cricket_the_game_has_a_row_in_a_table() {
    let of_balls = [BALLS, EFFECTS].into_iter().flat_map(cited_by_balls);
    let refusing = [BALLS, refusals::TABLE, rolls::TABLE, squads::TABLE];
    let of_refusals = refusing.into_iter().flat_map(cited_by_refusals);
    let in_tables: BTreeSet<String> = of_balls.chain(of_refusals).chain(reviews::cited()).collect();
    let all: BTreeSet<String> = cricket().info.rulings.iter().map(|ruling| ruling.id.to_owned()).collect();
    let unknown: Vec<&String> = in_tables.difference(&all).collect();
    let missing: Vec<&String> = all.difference(&in_tables).collect();
    assert!(unknown.is_empty() && missing.is_empty(), "unknown {unknown:?}, missing {missing:?}");
}
