//! The ball table, `ball_table.txt`, and the rulings it has to cover.

use std::collections::BTreeSet;

use serde_json::json;
use third_umpire::log::RecordedPlay;
use third_umpire_test_support::score::Score;
use third_umpire_test_support::words;

use super::{at_the_table, balls, bowl, cuberoots};
use crate::tables::{Row, check_rows, rows};

const TABLE: &str = include_str!("ball_table.txt");
const VARIANTS: [(&str, i64); 2] = [("limited", 5), ("test", 7)];

fn rows_of(variant: &str) -> Vec<Row<'static>> {
    rows(TABLE).into_iter().filter(|row| row.heading == variant).collect()
}

#[test]
fn every_ball_comes_out_as_the_table_says_in_either_variant() {
    for (variant, _) in VARIANTS {
        check_rows(rows_of(variant), |row| {
            let mut a_match = at_the_table(json!({"variant": variant}));
            let last = bowl(&mut a_match, row.given).expect("a ball");
            let outcome = &last.outcome;
            format!("{} ; {}", words::outcome(outcome), words::rulings("cuberoots", outcome))
        });
    }
}

#[test]
fn the_table_has_every_difference_and_whatever_may_be_needed() {
    for (variant, base) in VARIANTS {
        let details = rows_of(variant).into_iter().map(|row| {
            let number = |name: &str| -> i64 {
                let after = row.expected.split(name).nth(1).expect("a detail");
                let digits = after.trim_start().split([',', '}']).next().expect("a number");
                digits.parse().expect("a number")
            };
            (number("difference"), number("needed"))
        });
        let details: BTreeSet<(i64, i64)> = details.collect();
        for difference in -9..=9 {
            assert!(details.contains(&(difference, base)), "{difference} with {base} needed");
        }
        for needed in 0..=base {
            assert!(details.contains(&(needed, needed)), "just enough where {needed} is needed");
            assert!(needed == 0 || details.contains(&(needed - 1, needed)), "one less than {needed}");
        }
        assert!(details.iter().all(|(_, needed)| (0..=base).contains(needed)));
    }
}

#[test]
fn the_published_over_comes_out_as_it_is_published() {
    let mut a_match = at_the_table(json!({}));
    bowl(&mut a_match, "2v6 0v6 6v6 4v3 5v2 5v7");
    let rulings: Vec<&str> =
        balls(&a_match.log).flat_map(|ball| &ball.outcome.rulings).map(String::as_str).collect();
    let expected = ["runs.4", "runs.6", "dot", "dot", "wicket", "runs.2"].map(|id| format!("cuberoots.{id}"));
    assert_eq!(rulings, expected);
    let needed: Vec<&serde_json::Value> =
        balls(&a_match.log).map(|ball| &ball.outcome.detail["needed"]).collect();
    assert_eq!(needed, [5, 5, 5, 4, 3, 5]);
    let mut score = Score::default();
    balls(&a_match.log).for_each(|ball| score.count(&ball.outcome));
    assert_eq!((score.runs, score.wickets, score.balls), (12, 1, 6));
}

#[test]
fn the_story_tells_the_number_that_a_bowler_needed() {
    let note = |numbers: &str| {
        let ball = bowl(&mut at_the_table(json!({})), numbers).expect("a ball");
        (cuberoots().note)(RecordedPlay::Ball(&ball))
    };
    assert_eq!(note("9v9 9v0").as_deref(), Some("needed 4, got 9"));
    assert_eq!(note("2v2").as_deref(), Some("needed 5, got 0"));
    assert_eq!(note("2v3"), None);
}

#[test]
fn every_ruling_of_cuberoots_has_a_row_in_a_table() {
    let in_balls = rows(TABLE).into_iter().flat_map(|row| {
        let (_, rulings) = row.expected.split_once(';').expect("rulings");
        rulings.split_whitespace().map(|id| format!("cuberoots.{id}")).collect::<Vec<_>>()
    });
    let in_tables: BTreeSet<String> = in_balls.chain(super::refusals::cited()).collect();
    let all: BTreeSet<String> = cuberoots().info.rulings.iter().map(|ruling| ruling.id.to_owned()).collect();
    let of_the_bag = BTreeSet::from([super::deal::REFILLED.to_owned()]);
    assert_eq!(in_tables.union(&of_the_bag).cloned().collect::<BTreeSet<_>>(), all);
}
